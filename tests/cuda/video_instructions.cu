// SPDX-License-Identifier: MIT
// The functions on bytes and halves of a word, and the dot products, against plain loops.
#include "check.h"

__global__ void all(const unsigned *a, const unsigned *b, unsigned *out) {
  const unsigned x = a[threadIdx.x], y = b[threadIdx.x];
  const unsigned results[] = {__vadd4(x, y),      __vsub2(x, y),
                              __vaddss4(x, y),    __vaddus2(x, y),
                              __vabsdiffs4(x, y), __vabsdiffu2(x, y),
                              __vavgs4(x, y),     __vavgu4(x, y),
                              __vmaxs2(x, y),     __vminu4(x, y),
                              __vcmpgts4(x, y),   __vseteq2(x, x ^ (y & 0xff)),
                              __vneg4(x),         __vabsss2(x),
                              __vsadu4(x, y),     (unsigned)__dp4a((int)x, (int)y, 7),
                              __dp4a(x, y, 9u),   (unsigned)__dp2a_lo((int)x, (int)y, -5)};
  for (int i = 0; i < 18; ++i)
    out[threadIdx.x * 18 + i] = results[i];
}

template <class Lane, class Function> unsigned each(unsigned x, unsigned y, Function function) {
  const int bits = sizeof(Lane) * 8;
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += bits)
    result |= (unsigned)(std::make_unsigned_t<Lane>)function((int)(Lane)(x >> shift), (int)(Lane)(y >> shift)) << shift;
  return result;
}
typedef signed char S8;
typedef unsigned char U8;
typedef short S16;
typedef unsigned short U16;

int main() {
  const int count = 256;
  std::vector<unsigned> a(count), b(count);
  for (unsigned i = 0; i < count; ++i) {
    a[i] = i % 16 == 0 ? 0x80008000 : i * 2654435761u;
    b[i] = i % 16 == 1 ? 0x7fff807f : i * 40503u ^ 0x80ff017f;
  }
  unsigned *out = onDevice(std::vector<unsigned>(18 * count));
  all<<<1, count>>>(onDevice(a), onDevice(b), out);
  const std::vector<unsigned> found = onHost(out, 18 * count);
  for (int i = 0; i < count; ++i) {
    const unsigned x = a[i], y = b[i], *r = &found[i * 18];
    const auto clamp = [](int v, int low, int high) { return v < low ? low : v > high ? high : v; };
    EXPECT(r[0] == each<U8>(x, y, [](int p, int q) { return p + q; }));
    EXPECT(r[1] == each<U16>(x, y, [](int p, int q) { return p - q; }));
    EXPECT(r[2] == each<S8>(x, y, [&](int p, int q) { return clamp(p + q, -128, 127); }));
    EXPECT(r[3] == each<U16>(x, y, [&](int p, int q) { return clamp(p + q, 0, 65535); }));
    EXPECT(r[4] == each<S8>(x, y, [](int p, int q) { return std::abs(p - q); }));
    EXPECT(r[5] == each<U16>(x, y, [](int p, int q) { return std::abs(p - q); }));
    // Rounded away from zero.
    EXPECT(r[6] == each<S8>(x, y, [](int p, int q) {
             return (int)(p + q < 0 ? std::floor((p + q) / 2.0) : std::ceil((p + q) / 2.0));
           }));
    EXPECT(r[7] == each<U8>(x, y, [](int p, int q) { return (p + q + 1) / 2; }));
    EXPECT(r[8] == each<S16>(x, y, [](int p, int q) { return std::max(p, q); }));
    EXPECT(r[9] == each<U8>(x, y, [](int p, int q) { return std::min(p, q); }));
    EXPECT(r[10] == each<S8>(x, y, [](int p, int q) { return p > q ? -1 : 0; }));
    EXPECT(r[11] == each<U16>(x, x ^ (y & 0xff), [](int p, int q) { return p == q; }));
    EXPECT(r[12] == each<U8>(x, y, [](int p, int) { return -p; }));
    EXPECT(r[13] == each<S16>(x, y, [&](int p, int) { return clamp(std::abs(p), 0, 32767); }));
    unsigned sad = 0, plain = 9;
    int dot = 7, low = -5;
    for (int shift = 0; shift < 32; shift += 8) {
      sad += std::abs((int)(U8)(x >> shift) - (int)(U8)(y >> shift));
      dot += (S8)(x >> shift) * (S8)(y >> shift);
      plain += (U8)(x >> shift) * (U8)(y >> shift);
    }
    for (int k = 0; k < 2; ++k)
      low += (S16)(x >> 16 * k) * (S8)(y >> 8 * k);
    EXPECT(r[14] == sad && r[15] == (unsigned)dot && r[16] == plain && r[17] == (unsigned)low);
  }
}
