// SPDX-License-Identifier: MIT
// Conversions between numbers and narrow floating-point numbers in every direction of rounding, for host and device code.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_common.h>

namespace hiplz {

/// Directions of rounding, by the names of CUDA's functions.
enum Rounding { rn, rz, rd, ru };

/// The bits of (-1)^negative * mantissa * 2^exponent in a format of 16 bits with `digits` binary digits, the leading one
/// included. What is too large is infinity, or the largest number where the direction stays below it.
template <int digits>
inline __HOST_DEVICE__ unsigned short narrowBits(bool negative, unsigned long long mantissa, int exponent,
                                                 Rounding rounding) {
  const int bias = (1 << (15 - digits)) - 1, lowest = 2 - bias - digits; // the smallest number is 2^lowest
  const unsigned infinity = ((1u << (16 - digits)) - 1) << (digits - 1), sign = negative ? 0x8000 : 0;
  if (mantissa == 0)
    return (unsigned short)sign;
  const int top = 63 - __builtin_clzll(mantissa) + exponent;
  const int unit = top - (digits - 1) > lowest ? top - (digits - 1) : lowest; // the last digit stands for 2^unit
  const int shift = unit - exponent;
  unsigned long long kept, rest = 0;
  bool aboveHalf = false, isHalf = false;
  if (shift <= 0) {
    kept = mantissa << -shift;
  } else if (shift > 63) {
    kept = 0;
    rest = mantissa;
    aboveHalf = shift == 64 && mantissa > 1ull << 63;
    isHalf = shift == 64 && mantissa == 1ull << 63;
  } else {
    kept = mantissa >> shift;
    rest = mantissa & ((1ull << shift) - 1);
    aboveHalf = rest > 1ull << (shift - 1);
    isHalf = rest == 1ull << (shift - 1);
  }
  if (rounding == rn ? aboveHalf || (isHalf && (kept & 1)) : rest != 0 && rounding == (negative ? rd : ru))
    ++kept;
  // The leading digit counts up the exponent.
  const long long bits = ((long long)(unit - lowest) << (digits - 1)) + (long long)kept;
  if (bits < (long long)infinity)
    return (unsigned short)(sign | (unsigned)bits);
  return (unsigned short)(sign | (rounding == rn || rounding == (negative ? rd : ru) ? infinity : infinity - 1));
}

template <int digits> inline __HOST_DEVICE__ unsigned short narrowFrom(double value, Rounding rounding) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const unsigned long long fraction = bits & 0xfffffffffffffull;
  const int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) {
    const unsigned infinity = ((1u << (16 - digits)) - 1) << (digits - 1);
    return (unsigned short)(fraction != 0 ? 0x7fff : (bits >> 63 << 15 | infinity));
  }
  return narrowBits<digits>(bits >> 63, exponent == 0 ? fraction : fraction | 1ull << 52,
                            (exponent == 0 ? 1 : exponent) - 1075, rounding);
}
// Without double precision, which not all devices have.
template <int digits> inline __HOST_DEVICE__ unsigned short narrowFrom(float value, Rounding rounding) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const unsigned fraction = bits & 0x7fffff;
  const int exponent = (int)(bits >> 23 & 0xff);
  if (exponent == 0xff) {
    const unsigned infinity = ((1u << (16 - digits)) - 1) << (digits - 1);
    return (unsigned short)(fraction != 0 ? 0x7fff : (bits >> 31 << 15 | infinity));
  }
  return narrowBits<digits>(bits >> 31, exponent == 0 ? fraction : fraction | 1u << 23,
                            (exponent == 0 ? 1 : exponent) - 150, rounding);
}
template <int digits, class Int> inline __HOST_DEVICE__ unsigned short narrowFromInteger(Int value, Rounding rounding) {
  const bool negative = value < 0;
  const unsigned long long size = (unsigned long long)value;
  return narrowBits<digits>(negative, negative ? 0 - size : size, 0, rounding);
}

/// The integer for a number. What is out of range is the limit; of NaN it is 0, or 2^63 as the bits of an integer of 64.
template <class Int> inline __HOST_DEVICE__ Int integerFrom(float value, Rounding rounding) {
  const bool isSigned = (Int)-1 < (Int)0;
  const int bits = 8 * (int)sizeof(Int);
  const Int highest = isSigned ? (Int)((1ull << (bits - 1)) - 1) : (Int)-1;
  if (value != value)
    return bits == 64 ? (Int)(1ull << 63) : (Int)0;
  const float whole = rounding == rn   ? __builtin_rintf(value)
                      : rounding == rz ? __builtin_truncf(value)
                      : rounding == rd ? __builtin_floorf(value)
                                       : __builtin_ceilf(value);
  const float end = isSigned ? (float)(1ull << (bits - 1)) : 2.0f * (float)(1ull << (bits - 1));
  if (whole >= end)
    return highest;
  if (whole <= (isSigned ? -end : 0.0f))
    return isSigned ? (Int)(1ull << (bits - 1)) : (Int)0;
  return (Int)whole;
}

} // namespace hiplz

/// Applies M(Int, name) to the integers that narrow floating-point numbers are converted from and to.
#define HIPLZ_CUDA_INTEGERS(M)                                                                                         \
  M(short, short)                                                                                                      \
  M(unsigned short, ushort)                                                                                            \
  M(int, int)                                                                                                          \
  M(unsigned, uint)                                                                                                    \
  M(long long, ll)                                                                                                     \
  M(unsigned long long, ull)
#include <hip/spirv/user_macros_on.h>
