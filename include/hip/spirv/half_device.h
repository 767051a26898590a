// SPDX-License-Identifier: MIT
// Half precision in device code alone: conversions with a rounding mode, mathematics, shuffles and the atomic addition.
// hip/hip_fp16.h includes this. Conversions to integers saturate, and give zero for NaN; those to half give infinity for
// what is too large, apart from the directions that stay below it.
#pragma once

#include "hip/spirv/atomics.h"
#include "hip/spirv/builtins.h"
#include "hip/spirv/math_functions.h"
#include "hip/spirv/warp.h"

// In CUDA, a NaN as an integer of 64 bits is 2^63.
#ifdef __HIPLZ_CUDA_SOURCE__
#define __HIPLZ_HALF_NAN(Int, x, number) (sizeof(Int) == 8 && __hisnan(x) ? (Int)(1ull << 63) : number)
#else
#define __HIPLZ_HALF_NAN(Int, x, number) number
#endif
#define __HIPLZ_HALF_INTEGER(Int, name, Spirv, Kind, FromKind, mode, rounding)                                         \
  __HIPLZ_SPIRV_PURE Spirv __spirv_ConvertFTo##Kind##_sat_##rounding(_Float16 x);                                      \
  __HIPLZ_DEVICE Int __half2##name##_##mode(__half x) {                                                                \
    return __HIPLZ_HALF_NAN(Int, x, (Int)__spirv_ConvertFTo##Kind##_sat_##rounding(__hiplz::valueOf(x)));              \
  }                                                                                                                    \
  __HIPLZ_SPIRV_PURE _Float16 __spirv_Convert##FromKind##ToF_Rhalf_##rounding(Spirv x);                                \
  __HIPLZ_DEVICE __half __##name##2half_##mode(Int x) {                                                                \
    return __half(__spirv_Convert##FromKind##ToF_Rhalf_##rounding((Spirv)x));                                          \
  }
#define __HIPLZ_HALF_INTEGERS(mode, rounding)                                                                          \
  __HIPLZ_HALF_INTEGER(short, short, short, S_Rshort, S, mode, rounding)                                               \
  __HIPLZ_HALF_INTEGER(unsigned short, ushort, unsigned short, U_Rushort, U, mode, rounding)                           \
  __HIPLZ_HALF_INTEGER(int, int, int, S_Rint, S, mode, rounding)                                                       \
  __HIPLZ_HALF_INTEGER(unsigned, uint, unsigned, U_Ruint, U, mode, rounding)                                           \
  __HIPLZ_HALF_INTEGER(long long, ll, long, S_Rlong, S, mode, rounding)                                                \
  __HIPLZ_HALF_INTEGER(unsigned long long, ull, unsigned long, U_Rulong, U, mode, rounding)
__HIPLZ_HALF_INTEGERS(rn, rte)
__HIPLZ_HALF_INTEGERS(rz, rtz)
__HIPLZ_HALF_INTEGERS(ru, rtp)
__HIPLZ_HALF_INTEGERS(rd, rtn)
#undef __HIPLZ_HALF_INTEGERS
#undef __HIPLZ_HALF_INTEGER
#undef __HIPLZ_HALF_NAN

#define __HIPLZ_FLOAT_TO_HALF(mode, rounding)                                                                          \
  __HIPLZ_SPIRV_PURE _Float16 __spirv_FConvert_Rhalf_##rounding(float x);                                              \
  __HIPLZ_DEVICE __half __float2half_##mode(float x) { return __half(__spirv_FConvert_Rhalf_##rounding(x)); }
__HIPLZ_FLOAT_TO_HALF(rz, rtz)
__HIPLZ_FLOAT_TO_HALF(ru, rtp)
__HIPLZ_FLOAT_TO_HALF(rd, rtn)
#undef __HIPLZ_FLOAT_TO_HALF

/// 0 ... 1.
__HIPLZ_DEVICE __half __clamp_01(__half x) { return __hiplz::saturated(__hiplz::valueOf(x)); }

// x * y + z with one rounding.
__HIPLZ_DEVICE __half __hfma(__half x, __half y, __half z) {
  return __half(__spirv_ocl_fma(__hiplz::valueOf(x), __hiplz::valueOf(y), __hiplz::valueOf(z)));
}
__HIPLZ_DEVICE __half __hfma_sat(__half x, __half y, __half z) { return __clamp_01(__hfma(x, y, z)); }
__HIPLZ_DEVICE __half2 __hfma2(__half2 u, __half2 v, __half2 w) {
  return __half2(__hfma(u.x, v.x, w.x), __hfma(u.y, v.y, w.y));
}
__HIPLZ_DEVICE __half2 __hfma2_sat(__half2 u, __half2 v, __half2 w) {
  return __half2(__hfma_sat(u.x, v.x, w.x), __hfma_sat(u.y, v.y, w.y));
}

// Mathematics: computed in single precision and rounded to half, for one value and for two.
#define __HIPLZ_HALF_MATH(name, expression)                                                                            \
  __HIPLZ_DEVICE __half h##name(__half half) {                                                                         \
    float x = __half2float(half);                                                                                      \
    return __float2half(expression);                                                                                   \
  }                                                                                                                    \
  __HIPLZ_DEVICE __half2 h2##name(__half2 v) { return __half2(h##name(v.x), h##name(v.y)); }
__HIPLZ_HALF_MATH(ceil, ceilf(x))
__HIPLZ_HALF_MATH(floor, floorf(x))
__HIPLZ_HALF_MATH(trunc, truncf(x))
__HIPLZ_HALF_MATH(rint, rintf(x))
__HIPLZ_HALF_MATH(cos, cosf(x))
__HIPLZ_HALF_MATH(sin, sinf(x))
__HIPLZ_HALF_MATH(exp, expf(x))
__HIPLZ_HALF_MATH(exp2, exp2f(x))
__HIPLZ_HALF_MATH(exp10, exp10f(x))
__HIPLZ_HALF_MATH(log, logf(x))
__HIPLZ_HALF_MATH(log2, log2f(x))
__HIPLZ_HALF_MATH(log10, log10f(x))
__HIPLZ_HALF_MATH(rcp, 1.0f / x)
__HIPLZ_HALF_MATH(rsqrt, rsqrtf(x))
__HIPLZ_HALF_MATH(sqrt, sqrtf(x))
#undef __HIPLZ_HALF_MATH

/// The products of the components, summed up onto `c` in single precision; `saturate` limits the result to 0 ... 1.
__HIPLZ_DEVICE float amd_mixed_dot(__half2 a, __half2 b, float c, bool saturate) {
  float sum = __builtin_fmaf(__half2float(a.x), __half2float(b.x), c);
  sum = __builtin_fmaf(__half2float(a.y), __half2float(b.y), sum);
  return !saturate ? sum : sum > 0.0f ? sum < 1.0f ? sum : 1.0f : 0.0f;
}

// Shuffles move the bits as a 32-bit integer.
#define __HIPLZ_HALF_SHUFFLE(name, Lane, lane)                                                                         \
  __HIPLZ_DEVICE __half name(__half value, Lane lane, int width = warpSize) {                                          \
    return __ushort_as_half((unsigned short)name((unsigned)__half_as_ushort(value), lane, width));                     \
  }                                                                                                                    \
  __HIPLZ_DEVICE __half2 name(__half2 value, Lane lane, int width = warpSize) {                                        \
    return __builtin_bit_cast(__half2, name(__builtin_bit_cast(unsigned, value), lane, width));                        \
  }
__HIPLZ_HALF_SHUFFLE(__shfl, int, lane)
__HIPLZ_HALF_SHUFFLE(__shfl_up, unsigned, delta)
__HIPLZ_HALF_SHUFFLE(__shfl_down, unsigned, delta)
__HIPLZ_HALF_SHUFFLE(__shfl_xor, int, mask)
#undef __HIPLZ_HALF_SHUFFLE

/// Returns what was there.
__HIPLZ_DEVICE __half unsafeAtomicAdd(__half *address, __half value) {
  unsigned short *word = reinterpret_cast<unsigned short *>(address);
  unsigned short seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before, __half_as_ushort(__hadd(__ushort_as_half(before), value)));
  } while (seen != before);
  return __ushort_as_half(before);
}

// Reductions of a warp (lane_moves.h).
#define __HIPLZ_HALF_REDUCE(name, expression)                                                                          \
  template <class Mask> __HIPLZ_DEVICE __half __reduce_##name##_sync(Mask mask, __half value) {                        \
    return __hiplz::reduceLanes(                                                                                       \
        mask, value, [](__half result, __half other) __attribute__((always_inline)) { return expression; });           \
  }
__HIPLZ_HALF_REDUCE(add, __hadd(result, other))
__HIPLZ_HALF_REDUCE(min, __hlt(other, result) ? other : result)
__HIPLZ_HALF_REDUCE(max, __hgt(other, result) ? other : result)
#undef __HIPLZ_HALF_REDUCE

/// Adds both components at once, and returns what was there.
__HIPLZ_DEVICE __half2 unsafeAtomicAdd(__half2 *address, __half2 value) {
  unsigned *word = reinterpret_cast<unsigned *>(address);
  unsigned seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before, __builtin_bit_cast(unsigned, __hadd2(__builtin_bit_cast(__half2, before), value)));
  } while (seen != before);
  return __builtin_bit_cast(__half2, before);
}
