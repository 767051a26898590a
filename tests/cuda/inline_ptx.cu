// SPDX-License-Identifier: MIT
// Inline PTX: arithmetic with and without a carry, bit operations, conversions and predicates against the host.
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

const int kWords = 40;

// Results of all instructions for two words; the host computes the same in C++.
__global__ void compute(const uint32_t *a, const uint32_t *b, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t x = a[i], y = b[i];
  uint32_t *r = out + i * kWords, t;
  asm("add.u32 %0, %1, %2;" : "=r"(r[0]) : "r"(x), "r"(y));
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(r[1]) : "r"(x), "r"(y));
  asm("mad.lo.s32 %0, %1, %2, 7;" : "=r"(r[2]) : "r"(x), "r"(y));
  asm("lop3.b32 %0, %1, %2, %3, 0xb8;" : "=r"(r[3]) : "r"(x), "r"(y), "r"(x >> 3));
  asm("bfe.u32 %0, %1, 5, 11;" : "=r"(r[4]) : "r"(x));
  asm("bfe.s32 %0, %1, %2, 9;" : "=r"(r[5]) : "r"(x), "r"(y & 31));
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(r[6]) : "r"(x), "r"(y));
  asm("bfind.u32 %0, %1;" : "=r"(r[7]) : "r"(x >> (y & 31)));
  asm("prmt.b32 %0, %1, %2, 0x7b21;" : "=r"(r[8]) : "r"(x), "r"(y));
  asm("shf.l.wrap.b32 %0, %1, %2, 13;" : "=r"(r[9]) : "r"(x), "r"(y));
  asm("shl.b32 %0, %1, %2;" : "=r"(r[10]) : "r"(x), "r"(y % 40));
  asm("shr.s32 %0, %1, %2;" : "=r"(r[11]) : "r"(x), "r"(y % 40));
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r[12]) : "r"(x), "r"(y), "r"(3u));
  asm("popc.b32 %0, %1;" : "=r"(r[13]) : "r"(x));
  asm("clz.b32 %0, %1;" : "=r"(r[14]) : "r"(x));
  asm("brev.b32 %0, %1;" : "=r"(r[15]) : "r"(x));

  // 64 bits out of halves, with the carry from one statement to the next.
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r[16]) : "r"(x), "r"(y));
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r[17]) : "r"(y), "r"(x));
  asm("sub.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, %3, %2;" : "=&r"(r[18]), "=r"(r[19]) : "r"(x), "r"(y));
  asm("mad.lo.cc.u32 %0, %2, %3, %2;\n\tmadc.hi.u32 %1, %2, %3, %3;" : "=&r"(r[20]), "=r"(r[21]) : "r"(x), "r"(y));

  // Registers of its own, a scope, a guard, a result that is an argument.
  asm("{\n\t.reg .u32 sum;\n\t.reg .pred p, q;\n\t"
      "add.u32 sum, %1, %2; // both\n\t"
      "setp.lt.u32 p|q, %1, %2;\n\t"
      "mov.u32 %0, sum;\n\t"
      "@p mov.u32 %0, 5;\n\t"
      "@!q add.u32 %0, %0, 1;\n\t}"
      : "=r"(r[22])
      : "r"(x), "r"(y));
  t = x;
  asm("xor.b32 %0, %0, %1;" : "+r"(t) : "r"(y));
  r[23] = t;
  asm("{ .reg .pred p; setp.ge.s32 p, %1, %2; selp.b32 %0, %1, %2, p; }" : "=r"(r[24]) : "r"(x), "r"(y));

  uint64_t wide, packed;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(x), "r"(y));
  asm("mov.b64 %0, {%1, %2};" : "=l"(packed) : "r"(x), "r"(y));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(r[25]), "=r"(r[26]) : "l"(packed));
  r[27] = (uint32_t)(wide >> 32);
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(wide) : "l"(packed), "l"(packed ^ wide));
  r[28] = (uint32_t)wide;

  float f = (float)(int)x, g;
  asm("fma.rn.f32 %0, %1, %2, 0f3F000000;" : "=f"(g) : "f"(f), "f"(f));
  r[29] = __float_as_uint(g);
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r[30]) : "f"(f * 0.37f));
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r[31]) : "f"(f * 3.0f));
  asm("cvt.s32.s8 %0, %1;" : "=r"(r[32]) : "r"(x));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r[33]) : "r"(x));
  asm("cvt.rn.f32.u32 %0, %1;" : "=f"(g) : "r"(y));
  r[34] = __float_as_uint(g);
  asm("add.sat.s32 %0, %1, %2;" : "=r"(r[35]) : "r"(x), "r"(y));
  asm("{ .reg .f64 d; cvt.f64.f32 d, %1; mul.f64 d, d, 0d4000000000000000; cvt.rn.f32.f64 %0, d; }" : "=f"(g) : "f"(f));
  r[36] = __float_as_uint(g);
  asm("max.s32 %0, %1, -7;" : "=r"(r[37]) : "r"(x));
  asm("sad.u32 %0, %1, %2, %1;" : "=r"(r[38]) : "r"(x), "r"(y));
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r[39]) : "r"(x), "r"(y), "r"(y % 40));
}

static uint32_t bitsOf(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}
static int32_t limited(double value, double least, double most) {
  return (int32_t)(int64_t)(value < least ? least : value > most ? most : value);
}
static void reference(uint32_t x, uint32_t y, uint32_t *r) {
  const uint64_t product = (uint64_t)x * y;
  r[0] = x + y;
  r[1] = product >> 32;
  r[2] = x * y + 7;
  const uint32_t z = x >> 3;
  r[3] = 0;
  for (int bit = 0; bit < 32; ++bit)
    r[3] |= (0xb8u >> (4 * (x >> bit & 1) + 2 * (y >> bit & 1) + (z >> bit & 1)) & 1) << bit;
  r[4] = x >> 5 & 0x7ff;
  const int from = y & 31;
  r[5] = 0;
  for (int bit = 0; bit < 32; ++bit) {
    const int source = std::min(from + std::min(bit, 8), 31);
    r[5] |= (x >> source & 1) << bit;
  }
  r[6] = (y & ~0xff0u) | (x & 0xff) << 4;
  const uint32_t shifted = x >> from;
  r[7] = shifted ? 31 - __builtin_clz(shifted) : ~0u;
  const uint32_t bytes[8] = {x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24,
                             y & 255, y >> 8 & 255, y >> 16 & 255, y >> 24};
  r[8] = bytes[1] | bytes[2] << 8 | (bytes[3] & 128 ? 255u : 0u) << 16 | bytes[7] << 24;
  r[9] = y << 13 | x >> 19;
  const int by = y % 40;
  r[10] = by > 31 ? 0 : x << by;
  r[11] = (uint32_t)((int32_t)x >> std::min(by, 31));
  r[12] = 3;
  for (int i = 0; i < 4; ++i)
    r[12] += (uint32_t)std::abs((int)bytes[i] - (int)bytes[4 + i]);
  r[13] = __builtin_popcount(x);
  r[14] = x ? __builtin_clz(x) : 32;
  r[15] = 0;
  for (int bit = 0; bit < 32; ++bit)
    r[15] |= (x >> bit & 1) << (31 - bit);
  r[16] = x + y;
  r[17] = x + y + (x + y < x);
  r[18] = x - y;
  r[19] = y - x - (x < y);
  const uint64_t sum = product + ((uint64_t)y << 32) + x;
  r[20] = (uint32_t)sum;
  r[21] = sum >> 32;
  r[22] = x < y ? 6 : x + y;
  r[23] = x ^ y;
  r[24] = (uint32_t)std::max((int32_t)x, (int32_t)y);
  r[25] = x;
  r[26] = y;
  r[27] = product >> 32;
  const uint64_t packed = x | (uint64_t)y << 32;
  r[28] = (uint32_t)((unsigned __int128)packed * (packed ^ product) >> 64);
  const float f = (float)(int32_t)x;
  r[29] = bitsOf(std::fma(f, f, 0.5f));
  r[30] = (uint32_t)limited(std::nearbyint(f * 0.37f), -2147483648.0, 2147483647.0);
  const float triple = f * 3.0f;
  r[31] = triple < 0 ? 0 : triple >= 4294967296.0f ? ~0u : (uint32_t)triple;
  r[32] = (uint32_t)(int8_t)x;
  r[33] = (uint32_t)limited((int32_t)x, 0, 255);
  r[34] = bitsOf((float)y);
  const int64_t exact = (int64_t)(int32_t)x + (int32_t)y;
  r[35] = (uint32_t)(int32_t)std::max<int64_t>(std::min<int64_t>(exact, INT32_MAX), INT32_MIN);
  r[36] = bitsOf(f * 2.0f);
  r[37] = (uint32_t)std::max((int32_t)x, -7);
  r[38] = x + (x < y ? y - x : x - y);
  r[39] = by > 31 ? y : (uint32_t)(((uint64_t)y << 32 | x) >> by);
}

int main() {
  const int n = 1000;
  std::vector<uint32_t> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i < 32 ? 1u << i : i == 40 ? 0 : i == 41 ? ~0u : (uint32_t)(i * 2654435761u) >> i % 29;
    b[i] = i == 40 || i == 41 ? ~0u : (uint32_t)((i + 7) * 2246822519u) >> i % 31;
  }
  uint32_t *da = onDevice(a), *db = onDevice(b), *out;
  CALL(cudaMalloc(&out, n * kWords * sizeof(uint32_t)));
  compute<<<(n + 255) / 256, 256>>>(da, db, out, n);
  const std::vector<uint32_t> results = onHost(out, n * kWords);
  for (int i = 0; i < n; ++i) {
    uint32_t expected[kWords];
    reference(a[i], b[i], expected);
    for (int word = 0; word < kWords; ++word)
      if (results[i * kWords + word] != expected[word]) {
        std::fprintf(stderr, "result %d of %08x and %08x: %08x, and not %08x\n", word, a[i], b[i],
                     results[i * kWords + word], expected[word]);
        return 1;
      }
  }
}
