// SPDX-License-Identifier: MIT
// The C library's mathematics in device code, by all the names that C++ programs use: sinf(x), sin(x) for float and
// double, std::sin(x), mixed and integer arguments, whether <cmath> was included before this header or not.
//
// libstdc++ declares the overloads for float, and those for integers with one argument, constexpr; clang makes such
// functions callable from device code, where they end in calls of C names such as acosf. So it is enough to declare the
// C functions for the device (lib-device defines them), to bring them into namespace std beside the host's (also those for
// float by their C names, some of which libstdc++ leaves out), and to add what libstdc++ does not make constexpr or would forward to a host function.
#pragma once

// libstdc++'s <math.h> includes <cmath> and brings its overloads into the global namespace.
#include <cmath>
#include <cstdlib>
#include <math.h>

#include <type_traits>

#include "hip/spirv/builtins.h"

#define UNARY(name, instruction)                                                                                       \
  extern "C" __attribute__((device)) double name(double x);                                                            \
  extern "C" __attribute__((device)) float name##f(float x);                                                           \
  namespace std {                                                                                                      \
  using ::name;                                                                                                        \
  using ::name##f;                                                                                                     \
  }
#define BINARY(name, instruction)                                                                                      \
  extern "C" __attribute__((device)) double name(double x, double y);                                                  \
  extern "C" __attribute__((device)) float name##f(float x, float y);                                                  \
  namespace std {                                                                                                      \
  using ::name;                                                                                                        \
  using ::name##f;                                                                                                     \
  }
#include "hip/spirv/math_names.def"

// Inline, for the options of fast math to reach it.
extern "C" inline __attribute__((device, always_inline)) float sqrtf(float x) { return __spirv_ocl_sqrt(x); }

// Where approximations will do (-ffast-math, -fgpu-approx-transcendentals), the functions that have an intrinsic are that.
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__) || defined(__CLANG_CUDA_APPROX_TRANSCENDENTALS__)
#define __HIPLZ_APPROXIMATE(name, instruction)                                                                         \
  extern "C" inline __attribute__((device, always_inline)) float name(float x) {                                       \
    return __spirv_ocl_native_##instruction(x);                                                                        \
  }
__HIPLZ_APPROXIMATE(sinf, sin)
__HIPLZ_APPROXIMATE(cosf, cos)
__HIPLZ_APPROXIMATE(tanf, tan)
__HIPLZ_APPROXIMATE(expf, exp)
__HIPLZ_APPROXIMATE(exp2f, exp2)
__HIPLZ_APPROXIMATE(exp10f, exp10)
__HIPLZ_APPROXIMATE(logf, log)
__HIPLZ_APPROXIMATE(log2f, log2)
__HIPLZ_APPROXIMATE(log10f, log10)
#undef __HIPLZ_APPROXIMATE
// __powf, and unlike CUDA's also for negative numbers, whose exponent is a whole number then.
extern "C" inline __attribute__((device, always_inline)) float powf(float x, float y) {
  float power = __spirv_ocl_native_exp2(y * __spirv_ocl_native_log2(__builtin_fabsf(x)));
  power = x < 0 && ((int)y & 1) ? -power : power;
  return y == 0 ? 1.0f : power;
}
#endif

extern "C" {
// Rounded correctly under all options.
__attribute__((device)) float __hiplz_div_rn(float x, float y);
__attribute__((device)) float __hiplz_sqrt_rn(float x);
__attribute__((device)) float __hiplz_rsqrt_rn(float x);
__attribute__((device)) double fma(double x, double y, double z);
__attribute__((device)) float fmaf(float x, float y, float z);
__attribute__((device)) double ldexp(double x, int exponent);
__attribute__((device)) float ldexpf(float x, int exponent);
__attribute__((device)) double scalbn(double x, int exponent);
__attribute__((device)) float scalbnf(float x, int exponent);
__attribute__((device)) double scalbln(double x, long exponent);
__attribute__((device)) float scalblnf(float x, long exponent);
__attribute__((device)) int ilogb(double x);
__attribute__((device)) int ilogbf(float x);
}

// LLVM rewrites exp2 of an integer into a call of ldexp, also after the device library has been linked and inlined: this
// keeps the definitions there. The link-time passes inline them, and drop this like all that no kernel reaches.
inline __attribute__((device, used)) double __hiplz_keep_ldexp(double x, int exponent) {
  [[clang::noinline]] return ldexp(x, exponent) + ldexpf((float)x, exponent);
}

// The remaining functions of <math.h>. They are no C functions for clang, so that it does not turn them into LLVM
// intrinsics that SPIR-V has no form for.
__HIPLZ_DEVICE float frexpf(float x, int *exponent) {
  // A number below the smallest normal one becomes a normal one first.
  bool ordinary = x != 0 && __builtin_fabsf(x) < __builtin_inff(), tiny = __builtin_fabsf(x) < 0x1p-126f;
  unsigned bits = __builtin_bit_cast(unsigned, tiny ? x * 0x1p24f : x);
  *exponent = ordinary ? (int)(bits >> 23 & 0xff) - (tiny ? 126 + 24 : 126) : 0;
  return ordinary ? __builtin_bit_cast(float, (bits & 0x807fffff) | 0x3f000000) : x;
}
__HIPLZ_DEVICE double frexp(double x, int *exponent) {
  bool ordinary = x != 0 && __builtin_fabs(x) < __builtin_inf(), tiny = __builtin_fabs(x) < 0x1p-1022;
  unsigned long bits = __builtin_bit_cast(unsigned long, tiny ? x * 0x1p54 : x);
  *exponent = ordinary ? (int)(bits >> 52 & 0x7ff) - (tiny ? 1022 + 54 : 1022) : 0;
  return ordinary ? __builtin_bit_cast(double, (bits & 0x800fffffffffffff) | 0x3fe0000000000000) : x;
}

__HIPLZ_DEVICE float modff(float x, float *integral) {
  *integral = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_fabsf(x) == __builtin_inff() ? 0.0f : x - *integral, x);
}
__HIPLZ_DEVICE double modf(double x, double *integral) {
  *integral = __builtin_trunc(x);
  return __builtin_copysign(__builtin_fabs(x) == __builtin_inf() ? 0.0 : x - *integral, x);
}

__HIPLZ_DEVICE float remquof(float x, float y, int *quotient) {
  int q;
  float r = __spirv_ocl_remquo(x, y, &q);
  *quotient = q;
  return r;
}
__HIPLZ_DEVICE double remquo(double x, double y, int *quotient) {
  int q;
  double r = __spirv_ocl_remquo(x, y, &q);
  *quotient = q;
  return r;
}

__HIPLZ_DEVICE long lrintf(float x) { return (long)__spirv_ocl_rint(x); }
__HIPLZ_DEVICE long lrint(double x) { return (long)__spirv_ocl_rint(x); }
__HIPLZ_DEVICE long lroundf(float x) { return (long)__spirv_ocl_round(x); }
__HIPLZ_DEVICE long lround(double x) { return (long)__spirv_ocl_round(x); }
__HIPLZ_DEVICE long long llrintf(float x) { return (long long)__spirv_ocl_rint(x); }
__HIPLZ_DEVICE long long llrint(double x) { return (long long)__spirv_ocl_rint(x); }
__HIPLZ_DEVICE long long llroundf(float x) { return (long long)__spirv_ocl_round(x); }
__HIPLZ_DEVICE long long llround(double x) { return (long long)__spirv_ocl_round(x); }

/// A quiet NaN; the payload that the string asks for is not kept.
__HIPLZ_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
__HIPLZ_DEVICE double nan(const char *) { return __builtin_nan(""); }

// Functions that the C library does not have.
__HIPLZ_DEVICE float rsqrtf(float x) { return __spirv_ocl_rsqrt(x); }
__HIPLZ_DEVICE double rsqrt(double x) { return __spirv_ocl_rsqrt(x); }
__HIPLZ_DEVICE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
__HIPLZ_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }
__HIPLZ_DEVICE float sinpif(float x) { return __spirv_ocl_sinpi(x); }
__HIPLZ_DEVICE double sinpi(double x) { return __spirv_ocl_sinpi(x); }
__HIPLZ_DEVICE float cospif(float x) { return __spirv_ocl_cospi(x); }
__HIPLZ_DEVICE double cospi(double x) { return __spirv_ocl_cospi(x); }
__HIPLZ_DEVICE void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
__HIPLZ_DEVICE void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
__HIPLZ_DEVICE void sincospif(float x, float *sine, float *cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
__HIPLZ_DEVICE void sincospi(double x, double *sine, double *cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
__HIPLZ_DEVICE float powif(float x, int n) { return __spirv_ocl_pown(x, n); }
__HIPLZ_DEVICE double powi(double x, int n) { return __spirv_ocl_pown(x, n); }
__HIPLZ_DEVICE float fdividef(float x, float y) { return x / y; }

// Euclidean norms. The values are scaled by a power of two, so that squares neither overflow nor underflow, and summed up
// with the errors of all operations (Dekker's product, Knuth's sum), so that the result is rounded about once. Those of a
// few floats keep the error of one square, and of the root.
namespace __hiplz {
__HIPLZ_DEVICE float fused(float x, float y, float z) { return fmaf(x, y, z); }
__HIPLZ_DEVICE double fused(double x, double y, double z) { return fma(x, y, z); }
template <class T> struct SquareSum {
  T sum, rest;
  __attribute__((device, always_inline)) void add(T x) {
#pragma clang fp contract(off)
    T product = x * x, total = sum + product, added = total - sum;
    rest += (sum - (total - added)) + (product - added) + fused(x, x, -product);
    sum = total;
  }
};
__HIPLZ_DEVICE float normScale(float largest) {
  return largest > 0x1p50f ? 0x1p-80f : largest < 0x1p-40f ? 0x1p90f : 1.0f;
}
__HIPLZ_DEVICE double normScale(double largest) {
  return largest > 0x1p400 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1.0;
}
/// The norm of n values, or its reciprocal.
template <class T> __HIPLZ_DEVICE T norm(int n, const T *a, bool reciprocal) {
#pragma clang fp contract(off)
  T largest = 0;
  for (int i = 0; i < n; ++i)
    largest = largest < std::fabs(a[i]) ? std::fabs(a[i]) : largest;
  // An infinite value wins against a NaN, as in hypot.
  if (std::isinf(largest))
    return reciprocal ? 0 : largest;
  T scale = normScale(largest);
  SquareSum<T> squares = {0, 0};
  for (int i = 0; i < n; ++i)
    squares.add(a[i] * scale);
  if (!(squares.sum > 0))
    return reciprocal ? 1 / squares.sum : squares.sum;
  T root = std::sqrt(squares.sum);
  T correction = (fused(-root, root, squares.sum) + squares.rest) / (2 * root);
  if (!reciprocal)
    return (root + correction) / scale;
  T inverse = 1 / root;
  return (inverse + inverse * (fused(-root, inverse, (T)1) - correction * inverse)) * scale;
}
/// The norm of a few floats, or its reciprocal, without a division or a square root, which GPUs are slow to round.
template <int N> __HIPLZ_DEVICE float fewNorm(const float (&a)[N], bool reciprocal) {
#pragma clang fp contract(off)
  float largest = 0;
  for (int i = 0; i < N; ++i)
    largest = __builtin_fmaxf(largest, __builtin_fabsf(a[i]));
  const float scale = normScale(largest);
  float x = a[0] * scale, sum = x * x;
  const float rest = fused(x, x, -sum);
  for (int i = 1; i < N; ++i) {
    x = a[i] * scale;
    sum = fused(x, x, sum);
  }
  // An estimate, and what is missing in its square: one step of Newton's method.
  const float inverse = __spirv_ocl_rsqrt(sum), root = sum * inverse, half = 0.5f * inverse;
  float result;
  if (reciprocal) {
    const float missing = fused(-root, inverse, 1.0f) - (fused(sum, inverse, -root) + rest * inverse) * inverse;
    result = fused(half, missing, inverse) * scale;
    result = sum > 0 ? result : inverse;
  } else {
    const float unscale = scale > 1 ? 0x1p-90f : scale < 1 ? 0x1p80f : 1.0f;
    result = fused(fused(-root, root, sum) + rest, half, root) * unscale;
    result = sum > 0 ? result : sum;
  }
  // An infinite value wins against a NaN, as in hypot.
  return largest == __builtin_inff() ? (reciprocal ? 0 : largest) : result;
}
template <int N> __HIPLZ_DEVICE double fewNorm(const double (&a)[N], bool reciprocal) { return norm(N, a, reciprocal); }
} // namespace __hiplz
#define __HIPLZ_NORMS(T, suffix)                                                                                       \
  __HIPLZ_DEVICE T norm3d##suffix(T a, T b, T c) {                                                                     \
    const T values[] = {a, b, c};                                                                                      \
    return __hiplz::fewNorm(values, false);                                                                            \
  }                                                                                                                    \
  __HIPLZ_DEVICE T norm4d##suffix(T a, T b, T c, T d) {                                                                \
    const T values[] = {a, b, c, d};                                                                                   \
    return __hiplz::fewNorm(values, false);                                                                            \
  }                                                                                                                    \
  __HIPLZ_DEVICE T rnorm3d##suffix(T a, T b, T c) {                                                                    \
    const T values[] = {a, b, c};                                                                                      \
    return __hiplz::fewNorm(values, true);                                                                             \
  }                                                                                                                    \
  __HIPLZ_DEVICE T rnorm4d##suffix(T a, T b, T c, T d) {                                                               \
    const T values[] = {a, b, c, d};                                                                                   \
    return __hiplz::fewNorm(values, true);                                                                             \
  }                                                                                                                    \
  __HIPLZ_DEVICE T rhypot##suffix(T x, T y) {                                                                          \
    const T values[] = {x, y};                                                                                         \
    return __hiplz::fewNorm(values, true);                                                                             \
  }                                                                                                                    \
  __HIPLZ_DEVICE T norm##suffix(int n, const T *a) { return __hiplz::norm(n, a, false); }                              \
  __HIPLZ_DEVICE T rnorm##suffix(int n, const T *a) { return __hiplz::norm(n, a, true); }
__HIPLZ_NORMS(float, f)
__HIPLZ_NORMS(double, )
#undef __HIPLZ_NORMS

__HIPLZ_DEVICE int abs(int x) { return x < 0 ? -x : x; }
__HIPLZ_DEVICE long labs(long x) { return x < 0 ? -x : x; }
__HIPLZ_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }

// glibc's classification functions, which old code calls directly.
__HIPLZ_DEVICE bool __isinff(float x) { return __builtin_isinf(x); }
__HIPLZ_DEVICE bool __isinf(double x) { return __builtin_isinf(x); }
__HIPLZ_DEVICE bool __isnanf(float x) { return x != x; }
__HIPLZ_DEVICE bool __isnan(double x) { return x != x; }
__HIPLZ_DEVICE bool __finitef(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
__HIPLZ_DEVICE bool __finite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
__HIPLZ_DEVICE bool __signbitf(float x) { return __builtin_signbitf(x) != 0; }
__HIPLZ_DEVICE bool __signbit(double x) { return __builtin_signbit(x) != 0; }

namespace __hiplz {
// The type in which C computes a function of arguments of different types: none if one is not an arithmetic type or is
// long double, or if all are float, because those have overloads of their own.
template <bool AllArithmetic, bool AllFloat> struct PromotedType {};
template <> struct PromotedType<true, false> {
  typedef double type;
};
template <class T> struct IsDeviceArithmetic {
  static constexpr bool value = std::is_arithmetic<T>::value && !std::is_same<T, long double>::value;
};
template <class T, class U, class V = U>
using Promoted =
    typename PromotedType<IsDeviceArithmetic<T>::value && IsDeviceArithmetic<U>::value && IsDeviceArithmetic<V>::value,
                          std::is_same<T, float>::value && std::is_same<U, float>::value &&
                              std::is_same<V, float>::value>::type;
} // namespace __hiplz

#ifdef __FLT16_MAX__
// Half precision: x * y + z with one rounding, and powers that are computed in single precision.
__HIPLZ_SPIRV_PURE _Float16 __spirv_ocl_fma(_Float16 x, _Float16 y, _Float16 z);
__HIPLZ_DEVICE _Float16 fma(_Float16 x, _Float16 y, _Float16 z) { return __spirv_ocl_fma(x, y, z); }
__HIPLZ_DEVICE _Float16 pow(_Float16 x, int n) { return (_Float16)__spirv_ocl_pown((float)x, n); }
#endif

// Overloads that libstdc++ has for the host only.
namespace std {
#define __HIPLZ_MIXED(name)                                                                                            \
  template <class T, class U, class R = __hiplz::Promoted<T, U>> __HIPLZ_DEVICE R name(T x, U y) {                     \
    return ::name((double)x, (double)y);                                                                               \
  }
__HIPLZ_MIXED(atan2)
__HIPLZ_MIXED(copysign)
__HIPLZ_MIXED(fdim)
__HIPLZ_MIXED(fmax)
__HIPLZ_MIXED(fmin)
__HIPLZ_MIXED(fmod)
__HIPLZ_MIXED(hypot)
__HIPLZ_MIXED(nextafter)
__HIPLZ_MIXED(pow)
__HIPLZ_MIXED(remainder)
#undef __HIPLZ_MIXED
#ifdef __FLT16_MAX__
using ::pow;
#endif
template <class T, class U, class V, class R = __hiplz::Promoted<T, U, V>> __HIPLZ_DEVICE R fma(T x, U y, V z) {
  return ::fma((double)x, (double)y, (double)z);
}
__HIPLZ_DEVICE float pow(float x, int n) { return __spirv_ocl_pown(x, n); }
__HIPLZ_DEVICE double pow(double x, int n) { return __spirv_ocl_pown(x, n); }
__HIPLZ_DEVICE float frexp(float x, int *exponent) { return ::frexpf(x, exponent); }
template <class T>
__HIPLZ_DEVICE typename std::enable_if<std::is_integral<T>::value, double>::type frexp(T x, int *exponent) {
  return ::frexp((double)x, exponent);
}
__HIPLZ_DEVICE float modf(float x, float *integral) { return ::modff(x, integral); }
__HIPLZ_DEVICE float remquo(float x, float y, int *quotient) { return ::remquof(x, y, quotient); }
__HIPLZ_DEVICE float hypot(float a, float b, float c) { return ::norm3df(a, b, c); }
__HIPLZ_DEVICE double hypot(double a, double b, double c) { return ::norm3d(a, b, c); }
__HIPLZ_DEVICE long abs(long x) { return ::labs(x); }
__HIPLZ_DEVICE long long abs(long long x) { return ::llabs(x); }
#if __cplusplus < 201402L
// constexpr, and thereby callable from kernels, since C++14 only.
template <class T> __HIPLZ_DEVICE const T &min(const T &x, const T &y) { return y < x ? y : x; }
template <class T> __HIPLZ_DEVICE const T &max(const T &x, const T &y) { return x < y ? y : x; }
#endif
using ::abs;
using ::fma;
using ::fmaf;
using ::frexp;
using ::frexpf;
using ::ilogb;
using ::ilogbf;
using ::labs;
using ::ldexp;
using ::ldexpf;
using ::llabs;
using ::llrint;
using ::llrintf;
using ::llround;
using ::llroundf;
using ::lrint;
using ::lrintf;
using ::lround;
using ::lroundf;
using ::modf;
using ::modff;
using ::nan;
using ::nanf;
using ::remquo;
using ::remquof;
using ::scalbln;
using ::scalblnf;
using ::scalbn;
using ::scalbnf;
} // namespace std

using std::abs;
using std::atan2;
using std::copysign;
using std::fdim;
using std::fma;
using std::fmax;
using std::fmin;
using std::fmod;
using std::frexp;
using std::hypot;
using std::modf;
using std::nextafter;
using std::pow;
using std::remainder;
using std::remquo;
using std::scalbln;

// The functions above that only HIP has, for float and for integers.
#define __HIPLZ_OVERLOADS(name)                                                                                        \
  __HIPLZ_DEVICE float name(float x) { return ::name##f(x); }                                                          \
  template <class T> __HIPLZ_DEVICE typename std::enable_if<std::is_integral<T>::value, double>::type name(T x) {      \
    return ::name((double)x);                                                                                          \
  }
__HIPLZ_OVERLOADS(rsqrt)
__HIPLZ_OVERLOADS(rcbrt)
__HIPLZ_OVERLOADS(sinpi)
__HIPLZ_OVERLOADS(cospi)
__HIPLZ_OVERLOADS(exp10)
#undef __HIPLZ_OVERLOADS
__HIPLZ_DEVICE void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
__HIPLZ_DEVICE void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }

// min and max of any two arithmetic values, on both sides as in HIP.
#define __HIPLZ_MINMAX(T)                                                                                              \
  __HIPLZ_BOTH constexpr T min(T x, T y) { return y < x ? y : x; }                                                     \
  __HIPLZ_BOTH constexpr T max(T x, T y) { return x < y ? y : x; }
__HIPLZ_MINMAX(int)
__HIPLZ_MINMAX(unsigned)
__HIPLZ_MINMAX(long)
__HIPLZ_MINMAX(unsigned long)
__HIPLZ_MINMAX(long long)
__HIPLZ_MINMAX(unsigned long long)
#undef __HIPLZ_MINMAX
__HIPLZ_BOTH float min(float x, float y) { return __builtin_fminf(x, y); }
__HIPLZ_BOTH float max(float x, float y) { return __builtin_fmaxf(x, y); }
__HIPLZ_BOTH double min(double x, double y) { return __builtin_fmin(x, y); }
__HIPLZ_BOTH double max(double x, double y) { return __builtin_fmax(x, y); }
template <class T, class U, class R = typename std::common_type<T, U>::type>
__HIPLZ_BOTH typename std::enable_if<std::is_arithmetic<T>::value && std::is_arithmetic<U>::value, R>::type min(T x,
                                                                                                                U y) {
  return (R)y < (R)x ? (R)y : (R)x;
}
template <class T, class U, class R = typename std::common_type<T, U>::type>
__HIPLZ_BOTH typename std::enable_if<std::is_arithmetic<T>::value && std::is_arithmetic<U>::value, R>::type max(T x,
                                                                                                                U y) {
  return (R)x < (R)y ? (R)y : (R)x;
}
