// SPDX-License-Identifier: MIT
// Work that a thread does by itself: integers of all widths, switches, recursion, strings, objects, large structures, arrays that spill.
#include "cases.h"

BOTH(Divisions64, long long) {
  const unsigned long long a = mixed64(i), b = mixed64(i + 7) >> (i % 61);
  const long long c = static_cast<long long>(mixed64(i + 3)), d = static_cast<long long>(b) - (i & 1);
  return static_cast<long long>(a / (b | 1) ^ a % (b | 1)) + (d ? c / d : 1) - (d ? c % d : 2);
}
BOTH(Divisions32, int) {
  const unsigned a = mixed(i), b = mixed(i + 7) >> (i % 31);
  const int c = static_cast<int>(mixed(i + 3)) | 1, d = static_cast<int>(b);
  return static_cast<int>(a / (b | 1) + a % (b | 1)) + (d > 1 ? c / d - c % d : 5) + c / 7 + c % 10 + a / 1000003;
}
BOTH(SmallIntegers, int) {
  const signed char a = static_cast<signed char>(mixed(i));
  const unsigned char b = static_cast<unsigned char>(mixed(i + 1));
  const short c = static_cast<short>(mixed(i + 2));
  const unsigned short d = static_cast<unsigned short>(mixed(i + 3));
  const signed char sum = static_cast<signed char>(a + b);
  const short product = static_cast<short>(c * d);
  return sum * 3 + product + (b ? a / b : 0) + (a >> 3) + (c >> 5) + (d >> 5) + static_cast<unsigned char>(b << 3) +
         (c < a ? 1000 : 0) + (static_cast<unsigned short>(~d) > b ? 7 : 9);
}
BOTH(Shifts, unsigned long long) {
  const unsigned long long a = mixed64(i);
  const long long s = static_cast<long long>(a);
  const int n = i % 64;
  return (a << n) ^ (a >> (63 - n)) ^ static_cast<unsigned long long>(s >> n) ^ (a << n | a >> ((64 - n) & 63)) ^
         static_cast<unsigned>(static_cast<int>(a) >> (n & 31));
}
#ifndef __HIPLZ_DEVICE // SPIR-V has no such integers
BOTH(Product128, unsigned long long) {
  const unsigned __int128 p = static_cast<unsigned __int128>(mixed64(i)) * mixed64(i + 1);
  const __int128 s = static_cast<__int128>(static_cast<long long>(mixed64(i + 2))) * static_cast<long long>(mixed64(i));
  return static_cast<unsigned long long>(p >> 64) ^ static_cast<unsigned long long>(p) ^
         static_cast<unsigned long long>(s >> 67) ^
         static_cast<unsigned long long>((p + static_cast<unsigned __int128>(s)) >> (i % 128));
}
#endif
BOTH(BitCounts, int) {
  const unsigned long long a = mixed64(i) >> (i % 64), b = a ? a : 1;
  return __builtin_popcountll(a) + 100 * __builtin_clzll(b) + 10000 * __builtin_ctzll(b) +
         1000000 * __builtin_popcount(static_cast<unsigned>(a)) +
         static_cast<int>(__builtin_bitreverse32(static_cast<unsigned>(a)) >> 3) +
         static_cast<int>(__builtin_bswap64(a) >> 40);
}
BOTH(SwitchTable, int) {
  int state = i, sum = 0;
  for (int n = 0; n < 20; ++n)
    switch (state % 17) {
    case 0: state = state * 3 + 1; break;
    case 1:
      sum += 5;
      state += 7;
      break;
    case 2: state ^= 0x55; [[fallthrough]];
    case 3:
      sum -= state;
      state = state / 2 + 3;
      break;
    case 4: return sum;
    case 5: state = state * state % 1009; break;
    case 6:
      sum *= 3;
      state += 1;
      break;
    case 7:
    case 8: state += sum & 15; break;
    case 10: state = 77; break;
    case 12:
      sum += state * 2;
      state -= 1;
      break;
    case 13:
      if (sum & 1)
        continue;
      state += 11;
      break;
    case 16: state = state / 3 + 1; break;
    default: state += 4; sum ^= n;
    }
  return sum * 31 + state;
}
BOTH(BitFields, int) {
  struct {
    unsigned a : 3, b : 11, c : 18;
    int d : 5, e : 27;
    unsigned long long f : 40, g : 24;
  } v = {};
  v.a = mixed(i), v.b = mixed(i + 1), v.c = mixed(i + 2), v.d = static_cast<int>(mixed(i + 3)),
  v.e = static_cast<int>(mixed(i + 4));
  v.f = mixed64(i), v.g = mixed64(i + 9);
  v.b += v.a, v.d -= 3, v.f *= 5;
  return static_cast<int>(v.a + v.b * 3 + v.c * 5) + v.d * 7 + v.e + static_cast<int>(v.f >> 9) + static_cast<int>(v.g);
}
__host__ __device__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
BOTH(Recursion, int) { return ackermann(i % 3, i % 4); }
__host__ __device__ void quickSort(int *a, int low, int high) {
  if (low >= high)
    return;
  const int pivot = a[(low + high) / 2];
  int l = low, h = high;
  while (l <= h) {
    while (a[l] < pivot)
      ++l;
    while (a[h] > pivot)
      --h;
    if (l <= h) {
      const int t = a[l];
      a[l++] = a[h];
      a[h--] = t;
    }
  }
  quickSort(a, low, h);
  quickSort(a, l, high);
}
BOTH(SortByRecursion, int) {
  int a[40];
  for (int n = 0; n < 40; ++n)
    a[n] = static_cast<int>(mixed(i * 40 + n) % 1000) - 500;
  quickSort(a, 0, 39);
  int sum = 0;
  for (int n = 0; n < 40; ++n)
    sum = sum * 31 + a[n];
  return sum;
}
__host__ __device__ int textOf(long long value, char *out) {
  char back[24];
  int n = 0, length = 0;
  unsigned long long rest =
      value < 0 ? 0 - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value);
  do
    back[n++] = static_cast<char>('0' + rest % 10);
  while (rest /= 10);
  if (value < 0)
    out[length++] = '-';
  while (n)
    out[length++] = back[--n];
  out[length] = 0;
  return length;
}
__host__ __device__ long long numberOf(const char *text) {
  const bool negative = *text == '-';
  long long value = 0;
  for (text += negative; *text >= '0' && *text <= '9'; ++text)
    value = value * 10 + (*text - '0');
  return negative ? -value : value;
}
BOTH(Strings, long long) {
  char text[64];
  const long long value = static_cast<long long>(mixed64(i)) >> (i % 50);
  int length = textOf(value, text);
  text[length++] = ' ';
  length += textOf(i, text + length);
  int words = 1, hash = 5381;
  for (const char *p = text; *p; ++p)
    words += *p == ' ', hash = hash * 33 + *p;
  for (int a = 0, b = length - 1; a < b; ++a, --b) {
    const char t = text[a];
    text[a] = text[b], text[b] = t;
  }
  return numberOf(text) + value - numberOf("-12345678901") * words + hash;
}
BOTH(Crc, unsigned) {
  unsigned table[16], crc = ~0u;
  for (unsigned n = 0; n < 16; ++n) {
    unsigned c = n;
    for (int k = 0; k < 4; ++k)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    table[n] = c;
  }
  for (int n = 0; n < 32; ++n) {
    const unsigned byte = mixed(i + n) & 255;
    crc = table[(crc ^ byte) & 15] ^ crc >> 4;
    crc = table[(crc ^ byte >> 4) & 15] ^ crc >> 4;
  }
  return ~crc;
}
struct Big {
  double numbers[20];
  int words[13];
  char text[7];
  long long last;
};
__host__ __device__ __attribute__((noinline)) Big changed(Big big, int by) {
  for (double &number : big.numbers)
    number = number * 2 + by;
  for (int &word : big.words)
    word ^= by;
  big.text[by % 7] = 'x';
  big.last -= by;
  return big;
}
BOTH(StructuresByValue, double) {
  Big big{};
  for (int n = 0; n < 20; ++n)
    big.numbers[n] = n * i;
  for (int n = 0; n < 13; ++n)
    big.words[n] = n + i;
  big.last = 1ll << 40;
  const Big one = changed(big, i % 11), two = changed(one, i % 5);
  double sum = static_cast<double>(two.last);
  for (int n = 0; n < 20; ++n)
    sum += two.numbers[n] - one.numbers[n] / 4;
  for (int n = 0; n < 13; ++n)
    sum += two.words[n] * (n + 1);
  for (const char c : two.text)
    sum += c;
  return sum;
}
struct Shape {
  __host__ __device__ virtual int area() const = 0;
  __host__ __device__ virtual int corners() const { return 0; }
};
struct Square final : Shape {
  int side;
  __host__ __device__ explicit Square(int s) : side(s) {}
  __host__ __device__ int area() const override { return side * side; }
  __host__ __device__ int corners() const override { return 4; }
};
struct Named {
  int name = 3;
  __host__ __device__ virtual int twice() const { return 2 * name; }
};
struct Triangle : Named, Shape {
  int base, height;
  __host__ __device__ Triangle(int b, int h) : base(b), height(h) { name = b; }
  __host__ __device__ int area() const override { return base * height / 2; }
  __host__ __device__ int twice() const override { return name + 100; }
};
__host__ __device__ __attribute__((noinline)) int measure(const Shape &shape, const Named &named) {
  return shape.area() * 10 + shape.corners() + named.twice();
}
BOTH(VirtualFunctions, int) {
  const Square square(i);
  const Triangle triangle(i + 1, i + 2);
  const Named named;
  return measure(i % 3 ? static_cast<const Shape &>(square) : triangle, i % 2 ? named : triangle);
}
BOTH(DynamicIndices, int) {
  int registers[8];
  unsigned char bytes[12];
  for (int n = 0; n < 8; ++n)
    registers[n] = n * n;
  for (int n = 0; n < 12; ++n)
    bytes[n] = static_cast<unsigned char>(mixed(n + i));
  for (int n = 0; n < 10; ++n) {
    registers[(i + n * 3) % 8] += registers[n % 8] + bytes[(i * 5 + n) % 12];
    bytes[registers[n % 8] & 7] ^= static_cast<unsigned char>(n);
  }
  int sum = 0;
  for (int n = 0; n < 8; ++n)
    sum = sum * 7 + registers[n] + bytes[n + 4];
  return sum;
}
// More values than registers.
BOTH(Spills, double) {
  double m[6][6], inverse[6][6];
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) {
      m[r][c] = mixed(i * 100 + r * 10 + c) % 1000 / 500.0 - 1 + (r == c ? 8 : 0);
      inverse[r][c] = r == c;
    }
#pragma unroll
  for (int p = 0; p < 6; ++p) {
    const double d = m[p][p];
#pragma unroll
    for (int c = 0; c < 6; ++c)
      m[p][c] /= d, inverse[p][c] /= d;
#pragma unroll
    for (int r = 0; r < 6; ++r)
      if (r != p) {
        const double f = m[r][p];
#pragma unroll
        for (int c = 0; c < 6; ++c) {
          m[r][c] -= f * m[p][c];
          inverse[r][c] -= f * inverse[p][c];
        }
      }
  }
  double sum = 0;
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c)
      sum += inverse[r][c] * (r + 2 * c);
  return sum;
}
BOTH(FloatArithmetic, float) {
  const float a = static_cast<int>(mixed(i)) / 3.0f, b = static_cast<int>(mixed(i + 1)) / 65536.0f;
  float r = a * b + a / b - sqrtf(fabsf(b)) + floorf(b) * 0.5f + truncf(a) + fminf(a, b) - fmaxf(b, 3);
  r += static_cast<float>(static_cast<int>(b)) + static_cast<float>(static_cast<unsigned long long>(fabsf(b) * 1e9f)) +
       static_cast<float>(static_cast<long long>(mixed64(i)));
  return r + fmodf(fabsf(a), 7) + rintf(b) + copysignf(2, a) + ldexpf(b, i % 40 - 20) + fmaf(a, b, 1);
}
BOTH(DoubleArithmetic, double) {
  const double a = static_cast<long long>(mixed64(i)) / 3.0, b = static_cast<int>(mixed(i + 1)) / 65536.0;
  double r = a * b + a / b - sqrt(fabs(b)) + floor(b) * 0.5 + trunc(a) + fmin(a, b) - fmax(b, 3.0);
  r += static_cast<double>(static_cast<long long>(b * 1e9)) + static_cast<double>(mixed64(i)) +
       static_cast<double>(static_cast<unsigned long long>(fabs(b) * 1e12)) + static_cast<float>(a);
  return r + fmod(fabs(a), 7.0) + rint(b) + copysign(2.0, a) + ldexp(b, i % 400 - 200) + fma(a, b, 1.0) + round(b);
}
BOTH(DenormalNumbers, double) {
  const float tiny = ldexpf(static_cast<float>(mixed(i) & 0xffff), -149 + i % 9);
  const double small = ldexp(static_cast<double>(mixed(i)), -1074 + i % 5);
  return static_cast<double>(tiny * 0.75f) * 0x1p120 + static_cast<double>(tiny / 3) * 0x1p120 + small / 3 * 0x1p1000 +
         small * 0.3 * 0x1p1000 + (tiny > 0 ? 1 : 0);
}

int main() { return runChecks(); }
