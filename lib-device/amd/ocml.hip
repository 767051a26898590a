// SPDX-License-Identifier: MIT
// AMD's mathematical library ocml, over HIPLZ's functions and with their accuracy (docs/math-accuracy.md).
#include "define.h"

#include <hip/hip_fp16.h>

// name(T), and with a second name where HIP's differs from ocml's.
#define UNARY_AS(name, function)                                                                                       \
  AMD_FUNCTION(float, __ocml_##name##_f32, (float x)) { return function##f(x); }                                       \
  AMD_FUNCTION(double, __ocml_##name##_f64, (double x)) { return function(x); }
#define UNARY(name) UNARY_AS(name, name)
#define BINARY(name)                                                                                                   \
  AMD_FUNCTION(float, __ocml_##name##_f32, (float x, float y)) { return name##f(x, y); }                               \
  AMD_FUNCTION(double, __ocml_##name##_f64, (double x, double y)) { return name(x, y); }
UNARY(acos)
UNARY(acosh)
UNARY(asin)
UNARY(asinh)
UNARY(atan)
UNARY(atanh)
UNARY(cbrt)
UNARY(ceil)
UNARY(cos)
UNARY(cosh)
UNARY(cospi)
UNARY(erf)
UNARY(erfc)
UNARY(erfcinv)
UNARY(erfcx)
UNARY(erfinv)
UNARY(exp)
UNARY(exp10)
UNARY(exp2)
UNARY(expm1)
UNARY(fabs)
UNARY(floor)
UNARY_AS(i0, cyl_bessel_i0)
UNARY_AS(i1, cyl_bessel_i1)
UNARY(j0)
UNARY(j1)
UNARY(lgamma)
UNARY(log)
UNARY(log10)
UNARY(log1p)
UNARY(log2)
UNARY(logb)
UNARY_AS(ncdf, normcdf)
UNARY_AS(ncdfinv, normcdfinv)
UNARY(nearbyint)
UNARY(rcbrt)
UNARY(rint)
UNARY(round)
UNARY(rsqrt)
UNARY(sin)
UNARY(sinh)
UNARY(sinpi)
UNARY(sqrt)
UNARY(tan)
UNARY(tanh)
UNARY(tgamma)
UNARY(trunc)
UNARY(y0)
UNARY(y1)
BINARY(atan2)
BINARY(copysign)
BINARY(fdim)
BINARY(fmax)
BINARY(fmin)
BINARY(fmod)
BINARY(hypot)
BINARY(nextafter)
BINARY(pow)
BINARY(remainder)
BINARY(rhypot)

// The approximations of __sinf and the like.
#define NATIVE(name, function)                                                                                         \
  AMD_FUNCTION(float, __ocml_native_##name##_f32, (float x)) { return function(x); }
NATIVE(cos, __cosf)
NATIVE(sin, __sinf)
NATIVE(exp, __expf)
NATIVE(exp10, __exp10f)
NATIVE(log, __logf)
NATIVE(log2, __log2f)
NATIVE(log10, __log10f)
NATIVE(sqrt, __fsqrt_rn)
NATIVE(exp2, exp2f)
NATIVE(rsqrt, rsqrtf)
NATIVE(recip, __frcp_rn)

// Other forms.
#define FORMS(T, suffix, f)                                                                                            \
  AMD_FUNCTION(T, __ocml_fma_##suffix, (T x, T y, T z)) { return fma##f(x, y, z); }                                    \
  AMD_FUNCTION(T, __ocml_len3_##suffix, (T x, T y, T z)) { return norm3d##f(x, y, z); }                                \
  AMD_FUNCTION(T, __ocml_len4_##suffix, (T x, T y, T z, T w)) { return norm4d##f(x, y, z, w); }                        \
  AMD_FUNCTION(T, __ocml_rlen3_##suffix, (T x, T y, T z)) { return rnorm3d##f(x, y, z); }                              \
  AMD_FUNCTION(T, __ocml_rlen4_##suffix, (T x, T y, T z, T w)) { return rnorm4d##f(x, y, z, w); }                      \
  AMD_FUNCTION(int, __ocml_ilogb_##suffix, (T x)) { return ilogb##f(x); }                                              \
  AMD_FUNCTION(int, __ocml_isfinite_##suffix, (T x)) { return __builtin_isfinite(x); }                                 \
  AMD_FUNCTION(int, __ocml_isinf_##suffix, (T x)) { return __builtin_isinf(x); }                                       \
  AMD_FUNCTION(int, __ocml_isnan_##suffix, (T x)) { return __builtin_isnan(x); }                                       \
  AMD_FUNCTION(int, __ocml_signbit_##suffix, (T x)) { return __builtin_signbit(x) != 0; }                              \
  AMD_FUNCTION(T, __ocml_ldexp_##suffix, (T x, int n)) { return ldexp##f(x, n); }                                      \
  AMD_FUNCTION(T, __ocml_scalbn_##suffix, (T x, int n)) { return scalbn##f(x, n); }                                    \
  AMD_FUNCTION(T, __ocml_pown_##suffix, (T x, int n)) { return powi##f(x, n); }                                        \
  AMD_FUNCTION(T, __ocml_scalb_##suffix, (T x, T n)) {                                                                 \
    /* Beyond these the result is zero or infinity whatever x is; NaN and fractions have no result. */                 \
    const T limited = fmin##f(fmax##f(n, (T)-5000), (T)5000);                                                          \
    const bool exact = n == n && limited == trunc##f(limited);                                                         \
    return exact ? ldexp##f(x, (int)limited) : (T)__builtin_nan("");                                                   \
  }                                                                                                                    \
  AMD_FUNCTION(T, __ocml_mad_##suffix, (T x, T y, T z)) { return fma##f(x, y, z); }                                    \
  AMD_FUNCTION(T, __ocml_fmuladd_##suffix, (T x, T y, T z)) { return fma##f(x, y, z); }                                \
  AMD_FUNCTION(T, __ocml_max_##suffix, (T x, T y)) { return fmax##f(x, y); }                                           \
  AMD_FUNCTION(T, __ocml_min_##suffix, (T x, T y)) { return fmin##f(x, y); }                                           \
  AMD_FUNCTION(int, __ocml_isnormal_##suffix, (T x)) { return __builtin_isnormal(x); }                                 \
  AMD_FUNCTION(T, __ocml_frexp_##suffix, (T x, PRIVATE int *exponent)) {                                               \
    int value;                                                                                                         \
    const T result = frexp##f(x, &value);                                                                              \
    *exponent = value;                                                                                                 \
    return result;                                                                                                     \
  }                                                                                                                    \
  AMD_FUNCTION(T, __ocml_modf_##suffix, (T x, PRIVATE T * whole)) {                                                    \
    T value;                                                                                                           \
    const T result = modf##f(x, &value);                                                                               \
    *whole = value;                                                                                                    \
    return result;                                                                                                     \
  }                                                                                                                    \
  AMD_FUNCTION(T, __ocml_remquo_##suffix, (T x, T y, PRIVATE int *quotient)) {                                         \
    int value;                                                                                                         \
    const T result = remquo##f(x, y, &value);                                                                          \
    *quotient = value;                                                                                                 \
    return result;                                                                                                     \
  }                                                                                                                    \
  AMD_FUNCTION(T, __ocml_sincos_##suffix, (T x, PRIVATE T * cosine)) {                                                 \
    T sine, value;                                                                                                     \
    sincos##f(x, &sine, &value);                                                                                       \
    *cosine = value;                                                                                                   \
    return sine;                                                                                                       \
  }                                                                                                                    \
  AMD_FUNCTION(T, __ocml_sincospi_##suffix, (T x, PRIVATE T * cosine)) {                                               \
    T sine, value;                                                                                                     \
    sincospi##f(x, &sine, &value);                                                                                     \
    *cosine = value;                                                                                                   \
    return sine;                                                                                                       \
  }
FORMS(float, f32, f)
FORMS(double, f64, )

// A given rounding: to nearest (rte), down (rtn), up (rtp), towards zero (rtz).
#define ROUNDED_BINARY(operation, rounding, single, twice)                                                             \
  AMD_FUNCTION(float, __ocml_##operation##_##rounding##_f32, (float x, float y)) { return single(x, y); }              \
  AMD_FUNCTION(double, __ocml_##operation##_##rounding##_f64, (double x, double y)) { return twice(x, y); }
#define ROUNDED(rounding, hip)                                                                                         \
  ROUNDED_BINARY(add, rounding, __fadd_##hip, __dadd_##hip)                                                            \
  ROUNDED_BINARY(sub, rounding, __fsub_##hip, __dsub_##hip)                                                            \
  ROUNDED_BINARY(mul, rounding, __fmul_##hip, __dmul_##hip)                                                            \
  ROUNDED_BINARY(div, rounding, __fdiv_##hip, __ddiv_##hip)                                                            \
  AMD_FUNCTION(float, __ocml_sqrt_##rounding##_f32, (float x)) { return __fsqrt_##hip(x); }                            \
  AMD_FUNCTION(double, __ocml_sqrt_##rounding##_f64, (double x)) { return __dsqrt_##hip(x); }                          \
  AMD_FUNCTION(float, __ocml_fma_##rounding##_f32, (float x, float y, float z)) { return __fmaf_##hip(x, y, z); }      \
  AMD_FUNCTION(double, __ocml_fma_##rounding##_f64, (double x, double y, double z)) { return __fma_##hip(x, y, z); }
ROUNDED(rte, rn)
ROUNDED(rtn, rd)
ROUNDED(rtp, ru)
ROUNDED(rtz, rz)

// Conversions with a given rounding.
#define CONVERSIONS(rounding, hip)                                                                                     \
  AMD_FUNCTION(float, __ocml_cvt##rounding##_f32_f64, (double x)) { return __double2float_##hip(x); }                  \
  AMD_FUNCTION(float, __ocml_cvt##rounding##_f32_s32, (int x)) { return __int2float_##hip(x); }                        \
  AMD_FUNCTION(float, __ocml_cvt##rounding##_f32_u32, (unsigned x)) { return __uint2float_##hip(x); }                  \
  AMD_FUNCTION(float, __ocml_cvt##rounding##_f32_s64, (long x)) { return __ll2float_##hip(x); }                        \
  AMD_FUNCTION(float, __ocml_cvt##rounding##_f32_u64, (unsigned long x)) { return __ull2float_##hip(x); }              \
  AMD_FUNCTION(double, __ocml_cvt##rounding##_f64_s64, (long x)) { return __ll2double_##hip(x); }                      \
  AMD_FUNCTION(double, __ocml_cvt##rounding##_f64_u64, (unsigned long x)) { return __ull2double_##hip(x); }            \
  AMD_FUNCTION(_Float16, __ocml_cvt##rounding##_f16_f32, (float x)) {                                                  \
    return __builtin_bit_cast(_Float16, __float2half_##hip(x));                                                        \
  }
CONVERSIONS(rtn, rd)
CONVERSIONS(rtp, ru)
CONVERSIONS(rtz, rz)

// Half precision, one number and two.
typedef _Float16 Half2 __attribute__((ext_vector_type(2)));
typedef short Short2 __attribute__((ext_vector_type(2)));
#define HALF(name, function)                                                                                           \
  AMD_FUNCTION(_Float16, __ocml_##name##_f16, (_Float16 x)) {                                                          \
    return __builtin_bit_cast(_Float16, function(__builtin_bit_cast(__half, x)));                                      \
  }                                                                                                                    \
  AMD_FUNCTION(Half2, __ocml_##name##_2f16, (Half2 x)) {                                                               \
    return Half2{__ocml_##name##_f16(x.x), __ocml_##name##_f16(x.y)};                                                  \
  }
HALF(ceil, hceil)
HALF(cos, hcos)
HALF(exp, hexp)
HALF(exp10, hexp10)
HALF(exp2, hexp2)
HALF(floor, hfloor)
HALF(fabs, __habs)
HALF(log, hlog)
HALF(log10, hlog10)
HALF(log2, hlog2)
HALF(rint, hrint)
HALF(rsqrt, hrsqrt)
HALF(sin, hsin)
HALF(sqrt, hsqrt)
HALF(trunc, htrunc)
AMD_FUNCTION(_Float16, __ocml_fma_f16, (_Float16 x, _Float16 y, _Float16 z)) {
  return __builtin_bit_cast(
      _Float16, __hfma(__builtin_bit_cast(__half, x), __builtin_bit_cast(__half, y), __builtin_bit_cast(__half, z)));
}
AMD_FUNCTION(Half2, __ocml_fma_2f16, (Half2 x, Half2 y, Half2 z)) {
  return Half2{__ocml_fma_f16(x.x, y.x, z.x), __ocml_fma_f16(x.y, y.y, z.y)};
}
AMD_FUNCTION(_Float16, __ocml_fmax_f16, (_Float16 x, _Float16 y)) { return (_Float16)fmaxf((float)x, (float)y); }
AMD_FUNCTION(_Float16, __ocml_fmin_f16, (_Float16 x, _Float16 y)) { return (_Float16)fminf((float)x, (float)y); }
AMD_FUNCTION(_Float16, __ocml_pown_f16, (_Float16 x, int n)) { return (_Float16)powif((float)x, n); }
AMD_FUNCTION(Half2, __ocml_pown_2f16, (Half2 x, Short2 n)) {
  return Half2{__ocml_pown_f16(x.x, n.x), __ocml_pown_f16(x.y, n.y)};
}
AMD_FUNCTION(int, __ocml_isinf_f16, (_Float16 x)) { return __builtin_isinf((float)x); }
AMD_FUNCTION(int, __ocml_isnan_f16, (_Float16 x)) { return __builtin_isnan((float)x); }
AMD_FUNCTION(Short2, __ocml_isinf_2f16, (Half2 x)) {
  return Short2{(short)-__ocml_isinf_f16(x.x), (short)-__ocml_isinf_f16(x.y)};
}
AMD_FUNCTION(Short2, __ocml_isnan_2f16, (Half2 x)) {
  return Short2{(short)-__ocml_isnan_f16(x.x), (short)-__ocml_isnan_f16(x.y)};
}
