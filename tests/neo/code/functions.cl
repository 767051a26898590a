// SPDX-License-Identifier: MIT
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define KERNEL(name) __kernel void name
#define GLOBAL __global
#define RESTRICT restrict
#define GLOBAL_X ((int)get_global_id(0))
#define VECTOR4 float4
#define EXP exp
#define FAST_EXP native_exp
#define EXP10 exp10
#define EXP2 exp2
#define EXPM1 expm1
#define SIN sin
#define COS cos
#define TAN tan
#define FAST_SIN native_sin
#define FAST_COS native_cos
#define SINPI sinpi
#define LOG log
#define FAST_LOG native_log
#define LOG2 log2
#define LOG1P log1p
#define ERF erf
#define ERFC erfc
#define TANH tanh
#define SINH sinh
#define ATAN atan
#define ACOS acos
#define RSQRT rsqrt
#define SQRT sqrt
#define CBRT cbrt
#define RCBRT(x) (1.0f / cbrt(x))
#define TGAMMA tgamma
#define RINT rint
#define ROUND round
#define TRUNC trunc
#define SATURATE(x) clamp(x, 0.0f, 1.0f)
#define POW pow
#define FAST_POW native_powr
#define FMOD fmod
#define REMAINDER remainder
#define ATAN2 atan2
#define HYPOT hypot
#define DIVIDE(x, y) ((x) / (y))
#define FAST_DIVIDE native_divide
#define FMIN fmin
#define COPYSIGN copysign
#define NEXTAFTER nextafter
#define POPCOUNT popcount
#define CLZ clz
#define MULHI mul_hi
#define MUL24 mul24
#define ROTATE rotate
#define HADD hadd
#define D_EXP exp
#define D_LOG log
#define D_SQRT sqrt
#define D_RSQRT rsqrt
#define D_SIN sin
#define D_POW pow
#define D_FMA fma
#define FMA fma
#define HALF half
#define HALF2 half2
#define HEXP exp
#define HLOG log
#define HSQRT sqrt
#define HRSQRT rsqrt
#define HSIN sin
#define HRCP(x) ((half)1 / (x))
#define HFLOOR floor
#define HADDH(x, y) ((x) + (y))
#define HDIV(x, y) ((x) / (y))
#define HMAX fmax
#define HADD2(x, y) ((x) + (y))
#define HMUL2(x, y) ((x) * (y))
#define HFMA2 fma
#define HBLT2(x, y) all((x) < (y))
#define HALF_TO_FLOAT convert_float
#define FLOAT_TO_HALF convert_half
#define SINCOS sincos
#define FREXP frexp
#define MODF modf
#define NORM3D(x, y, z) length((float3)(x, y, z))

#include "functions.h"
