// SPDX-License-Identifier: MIT
// The part of the device library that computes what neither the C library nor OpenCL has, or what OpenCL lacks: Bessel
// functions, the scaled error function, the inverses of the error functions and of the normal distribution. They are here
// and not in the headers, so that not every compilation reads them. The polynomials are in special_coefficients.h.
#include "special_coefficients.h"

namespace {
constexpr double twoByPi = 0.636619772367581343;

/// exp(factor * x * x), where the factor is a power of two: the error of the square, which the exponential would enlarge, is
/// taken into account.
template <class T> INLINED T expOfSquare(T x, T factor) {
#pragma clang fp contract(off)
  T square = x * x;
  T rest = fused(x, x, -square);
  T power = expOf(factor * square);
  return fabsOf(square) < (T)1e30f && power < (T)__builtin_inff() ? power + power * (factor * rest) : power;
}

// Hankel's expansions, Abramowitz and Stegun 9.2.5 and 9.2.6, for x >= 8. The cosine and the sine of x - pi/4 (order 0) and
// of x - 3 pi/4 (order 1) are sums of those of x.
template <class T> INLINED T besselLarge(int order, bool second, T x) {
  T eighth = 8 / x, s = 2 * eighth * eighth - 1, sine = sinOf(x), cosine = cosOf(x);
  T p = order == 0 ? order0P(s) : order1P(s), q = eighth * (order == 0 ? order0Q(s) : order1Q(s));
  T c = order == 0 ? cosine + sine : sine - cosine, d = order == 0 ? sine - cosine : -(sine + cosine);
  // The scale is sqrt(2 / (pi x)), and c and d are larger by sqrt(2) than what they stand for.
  T scale = (T)0.564189583547756287 / sqrtOf(x);
  return scale * (second ? p * d + q * c : p * c - q * d);
}

template <class T> INLINED T besselJ0(T x) {
  x = fabsOf(x);
  if (x < (T)1.625)
    return j0Small(x * x);
  if (x < (T)3.875)
    return j0FirstAround(x);
  if (x < (T)7)
    return j0SecondAround(x);
  if (x < (T)8)
    return j0ThirdAround(x);
  return x == (T)__builtin_inff() ? 0 : besselLarge(0, false, x);
}

template <class T> INLINED T besselJ1(T signedX) {
  T x = fabsOf(signedX), value;
  if (x < (T)2)
    return signedX * j1Small(x * x);
  if (x < (T)5.375)
    value = j1FirstAround(x);
  else if (x < (T)8)
    value = j1SecondAround(x);
  else
    value = x == (T)__builtin_inff() ? 0 : besselLarge(1, false, x);
  return signedX < 0 ? -value : value;
}

template <class T> INLINED T besselY0(T x) {
  if (!(x > 0))
    return x == 0 ? -(T)__builtin_inff() : (T)__builtin_nanf("");
  if (x < (T)0.5)
    return fused((T)twoByPi * logOf(x), j0Small(x * x), y0Small(x * x));
  if (x < (T)1.375)
    return y0FirstAround(x);
  if (x < (T)2.375)
    return y0Between(x - 2);
  if (x < (T)5.5)
    return y0SecondAround(x);
  if (x < (T)8)
    return y0ThirdAround(x);
  return x == (T)__builtin_inff() ? 0 : besselLarge(0, true, x);
}

template <class T> INLINED T besselY1(T x) {
  if (!(x > 0))
    return x == 0 ? -(T)__builtin_inff() : (T)__builtin_nanf("");
  if (x < (T)1)
    return fused((T)twoByPi * logOf(x), x * j1Small(x * x), x * y1Small(x * x)) - (T)twoByPi / x;
  if (x < (T)1.625)
    return y1Between(x - (T)1.25);
  if (x < (T)3.75)
    return y1FirstAround(x);
  if (x < (T)7)
    return y1SecondAround(x);
  if (x < (T)8)
    return y1Last(x - (T)7.5);
  return x == (T)__builtin_inff() ? 0 : besselLarge(1, true, x);
}

/// J of order n. The recurrence (A. and S. 9.1.27) is stable upwards for n < x; below, the power series (9.1.10) is used where
/// its terms decrease, else the recurrence downwards from a high order (Miller's algorithm, 9.12).
template <class T> INLINED T besselJn(int n, T signedX) {
  bool negative = (signedX < 0) != (n < 0) && (n & 1);
  T x = fabsOf(signedX), value;
  unsigned order = n < 0 ? -(unsigned)n : (unsigned)n;
  if (order < 2) {
    value = order == 0 ? besselJ0(x) : besselJ1(x);
  } else if (x != x || x == (T)__builtin_inff()) {
    value = x != x ? x : 0;
  } else if (x * x <= 4 * ((T)order + 1)) {
    T half = x / 2, term = 1, square = -half * half;
    for (unsigned k = 1; k <= order && term != 0; ++k)
      term *= half / k;
    value = term;
    for (unsigned k = 1; k < 40 && term != 0; ++k) {
      term *= square / ((T)k * ((T)order + k));
      value += term;
    }
  } else if ((T)order < x) {
    T before = besselJ0(x);
    value = besselJ1(x);
    for (unsigned k = 1; k < order; ++k) {
      T next = fused((T)(2 * k) / x, value, -before);
      before = value;
      value = next;
    }
  } else {
    unsigned start = 2 * ((order + (unsigned)sqrtOf((T)(sizeof(T) == 4 ? 60 : 200) * order) + 16) / 2);
    T above = 0, here = 1, sum = 0;
    value = 0;
    for (unsigned k = start; k > 0; --k) {
      T below = fused((T)(2 * k) / x, here, -above);
      above = here;
      here = below;
      if (fabsOf(here) > (T)1e15f) {
        here *= (T)1e-15f;
        above *= (T)1e-15f;
        sum *= (T)1e-15f;
        value *= (T)1e-15f;
      }
      // `here` belongs to the order k - 1.
      if (k - 1 == order)
        value = here;
      if (k > 1 && (k & 1))
        sum += here;
    }
    value /= here + 2 * sum;
  }
  return negative ? -value : value;
}

/// Y of order n: the recurrence upwards is stable.
template <class T> INLINED T besselYn(int n, T x) {
  unsigned order = n < 0 ? -(unsigned)n : (unsigned)n;
  T value = order == 0 ? besselY0(x) : besselY1(x);
  if (order > 1 && x > 0 && x != (T)__builtin_inff()) {
    T before = besselY0(x);
    for (unsigned k = 1; k < order && value != -(T)__builtin_inff(); ++k) {
      T next = fused((T)(2 * k) / x, value, -before);
      before = value;
      value = next;
    }
  }
  return n < 0 && (n & 1) ? -value : value;
}

/// I of order 0 or 1. The exponential of a large argument is multiplied in two steps, because it overflows first.
template <class T> INLINED T besselI(int order, T signedX) {
  T x = fabsOf(signedX), value;
  if (x < 8) {
    value = order == 0 ? i0Small(x * x) : x * i1Small(x * x);
  } else {
    T power = expOf(x / 2), t = 16 / x - 1;
    T factor = order == 0 ? i0Large(t) : i1Large(t);
    value = x > 1000 ? x * (T)__builtin_inff() : power * (factor / sqrtOf(x)) * power;
  }
  return order == 1 && signedX < 0 ? -value : value;
}

template <class T> INLINED T scaledErfc(T x) {
  T magnitude = fabsOf(x);
  if (magnitude < (T)0.5)
    return erfcxSmall(x);
  if (magnitude == (T)__builtin_inff())
    return x > 0 ? 0 : magnitude;
  T value = (T)0.5 * erfcxOfRatio((magnitude - 4) / (magnitude + 4)) / ((T)0.5 + magnitude);
  return x < 0 ? 2 * expOfSquare(x, (T)1) - value : value;
}

/// The u > 0 with erfc(u) = y, for 0 < y <= 1/2: a guess, and a step of Newton's iteration for the logarithm of erfc, whose
/// curvature is taken into account.
template <class T> INLINED T inverseErfcTail(T y) {
  if (!(y > 0))
    return y == 0 ? (T)__builtin_inff() : (T)__builtin_nanf("");
  T level = -logOf(y), root = sqrtOf(level), u = erfcinvGuess(1 / root) * root;
  T scaled = scaledErfc(u), slope = (T)1.12837916709551257 / scaled;
  T step = (logOf(scaled) + fused(-u, u, level)) / slope;
  return u + step * (1 + step * (u - (T)0.5 * slope));
}

template <class T> INLINED T inverseErf(T x) {
  T magnitude = fabsOf(x);
  if (magnitude <= (T)0.625)
    return x * erfinvCentral(x * x);
  T value = inverseErfcTail(1 - magnitude);
  return x < 0 ? -value : value;
}

template <class T> INLINED T inverseErfc(T y) {
  if (y >= (T)0.5 && y <= (T)1.5)
    return inverseErf(1 - y);
  return y < 1 ? inverseErfcTail(y) : -inverseErfcTail(2 - y);
}

template <class T> INLINED T inverseNormcdf(T p) { return (T)-1.41421356237309505 * inverseErfc(2 * p); }

/// Below -1/2 by the scaled function: the error of x / sqrt(2) would be enlarged by erfc.
template <class T> INLINED T normalCdf(T x) {
  T t = (T)-0.707106781186547524 * x;
  if (!(x < (T)-0.5))
    return (T)0.5 * erfcOf(t);
  return x < -1000 ? 0 : (T)0.5 * scaledErfc(t) * expOfSquare(x, (T)-0.5);
}
} // namespace

#define SPECIAL(name, function)                                                                                        \
  DEFINE(float, #name "f", hiplz_##name##f, (float x), function)                                                       \
  DEFINE(double, #name, hiplz_##name, (double x), function)
SPECIAL(j0, besselJ0(x))
SPECIAL(j1, besselJ1(x))
SPECIAL(y0, besselY0(x))
SPECIAL(y1, besselY1(x))
SPECIAL(cyl_bessel_i0, besselI(0, x))
SPECIAL(cyl_bessel_i1, besselI(1, x))
SPECIAL(erfcx, scaledErfc(x))
SPECIAL(erfinv, inverseErf(x))
SPECIAL(erfcinv, inverseErfc(x))
SPECIAL(normcdf, normalCdf(x))
SPECIAL(normcdfinv, inverseNormcdf(x))
DEFINE(float, "jnf", hiplz_jnf, (int n, float x), besselJn(n, x))
DEFINE(double, "jn", hiplz_jn, (int n, double x), besselJn(n, x))
DEFINE(float, "ynf", hiplz_ynf, (int n, float x), besselYn(n, x))
DEFINE(double, "yn", hiplz_yn, (int n, double x), besselYn(n, x))
