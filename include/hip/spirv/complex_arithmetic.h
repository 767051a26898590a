// SPDX-License-Identifier: MIT
// The functions that clang calls for products and quotients of _Complex numbers in device code, where the simple formula gives NaN: the
// results that C's Annex G asks for.
#pragma once

#include "hip/spirv/builtins.h"
#include "hip/spirv/math_functions.h"

namespace __hiplz {
template <class T> __HIPLZ_DEVICE bool isFinite(T x) { return x - x == T(0); }
template <class T> __HIPLZ_DEVICE bool isInfinite(T x) { return !isFinite(x) && x == x; }
template <class T> __HIPLZ_DEVICE T withSign(T size, T sign) { return std::copysign(size, sign); }
// An infinite number as a point on the corner of the unit square, and 0 for NaN of the other operand.
template <class T> __HIPLZ_DEVICE T corner(T x) { return withSign(isInfinite(x) ? T(1) : T(0), x); }
template <class T> __HIPLZ_DEVICE T zeroForNan(T x) { return x != x ? withSign(T(0), x) : x; }

/// (a + bi) * (c + di)
template <class T> __HIPLZ_DEVICE void multiplyComplex(T a, T b, T c, T d, T *real, T *imaginary) {
  T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  *real = ac - bd;
  *imaginary = ad + bc;
  if (*real == *real || *imaginary == *imaginary)
    return;
  bool infinite = false;
  if (isInfinite(a) || isInfinite(b)) {
    a = corner(a), b = corner(b), c = zeroForNan(c), d = zeroForNan(d);
    infinite = true;
  }
  if (isInfinite(c) || isInfinite(d)) {
    c = corner(c), d = corner(d), a = zeroForNan(a), b = zeroForNan(b);
    infinite = true;
  }
  if (!infinite && (isInfinite(ac) || isInfinite(bd) || isInfinite(ad) || isInfinite(bc))) {
    a = zeroForNan(a), b = zeroForNan(b), c = zeroForNan(c), d = zeroForNan(d);
    infinite = true;
  }
  if (infinite) {
    *real = T(__builtin_inff()) * (a * c - b * d);
    *imaginary = T(__builtin_inff()) * (a * d + b * c);
  }
}

// A power of two near 1 / x, for x > 0, taken from the bits of x: the exponent of the product is near 0.
__HIPLZ_DEVICE float inversePower(float x) {
  unsigned field = __builtin_bit_cast(unsigned, x) >> 23;
  field = field < 30 ? 30 : field > 224 ? 224 : field;
  return __builtin_bit_cast(float, (254 - field) << 23);
}
__HIPLZ_DEVICE double inversePower(double x) {
  unsigned long field = __builtin_bit_cast(unsigned long, x) >> 52;
  field = field < 50 ? 50 : field > 1996 ? 1996 : field;
  return __builtin_bit_cast(double, (2046 - field) << 52);
}

/// (a + bi) / (c + di); the divisor is scaled by a power of two, so that its square stays in range.
template <class T> __HIPLZ_DEVICE void divideComplex(T a, T b, T c, T d, T *real, T *imaginary) {
  T largest = std::fabs(c) < std::fabs(d) ? std::fabs(d) : std::fabs(c);
  T scale = 1;
  if (isFinite(c) && isFinite(d) && largest > T(0)) {
    scale = inversePower(largest);
    c *= scale;
    d *= scale;
  }
  T denominator = c * c + d * d;
  *real = (a * c + b * d) / denominator * scale;
  *imaginary = (b * c - a * d) / denominator * scale;
  if (*real == *real || *imaginary == *imaginary)
    return;
  if (denominator == T(0) && (a == a || b == b)) {
    *real = withSign(T(__builtin_inff()), c) * a;
    *imaginary = withSign(T(__builtin_inff()), c) * b;
  } else if ((isInfinite(a) || isInfinite(b)) && isFinite(c) && isFinite(d)) {
    a = corner(a), b = corner(b);
    *real = T(__builtin_inff()) * (a * c + b * d);
    *imaginary = T(__builtin_inff()) * (b * c - a * d);
  } else if ((isInfinite(c) || isInfinite(d)) && isFinite(a) && isFinite(b)) {
    c = corner(c), d = corner(d);
    *real = T(0) * (a * c + b * d);
    *imaginary = T(0) * (b * c - a * d);
  }
}
} // namespace __hiplz

#define __HIPLZ_COMPLEX(T, multiply, divide)                                                                           \
  extern "C" __HIPLZ_DEVICE _Complex T multiply(T a, T b, T c, T d) {                                                  \
    T real, imaginary;                                                                                                 \
    __hiplz::multiplyComplex(a, b, c, d, &real, &imaginary);                                                           \
    _Complex T result;                                                                                                 \
    __real__ result = real;                                                                                            \
    __imag__ result = imaginary;                                                                                       \
    return result;                                                                                                     \
  }                                                                                                                    \
  extern "C" __HIPLZ_DEVICE _Complex T divide(T a, T b, T c, T d) {                                                    \
    T real, imaginary;                                                                                                 \
    __hiplz::divideComplex(a, b, c, d, &real, &imaginary);                                                             \
    _Complex T result;                                                                                                 \
    __real__ result = real;                                                                                            \
    __imag__ result = imaginary;                                                                                       \
    return result;                                                                                                     \
  }
__HIPLZ_COMPLEX(float, __mulsc3, __divsc3)
__HIPLZ_COMPLEX(double, __muldc3, __divdc3)
#undef __HIPLZ_COMPLEX
