// SPDX-License-Identifier: MIT
// Mathematical functions that go through the C library: OpenCL's that it lacks, those whose errors must be made
// smaller, and the plain ones of double. The names are those of OpenCL with "hz_" in front and, for float, "f" behind.
// Functions that do without the library are in math_float.c and math_double.c.
#include <stdint.h>

#define PI 3.14159265358979323846
#define PI_LOW 1.2246467991473531772e-16 // what PI lacks

double sin(double), cos(double), cbrt(double), pow(double, double), asin(double), acos(double), atan(double),
    atan2(double, double), lgamma(double), remquo(double, double, int *);
float lgammaf(float), remquof(float, float, int *);

// The C library's result may be wrong by 4 units in the last place: one step of Newton's method with an exact residual.
double hz_cbrt(double x) {
  double magnitude = __builtin_fabs(x), scale = 1;
  if (!(magnitude > 0 && magnitude < __builtin_inf()))
    return x;
  if (magnitude < 0x1p-900) {
    x *= 0x1p900;
    scale = 0x1p-300;
  }
  double root = cbrt(x), square = root * root;
  double residual = __builtin_fma(square, root, -x) + __builtin_fma(root, root, -square) * root;
  return (root - residual / (3 * square)) * scale;
}

// The errors of the C library's functions exceed what HIP allows; those of the next wider type leave nearly none.
#define FROM_WIDER(name)                                                                                               \
  long double name##l(long double);                                                                                    \
  double hz_##name(double x) { return (double)name##l(x); }
FROM_WIDER(acosh)
FROM_WIDER(asinh)
FROM_WIDER(atanh)
FROM_WIDER(erfc)
FROM_WIDER(exp10)
FROM_WIDER(log10)
FROM_WIDER(sinh)
FROM_WIDER(tanh)
double acosh(double), asinh(double), atanh(double);
float hz_acoshf(float x) { return (float)acosh(x); }
float hz_asinhf(float x) { return (float)asinh(x); }
float hz_atanhf(float x) { return (float)atanh(x); }

// Good as they are.
#define PLAIN(name)                                                                                                    \
  double name(double);                                                                                                 \
  double hz_##name(double x) { return name(x); }
PLAIN(acos)
PLAIN(asin)
PLAIN(atan)
PLAIN(cosh)
PLAIN(erf)
PLAIN(expm1)
PLAIN(log1p)
PLAIN(log2)
PLAIN(tan)
#define PLAIN2(name)                                                                                                   \
  double name(double, double);                                                                                         \
  double hz_##name(double x, double y) { return name(x, y); }
PLAIN2(atan2)
PLAIN2(hypot)
PLAIN2(pow)

// sin(pi * t) and cos(pi * t) for |t| <= 1/4.
static double sineOf(double t) {
  double y = PI * t;
  double rest = __builtin_fma(PI, t, -y) + PI_LOW * t;
  return sin(y) + rest * cos(y);
}
static double cosineOf(double t) {
  double y = PI * t;
  double rest = __builtin_fma(PI, t, -y) + PI_LOW * t;
  return cos(y) - rest * sin(y);
}

// x = 2 * m + quarter / 2 + rest, with |rest| <= 1/4; exact.
static int quarterOf(double x, double *rest) {
  double r = x - 2 * __builtin_floor(x * 0.5);
  double quarter = __builtin_rint(2 * r);
  *rest = r - quarter * 0.5;
  return (int)quarter & 3;
}

double hz_sinpi(double x) {
  double magnitude = __builtin_fabs(x), t;
  if (!(magnitude < __builtin_inf()))
    return __builtin_nan("");
  if (magnitude == __builtin_floor(magnitude))
    return __builtin_copysign(0.0, x);
  int quarter = quarterOf(magnitude, &t);
  double value = quarter & 1 ? cosineOf(t) : sineOf(t);
  if (quarter & 2)
    value = -value;
  return x < 0 ? -value : value;
}

double hz_cospi(double x) {
  double t;
  x = __builtin_fabs(x);
  if (!(x < __builtin_inf()))
    return __builtin_nan("");
  int quarter = quarterOf(x, &t);
  if ((quarter & 1) && t == 0)
    return 0.0;
  double value = quarter & 1 ? sineOf(t) : cosineOf(t);
  return quarter == 1 || quarter == 2 ? -value : value;
}

double hz_tanpi(double x) {
  double magnitude = __builtin_fabs(x), t;
  if (!(magnitude < __builtin_inf()))
    return __builtin_nan("");
  int quarter = quarterOf(magnitude, &t);
  double value;
  if (t == 0) // at multiples of 1/2 the signs alternate
    value = quarter == 0 ? 0.0 : quarter == 1 ? __builtin_inf() : quarter == 2 ? -0.0 : -__builtin_inf();
  else
    value = quarter & 1 ? -cosineOf(t) / sineOf(t) : sineOf(t) / cosineOf(t);
  return __builtin_copysign(1.0, x) < 0 ? -value : value;
}

double hz_asinpi(double x) { return asin(x) / PI; }
double hz_acospi(double x) { return acos(x) / PI; }
double hz_atanpi(double x) { return atan(x) / PI; }
double hz_atan2pi(double y, double x) { return atan2(y, x) / PI; }

// Double precision is more than float needs.
float hz_sinpif(float x) { return (float)hz_sinpi(x); }
float hz_cospif(float x) { return (float)hz_cospi(x); }
float hz_tanpif(float x) { return (float)hz_tanpi(x); }
float hz_asinpif(float x) { return (float)(asin(x) / PI); }
float hz_acospif(float x) { return (float)(acos(x) / PI); }

double hz_pown(double x, int n) { return pow(x, n); }

double hz_rootn(double x, int n) {
  if (n == 0 || (x < 0 && !(n & 1)))
    return __builtin_nan("");
  double magnitude = __builtin_fabs(x);
  double root = pow(magnitude, 1.0 / n);
  if (root > 0 && root < __builtin_inf()) { // one step of Newton: 1/n was rounded
    double power = pow(root, (double)n - 1);
    if (power > 0 && power < __builtin_inf())
      root -= (root - magnitude / power) / n;
  }
  return n & 1 ? __builtin_copysign(root, x) : root;
}
float hz_rootnf(float x, int n) { return (float)hz_rootn(x, n); }

static int outsidePowr(double x, double y) {
  return x < 0 || (x == 0 && y == 0) || (x == __builtin_inf() && y == 0) ||
         (x == 1 && __builtin_fabs(y) == __builtin_inf()) || x != x || y != y;
}
double hz_powr(double x, double y) { return outsidePowr(x, y) ? __builtin_nan("") : pow(__builtin_fabs(x), y); }

// C leaves open how many bits of the quotient it delivers; OpenCL wants seven with the sign.
double hz_remquo(double x, double y, int *quotient) {
  double result = remquo(x, y, quotient);
  int low = __builtin_abs(*quotient) & 0x7f;
  *quotient = *quotient < 0 ? -low : low;
  return result;
}
float hz_remquof(float x, float y, int *quotient) {
  float result = remquof(x, y, quotient);
  int low = __builtin_abs(*quotient) & 0x7f;
  *quotient = *quotient < 0 ? -low : low;
  return result;
}

// The gamma function is negative between -1 and 0, -3 and -2, ...
static int signOfGamma(double x) {
  double floor = __builtin_floor(x);
  if (x == 0)
    return __builtin_copysign(1.0, x) < 0 ? -1 : 1;
  if (x > 0 || floor == x || x != x)
    return 1;
  return floor * 0.5 != __builtin_floor(floor * 0.5) ? -1 : 1;
}
double hz_lgamma_r(double x, int *sign) {
  *sign = signOfGamma(x);
  return lgamma(x);
}
float hz_lgamma_rf(float x, int *sign) {
  *sign = signOfGamma(x);
  return lgammaf(x);
}

#define FOR_EACH_TYPE(T, name, fabs, floor, fmin, fmax, below)                                                         \
  T name(hz_fract)(T x, T * whole) {                                                                                   \
    T low = floor(x);                                                                                                  \
    *whole = low;                                                                                                      \
    if (fabs(x) == (T)__builtin_inf())                                                                                 \
      return __builtin_copysign(0.0, x);                                                                               \
    return x != x ? x : fmin(x - low, below);                                                                          \
  }                                                                                                                    \
  T name(hz_maxmag)(T x, T y) { return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y); }                   \
  T name(hz_minmag)(T x, T y) { return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y); }
#define DOUBLE_NAME(name) name
#define FLOAT_NAME(name) name##f
FOR_EACH_TYPE(double, DOUBLE_NAME, __builtin_fabs, __builtin_floor, __builtin_fmin, __builtin_fmax,
              0x1.fffffffffffffp-1)
FOR_EACH_TYPE(float, FLOAT_NAME, __builtin_fabsf, __builtin_floorf, __builtin_fminf, __builtin_fmaxf, 0x1.fffffep-1f)

// One work-item copies for all.
void hz_async_copy(char *destination, const char *source, uint64_t count, uint64_t destinationStride,
                   uint64_t sourceStride, uint64_t bytes, uint32_t linearId) {
  if (linearId != 0)
    return;
  for (uint64_t i = 0; i < count; ++i)
    __builtin_memcpy(destination + i * destinationStride * bytes, source + i * sourceStride * bytes, bytes);
}
