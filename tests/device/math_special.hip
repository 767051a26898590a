// SPDX-License-Identifier: MIT
// Mathematical functions with other shapes: results through pointers, integer results, several arguments, functions of
// HIP alone, mixed argument types, classification, minima and maxima.
#include "tests/device/ulp.h"

#include <utility>

template <class T> struct Results {
  T frexp, modf, integral, remquo, ldexp, scalbn, scalbln, sine, cosine, sinePi, cosinePi, sinpi, cospi, exp10, rsqrt,
      rcbrt, lgamma, fma, nextafter, norm3, norm4, normN, rnorm3, rnorm4, rnormN, rhypot, normcdf, powi, nan;
  int exponent, quotient, ilogb;
  long lrint, lround;
  long long llrint, llround;
  int classes;
};

template <int kPart> struct Part {};

// The float forms have names of their own, so the calls are made by overloads here.
// Three parts, because a device that emulates double compiles several small kernels faster than a large one.
#define FLOAT_NAMES(T, f)                                                                                              \
  __device__ void compute(Part<0>, Results<T> &r, T x, T y, const T *list) {                                           \
    r.frexp = frexp##f(x, &r.exponent);                                                                                \
    r.modf = modf##f(x, &r.integral);                                                                                  \
    r.remquo = remquo##f(x, y, &r.quotient);                                                                           \
    r.ldexp = ldexp##f(x, 7);                                                                                          \
    r.scalbn = scalbn##f(x, -3);                                                                                       \
    r.scalbln = scalbln##f(x, 100000000000l);                                                                          \
    sincos##f(x, &r.sine, &r.cosine);                                                                                  \
    sincospi##f(x, &r.sinePi, &r.cosinePi);                                                                            \
    r.sinpi = sinpi##f(x);                                                                                             \
    r.cospi = cospi##f(x);                                                                                             \
  }                                                                                                                    \
  __device__ void compute(Part<1>, Results<T> &r, T x, T y, const T *list) {                                           \
    r.exp10 = exp10##f(x);                                                                                             \
    r.rsqrt = rsqrt##f(x);                                                                                             \
    r.rcbrt = rcbrt##f(x);                                                                                             \
    r.lgamma = lgamma##f(x);                                                                                           \
    r.fma = fma##f(x, y, list[0]);                                                                                     \
    r.nextafter = nextafter##f(x, y);                                                                                  \
  }                                                                                                                    \
  __device__ void compute(Part<2>, Results<T> &r, T x, T y, const T *list) {                                           \
    r.rhypot = rhypot##f(x, y);                                                                                        \
    r.normcdf = normcdf##f(x);                                                                                         \
    r.powi = powi##f(x, 3);                                                                                            \
    r.nan = nan##f("");                                                                                                \
    r.ilogb = ilogb##f(x);                                                                                             \
    r.lrint = lrint##f(x);                                                                                             \
    r.lround = lround##f(x);                                                                                           \
    r.llrint = llrint##f(x);                                                                                           \
    r.llround = llround##f(x);                                                                                         \
  }
FLOAT_NAMES(float, f)
FLOAT_NAMES(double, )

__device__ void computeNorms(Results<float> &r, float x, float y, const float *list) {
  r.norm3 = norm3df(x, y, list[0]);
  r.norm4 = norm4df(x, y, list[0], list[1]);
  r.normN = normf(4, list);
  r.rnorm3 = rnorm3df(x, y, list[0]);
  r.rnorm4 = rnorm4df(x, y, list[0], list[1]);
  r.rnormN = rnormf(4, list);
}
__device__ void computeNorms(Results<double> &r, double x, double y, const double *list) {
  r.norm3 = norm3d(x, y, list[0]);
  r.norm4 = norm4d(x, y, list[0], list[1]);
  r.normN = norm(4, list);
  r.rnorm3 = rnorm3d(x, y, list[0]);
  r.rnorm4 = rnorm4d(x, y, list[0], list[1]);
  r.rnormN = rnorm(4, list);
}

template <class T> __host__ __device__ int classes(T x) {
  return std::isnan(x) | std::isinf(x) << 1 | std::isfinite(x) << 2 | std::signbit(x) << 3 | std::isnormal(x) << 4 |
         (isnan(x) ? 32 : 0) | (isinf(x) ? 64 : 0) | (isfinite(x) ? 128 : 0) | (std::isgreater(x, T(1)) ? 256 : 0) |
         (std::fpclassify(x) == FP_ZERO ? 512 : 0);
}

template <class T, int kPart> __global__ void special(const T *x, const T *y, const T *list, Results<T> *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  compute(Part<kPart>(), out[i], x[i], y[i], list);
  if (kPart == 0)
    out[i].classes = classes(x[i]);
}

template <class T> __global__ void norms(const T *x, const T *y, const T *list, Results<T> *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    computeNorms(out[i], x[i], y[i], list);
}

template <class T> static void checkSpecial() {
  std::vector<T> x, y;
  const double values[] = {0.0, 0.25, 0.5,  0.9,  1.0,    1.75,      2.5,  3.0,
                           4.5, 10.1, 17.0, 30.5, 1000.5, 1e9 + 0.5, 2e-5, (double)INFINITY};
  for (double a : values)
    for (double b : {0.3, 2.0, 3.5})
      for (int sign : {1, -1}) {
        x.push_back((T)(sign * a));
        y.push_back((T)b);
      }
  x.push_back((T)NAN);
  y.push_back((T)1);
  std::vector<T> list = {(T)1.5, (T)-2.25, (T)3, (T)-0.5};
  int n = x.size();
  DeviceArray<T> dx(x), dy(y), dl(list);
  DeviceArray<Results<T>> out(n);
  special<T, 0><<<(n + 31) / 32, 32>>>(dx, dy, dl, out, n);
  special<T, 1><<<(n + 31) / 32, 32>>>(dx, dy, dl, out, n);
  special<T, 2><<<(n + 31) / 32, 32>>>(dx, dy, dl, out, n);
  norms<T><<<(n + 31) / 32, 32>>>(dx, dy, dl, out, n);
  HIP_CHECK(hipGetLastError());
  std::vector<Results<T>> results = out.host();
  const long double pi = 3.14159265358979323846264338327950288L;
  for (int i = 0; i < n; ++i) {
    const Results<T> &r = results[i];
    long double a = x[i], b = y[i], c = list[0], d = list[1];
    bool finite = std::isfinite(x[i]);
    int e = 0, q = 0;
    T integral;
#define ULP(name, expected, bound) checkUlp(#name, r.name, expected, bound, x[i], y[i])
    ULP(frexp, std::frexp(x[i], &e), 0);
    if (finite)
      CHECK_EQ(r.exponent, e);
    ULP(modf, std::modf(x[i], &integral), 0);
    ULP(integral, integral, 0);
    CHECK_EQ(std::signbit(r.modf), std::signbit(std::modf(x[i], &integral)));
    ULP(remquo, std::remquo(x[i], y[i], &q), 0);
    if (finite) {
      CHECK_EQ(r.quotient & 7, q & 7);
      CHECK_EQ(r.quotient < 0, q < 0);
    }
    ULP(ldexp, std::ldexp(x[i], 7), 0);
    ULP(scalbn, std::scalbn(x[i], -3), 0);
    ULP(scalbln, std::scalbln(x[i], 100000000000l), 0);
    ULP(sine, std::sin(a), 4);
    ULP(cosine, std::cos(a), 4);
    // The argument is reduced exactly before it is multiplied by pi.
    long double reduced = finite ? std::remainder(a, 2.0L) : (long double)NAN;
    long double sinpi = finite && reduced == std::floor(reduced) ? 0.0L : std::sin(pi * reduced);
    long double cospi = finite && reduced + 0.5L == std::floor(reduced + 0.5L) ? 0.0L : std::cos(pi * reduced);
    ULP(sinpi, sinpi, 4);
    ULP(cospi, cospi, 4);
    ULP(sinePi, sinpi, 4);
    ULP(cosinePi, cospi, 4);
    ULP(exp10, ::exp10l(a), 3);
    ULP(rsqrt, 1 / std::sqrt(a), 2);
    ULP(rcbrt, 1 / std::cbrt(a), 4);
    if (a > 2.5 || a < 0.6)
      ULP(lgamma, std::lgamma(a), a < 0 ? 1e6 : 16);
    ULP(fma, std::fma(x[i], y[i], list[0]), 0);
    ULP(nextafter, std::nextafter(x[i], y[i]), 0);
    ULP(norm3, std::sqrt(a * a + b * b + c * c), 10);
    ULP(norm4, std::sqrt(a * a + b * b + c * c + d * d), 10);
    ULP(normN, std::sqrt(1.5L * 1.5L + 2.25L * 2.25L + 9 + 0.25L), 16);
    ULP(rnorm3, 1 / std::sqrt(a * a + b * b + c * c), 12);
    ULP(rnorm4, 1 / std::sqrt(a * a + b * b + c * c + d * d), 12);
    ULP(rnormN, 1 / std::sqrt(1.5L * 1.5L + 2.25L * 2.25L + 9 + 0.25L), 18);
    ULP(rhypot, 1 / std::hypot(a, b), 8);
    if (!(a < -5))
      ULP(normcdf, 0.5L * std::erfc(-a * 0.707106781186547524400844362104849039L), a < 0 ? 600 : 20);
    ULP(powi, a * a * a, 16);
    CHECK(r.nan != r.nan);
    CHECK_EQ(r.ilogb, std::ilogb(x[i]));
    if (finite) {
      CHECK_EQ(r.lrint, std::lrint(x[i]));
      CHECK_EQ(r.lround, std::lround(x[i]));
      CHECK_EQ(r.llrint, std::llrint(x[i]));
      CHECK_EQ(r.llround, std::llround(x[i]));
    }
    CHECK_EQ(r.classes, classes(x[i]));
  }
}

// Calls whose arguments or names select an overload; each must be the overload that the host's program would call.
template <class T, class U> struct Same {
  static constexpr bool value = false;
};
template <class T> struct Same<T, T> {
  static constexpr bool value = true;
};
#define RESULT_TYPE(expression, type) static_assert(Same<decltype(expression), type>::value, #expression)

// One kernel a line: a device that emulates double compiles many small kernels faster than a large one.
template <int kLine> __global__ void overloads(double *out, int n, float f, double d, unsigned u, long long l) {
  RESULT_TYPE(sin(f), float);
  RESULT_TYPE(std::sin(f), float);
  RESULT_TYPE(sin(n), double);
  RESULT_TYPE(pow(f, f), float);
  RESULT_TYPE(std::pow(f, d), double);
  RESULT_TYPE(pow(n, n), double);
  RESULT_TYPE(fmod(f, n), double);
  RESULT_TYPE(abs(f), float);
  RESULT_TYPE(abs(n), int);
  RESULT_TYPE(std::abs(l), long long);
  RESULT_TYPE(min(n, l), long long);
  RESULT_TYPE(max(f, d), double);
  RESULT_TYPE(rsqrt(f), float);
  if constexpr (kLine == 0)
    out[0] = std::sin(n) + sin(u);
  if constexpr (kLine == 1)
    out[1] = pow(f, n) + pow(d, n) + pow(n, 2) + pow(2, f) + std::pow(d, f);
  if constexpr (kLine == 2)
    out[2] = fmod(n, 3) + fmax(f, d) + fmin(n, d) + atan2(n, u) + hypot(n, f) + remainder(d, n) + fdim(f, d);
  if constexpr (kLine == 3)
    out[3] = std::fma(f, d, n) + copysign(f, d) + std::nextafter(d, f);
  if constexpr (kLine == 4)
    out[4] =
        abs(-n) + abs(-l) + labs(-n) + llabs(-l) + std::abs(-n) + std::abs(-(long)n) + abs(-f) + abs(-d) + fabs(-n);
  if constexpr (kLine == 5) {
    int exponent, quotient;
    float integral;
    double integralDouble;
    double fractions = std::frexp(f, &exponent) + std::modf(f, &integral) + std::modf(d, &integralDouble) +
                       std::remquo(d, 2.0, &quotient);
    out[5] = fractions + exponent + integral + integralDouble + quotient;
  }
  if constexpr (kLine == 6)
    out[6] = std::log(f) + std::log(n);
  if constexpr (kLine == 7)
    out[7] = std::hypot(f, 2.0f, 3.0f) + std::hypot(d, 2.0, 3.0);
  if constexpr (kLine == 8)
    out[8] = min(n, 3) + max(n, 9) + min(u, 3u) + max(l, 20ll) + min(f, 1.0f) + max(d, 0.5) + min(n, f) + max(u, l);
  if constexpr (kLine == 9)
    out[9] = std::min(n, 3) + std::max(f, 1.0f) + min(NAN, f) + max(d, (double)NAN);
  if constexpr (kLine == 10)
    out[10] = std::exp2((float)n) + exp2f(u) + exp2((double)n) + ldexp(f, n);
  if constexpr (kLine == 11)
    out[11] = rsqrt(n) + exp10(f) + sinpi(f) + cospi(d);
}

constexpr int kLines = 12;
template <int... kLine>
static void launchOverloads(double *out, int n, float f, double d, unsigned u, long long l,
                            std::integer_sequence<int, kLine...>) {
  (overloads<kLine><<<1, 1>>>(out, n, f, d, u, l), ...);
}

static void checkOverloads() {
  int n = 5;
  float f = 1.75f;
  double d = 3.25;
  unsigned u = 7;
  long long l = 11;
  DeviceArray<double> out(16);
  launchOverloads(out, n, f, d, u, l, std::make_integer_sequence<int, kLines>());
  HIP_CHECK(hipGetLastError());
  std::vector<double> r = out.host();
  int i = 0;
#define NEXT(expected) CHECK_NEAR(r[i], expected, 2e-6 * std::fabs(expected) + 1e-6), ++i
  NEXT(std::sin(5.0) + std::sin(7.0));
  NEXT(std::pow(1.75, 5) + std::pow(3.25, 5) + 25 + std::pow(2, 1.75) + std::pow(3.25, 1.75));
  NEXT(2 + 3.25 + 3.25 + std::atan2(5.0, 7.0) + std::hypot(5.0, 1.75) + std::remainder(3.25, 5.0) + 0);
  NEXT(1.75 * 3.25 + 5 + 1.75 + 3.25);
  NEXT(5 + 11 + 5 + 11 + 5 + 5 + 1.75 + 3.25 + 5);
  NEXT(0.875 + 0.75 + 0.25 + (3.25 - 4) + 1 + 1 + 3 + 2);
  NEXT(std::log(1.75) + std::log(5.0));
  NEXT(std::sqrt(1.75 * 1.75 + 13) + std::sqrt(3.25 * 3.25 + 13));
  NEXT(3 + 9 + 3 + 20 + 1 + 3.25 + 1.75 + 11);
  NEXT(3 + 1.75 + 1.75 + 3.25);
  NEXT(32 + 128 + 32 + 1.75 * 32);
  NEXT(1 / std::sqrt(5.0) + std::pow(10, 1.75) + std::sin(1.75 * M_PI) + std::cos(3.25 * M_PI));
}

// Norms of values whose squares are out of range.
template <class T> __global__ void extremeNorms(T large, T small, T infinite, T *out) {
  const T list[] = {large, large, small};
  if constexpr (sizeof(T) == 4) {
    out[0] = norm3df(large, large, large);
    out[1] = norm4df(small, small, small, small);
    out[2] = normf(3, list);
    out[3] = norm3df(infinite, NAN, 1);
    out[4] = norm3df(0, 0, 0);
  } else {
    out[0] = norm3d(large, large, large);
    out[1] = norm4d(small, small, small, small);
    out[2] = norm(3, list);
    out[3] = norm3d(infinite, NAN, 1);
    out[4] = norm3d(0, 0, 0);
  }
}

template <class T> static void checkExtremeNorms() {
  T large = std::numeric_limits<T>::max() / 4, small = std::numeric_limits<T>::min() * 4;
  DeviceArray<T> out(5);
  extremeNorms<T><<<1, 1>>>(large, small, (T)INFINITY, out);
  HIP_CHECK(hipGetLastError());
  std::vector<T> r = out.host();
  checkUlp("norm3d", r[0], std::sqrt(3.0L) * large, 6, large);
  checkUlp("norm4d", r[1], 2.0L * small, 6, small);
  checkUlp("norm", r[2], std::sqrt(2.0L) * large, 6, large, small);
  checkUlp("norm3d", r[3], INFINITY, 0, (T)INFINITY);
  checkUlp("norm3d", r[4], 0, 0, (T)0);
}

int main() {
  checkExtremeNorms<float>();
  checkExtremeNorms<double>();
  checkSpecial<float>();
  checkSpecial<double>();
  checkOverloads();
  return testResult();
}
