// SPDX-License-Identifier: MIT
// A model of OCP's formats (OFP8 1.0 and Microscaling Formats 1.0, 5.3) in double, in which all of this is exact: a format is the table of its
// values, the nearest one is searched for, and chance adds a fraction of the distance between two before cutting off.
#pragma once

#include <hip/hip_ext_ocp.h>

#include "tests/device/small_float.h"

#include <algorithm>

/// The codes of infinities and NaN, and what becomes of numbers that round beyond the largest.
struct Model {
  int bits, fraction, bias;
  unsigned largest, beyond, infinity, nan;
  bool hasInfinity = false; // behind the largest; where infinities saturate it is read only

  /// The value of a code without its sign, also of one beyond the largest.
  double value(unsigned code) const {
    const int exponent = static_cast<int>(code >> fraction), behind = static_cast<int>(code & ((1u << fraction) - 1));
    return std::ldexp(exponent ? behind + (1 << fraction) : behind, std::max(exponent, 1) - bias - fraction);
  }

  /// The code of x / 2^scale. By chance: of a source with `digits` behind the point, and the first digits of the seed count.
  unsigned narrowed(double x, int scale, bool chance, unsigned seed, int digits) const {
    const unsigned sign = std::signbit(x) ? 1u << (bits - 1) : 0;
    if (std::isnan(x) || scale == -128)
      return sign | nan;
    if (std::isinf(x))
      return sign | infinity;
    const double size = std::ldexp(std::fabs(x), -scale);
    if (size >= value(largest + 1))
      return sign | beyond;
    unsigned low = 0, high = largest + 1; // value(low) <= size < value(high)
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      (value(middle) <= size ? low : high) = middle;
    }
    const double part = (size - value(low)) / (value(high) - value(low));
    const int places = digits - fraction;
    const bool up = chance ? part + std::ldexp(static_cast<double>(seed >> (32 - places)), -places) >= 1
                           : part > 0.5 || (part == 0.5 && low % 2 == 1);
    const unsigned code = up ? high : low;
    return sign | (code > largest ? beyond : code);
  }

  /// The value of a code times 2^scale as a T.
  template <class T> double widened(unsigned code, int scale) const {
    if (scale > 127)
      scale -= 256;
    code &= (1u << bits) - 1;
    const unsigned size = code & ((1u << (bits - 1)) - 1);
    const double sign = code == size ? 1 : -1;
    if (scale == -128 || size > largest + hasInfinity)
      return NAN;
    if (size > largest)
      return sign * INFINITY;
    const double exact = sign * std::ldexp(value(size), scale);
    if constexpr (std::is_same_v<T, float>)
      return static_cast<float>(exact);
    else
      return roundTo(std::is_same_v<T, _Float16> ? kHalf : kBfloat16, exact);
  }
};
const Model kE4M3{8, 3, 7, 0x7e, 0x7f, 0x7f, 0x7f};
const Model kE5M2{8, 2, 15, 0x7b, 0x7b, 0x7b, 0x7e, true};
const Model kE2M3{6, 3, 1, 0x1f, 0x1f, 0x1f, 0x1f};
const Model kE3M2{6, 2, 3, 0x1f, 0x1f, 0x1f, 0x1f};
const Model kE2M1{4, 1, 1, 7, 7, 7, 7};

template <class T> T fromBits(uint16_t bits) {
  T x;
  std::memcpy(static_cast<void *>(&x), &bits, sizeof x);
  return x;
}
inline double valueOf(float x) { return x; }
inline double valueOf(_Float16 x) {
  uint16_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  const double value = halfValue(bits);
  return std::isnan(value) ? std::copysign(value, bits & 0x8000 ? -1.0 : 1.0) : value;
}
inline double valueOf(__hip_bfloat16 x) { return bfloat16Value(static_cast<__hip_bfloat16_raw>(x).x); }

template <class T> constexpr int digitsBehindPoint() {
  return std::is_same_v<T, float> ? 23 : std::is_same_v<T, _Float16> ? 10 : 7;
}

/// Bits of an object in memory, from bit `first` on.
inline unsigned bitsAt(const void *object, int first, int count) {
  unsigned result = 0;
  for (int i = 0; i < count; ++i)
    result |= (static_cast<const uint8_t *>(object)[(first + i) / 8] >> (first + i) % 8 & 1u) << i;
  return result;
}
