// SPDX-License-Identifier: MIT
// Comparison of floating-point results in units in the last place.
#pragma once

#include "tests/device/check.h"

#include <algorithm>

/// How far `actual` is from `expected`, in units in the last place of a T of that size. Zero for equal results, for two
/// NaNs, and where both overflow; infinite if one is NaN or infinite and the other is not. A device may flush float's
/// subnormal numbers to zero.
template <class T> double ulpError(T actual, long double expected) {
  typedef std::numeric_limits<T> Limits;
  if (expected != expected || actual != actual)
    return expected != expected && actual != actual ? 0 : INFINITY;
  if ((long double)actual == expected || (T)expected == actual)
    return 0;
  if (std::isinf(expected) || std::isinf(actual))
    return INFINITY;
  long double error = std::fabs((long double)actual - expected);
  if (sizeof(T) == 4 && std::fabs(expected) < Limits::min() && error < Limits::min())
    return 0;
  int exponent = std::max(std::ilogb(expected), Limits::min_exponent - 1);
  return (double)std::ldexp(error, Limits::digits - 1 - exponent);
}

/// Checks one result; the message names the function and its arguments.
template <class T>
void checkUlp(const char *function, T actual, long double expected, double bound, T x, T y = 0, T z = 0) {
  double error = ulpError(actual, expected);
  if (error <= bound)
    return;
  if (++checkFailures < 60)
    std::fprintf(stderr, "%s<%s>(%.17g, %.17g, %.17g) is %.17g, expected %.20Lg: %g ulp, bound %g\n", function,
                 sizeof(T) == 4 ? "float" : "double", (double)x, (double)y, (double)z, (double)actual, expected, error,
                 bound);
}
