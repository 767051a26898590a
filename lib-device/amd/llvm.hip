// SPDX-License-Identifier: MIT
// LLVM's intrinsics of any target that AMD's translator leaves as calls by name, and that older versions of LLVM do not have:
// llvm.x.y is __llvm_x_y here (src/fatbin/amd_names.cpp). The builtins of the compiler (__builtin_elementwise_tanh) become them.
#include "define.h"

#define LLVM_INTRINSIC(Result, name, parameters) AMD_FUNCTION(Result, __llvm_##name, parameters)

// The intrinsics of all three types. Halves are computed as float.
#define UNARY(name)                                                                                                    \
  LLVM_INTRINSIC(float, name##_f32, (float x)) { return name##f(x); }                                                  \
  LLVM_INTRINSIC(double, name##_f64, (double x)) { return name(x); }                                                   \
  LLVM_INTRINSIC(_Float16, name##_f16, (_Float16 x)) { return static_cast<_Float16>(name##f(x)); }
UNARY(acos)
UNARY(asin)
UNARY(atan)
UNARY(cosh)
UNARY(exp10)
UNARY(sinh)
UNARY(tan)
UNARY(tanh)

LLVM_INTRINSIC(float, atan2_f32, (float y, float x)) { return atan2f(y, x); }
LLVM_INTRINSIC(double, atan2_f64, (double y, double x)) { return atan2(y, x); }
LLVM_INTRINSIC(_Float16, atan2_f16, (_Float16 y, _Float16 x)) { return static_cast<_Float16>(atan2f(y, x)); }
LLVM_INTRINSIC(float, ldexp_f32_i32, (float x, int exponent)) { return ldexpf(x, exponent); }
LLVM_INTRINSIC(double, ldexp_f64_i32, (double x, int exponent)) { return ldexp(x, exponent); }
LLVM_INTRINSIC(_Float16, ldexp_f16_i32, (_Float16 x, int exponent)) {
  return static_cast<_Float16>(ldexpf(x, exponent));
}

/// The lesser or greater number: of a NaN and a number the number, of two zeros the one with the right sign.
template <class T> __device__ T extremum(T x, T y, bool least) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  if (x == y)
    return (__builtin_copysign(1.0, static_cast<double>(x)) < 0) == least ? x : y;
  return (x < y) == least ? x : y;
}
#define EXTREMA(T, type)                                                                                               \
  LLVM_INTRINSIC(T, minimumnum_##type, (T x, T y)) { return extremum(x, y, true); }                                    \
  LLVM_INTRINSIC(T, maximumnum_##type, (T x, T y)) { return extremum(x, y, false); }
EXTREMA(float, f32)
EXTREMA(double, f64)
EXTREMA(_Float16, f16)

LLVM_INTRINSIC(unsigned long, readcyclecounter, ()) { return clock64(); }
LLVM_INTRINSIC(unsigned long, readsteadycounter, ()) { return wall_clock64(); }
