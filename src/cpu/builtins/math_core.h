// SPDX-License-Identifier: MIT
// Building blocks of the mathematical functions. They are written for a vectoriser: no tables, few branches, both sides
// of a choice computed. Calls of the C library stand behind branches that are rarely taken. The scalar and the vector
// path of the compiler compile the same source, so both have the same results.
//
// Conversions to int are of numbers that have been brought into range, NaN included, because any other conversion is
// undefined. Where an operation must not round in between, it is an explicit fused multiply-add; the others may be contracted.
#pragma once
#include "polynomials.h"

#include <stdint.h>

#define PI 3.14159265358979323846
#define LN2 0.693147180559945309417
#define LN2_LOW 2.3190468138462996e-17 // what LN2 lacks
#define LOG2E 1.44269504088896340736
#define HALF_PI 1.57079632679489661923
#define HALF_PI_LOW 6.123233995736766036e-17
#define HALF_PI_LOWEST (-1.4973849048591698e-33)
#define TWO_OVER_PI 0.636619772367581343076

typedef union {
  float value;
  uint32_t bits;
} FloatBits;
typedef union {
  double value;
  uint64_t bits;
} DoubleBits;

static inline float floatOf(uint32_t bits) { return ((FloatBits){.bits = bits}).value; }
static inline uint32_t bitsOfFloat(float value) { return ((FloatBits){.value = value}).bits; }
static inline double doubleOf(uint64_t bits) { return ((DoubleBits){.bits = bits}).value; }
static inline uint64_t bitsOfDouble(double value) { return ((DoubleBits){.value = value}).bits; }

/// value brought into [low, high]; NaN becomes low.
static inline float clampF(float value, float low, float high) {
  value = value > low ? value : low;
  return value < high ? value : high;
}
static inline double clamp(double value, double low, double high) {
  value = value > low ? value : low;
  return value < high ? value : high;
}

/// 2^k as a normal number.
static inline float powerOf2F(int k) { return floatOf((uint32_t)(k + 127) << 23); }
static inline double powerOf2(int64_t k) { return doubleOf((uint64_t)(k + 1023) << 52); }

/// value * 2^k for value near 1, rounded once, also where the result is subnormal or infinite.
static inline float scaleF(float value, int k) { return value * powerOf2F(k >> 1) * powerOf2F(k - (k >> 1)); }
static inline double scale(double value, int k) { return value * powerOf2(k >> 1) * powerOf2(k - (k >> 1)); }

/// exp(x) - 1 for |x| <= ln(2) / 2, to some 36 bits.
static inline double expm1Short(double x) { return __builtin_fma(x * x, expTailShort(x), x); }

/// 2^x for results in float; x in [-400, 400].
static inline double exp2Short(double x) {
  double k = __builtin_rint(x);
  return (1 + expm1Short((x - k) * LN2)) * powerOf2((int)k);
}
/// exp(x) and exp(x) - 1 for results in float; x in [-250, 250].
static inline double expShort(double x) {
  double k = __builtin_rint(x * LOG2E);
  return (1 + expm1Short(__builtin_fma(k, -LN2, x))) * powerOf2((int)k);
}
static inline double expm1Wide(double x) {
  double k = __builtin_rint(x * LOG2E), power = powerOf2((int)k);
  return __builtin_fma(power, expm1Short(__builtin_fma(k, -LN2, x)), power - 1);
}

/// x = 2^k * (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), of a positive normal number.
static inline int splitPower(double x, double *f) {
  uint64_t bits = bitsOfDouble(x);
  int k = (int)((int64_t)(bits - 0x3fe6a09e667f3bcdull) >> 52);
  *f = doubleOf(bits - ((uint64_t)(int64_t)k << 52)) - 1;
  return k;
}

/// log(1 + f) for 1 + f between sqrt(1/2) and sqrt(2), minus f.
static inline double logRest(double f, double *half) {
  double s = f / (2 + f), z = s * s;
  *half = 0.5 * f * f;
  return s * (*half + z * logSeries(z));
}

/// log2(x) of a float that is positive and finite, for results in float; exact for powers of two.
static inline double log2Short(double x) {
  double f, half;
  int k = splitPower(x, &f);
  double rest = logRest(f, &half);
  return __builtin_fma(f - (half - rest), LOG2E, (double)k);
}

/// x minus the nearest multiple of pi/2, in two parts, for |x| up to 8e5; `quarter` receives that multiple.
static inline double reduce(double x, double *low, int *quarter) {
  double k = __builtin_rint(x * TWO_OVER_PI);
  double first = __builtin_fma(k, -HALF_PI, x); // exact
  double product = k * HALF_PI_LOW;
  double high = __builtin_fma(k, -HALF_PI_LOW, first);
  double lost = __builtin_fma(k, HALF_PI_LOW, -product);
  *low = (((first - high) - product) - lost) - k * HALF_PI_LOWEST;
  *quarter = (int)k;
  return high;
}

/// sin and cos of high + low, |high| <= pi/4.
static inline double sineOfParts(double high, double low) {
  double z = high * high;
  return high + __builtin_fma(high * z, sinTail(z), low * (1 - 0.5 * z));
}
static inline double cosineOfParts(double high, double low) {
  double z = high * high, half = 0.5 * z, head = 1 - half;
  return head + (((1 - head) - half) + __builtin_fma(z * z, cosTail(z), -high * low));
}

/// The angle of the point (x, y), both not negative, for results in float. NaN if one of them is.
static inline double angleOf(double y, double x) {
  int steep = y > x;
  double ratio = steep ? x / y : y / x;
  ratio = x == y ? (x == 0 ? 0.0 : 1.0) : ratio; // two zeros, two infinities
  double square = ratio * ratio;
  double angle = __builtin_fma(ratio * square, atanTail(square), ratio);
  return steep ? HALF_PI - angle : angle;
}
