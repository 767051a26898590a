// SPDX-License-Identifier: MIT
// The approximate functions of float: __expf, __logf, __sinf and __cosf of HIP (OpenCL's native_ and half_ forms), and
// what expf, exp2f and logf are in code that was compiled with -ffast-math. They cost half as much as the precise ones
// and are wrong by at most two units in the last place, with these exceptions: numbers below the smallest normal one
// count as zero, and the sine and the cosine of what is further from zero than kApproximateTurn are those of zero.
#include "math_core.h"

#define NOT_A_NUMBER __builtin_nanf("")
#define INFINITE __builtin_inff()
#define ROUNDER 0x1.8p23f // after it was added the low bits hold the nearest whole number

/// exp(r) * 2^k for |r| <= ln(2) / 2, where the result is a normal number; `shifted` is ROUNDER + k.
static inline float exponentialF(float r, float shifted) {
  float y = __builtin_fmaf(__builtin_fmaf(expTailApproximateF(r), r, 1), r, 1);
  return floatOf(bitsOfFloat(y) + (bitsOfFloat(shifted) << 23));
}

float hz_approximate_expf(float x) {
  float shifted = __builtin_fmaf(x, (float)LOG2E, ROUNDER), k = shifted - ROUNDER;
  float r = __builtin_fmaf(k, 0x1.05c61p-29f, __builtin_fmaf(k, -0x1.62e43p-1f, x));
  float y = x < -87.33654f ? 0 : exponentialF(r, shifted);
  return x > 88.72283f ? INFINITE : y;
}

float hz_approximate_exp2f(float x) {
  float shifted = x + ROUNDER, r = x - (shifted - ROUNDER);
  float y = x < -126 ? 0 : exponentialF(r * (float)LN2, shifted);
  return x >= 128 ? INFINITE : y;
}

float hz_approximate_logf(float x) {
  uint32_t bits = bitsOfFloat(x);
  int k = (int)(bits - 0x3f3504f3u) >> 23;
  float f = floatOf(bits - ((uint32_t)k << 23)) - 1;
  float y = __builtin_fmaf(f * f, __builtin_fmaf(f, logTailApproximateF(f), -0.5f), f);
  y = __builtin_fmaf((float)k, (float)LN2, y);
  y = x >= 0x1p-126f ? y : x < 0 ? NOT_A_NUMBER : -INFINITE;
  return x < INFINITE ? y : x;
}

/// x minus the nearest multiple of pi/2, which the low bits of *quarter receive.
#define kApproximateTurn 0x1p21f
static inline float reduceApproximately(float x, uint32_t *quarter) {
  x = __builtin_fabsf(x) <= kApproximateTurn ? x : 0 * x; // infinity becomes NaN
  float shifted = __builtin_fmaf(x, (float)TWO_OVER_PI, ROUNDER), k = shifted - ROUNDER;
  *quarter = bitsOfFloat(shifted);
  return __builtin_fmaf(k, 0x1.777a5cp-25f, __builtin_fmaf(k, -0x1.921fb6p+0f, x));
}
/// The sine of t, |t| <= pi/4, in even quarters, and the cosine in odd ones; negative from the third quarter on.
static inline float waveF(float t, uint32_t quarter) {
  float z = t * t;
  uint32_t sine = bitsOfFloat(__builtin_fmaf(t * z, sinTailApproximateF(z), t));
  uint32_t cosine = bitsOfFloat(__builtin_fmaf(__builtin_fmaf(cosTailF(z), z, -0.5f), z, 1));
  return floatOf((sine ^ ((sine ^ cosine) & (0u - (quarter & 1)))) ^ ((quarter & 2) << 30));
}

float hz_approximate_sinf(float x) {
  uint32_t quarter;
  float t = reduceApproximately(x, &quarter);
  return waveF(t, quarter);
}

float hz_approximate_cosf(float x) {
  uint32_t quarter;
  float t = reduceApproximately(x, &quarter);
  return waveF(t, quarter + 1);
}
