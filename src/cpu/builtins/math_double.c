// SPDX-License-Identifier: MIT
// Mathematical functions of double that are computed here; math.c has the others, which are those of the C library.
#include "math_core.h"

double sin(double), cos(double);

#define NOT_A_NUMBER __builtin_nan("")
#define INFINITE __builtin_inf()

double hz_exp(double x) {
  double c = clamp(x, -746, 710), k = __builtin_rint(c * LOG2E);
  double first = __builtin_fma(k, -LN2, c); // exact
  double r = __builtin_fma(k, -LN2_LOW, first), low = __builtin_fma(k, -LN2_LOW, first - r);
  double y = scale(1 + (r + __builtin_fma(r * r, expTail(r), low)), (int)k);
  return x != x ? x : y;
}

double hz_exp2(double x) {
  double c = clamp(x, -1078, 1025), k = __builtin_rint(c), r = c - k;
  double s = r * LN2, low = __builtin_fma(r, LN2, -s) + r * LN2_LOW;
  double y = scale(1 + (s + __builtin_fma(s * s, expTail(s), low)), (int)k);
  return x != x ? x : y;
}

double hz_log(double x) {
  int tiny = x < 0x1p-1022;
  double f, half;
  int k = splitPower(tiny ? x * 0x1p54 : x, &f);
  double e = tiny ? k - 54 : k, rest = logRest(f, &half);
  // ln(2) with 20 zeros at the end, whose product with an exponent is exact.
  double y = e * 0x1.62e42feep-1 - ((half - (rest + e * 0x1.a39ef35793c76p-33)) - f);
  y = x > 0 ? y : x == 0 ? -INFINITE : NOT_A_NUMBER;
  return x < INFINITE ? y : x;
}

#define kReduced 823549.0
static inline double negatedIf(int condition, double value) {
  return doubleOf(bitsOfDouble(value) ^ (condition ? 0x8000000000000000ull : 0ull));
}

/// The sine of x, |x| up to kReduced; *cosine receives the cosine.
static inline double sineAndCosine(double x, double *cosine) {
  double low;
  int quarter;
  double high = reduce(x, &low, &quarter), s = sineOfParts(high, low), c = cosineOfParts(high, low);
  *cosine = negatedIf((quarter + 1) & 2, quarter & 1 ? s : c);
  double y = negatedIf(quarter & 2, quarter & 1 ? c : s);
  return x == 0 ? x : y;
}

double hz_sin(double x) {
  if (__builtin_expect(!(__builtin_fabs(x) <= kReduced), 0))
    return sin(x);
  double cosine;
  return sineAndCosine(x, &cosine);
}

double hz_cos(double x) {
  if (__builtin_expect(!(__builtin_fabs(x) <= kReduced), 0))
    return cos(x);
  double cosine;
  sineAndCosine(x, &cosine);
  return cosine;
}

double hz_sincos(double x, double *cosine) {
  if (__builtin_expect(!(__builtin_fabs(x) <= kReduced), 0)) {
    *cosine = cos(x);
    return sin(x);
  }
  return sineAndCosine(x, cosine);
}
