// SPDX-License-Identifier: MIT
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define KERNEL(name) extern "C" __global__ void name
#define GLOBAL
#define RESTRICT __restrict__
#define GLOBAL_X int(blockIdx.x * blockDim.x + threadIdx.x)
#define VECTOR4 float4
#define EXP expf
#define FAST_EXP __expf
#define EXP10 exp10f
#define EXP2 exp2f
#define EXPM1 expm1f
#define SIN sinf
#define COS cosf
#define TAN tanf
#define FAST_SIN __sinf
#define FAST_COS __cosf
#define SINPI sinpif
#define LOG logf
#define FAST_LOG __logf
#define LOG2 log2f
#define LOG1P log1pf
#define ERF erff
#define ERFC erfcf
#define TANH tanhf
#define SINH sinhf
#define ATAN atanf
#define ACOS acosf
#define RSQRT rsqrtf
#define SQRT sqrtf
#define CBRT cbrtf
#define RCBRT rcbrtf
#define TGAMMA tgammaf
#define RINT rintf
#define ROUND roundf
#define TRUNC truncf
#define SATURATE __saturatef
#define POW powf
#define FAST_POW __powf
#define FMOD fmodf
#define REMAINDER remainderf
#define ATAN2 atan2f
#define HYPOT hypotf
#define DIVIDE(x, y) ((x) / (y))
#define FAST_DIVIDE __fdividef
#define FMIN fminf
#define COPYSIGN copysignf
#define NEXTAFTER nextafterf
#define POPCOUNT __popc
#define CLZ __clz
#define MULHI __umulhi
#define MUL24 __mul24
#define ROTATE(x, y) __funnelshift_l(x, x, y)
#define HADD __hadd
#define D_EXP exp
#define D_LOG log
#define D_SQRT sqrt
#define D_RSQRT rsqrt
#define D_SIN sin
#define D_POW pow
#define D_FMA fma
#define FMA fmaf
#define HALF __half
#define HALF2 __half2
#define HEXP hexp
#define HLOG hlog
#define HSQRT hsqrt
#define HRSQRT hrsqrt
#define HSIN hsin
#define HRCP hrcp
#define HFLOOR hfloor
#define HADDH __hadd
#define HDIV __hdiv
#define HMAX __hmax
#define HADD2 __hadd2
#define HMUL2 __hmul2
#define HFMA2 __hfma2
#define HBLT2 __hblt2
#define HALF_TO_FLOAT __half2float
#define FLOAT_TO_HALF __float2half
#define SINCOS(x, c) sineAndCosine(x, c)
#define FREXP frexpf
#define MODF modff
#define NORM3D norm3df

__device__ inline float sineAndCosine(float x, float *cosine) {
  float sine;
  sincosf(x, &sine, cosine);
  return sine;
}

#include "functions.h"
