// SPDX-License-Identifier: MIT
// CUDA's and HIP's intrinsics on floating-point values: the fast ones, which use the device's native instructions and
// have no accuracy of their own, and operations with an explicit rounding to nearest (the other roundings: math_rounding.h).
#pragma once

#include "hip/spirv/math_functions.h"

__HIPLZ_DEVICE float __sinf(float x) { return __spirv_ocl_native_sin(x); }
__HIPLZ_DEVICE float __cosf(float x) { return __spirv_ocl_native_cos(x); }
__HIPLZ_DEVICE float __tanf(float x) { return __spirv_ocl_native_tan(x); }
__HIPLZ_DEVICE void __sincosf(float x, float *sine, float *cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
__HIPLZ_DEVICE float __expf(float x) { return __spirv_ocl_native_exp(x); }
__HIPLZ_DEVICE float __exp10f(float x) { return __spirv_ocl_native_exp10(x); }
__HIPLZ_DEVICE float __logf(float x) { return __spirv_ocl_native_log(x); }
__HIPLZ_DEVICE float __log2f(float x) { return __spirv_ocl_native_log2(x); }
__HIPLZ_DEVICE float __log10f(float x) { return __spirv_ocl_native_log10(x); }
__HIPLZ_DEVICE float __powf(float x, float y) { return __spirv_ocl_native_powr(x, y); }
__HIPLZ_DEVICE float __fdividef(float x, float y) { return __spirv_ocl_native_divide(x, y); }
/// x clamped to [0, 1]; 0 for NaN.
__HIPLZ_DEVICE float __saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }

// A multiplication and an addition by these names never become one fused operation.
#define __HIPLZ_ROUNDED(T, prefix)                                                                                     \
  __HIPLZ_DEVICE T __##prefix##add_rn(T x, T y) { _Pragma("clang fp contract(off)") return x + y; }                    \
  __HIPLZ_DEVICE T __##prefix##sub_rn(T x, T y) { _Pragma("clang fp contract(off)") return x - y; }                    \
  __HIPLZ_DEVICE T __##prefix##mul_rn(T x, T y) { _Pragma("clang fp contract(off)") return x * y; }
__HIPLZ_ROUNDED(float, f)
__HIPLZ_ROUNDED(double, d)
#undef __HIPLZ_ROUNDED
// Of float, whatever -ffast-math and -fno-hip-fp32-correctly-rounded-divide-sqrt say.
__HIPLZ_DEVICE float __fdiv_rn(float x, float y) { return __hiplz_div_rn(x, y); }
__HIPLZ_DEVICE double __ddiv_rn(double x, double y) { return x / y; }
__HIPLZ_DEVICE float __frcp_rn(float x) { return __hiplz_div_rn(1.0f, x); }
__HIPLZ_DEVICE double __drcp_rn(double x) { return 1 / x; }
__HIPLZ_DEVICE float __fsqrt_rn(float x) { return __hiplz_sqrt_rn(x); }
__HIPLZ_DEVICE double __dsqrt_rn(double x) { return sqrt(x); }
__HIPLZ_DEVICE float __frsqrt_rn(float x) { return __hiplz_rsqrt_rn(x); }
__HIPLZ_DEVICE float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__HIPLZ_DEVICE double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
