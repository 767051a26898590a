// SPDX-License-Identifier: MIT
// Conversions that round towards zero (rtz), upwards (rtp) or downwards (rtn); processors round to nearest. The value is
// converted to nearest first and moved by one step if that went the wrong way.
#include <stdint.h>

typedef __int128 Wide;

// The next numbers above and below, by their bits. Numbers order like their bits, mirrored for negative ones.
#define STEPS(T, Bits, name, signBit)                                                                                  \
  static T name##Above(T x) {                                                                                          \
    Bits bits;                                                                                                         \
    __builtin_memcpy(&bits, &x, sizeof bits);                                                                          \
    bits = x == 0 ? 1 : bits & signBit ? bits - 1 : bits + 1;                                                          \
    __builtin_memcpy(&x, &bits, sizeof bits);                                                                          \
    return x;                                                                                                          \
  }                                                                                                                    \
  static T name##Below(T x) { return -name##Above(-x); }
STEPS(double, uint64_t, f64, 0x8000000000000000u)
STEPS(float, uint32_t, f32, 0x80000000u)

// `order` is negative if the rounded value lies below the exact one, positive if above.
#define ADJUST(T, prefix)                                                                                              \
  static T prefix##Up(T rounded, int order) { return order < 0 ? prefix##Above(rounded) : rounded; }                   \
  static T prefix##Down(T rounded, int order) { return order > 0 ? prefix##Below(rounded) : rounded; }                 \
  static T prefix##Zero(T rounded, int order, int negative) {                                                          \
    return negative ? prefix##Up(rounded, order) : prefix##Down(rounded, order);                                       \
  }
ADJUST(double, f64)
ADJUST(float, f32)

static int compare(Wide a, Wide b) { return (a > b) - (a < b); }

#define FROM_INTEGER(I, from, T, to)                                                                                   \
  T hz_##from##_to_##to##_rtp(I x) { return to##Up((T)x, compare((Wide)(T)x, x)); }                                    \
  T hz_##from##_to_##to##_rtn(I x) { return to##Down((T)x, compare((Wide)(T)x, x)); }                                  \
  T hz_##from##_to_##to##_rtz(I x) { return to##Zero((T)x, compare((Wide)(T)x, x), (Wide)x < 0); }
FROM_INTEGER(int64_t, i64, float, f32)
FROM_INTEGER(int64_t, i64, double, f64)
FROM_INTEGER(uint64_t, u64, float, f32)
FROM_INTEGER(uint64_t, u64, double, f64)

static int order64(double rounded, double exact) { return (rounded > exact) - (rounded < exact); }

float hz_f64_to_f32_rtp(double x) { return x != x ? (float)x : f32Up((float)x, order64((float)x, x)); }
float hz_f64_to_f32_rtn(double x) { return x != x ? (float)x : f32Down((float)x, order64((float)x, x)); }
float hz_f64_to_f32_rtz(double x) { return x != x ? (float)x : f32Zero((float)x, order64((float)x, x), x < 0); }

// Half precision, as its bits: the magnitude is cut off, then moved up if the direction asks for it.
static uint16_t toHalf(double x, int up, int down) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  uint16_t sign = (uint16_t)(bits >> 63 << 15);
  if (x != x)
    return sign | 0x7e00;
  double magnitude = __builtin_fabs(x);
  int away = sign ? down : up;
  if (magnitude == __builtin_inf())
    return sign | 0x7c00;
  if (magnitude >= 65536.0)
    return sign | (away ? 0x7c00 : 0x7bff);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent < -14)
    exponent = -14; // subnormal: the unit is 2^-24
  double unit = 1;
  for (int e = exponent - 10; e < 0; ++e)
    unit *= 0.5;
  for (int e = exponent - 10; e > 0; --e)
    unit *= 2;
  uint32_t units = (uint32_t)(magnitude / unit);
  if (away && units * unit < magnitude)
    ++units;
  // Below 1024 units the number is subnormal; a carry to 2048 runs into the exponent as it should.
  uint32_t half = units < 1024 ? units : ((uint32_t)(exponent + 14) << 10) + units;
  return sign | (uint16_t)half;
}

#define TO_HALF(T, from)                                                                                               \
  uint16_t hz_##from##_to_f16_rtp(T x) { return toHalf(x, 1, 0); }                                                     \
  uint16_t hz_##from##_to_f16_rtn(T x) { return toHalf(x, 0, 1); }                                                     \
  uint16_t hz_##from##_to_f16_rtz(T x) { return toHalf(x, 0, 0); }
TO_HALF(float, f32)
TO_HALF(double, f64)
