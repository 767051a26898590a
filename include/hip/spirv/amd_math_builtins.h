// SPDX-License-Identifier: MIT
// AMD's built-in functions of floating-point numbers. Those that its hardware approximates are as exact here as HIP's own.
#pragma once

#include "hip/spirv/math_functions.h"

#define __HIPLZ_AMD_FLOAT(T, suffix)                                                                                   \
  __HIPLZ_DEVICE T __builtin_amdgcn_rcp##suffix(T x) { return (T)1 / x; }                                              \
  __HIPLZ_DEVICE T __builtin_amdgcn_fract##suffix(T x) { return __hiplz::amdFract(x); }                                \
  __HIPLZ_DEVICE T __builtin_amdgcn_frexp_mant##suffix(T x) { return __hiplz::amdMantissa(x); }                        \
  __HIPLZ_DEVICE bool __builtin_amdgcn_class##suffix(T x, int classes) {                                               \
    return __hiplz::amdClass(x) & (unsigned)classes;                                                                   \
  }

namespace __hiplz {

// How the formats lie in their words.
template <class T> struct AmdFormat;
template <> struct AmdFormat<double> {
  typedef unsigned long Word;
  enum { mantissa = 52, exponent = 11 };
};
template <> struct AmdFormat<float> {
  typedef unsigned Word;
  enum { mantissa = 23, exponent = 8 };
};
template <> struct AmdFormat<_Float16> {
  typedef unsigned short Word;
  enum { mantissa = 10, exponent = 5 };
};

/// The bit of the class that a number belongs to: signaling and quiet NaN; infinite, normal, subnormal and zero of the
/// negative numbers; and of the positive ones in reverse order.
template <class T> __HIPLZ_DEVICE unsigned amdClass(T x) {
  typedef AmdFormat<T> Format;
  typedef typename Format::Word Word;
  const Word bits = __builtin_bit_cast(Word, x), one = 1;
  const Word fraction = bits & (Word)((one << Format::mantissa) - 1);
  const unsigned exponent = (unsigned)(bits >> Format::mantissa) & ((1u << Format::exponent) - 1);
  if (exponent == (1u << Format::exponent) - 1 && fraction != 0)
    return fraction >> (Format::mantissa - 1) & 1 ? 2 : 1;
  const unsigned kind = exponent == (1u << Format::exponent) - 1 ? 0 : exponent != 0 ? 1 : fraction != 0 ? 2 : 3;
  return bits >> (Format::mantissa + Format::exponent) & 1 ? 4u << kind : 512u >> kind;
}

/// The fraction above the next lower integer, below 1 after rounding too.
__HIPLZ_DEVICE double amdFract(double x) {
  const double part = x - __builtin_floor(x);
  return part > 0x1.fffffffffffffp-1 ? 0x1.fffffffffffffp-1 : part;
}
__HIPLZ_DEVICE float amdFract(float x) {
  const float part = x - __builtin_floorf(x);
  return part > 0x1.fffffep-1f ? 0x1.fffffep-1f : part;
}
__HIPLZ_DEVICE _Float16 amdFract(_Float16 x) {
  const _Float16 part = x - (_Float16)__builtin_floorf((float)x), limit = (_Float16)0x1.ffcp-1f;
  return part > limit ? limit : part;
}

// Infinities and NaN are their own mantissas, with the exponent 0.
__HIPLZ_DEVICE double amdMantissa(double x) {
  int exponent;
  return amdClass(x) & 0x207 ? x : frexp(x, &exponent);
}
__HIPLZ_DEVICE float amdMantissa(float x) {
  int exponent;
  return amdClass(x) & 0x207 ? x : frexpf(x, &exponent);
}
__HIPLZ_DEVICE _Float16 amdMantissa(_Float16 x) { return (_Float16)amdMantissa((float)x); }

} // namespace __hiplz

__HIPLZ_AMD_FLOAT(double, )
__HIPLZ_AMD_FLOAT(float, f)
__HIPLZ_AMD_FLOAT(_Float16, h)
#undef __HIPLZ_AMD_FLOAT

__HIPLZ_DEVICE int __builtin_amdgcn_frexp_exp(double x) {
  int exponent = 0;
  if (!(__hiplz::amdClass(x) & 0x207))
    (void)frexp(x, &exponent);
  return exponent;
}
__HIPLZ_DEVICE int __builtin_amdgcn_frexp_expf(float x) {
  int exponent = 0;
  if (!(__hiplz::amdClass(x) & 0x207))
    (void)frexpf(x, &exponent);
  return exponent;
}
__HIPLZ_DEVICE short __builtin_amdgcn_frexp_exph(_Float16 x) { return (short)__builtin_amdgcn_frexp_expf((float)x); }

__HIPLZ_DEVICE double __builtin_amdgcn_ldexp(double x, int exponent) { return ldexp(x, exponent); }
__HIPLZ_DEVICE float __builtin_amdgcn_ldexpf(float x, int exponent) { return ldexpf(x, exponent); }
__HIPLZ_DEVICE _Float16 __builtin_amdgcn_ldexph(_Float16 x, int exponent) {
  return (_Float16)ldexpf((float)x, (short)exponent);
}

__HIPLZ_DEVICE double __builtin_amdgcn_sqrt(double x) { return sqrt(x); }
__HIPLZ_DEVICE float __builtin_amdgcn_sqrtf(float x) { return sqrtf(x); }
__HIPLZ_DEVICE _Float16 __builtin_amdgcn_sqrth(_Float16 x) { return (_Float16)sqrtf((float)x); }
__HIPLZ_DEVICE double __builtin_amdgcn_rsq(double x) { return rsqrt(x); }
__HIPLZ_DEVICE float __builtin_amdgcn_rsqf(float x) { return rsqrtf(x); }
__HIPLZ_DEVICE _Float16 __builtin_amdgcn_rsqh(_Float16 x) { return (_Float16)rsqrtf((float)x); }
/// The largest finite number instead of an infinity.
__HIPLZ_DEVICE double __builtin_amdgcn_rsq_clamp(double x) {
  const double root = rsqrt(x), limit = __DBL_MAX__;
  return root > limit ? limit : root < -limit ? -limit : root;
}
__HIPLZ_DEVICE float __builtin_amdgcn_rsq_clampf(float x) {
  const float root = rsqrtf(x), limit = __FLT_MAX__;
  return root > limit ? limit : root < -limit ? -limit : root;
}

/// Sine and cosine of an angle in turns.
__HIPLZ_DEVICE float __builtin_amdgcn_sinf(float turns) { return sinpif(2 * turns); }
__HIPLZ_DEVICE float __builtin_amdgcn_cosf(float turns) { return cospif(2 * turns); }
__HIPLZ_DEVICE _Float16 __builtin_amdgcn_sinh(_Float16 turns) { return (_Float16)sinpif(2 * (float)turns); }
__HIPLZ_DEVICE _Float16 __builtin_amdgcn_cosh(_Float16 turns) { return (_Float16)cospif(2 * (float)turns); }

/// Logarithm and power to the base 2.
__HIPLZ_DEVICE float __builtin_amdgcn_logf(float x) { return log2f(x); }
__HIPLZ_DEVICE float __builtin_amdgcn_log_clampf(float x) {
  const float result = log2f(x);
  return result < -__FLT_MAX__ ? -__FLT_MAX__ : result > __FLT_MAX__ ? __FLT_MAX__ : result;
}
__HIPLZ_DEVICE float __builtin_amdgcn_exp2f(float x) { return exp2f(x); }

/// The one in the middle; the smallest of those that are numbers if one is NaN.
__HIPLZ_DEVICE float __builtin_amdgcn_fmed3f(float x, float y, float z) {
  if (x != x || y != y || z != z)
    return fminf(fminf(x, y), z);
  return fmaxf(fminf(x, y), fminf(fmaxf(x, y), z));
}
__HIPLZ_DEVICE _Float16 __builtin_amdgcn_fmed3h(_Float16 x, _Float16 y, _Float16 z) {
  return (_Float16)__builtin_amdgcn_fmed3f((float)x, (float)y, (float)z);
}
