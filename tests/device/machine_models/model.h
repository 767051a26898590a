// SPDX-License-Identifier: MIT
// Models of operations of gfx1030, for machine_operations.hip; those of gfx1100 alone are in generation11.h. They are written lane by lane from the words of AMD's manual "RDNA 2
// Instruction Set Architecture" and share nothing with the translator. Each belongs to a line of assembly, whose registers
// tests/data/amdgcn/make_operations.py describes.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

constexpr unsigned kLanes = 32;

struct Lane {
  uint64_t in[4]; // the last one is what the result was before
};

/// The kind of a result, because any quiet NaN stands for any other.
enum class Kind { bits, half, highHalf, halves, single, twice };

/// The lane's operands, those of the others, and its result, as a model sees them.
struct Case {
  const Lane *wave;
  unsigned lane;
  uint64_t A, B, C, D; // 64 bits
  uint32_t a, b, c, d; // their lower halves
  bool vcc;            // bit 0 of d
  uint64_t result;     // 64 bits; begins as D
  bool mask = false;   // the lane's bit of a mask, or SCC
  Kind kind = Kind::bits;
  double distance = 0; // from the result that is allowed, in units of its last place
  bool isOpen = false; // the manual leaves the result open
};

/// A line of assembly, in which the operations that it checks are marked with "!" (without a mark it is the first one).
struct Operation {
  std::string text;
  std::function<void(Case &)> model;
};
using Table = std::vector<Operation>;

#define OP(text, ...) t.push_back({text, [](Case &k) { __VA_ARGS__; }})

inline float f(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
inline double d(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}
inline uint32_t bits(float value) {
  uint32_t out;
  std::memcpy(&out, &value, 4);
  return out;
}
inline uint64_t bits(double value) {
  uint64_t out;
  std::memcpy(&out, &value, 8);
  return out;
}

/// The number of a half.
inline double h(uint32_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double size = exponent == 31  ? (mantissa ? NAN : INFINITY)
                      : exponent == 0 ? std::ldexp(mantissa, -24)
                                      : std::ldexp(1024 + mantissa, exponent - 25);
  return bits & 0x8000 ? -size : size;
}

/// The nearest of all halves, ties to the even one.
inline uint32_t toHalf(double value) {
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return 0x7e00;
  const double size = std::fabs(value);
  if (size >= 65520)
    return sign | 0x7c00;
  uint32_t below = 0;
  for (uint32_t bit = 0x4000; bit; bit >>= 1)
    if ((below | bit) < 0x7c00 && h(below | bit) <= size)
      below |= bit;
  const double low = h(below), high = below + 1 == 0x7c00 ? 65536 : h(below + 1);
  const bool up = size - low > high - size || (size - low == high - size && (below & 1));
  return sign | (below + up);
}

inline int32_t s32(uint64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }
inline int64_t s64(uint64_t value) { return static_cast<int64_t>(value); }
inline int16_t s16(uint64_t value) { return static_cast<int16_t>(static_cast<uint16_t>(value)); }
inline uint16_t u16(uint64_t value) { return static_cast<uint16_t>(value); }

// Results.
inline void low(Case &k, uint64_t value) { k.result = (k.D & ~uint64_t{0xffffffff}) | static_cast<uint32_t>(value); }
inline void wide(Case &k, uint64_t value) { k.result = value; }
inline void word(Case &k, uint64_t value) { k.result = (k.D & ~uint64_t{0xffff}) | (value & 0xffff); }
inline void highWord(Case &k, uint64_t value) { k.result = (k.D & ~uint64_t{0xffff0000}) | (value & 0xffff) << 16; }
inline void single(Case &k, float value) { low(k, bits(value)), k.kind = Kind::single; }
inline void twice(Case &k, double value) { wide(k, bits(value)), k.kind = Kind::twice; }
inline void half(Case &k, double value) { word(k, toHalf(value)), k.kind = Kind::half; }
/// Two halves of a register.
inline void halves(Case &k, double lower, double upper) {
  low(k, toHalf(lower) | toHalf(upper) << 16), k.kind = Kind::halves;
}
inline void carry(Case &k, uint64_t sum) { low(k, sum), k.mask = sum >> 32 != 0; }
/// A scalar result, and SCC if it is not zero.
inline void tested(Case &k, uint32_t value) { low(k, value), k.mask = value != 0; }
inline void testedWide(Case &k, uint64_t value) { wide(k, value), k.mask = value != 0; }

template <class T> T saturated(double value) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

template <class T> T least(T a, T b) { return a < b ? a : b; }
template <class T> T most(T a, T b) { return a > b ? a : b; }
template <class T> T middle(T a, T b, T c) {
  return (a >= b && a <= c) || (a <= b && a >= c) ? a : (b >= a && b <= c) || (b <= a && b >= c) ? b : c;
}

void addIntegers(Table &t);
void addHalves(Table &t);
void addPacked(Table &t);
void addNumbers(Table &t);
void addComparisons(Table &t);
void addLanes(Table &t);
void addScalars(Table &t);
void addMemory(Table &t);
