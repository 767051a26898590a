// SPDX-License-Identifier: MIT
// The reference for half, bfloat16 and fp8: rounding to a small binary format by exact arithmetic in double,
// and the patterns of bits that such tests run over.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/device/check.h"

enum class Round { Nearest, Zero, Up, Down };

/// A format with `digits` binary digits, the smallest normal exponent, and the largest finite value.
struct SmallFormat {
  int digits;
  int minExponent;
  double largest;
};
constexpr SmallFormat kHalf{11, -14, 65504.0};
constexpr SmallFormat kBfloat16{8, -126, 0x1.fep127};

/// The integer next to x in the direction; ties go to even.
inline double roundInteger(double x, Round mode) {
  switch (mode) {
  case Round::Nearest: return std::nearbyint(x);
  case Round::Zero: return std::trunc(x);
  case Round::Up: return std::ceil(x);
  case Round::Down: return std::floor(x);
  }
  return x;
}

/// x rounded to the format; what is too large becomes infinite, or the largest value in directions that stay below.
inline double roundTo(const SmallFormat &format, double x, Round mode = Round::Nearest) {
  if (x == 0 || !std::isfinite(x))
    return x;
  int unit = std::max(std::ilogb(x), format.minExponent) - format.digits + 1;
  double rounded = std::ldexp(roundInteger(std::ldexp(x, -unit), mode), unit);
  if (std::fabs(rounded) <= format.largest)
    return std::copysign(rounded, x);
  bool outward = mode == Round::Nearest || (mode == Round::Up && x > 0) || (mode == Round::Down && x < 0);
  return std::copysign(outward ? INFINITY : format.largest, x);
}

/// The value of the bits of a half.
inline double halfValue(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// The value of the bits of a bfloat16.
inline double bfloat16Value(uint16_t bits) {
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

/// The same value, with its sign; all NaN are the same.
inline bool sameValue(double x, double y) {
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

/// Counts wrong values; fails once at its end, with their number and the first of them.
struct Comparison {
  const char *what;
  long wrong = 0;
  double first[3] = {0, 0, 0};
  void operator()(double input, double actual, double expected) {
    if (sameValue(actual, expected))
      return;
    if (wrong++ == 0)
      first[0] = input, first[1] = actual, first[2] = expected;
  }
  ~Comparison() {
    if (wrong == 0)
      return;
    ++checkFailures;
    std::fprintf(stderr, "%s: %ld wrong, at %a: %a, expected %a\n", what, wrong, first[0], first[1], first[2]);
  }
};

inline uint64_t nextRandom(uint64_t &state) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

inline float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Floats that lie on, between and right beside the values of a format of 16 bits, beyond its range, and at random.
inline std::vector<float> floatsAround(double (*valueOf)(uint16_t), double largest) {
  std::vector<float> values{0.0f,      -0.0f,      INFINITY,        -INFINITY,       NAN,
                            0x1p-149f, -0x1p-149f, 0x1.fffffep127f, -0x1.fffffep127f};
  for (unsigned bits = 0; bits < 0x8000; ++bits) {
    double here = valueOf(static_cast<uint16_t>(bits)), next = valueOf(static_cast<uint16_t>(bits + 1));
    if (!std::isfinite(here))
      break;
    double step = std::isfinite(next) ? next - here : largest - valueOf(static_cast<uint16_t>(bits - 1));
    float middle = static_cast<float>(here + step / 2);
    float points[] = {static_cast<float>(here), static_cast<float>(here + step / 4), std::nextafterf(middle, 0.0f),
                      middle, std::nextafterf(middle, INFINITY)};
    for (float point : points) {
      values.push_back(point);
      values.push_back(-point);
    }
  }
  uint64_t state = 1;
  for (int i = 0; i < 50000; ++i)
    values.push_back(floatOfBits(static_cast<uint32_t>(nextRandom(state))));
  return values;
}
