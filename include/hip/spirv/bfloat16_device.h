// SPDX-License-Identifier: MIT
// bfloat16 in device code alone: fused arithmetic, mathematics, shuffles and the atomic addition. hip/hip_bf16.h includes
// this.
#pragma once

#include "hip/spirv/atomics.h"
#include "hip/spirv/builtins.h"
#include "hip/spirv/math_functions.h"
#include "hip/spirv/warp.h"

namespace __hiplz {
/// x + y rounded to odd: if the sum is inexact, the last bit of the result is 1, so that a later rounding to fewer digits
/// does not take it for a value in the middle.
__HIPLZ_DEVICE float addToOdd(float x, float y) {
  float sum = x + y;
  // The exact error of the sum.
  float part = sum - x;
  float error = (x - (sum - part)) + (y - part);
  if (error == 0.0f || error != error || (bitsOf(sum) & 0x7f800000) == 0x7f800000 || (bitsOf(sum) & 1) != 0)
    return sum;
  return floatOf((error > 0.0f) == (sum > 0.0f) ? bitsOf(sum) + 1 : bitsOf(sum) - 1);
}
} // namespace __hiplz

/// x * y + z with one rounding. The product of two bfloat16 is exact in single precision; a power of two keeps all of it
/// in range.
__HIPLZ_DEVICE __hip_bfloat16 __hfma(const __hip_bfloat16 x, const __hip_bfloat16 y, const __hip_bfloat16 z) {
  float a = __bfloat162float(x), b = __bfloat162float(y), c = __bfloat162float(z);
  float size = __builtin_fabsf(a * b), added = __builtin_fabsf(c);
  float large = __builtin_fabsf(a) < __builtin_fabsf(b) ? b : a,
        small = __builtin_fabsf(a) < __builtin_fabsf(b) ? a : b;
  if (!(added < __builtin_inff()))
    return __float2bfloat16(__builtin_fmaf(a, b, c));
  float scale = 1.0f, back = 1.0f;
  if (!(size < 0x1p126f) || !(added < 0x1p126f)) {
    scale = 0x1p-4f, back = 0x1p4f;
    large *= scale;
  } else if (size < 0x1p-60f) {
    // Too little to move c to the middle between its neighbours.
    if (added > 0x1p-40f)
      return z;
    scale = 0x1p100f, back = 0x1p-100f;
    small *= scale;
  }
  float sum = __hiplz::addToOdd(large * small, c * scale);
  float result = sum * back;
  if (result * scale != sum && sum == sum) {
    unsigned bits = __hiplz::bitsOf(result);
    result = __hiplz::floatOf((__builtin_fabsf(result * scale) > __builtin_fabsf(sum) ? bits - 1 : bits) | 1);
  }
  return __float2bfloat16(result);
}
__HIPLZ_DEVICE __hip_bfloat162 __hfma2(const __hip_bfloat162 u, const __hip_bfloat162 v, const __hip_bfloat162 w) {
  return __hip_bfloat162(__hfma(u.x, v.x, w.x), __hfma(u.y, v.y, w.y));
}

// Mathematics: computed in single precision and rounded, for one value and for two.
#define __HIPLZ_BFLOAT16_MATH(name, expression)                                                                        \
  __HIPLZ_DEVICE __hip_bfloat16 h##name(const __hip_bfloat16 value) {                                                  \
    float x = __bfloat162float(value);                                                                                 \
    return __float2bfloat16(expression);                                                                               \
  }                                                                                                                    \
  __HIPLZ_DEVICE __hip_bfloat162 h2##name(const __hip_bfloat162 v) {                                                   \
    return __hip_bfloat162(h##name(v.x), h##name(v.y));                                                                \
  }
__HIPLZ_BFLOAT16_MATH(ceil, ceilf(x))
__HIPLZ_BFLOAT16_MATH(floor, floorf(x))
__HIPLZ_BFLOAT16_MATH(trunc, truncf(x))
__HIPLZ_BFLOAT16_MATH(rint, rintf(x))
__HIPLZ_BFLOAT16_MATH(cos, cosf(x))
__HIPLZ_BFLOAT16_MATH(sin, sinf(x))
__HIPLZ_BFLOAT16_MATH(exp, expf(x))
__HIPLZ_BFLOAT16_MATH(exp2, exp2f(x))
__HIPLZ_BFLOAT16_MATH(exp10, exp10f(x))
__HIPLZ_BFLOAT16_MATH(log, logf(x))
__HIPLZ_BFLOAT16_MATH(log2, log2f(x))
__HIPLZ_BFLOAT16_MATH(log10, log10f(x))
__HIPLZ_BFLOAT16_MATH(rcp, 1.0f / x)
__HIPLZ_BFLOAT16_MATH(rsqrt, rsqrtf(x))
__HIPLZ_BFLOAT16_MATH(sqrt, sqrtf(x))
#undef __HIPLZ_BFLOAT16_MATH

// Shuffles move the bits as a 32-bit integer. All threads that `mask` names must reach the call together.
#define __HIPLZ_BFLOAT16_SHUFFLE(name, Lane)                                                                           \
  __HIPLZ_DEVICE __hip_bfloat16 name(__hip_bfloat16 value, Lane lane, int width = warpSize) {                          \
    return __ushort_as_bfloat16((unsigned short)name((unsigned)__bfloat16_as_ushort(value), lane, width));             \
  }                                                                                                                    \
  __HIPLZ_DEVICE __hip_bfloat162 name(__hip_bfloat162 value, Lane lane, int width = warpSize) {                        \
    return __builtin_bit_cast(__hip_bfloat162, name(__builtin_bit_cast(unsigned, value), lane, width));                \
  }                                                                                                                    \
  __HIPLZ_DEVICE __hip_bfloat16 name##_sync(const unsigned long long mask, const __hip_bfloat16 value,                 \
                                            const Lane lane, const int width = warpSize) {                             \
    __hiplz::expect(mask);                                                                                             \
    return name(value, lane, width);                                                                                   \
  }                                                                                                                    \
  __HIPLZ_DEVICE __hip_bfloat162 name##_sync(const unsigned long long mask, const __hip_bfloat162 value,               \
                                             const Lane lane, const int width = warpSize) {                            \
    __hiplz::expect(mask);                                                                                             \
    return name(value, lane, width);                                                                                   \
  }
__HIPLZ_BFLOAT16_SHUFFLE(__shfl, int)
__HIPLZ_BFLOAT16_SHUFFLE(__shfl_up, unsigned)
__HIPLZ_BFLOAT16_SHUFFLE(__shfl_down, unsigned)
__HIPLZ_BFLOAT16_SHUFFLE(__shfl_xor, int)
#undef __HIPLZ_BFLOAT16_SHUFFLE

/// Returns what was there.
__HIPLZ_DEVICE __hip_bfloat16 unsafeAtomicAdd(__hip_bfloat16 *address, __hip_bfloat16 value) {
  unsigned short *word = reinterpret_cast<unsigned short *>(address);
  unsigned short seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before, __bfloat16_as_ushort(__hadd(__ushort_as_bfloat16(before), value)));
  } while (seen != before);
  return __ushort_as_bfloat16(before);
}

/// Adds both components at once, and returns what was there.
__HIPLZ_DEVICE __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162 *address, __hip_bfloat162 value) {
  unsigned *word = reinterpret_cast<unsigned *>(address);
  unsigned seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before,
                     __builtin_bit_cast(unsigned, __hadd2(__builtin_bit_cast(__hip_bfloat162, before), value)));
  } while (seen != before);
  return __builtin_bit_cast(__hip_bfloat162, before);
}
