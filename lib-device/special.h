// SPDX-License-Identifier: MIT
// OpenCL's functions by one name for both types, for special.cpp and its polynomials.
#pragma once

#include "define.h"

#define BY_TYPE(name, instruction)                                                                                     \
  PURE float __spirv_ocl_##instruction(float);                                                                         \
  PURE double __spirv_ocl_##instruction(double);                                                                       \
  INLINED float name(float x) { return __spirv_ocl_##instruction(x); }                                                 \
  INLINED double name(double x) { return __spirv_ocl_##instruction(x); }
BY_TYPE(sinOf, sin)
BY_TYPE(cosOf, cos)
BY_TYPE(expOf, exp)
BY_TYPE(logOf, log)
BY_TYPE(sqrtOf, sqrt)
BY_TYPE(erfcOf, erfc)
#undef BY_TYPE

INLINED float fabsOf(float x) { return __builtin_fabsf(x); }
INLINED double fabsOf(double x) { return __builtin_fabs(x); }

PURE float __spirv_ocl_fma(float, float, float);
PURE double __spirv_ocl_fma(double, double, double);
INLINED float fused(float x, float y, float z) { return __spirv_ocl_fma(x, y, z); }
INLINED double fused(double x, double y, double z) { return __spirv_ocl_fma(x, y, z); }
