// SPDX-License-Identifier: MIT
// Conversions between half precision, bfloat16, floats and integers in every direction of rounding, on the host and on the
// device, against a search among all numbers of the format; and the functions on them that CUDA has and HIP does not.
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// The numbers of a format that are not negative, by their bits; behind the largest one, what would follow it.
static std::vector<long double> numbersOf(int digits) {
  std::vector<long double> numbers;
  const int infinity = ((1 << (16 - digits)) - 1) << (digits - 1), bias = (1 << (15 - digits)) - 1;
  for (int bits = 0; bits <= infinity; ++bits) {
    const int exponent = bits >> (digits - 1), fraction = bits & ((1 << (digits - 1)) - 1);
    numbers.push_back(std::ldexp((long double)(exponent ? fraction + (1 << (digits - 1)) : fraction),
                                 (exponent ? exponent : 1) - bias - digits + 1));
  }
  return numbers;
}
static unsigned short reference(const std::vector<long double> &numbers, long double x, char mode) {
  const unsigned sign = std::signbit(x) ? 0x8000 : 0;
  const long double size = std::fabs(x);
  size_t below = std::upper_bound(numbers.begin(), numbers.end(), size) - numbers.begin() - 1;
  const bool over = below + 1 == numbers.size(); // at or beyond what would follow the largest number
  if (over)
    --below;
  if (numbers[below] == size)
    return sign | below;
  const bool away = mode == 'n' ? over || size - numbers[below] > numbers[below + 1] - size ||
                                      (size - numbers[below] == numbers[below + 1] - size && below % 2)
                                : mode == (sign ? 'd' : 'u');
  return sign | (below + away);
}
template <class Int> static Int integerReference(float x, char mode) {
  if (x != x)
    return sizeof(Int) == 8 ? Int(1ull << 63) : Int(0);
  const long double whole = mode == 'n'   ? std::nearbyint((long double)x)
                            : mode == 'z' ? std::trunc((long double)x)
                            : mode == 'd' ? std::floor((long double)x)
                                          : std::ceil((long double)x);
  const long double least = std::is_signed<Int>::value ? -std::ldexp(1.0L, 8 * sizeof(Int) - 1) : 0;
  const long double most = std::ldexp(1.0L, 8 * sizeof(Int) - std::is_signed<Int>::value) - 1;
  return whole < least ? Int(least) : whole > most ? Int((unsigned long long)most) : Int(whole);
}

static long long integer(size_t i) { // of every size, with many that lie in the middle of two numbers
  const unsigned long long mixed = (i * 0x9e3779b97f4a7c15ull) >> (i % 64);
  return (long long)(i % 3 == 0 ? mixed : i % 3 == 1 ? mixed & ~0ull << (i % 50) : (mixed | 1) << (i % 40));
}
static float floating(size_t i) {
  const uint32_t bits = uint32_t(i * 0x9e3779b1u) & (i % 2 ? ~0u : 0xfffff000u) & ~(i % 5 ? 0u : 0x1fffu);
  float x;
  memcpy(&x, &bits, 4);
  return x != x ? 1.0f : x;
}

#define MODES(M) M(rn, 'n') M(rz, 'z') M(rd, 'd') M(ru, 'u')
#define INTEGERS(M)                                                                                                    \
  M(short, short) M(unsigned short, ushort) M(int, int) M(unsigned, uint) M(long long, ll) M(unsigned long long, ull)

// All conversions of one argument, as bits.
struct All {
  unsigned short fromInteger[2][6][4], fromFloat[2][4];
  unsigned long long toInteger[2][6][4];
  signed char toChar[2];
  unsigned char toUchar[2];
};
__host__ __device__ void convert(All &all, long long i, float f, unsigned short bits) {
  const __half h = __ushort_as_half(bits);
  const __nv_bfloat16 b = __ushort_as_bfloat16(bits);
  int kind = 0, direction = 0;
#define ONE(mode, letter)                                                                                              \
  all.fromFloat[0][direction] = __half_as_ushort(__float2half_##mode(f));                                              \
  all.fromFloat[1][direction++] = __bfloat16_as_ushort(__float2bfloat16_##mode(f));
  MODES(ONE)
#undef ONE
#define KIND(Int, name)                                                                                                \
  direction = 0;                                                                                                       \
  ROUNDED(Int, name, rn) ROUNDED(Int, name, rz) ROUNDED(Int, name, rd) ROUNDED(Int, name, ru)++ kind;
#define ROUNDED(Int, name, mode)                                                                                       \
  all.fromInteger[0][kind][direction] = __half_as_ushort(__##name##2half_##mode((Int)i));                              \
  all.fromInteger[1][kind][direction] = __bfloat16_as_ushort(__##name##2bfloat16_##mode((Int)i));                      \
  all.toInteger[0][kind][direction] = (unsigned long long)__half2##name##_##mode(h);                                   \
  all.toInteger[1][kind][direction++] = (unsigned long long)__bfloat162##name##_##mode(b);
  INTEGERS(KIND)
#undef ROUNDED
#undef KIND
  all.toChar[0] = __half2char_rz(h), all.toChar[1] = __bfloat162char_rz(b);
  all.toUchar[0] = __half2uchar_rz(h), all.toUchar[1] = __bfloat162uchar_rz(b);
}
__global__ void convertAll(All *all, const long long *integers, const float *floats) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  convert(all[i], integers[i], floats[i], (unsigned short)i);
}

static void compare(const All &all, long long i, float f, unsigned short bits) {
  static const std::vector<long double> numbers[2] = {numbersOf(11), numbersOf(8)};
  const float argument[2] = {__half2float(__ushort_as_half(bits)), __bfloat162float(__ushort_as_bfloat16(bits))};
  const char modes[] = "nzdu";
  for (int format = 0; format < 2; ++format) {
    for (int mode = 0; mode < 4; ++mode) {
      int kind = 0;
      if (std::isfinite(f))
        EXPECT(all.fromFloat[format][mode] == reference(numbers[format], f, modes[mode]));
#define KIND(Int, name)                                                                                                \
  EXPECT(all.fromInteger[format][kind][mode] == reference(numbers[format], (Int)i, modes[mode]));                      \
  EXPECT(all.toInteger[format][kind++][mode] ==                                                                        \
         (unsigned long long)integerReference<Int>(argument[format], modes[mode]));
      INTEGERS(KIND)
#undef KIND
    }
    EXPECT(all.toChar[format] == integerReference<signed char>(argument[format], 'z'));
    EXPECT(all.toUchar[format] == integerReference<unsigned char>(argument[format], 'z'));
  }
}

// Functions of two, as bits.
struct Pairs {
  unsigned masks[2], nanMost[2], relu[2], product[2], saturated[2], tangent[2];
};
__global__ void pairs(Pairs *result, __half *sums, __half2 *sums2, __nv_bfloat16 *bsums, __nv_bfloat162 *bsums2) {
  const __half nan = __ushort_as_half(0x7e00), one = __float2half(1), two = __float2half(2);
  const __nv_bfloat16 bnan = __ushort_as_bfloat16(0x7fc0), bone = __float2bfloat16(1), btwo = __float2bfloat16(2);
  if (threadIdx.x == 0) {
    result->masks[0] = __hltu2_mask(__half2(nan, two), __half2(one, one));
    result->masks[1] = __hge2_mask(__nv_bfloat162(bnan, btwo), __nv_bfloat162(bone, bone));
    result->nanMost[0] = __half_as_ushort(__hmax2_nan(__half2(nan, two), __half2(one, one)).x);
    result->nanMost[1] = __bfloat16_as_ushort(__hmin2_nan(__nv_bfloat162(bone, bnan), __nv_bfloat162(bone, bone)).y);
    result->relu[0] = __half_as_ushort(__hfma_relu(two, two, __float2half(-5)));
    result->relu[1] = __bfloat16_as_ushort(__hfma_relu(btwo, btwo, __float2bfloat16(-3)));
    // (1 + 2i) (2 + 1i) + (1 + 1i) = 1 + 6i
    const __half2 product = __hcmadd(__half2(one, two), __half2(two, one), __half2(one, one));
    result->product[0] = __half_as_ushort(product.x), result->product[1] = __half_as_ushort(product.y);
    result->saturated[0] = __half_as_ushort(__hadd_sat(nan, one));
    result->saturated[1] = __bfloat16_as_ushort(__hfma_sat(btwo, btwo, bone));
    result->tangent[0] = __half_as_ushort(htanh(one));
    result->tangent[1] = __bfloat16_as_ushort(htanh(bone));
  }
  atomicAdd(sums + threadIdx.x % 3, one);
  atomicAdd(sums2, __half2(one, two));
  atomicAdd(bsums + threadIdx.x % 3, bone);
  atomicAdd(bsums2, __nv_bfloat162(bone, btwo));
}

int main() {
  const size_t count = 1 << 16;
  std::vector<long long> integers(count);
  std::vector<float> floats(count);
  for (size_t i = 0; i < count; ++i)
    integers[i] = integer(i), floats[i] = floating(i);
  All *device;
  CALL(cudaMalloc(&device, count * sizeof(All)));
  convertAll<<<count / 128, 128>>>(device, onDevice(integers), onDevice(floats));
  const std::vector<All> all = onHost(device, count);
  for (size_t i = 0; i < count; ++i) {
    All here;
    convert(here, integers[i], floats[i], (unsigned short)i);
    compare(here, integers[i], floats[i], (unsigned short)i);
    compare(all[i], integers[i], floats[i], (unsigned short)i);
  }

  EXPECT(__half2float(__double2half(1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40))) > 1.0f); // rounded once
  EXPECT(__half2float(__half(__float2bfloat16(1.5f))) == 1.5f);
  EXPECT(__bfloat162float(__nv_bfloat16(__float2half(1.001953125f + 0.00390625f))) == 1.0078125f);

  Pairs *result;
  __half *sums;
  CALL(cudaMalloc(&result, sizeof(Pairs)));
  CALL(cudaMalloc(&sums, 64));
  CALL(cudaMemset(sums, 0, 64));
  __nv_bfloat16 *bsums = (__nv_bfloat16 *)(sums + 8);
  pairs<<<1, 96>>>(result, sums, (__half2 *)(sums + 4), bsums, (__nv_bfloat162 *)(bsums + 4));
  const Pairs found = onHost(result, 1)[0];
  EXPECT(found.masks[0] == 0xffff && found.masks[1] == 0xffff0000);
  EXPECT((found.nanMost[0] & 0x7fff) > 0x7c00 && (found.nanMost[1] & 0x7fff) > 0x7f80);
  EXPECT(found.relu[0] == 0 && found.relu[1] == 0x3f80);
  EXPECT(found.product[0] == 0x3c00 && found.product[1] == 0x4600);
  EXPECT(found.saturated[0] == 0 && found.saturated[1] == 0x3f80);
  EXPECT(found.tangent[0] == 0x3a18 && found.tangent[1] == 0x3f43);
  const std::vector<__half> added = onHost(sums, 8);
  EXPECT(__half2float(added[0]) == 32 && __half2float(added[1]) == 32 && __half2float(added[2]) == 32);
  EXPECT(__half2float(added[3]) == 0 && __half2float(added[4]) == 96 && __half2float(added[5]) == 192);
  const std::vector<__nv_bfloat16> badded = onHost(bsums, 8);
  EXPECT(__bfloat162float(badded[2]) == 32 && __bfloat162float(badded[4]) == 96 && __bfloat162float(badded[5]) == 192);
}
