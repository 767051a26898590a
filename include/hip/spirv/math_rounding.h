// SPDX-License-Identifier: MIT
// Arithmetic rounded up (_ru), down (_rd) and towards zero (_rz). Devices round to nearest: the operations here find the sign
// of the error of that result, exactly, and go on to the neighbour if it is on the wrong side. The errors of sums and
// products: Knuth, Dekker; of fused operations: Boldo and Muller, IEEE Transactions on Computers 60 (2011). Where the error
// could be lost below the smallest number, operands are scaled by powers of two.
#pragma once

#include "hip/spirv/math_functions.h"

namespace __hiplz {
enum class Rounding { up, down, zero };

template <class T> struct RoundingTraits;
template <> struct RoundingTraits<float> {
  typedef int Bits;
  static constexpr float infinity = __builtin_inff(), small = 0x1p-60f;
};
template <> struct RoundingTraits<double> {
  typedef long Bits;
  static constexpr double infinity = __builtin_inf(), small = 0x1p-900;
};

__HIPLZ_DEVICE float scaled(float x, int n) { return ldexpf(x, n); }
__HIPLZ_DEVICE double scaled(double x, int n) { return ldexp(x, n); }
__HIPLZ_DEVICE int exponentOf(float x) { return ilogbf(x); }
__HIPLZ_DEVICE int exponentOf(double x) { return ilogb(x); }
__HIPLZ_DEVICE float nearestQuotient(float x, float y) { return __hiplz_div_rn(x, y); }
__HIPLZ_DEVICE double nearestQuotient(double x, double y) { return x / y; }
__HIPLZ_DEVICE float nearestRoot(float x) { return __hiplz_sqrt_rn(x); }
__HIPLZ_DEVICE double nearestRoot(double x) { return sqrt(x); }
template <class T> __HIPLZ_DEVICE bool finiteNumber(T x) { return x - x == 0; }
template <class T> __HIPLZ_DEVICE int signOf(T x) { return (x > 0) - (x < 0); }

/// The number in the direction that the rounding asks for: `nearest` is the rounded result, `error` the sign of what the exact
/// one is larger by.
template <class T> __HIPLZ_DEVICE T adjusted(T nearest, int error, Rounding rounding) {
  typedef typename RoundingTraits<T>::Bits Bits;
  bool negative = __builtin_bit_cast(Bits, nearest) < 0;
  int step = rounding == Rounding::up     ? error > 0
             : rounding == Rounding::down ? -(error < 0)
             : negative                   ? error > 0
                                          : -(error < 0);
  if (step == 0 || (nearest == 0 && rounding == Rounding::zero))
    return nearest;
  if (nearest == 0)
    return step > 0 ? __builtin_bit_cast(T, (Bits)1) : -__builtin_bit_cast(T, (Bits)1);
  return __builtin_bit_cast(T, __builtin_bit_cast(Bits, nearest) + (negative ? -step : step));
}

/// A sum that is exactly zero is -0 when it is rounded down, unless both numbers are +0.
template <class T> __HIPLZ_DEVICE T zeroSum(T nearest, T x, T y, Rounding rounding) {
  bool plus = x == 0 && y == 0 && 1 / x > 0 && 1 / y > 0;
  return nearest == 0 && rounding == Rounding::down && !plus ? (T)-0.0f : nearest;
}

template <class T> __HIPLZ_DEVICE T addRounded(T x, T y, Rounding rounding) {
#pragma clang fp contract(off) reassociate(off)
  T sum = x + y;
  if (!finiteNumber(sum))
    return finiteNumber(x) && finiteNumber(y) ? adjusted(sum, -signOf(sum), rounding) : sum;
  bool swap = (x < 0 ? -x : x) < (y < 0 ? -y : y);
  T large = swap ? y : x, little = swap ? x : y;
  T error = little - (sum - large);
  return error == 0 ? zeroSum(sum, x, y, rounding) : adjusted(sum, signOf(error), rounding);
}

template <class T> __HIPLZ_DEVICE T mulRounded(T x, T y, Rounding rounding) {
#pragma clang fp contract(off) reassociate(off)
  T product = x * y, magnitude = product < 0 ? -product : product;
  if (!finiteNumber(product))
    return finiteNumber(x) && finiteNumber(y) ? adjusted(product, -signOf(product), rounding) : product;
  if (x == 0 || y == 0)
    return product;
  T error;
  if (magnitude > RoundingTraits<T>::small) {
    error = fused(x, y, -product);
  } else {
    int a = exponentOf(x), b = exponentOf(y);
    error = fused(scaled(x, -a), scaled(y, -b), -scaled(product, -a - b));
  }
  return adjusted(product, signOf(error), rounding);
}

template <class T> __HIPLZ_DEVICE T divRounded(T x, T y, Rounding rounding) {
#pragma clang fp contract(off) reassociate(off)
  T quotient = nearestQuotient(x, y);
  if (!finiteNumber(x) || !finiteNumber(y) || x == 0 || y == 0)
    return quotient;
  if (!finiteNumber(quotient))
    return adjusted(quotient, -signOf(quotient), rounding);
  int a = exponentOf(x), b = exponentOf(y);
  T error = fused(-scaled(quotient, b - a), scaled(y, -b), scaled(x, -a));
  return adjusted(quotient, signOf(error) * signOf(y), rounding);
}

template <class T> __HIPLZ_DEVICE T sqrtRounded(T x, Rounding rounding) {
  T root = nearestRoot(x);
  if (!(x > 0) || !finiteNumber(x))
    return root;
  int half = exponentOf(x) / 2;
  T scaledRoot = scaled(root, -half);
  return adjusted(root, signOf(fused(-scaledRoot, scaledRoot, scaled(x, -2 * half))), rounding);
}

template <class T> __HIPLZ_DEVICE T fmaRounded(T x, T y, T z, Rounding rounding) {
#pragma clang fp contract(off) reassociate(off)
  T result = fused(x, y, z);
  if (!finiteNumber(x) || !finiteNumber(y) || !finiteNumber(z))
    return result;
  if (!finiteNumber(result))
    return adjusted(result, -signOf(result), rounding);
  if (x == 0 || y == 0)
    return zeroSum(result, x * y, z, rounding);
  // All is scaled so that the product is between 1 and 4.
  int a = exponentOf(x), b = exponentOf(y), apart = z == 0 ? 0 : exponentOf(z) - a - b;
  if (apart > 120) // the product is far below the last place of z
    return adjusted(result, signOf(x) * signOf(y), rounding);
  x = scaled(x, -a);
  y = scaled(y, -b);
  // Far below the last place of the product, only the sign of z matters.
  T addend = apart < -115 ? (T)signOf(z) * (T)0x1p-115f : scaled(z, -a - b);
  T nearest = scaled(result, -a - b);
  T product = x * y, rest = fused(x, y, -product);
  T low = addend + rest, part = low - addend, lowError = (addend - (low - part)) + (rest - part);
  T high = product + low;
  part = high - product;
  T highError = (product - (high - part)) + (low - part);
  T error = ((high - nearest) + highError) + lowError;
  return error == 0 ? zeroSum(result, (T)1, z, rounding) : adjusted(result, signOf(error), rounding);
}
} // namespace __hiplz

#define __HIPLZ_ROUNDED(T, prefix, fma, mode, rounding)                                                                \
  __HIPLZ_DEVICE T __##prefix##add_##mode(T x, T y) { return __hiplz::addRounded(x, y, __hiplz::Rounding::rounding); } \
  __HIPLZ_DEVICE T __##prefix##sub_##mode(T x, T y) {                                                                  \
    return __hiplz::addRounded(x, -y, __hiplz::Rounding::rounding);                                                    \
  }                                                                                                                    \
  __HIPLZ_DEVICE T __##prefix##mul_##mode(T x, T y) { return __hiplz::mulRounded(x, y, __hiplz::Rounding::rounding); } \
  __HIPLZ_DEVICE T __##prefix##div_##mode(T x, T y) { return __hiplz::divRounded(x, y, __hiplz::Rounding::rounding); } \
  __HIPLZ_DEVICE T __##prefix##rcp_##mode(T x) { return __hiplz::divRounded((T)1, x, __hiplz::Rounding::rounding); }   \
  __HIPLZ_DEVICE T __##prefix##sqrt_##mode(T x) { return __hiplz::sqrtRounded(x, __hiplz::Rounding::rounding); }       \
  __HIPLZ_DEVICE T fma##_##mode(T x, T y, T z) { return __hiplz::fmaRounded(x, y, z, __hiplz::Rounding::rounding); }
__HIPLZ_ROUNDED(float, f, __fmaf, ru, up)
__HIPLZ_ROUNDED(float, f, __fmaf, rd, down)
__HIPLZ_ROUNDED(float, f, __fmaf, rz, zero)
__HIPLZ_ROUNDED(double, d, __fma, ru, up)
__HIPLZ_ROUNDED(double, d, __fma, rd, down)
__HIPLZ_ROUNDED(double, d, __fma, rz, zero)
#undef __HIPLZ_ROUNDED
