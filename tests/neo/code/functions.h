// SPDX-License-Identifier: MIT
// A kernel for each function of HIP's device library that tests/neo/compare_code.py compares with OpenCL's. A file that includes
// this says how each language spells them.
#define FUNCTION1(name, T, function)                                                                                   \
  KERNEL(of_##name)(GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y) { y[GLOBAL_X] = function(x[GLOBAL_X]); }
#define FUNCTION2(name, T, function)                                                                                   \
  KERNEL(of_##name)(GLOBAL const T *RESTRICT x, GLOBAL const T *RESTRICT y, GLOBAL T *RESTRICT z) {                    \
    z[GLOBAL_X] = function(x[GLOBAL_X], y[GLOBAL_X]);                                                                  \
  }
#define FUNCTION3(name, T, function)                                                                                   \
  KERNEL(of_##name)(GLOBAL const T *RESTRICT x, GLOBAL const T *RESTRICT y, GLOBAL T *RESTRICT z) {                    \
    z[GLOBAL_X] = function(x[GLOBAL_X], y[GLOBAL_X], z[GLOBAL_X]);                                                     \
  }

FUNCTION1(expf, float, EXP)
FUNCTION1(fast_expf, float, FAST_EXP)
FUNCTION1(exp10f, float, EXP10)
FUNCTION1(exp2f, float, EXP2)
FUNCTION1(expm1f, float, EXPM1)
FUNCTION1(sinf, float, SIN)
FUNCTION1(cosf, float, COS)
FUNCTION1(tanf, float, TAN)
FUNCTION1(fast_sinf, float, FAST_SIN)
FUNCTION1(fast_cosf, float, FAST_COS)
FUNCTION1(sinpif, float, SINPI)
FUNCTION1(logf, float, LOG)
FUNCTION1(fast_logf, float, FAST_LOG)
FUNCTION1(log2f, float, LOG2)
FUNCTION1(log1pf, float, LOG1P)
FUNCTION1(erff, float, ERF)
FUNCTION1(erfcf, float, ERFC)
FUNCTION1(tanhf, float, TANH)
FUNCTION1(sinhf, float, SINH)
FUNCTION1(atanf, float, ATAN)
FUNCTION1(acosf, float, ACOS)
FUNCTION1(rsqrtf, float, RSQRT)
FUNCTION1(sqrtf, float, SQRT)
FUNCTION1(cbrtf, float, CBRT)
FUNCTION1(rcbrtf, float, RCBRT)
FUNCTION1(tgammaf, float, TGAMMA)
FUNCTION1(rintf, float, RINT)
FUNCTION1(roundf, float, ROUND)
FUNCTION1(truncf, float, TRUNC)
FUNCTION1(saturatef, float, SATURATE)
FUNCTION2(powf, float, POW)
FUNCTION2(fast_powf, float, FAST_POW)
FUNCTION2(fmodf, float, FMOD)
FUNCTION2(remainderf, float, REMAINDER)
FUNCTION2(atan2f, float, ATAN2)
FUNCTION2(hypotf, float, HYPOT)
FUNCTION2(dividef, float, DIVIDE)
FUNCTION2(fdividef, float, FAST_DIVIDE)
FUNCTION2(fminf, float, FMIN)
FUNCTION2(copysignf, float, COPYSIGN)
FUNCTION2(nextafterf, float, NEXTAFTER)
FUNCTION3(fmaf, float, FMA)

KERNEL(of_sincosf)(GLOBAL const float *RESTRICT x, GLOBAL float *RESTRICT sine, GLOBAL float *RESTRICT cosine) {
  float c, s = SINCOS(x[GLOBAL_X], &c);
  sine[GLOBAL_X] = s;
  cosine[GLOBAL_X] = c;
}
KERNEL(of_frexpf)(GLOBAL const float *RESTRICT x, GLOBAL float *RESTRICT mantissa, GLOBAL int *RESTRICT exponent) {
  int e;
  mantissa[GLOBAL_X] = FREXP(x[GLOBAL_X], &e);
  exponent[GLOBAL_X] = e;
}
KERNEL(of_modff)(GLOBAL const float *RESTRICT x, GLOBAL float *RESTRICT rest, GLOBAL float *RESTRICT whole) {
  float w;
  rest[GLOBAL_X] = MODF(x[GLOBAL_X], &w);
  whole[GLOBAL_X] = w;
}
KERNEL(of_norm3df)(GLOBAL const VECTOR4 *RESTRICT in, GLOBAL float *RESTRICT out) {
  VECTOR4 v = in[GLOBAL_X];
  out[GLOBAL_X] = NORM3D(v.x, v.y, v.z);
}

FUNCTION1(exp, double, D_EXP)
FUNCTION1(log, double, D_LOG)
FUNCTION1(sqrt, double, D_SQRT)
FUNCTION1(rsqrt, double, D_RSQRT)
FUNCTION1(sin, double, D_SIN)
FUNCTION2(divide, double, DIVIDE)
FUNCTION2(pow, double, D_POW)
FUNCTION3(fma, double, D_FMA)

FUNCTION1(hexp, HALF, HEXP)
FUNCTION1(hlog, HALF, HLOG)
FUNCTION1(hsqrt, HALF, HSQRT)
FUNCTION1(hrsqrt, HALF, HRSQRT)
FUNCTION1(hsin, HALF, HSIN)
FUNCTION1(hrcp, HALF, HRCP)
FUNCTION1(hfloor, HALF, HFLOOR)
FUNCTION2(hadd, HALF, HADDH)
FUNCTION2(hdiv, HALF, HDIV)
FUNCTION2(hmax, HALF, HMAX)
FUNCTION2(hadd2, HALF2, HADD2)
FUNCTION2(hmul2, HALF2, HMUL2)
FUNCTION3(hfma2, HALF2, HFMA2)

KERNEL(of_hblt2)(GLOBAL const HALF2 *RESTRICT x, GLOBAL const HALF2 *RESTRICT y, GLOBAL int *RESTRICT less) {
  less[GLOBAL_X] = HBLT2(x[GLOBAL_X], y[GLOBAL_X]);
}
KERNEL(of_half2float)(GLOBAL const HALF *RESTRICT x, GLOBAL float *RESTRICT y) {
  y[GLOBAL_X] = HALF_TO_FLOAT(x[GLOBAL_X]);
}
KERNEL(of_float2half)(GLOBAL const float *RESTRICT x, GLOBAL HALF *RESTRICT y) {
  y[GLOBAL_X] = FLOAT_TO_HALF(x[GLOBAL_X]);
}

FUNCTION1(popc, unsigned, POPCOUNT)
FUNCTION1(clz, unsigned, CLZ)
FUNCTION2(umulhi, unsigned, MULHI)
FUNCTION2(mul24, int, MUL24)
FUNCTION2(funnelshift, unsigned, ROTATE)
FUNCTION2(average, int, HADD)
