// SPDX-License-Identifier: MIT
// Mathematical functions that CUDA has in host code, too, and the C library does not. They are computed in double precision.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <cmath>
#include <type_traits>

namespace hiplz {

/// sin(pi x). The argument is made small without error first.
inline double sinPi(double x) {
  const double turn = std::fmod(x, 2.0), half = std::round(2.0 * turn); // quarters of a turn
  const double rest = 3.14159265358979323846 * (turn - 0.5 * half);
  if (turn == std::trunc(turn))
    return std::isfinite(x) ? std::copysign(0.0, x) : x - x;
  switch (static_cast<int>(half) & 3) {
  case 0: return std::sin(rest);
  case 1: return std::cos(rest);
  case 2: return -std::sin(rest);
  default: return -std::cos(rest);
  }
}
inline double cosPi(double x) {
  if (!std::isfinite(x))
    return x - x;
  const double turn = std::fmod(std::fabs(x), 2.0), half = std::round(2.0 * turn);
  const double rest = 3.14159265358979323846 * (turn - 0.5 * half);
  if (turn == 0.5 || turn == 1.5)
    return 0.0;
  switch (static_cast<int>(half) & 3) {
  case 0: return std::cos(rest);
  case 1: return -std::sin(rest);
  case 2: return -std::cos(rest);
  default: return std::sin(rest);
  }
}

inline double normalDistribution(double x) { return 0.5 * std::erfc(-0.70710678118654752440 * x); }

/// The number whose complementary error function is `y`: Newton's and Halley's steps from an estimate by logarithms.
inline double inverseErfc(double y) {
  if (!(y >= 0.0) || y > 2.0)
    return std::nan("");
  if (y == 0.0 || y == 2.0)
    return y == 0.0 ? HUGE_VAL : -HUGE_VAL;
  const double tail = y < 1.0 ? y : 2.0 - y, t = std::sqrt(-2.0 * std::log(0.5 * tail));
  double x = (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481))) * 0.70710678118654752440;
  for (int step = 0; step < 4; ++step) {
    const double error = std::erfc(x) - tail, slope = 1.12837916709551257390 * std::exp(-x * x);
    if (slope == 0.0)
      break;
    const double newton = error / slope;
    x += newton / (1.0 + x * newton);
  }
  return y < 1.0 ? x : -x;
}
inline double inverseErf(double y) {
  if (!(std::fabs(y) <= 1.0))
    return std::nan("");
  if (std::fabs(y) > 0.5)
    return y > 0.0 ? inverseErfc(1.0 - y) : -inverseErfc(1.0 + y);
  double x = 0.88622692545275801365 * y; // sqrt(pi) / 2
  for (int step = 0; step < 6; ++step) {
    const double newton = (std::erf(x) - y) / (1.12837916709551257390 * std::exp(-x * x));
    x -= newton / (1.0 + x * newton);
  }
  return y == 0.0 ? y : x;
}

/// exp(x * x) erfc(x): a continued fraction where the factors leave the range of double.
inline double scaledErfc(double x) {
  if (x < 10.0)
    return std::exp(x * x) * std::erfc(x);
  double fraction = x;
  for (int term = 60; term >= 1; --term)
    fraction = x + 0.5 * term / fraction;
  return 0.56418958354775628695 / fraction;
}

} // namespace hiplz

// In double and single precision: name(double), name(float) and namef(float).
#define HIPLZ_CUDA_HOST(name, expression)                                                                              \
  inline double name(double x) { return expression; }                                                                  \
  inline float name##f(float x) { return static_cast<float>(name(static_cast<double>(x))); }                           \
  inline float name(float x) { return name##f(x); }
HIPLZ_CUDA_HOST(rsqrt, 1.0 / std::sqrt(x))
HIPLZ_CUDA_HOST(rcbrt, 1.0 / std::cbrt(x))
HIPLZ_CUDA_HOST(sinpi, hiplz::sinPi(x))
HIPLZ_CUDA_HOST(cospi, hiplz::cosPi(x))
HIPLZ_CUDA_HOST(normcdf, hiplz::normalDistribution(x))
HIPLZ_CUDA_HOST(normcdfinv, -1.41421356237309504880 * hiplz::inverseErfc(2.0 * x))
HIPLZ_CUDA_HOST(erfinv, hiplz::inverseErf(x))
HIPLZ_CUDA_HOST(erfcx, hiplz::scaledErfc(x))
#undef HIPLZ_CUDA_HOST

/// A template: rocThrust has a static function of this name.
template <class T>
inline auto erfcinv(T x) -> typename std::enable_if<std::is_arithmetic<T>::value, decltype(std::erfc(x))>::type {
  return static_cast<decltype(std::erfc(x))>(hiplz::inverseErfc(static_cast<double>(x)));
}
inline float erfcinvf(float x) { return static_cast<float>(hiplz::inverseErfc(x)); }

inline void sincospi(double x, double *sine, double *cosine) { *sine = sinpi(x), *cosine = cospi(x); }
inline void sincospif(float x, float *sine, float *cosine) { *sine = sinpif(x), *cosine = cospif(x); }
inline void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }
inline void sincos(float x, float *sine, float *cosine) { *sine = std::sin(x), *cosine = std::cos(x); }

// CUDA's type-named forms of minimum and maximum.
inline unsigned umin(unsigned x, unsigned y) { return y < x ? y : x; }
inline unsigned umax(unsigned x, unsigned y) { return x < y ? y : x; }
inline long long llmin(long long x, long long y) { return y < x ? y : x; }
inline long long llmax(long long x, long long y) { return x < y ? y : x; }
inline unsigned long long ullmin(unsigned long long x, unsigned long long y) { return y < x ? y : x; }
inline unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x < y ? y : x; }
#include <hip/spirv/user_macros_on.h>
