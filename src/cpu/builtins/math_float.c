// SPDX-License-Identifier: MIT
// Mathematical functions of float. The most frequent ones (exp, exp2, log, sin, cos) are computed in float, the others in
// double, from which one rounding leaves hardly more than half a unit. docs/math-accuracy.md has the errors.
#include "math_core.h"

double sin(double), cos(double), tan(double);

#define NOT_A_NUMBER __builtin_nanf("")
#define INFINITE __builtin_inff()

float hz_expf(float x) {
  float c = clampF(x, -104, 89), k = __builtin_rintf(c * (float)LOG2E);
  float r = __builtin_fmaf(k, -0x1.62e43p-1f, c);
  r = __builtin_fmaf(k, 0x1.05c61p-29f, r); // ln(2) = 0x1.62e43p-1 - 0x1.05c61p-29
  float y = scaleF(1 + __builtin_fmaf(r * r, expTailF(r), r), (int)k);
  return x != x ? x : y;
}

float hz_exp2f(float x) {
  float c = clampF(x, -152, 129), k = __builtin_rintf(c), r = c - k;
  float s = r * (float)LN2, lost = __builtin_fmaf(r, (float)LN2, -s) + r * (float)(LN2 - (float)LN2);
  float y = scaleF(1 + (s + __builtin_fmaf(s * s, expTailF(s), lost)), (int)k);
  return x != x ? x : y;
}

float hz_exp10f(float x) {
  double y = exp2Short(clamp(x, -46, 39) * 3.32192809488736234787);
  return x != x ? x : (float)y;
}

float hz_expm1f(float x) {
  double y = expm1Wide(clamp(x, -40, 90));
  return x == 0 || x != x ? x : (float)y;
}

float hz_logf(float x) {
  int tiny = x < 0x1p-126f;
  uint32_t bits = bitsOfFloat(tiny ? x * 0x1p25f : x);
  int k = (int)(bits - 0x3f3504f3u) >> 23;
  float f = floatOf(bits - ((uint32_t)k << 23)) - 1, e = (float)(tiny ? k - 25 : k), square = f * f;
  float y = __builtin_fmaf(e, -0x1.05c61p-29f, f * square * logTailF(f));
  y = f + __builtin_fmaf(-0.5f, square, y);
  y = __builtin_fmaf(e, 0x1.62e43p-1f, y);
  y = x > 0 ? y : x == 0 ? -INFINITE : NOT_A_NUMBER;
  return x < INFINITE ? y : x;
}

/// log2(x) for results in float, with the values of the special arguments.
static inline double log2Any(float x) {
  double y = log2Short(x > 0 && x < INFINITE ? x : 1.0f);
  y = x > 0 ? y : x == 0 ? -(double)INFINITE : (double)NOT_A_NUMBER;
  return x < INFINITE ? y : x;
}
float hz_log2f(float x) { return (float)log2Any(x); }
float hz_log10f(float x) { return (float)(log2Any(x) * 0.30102999566398119521); }

float hz_log1pf(float x) {
  double u = 1 + (double)x, f, half;
  int valid = x > -1 && x < INFINITE;
  double inside = valid ? u : 1.0;
  int k = splitPower(inside, &f);
  double rest = logRest(f, &half);
  double y = __builtin_fma((double)k, LN2, f - (half - rest)) + (x - (inside - 1)) / inside;
  y = valid ? y : x == -1 ? -(double)INFINITE : x > 0 ? (double)x : (double)NOT_A_NUMBER;
  return x == 0 || x != x ? x : (float)y;
}

/// x minus the nearest multiple of pi/2 in two parts; |x| up to kReducedF.
#define kReducedF 71476.0f
static inline float reduceF(float x, float *low, int *quarter) {
  float k = __builtin_rintf(x * (float)TWO_OVER_PI);
  float first = __builtin_fmaf(k, -0x1.921fb6p+0f, x); // exact; pi/2 = 0x1.921fb6p+0 - 0x1.777a5cp-25 - 0x1.ee59dap-50
  float high = __builtin_fmaf(k, 0x1.777a5cp-25f, first);
  *low = __builtin_fmaf(k, 0x1.ee59dap-50f, __builtin_fmaf(k, 0x1.777a5cp-25f, first - high));
  *quarter = (int)k;
  return high;
}
static inline float sineOfPartsF(float high, float low) {
  float z = high * high;
  return high + __builtin_fmaf(high * z, sinTailF(z), low);
}
static inline float cosineOfPartsF(float high, float low) {
  float z = high * high, half = 0.5f * z, head = 1 - half;
  return head + (((1 - head) - half) + __builtin_fmaf(z * z, cosTailF(z), -high * low));
}
/// `even` in even quarters and `odd` in odd ones, negative from the third on. Written without a choice, which the
/// optimiser would turn into a branch with a function on each side; lanes that go both ways would compute both twice.
static inline float ofQuarter(int quarter, float even, float odd) {
  uint32_t first = bitsOfFloat(even), second = bitsOfFloat(odd), bits = (uint32_t)quarter;
  return floatOf((first ^ ((first ^ second) & (0u - (bits & 1)))) ^ ((bits & 2) << 30));
}

/// The sine of x, |x| up to kReducedF; *cosine receives the cosine.
static inline float sineAndCosineF(float x, float *cosine) {
  float low;
  int quarter;
  float high = reduceF(x, &low, &quarter), s = sineOfPartsF(high, low), c = cosineOfPartsF(high, low);
  *cosine = ofQuarter(quarter + 1, s, c);
  float y = ofQuarter(quarter, s, c);
  return x == 0 ? x : y;
}

float hz_sinf(float x) {
  if (__builtin_expect(!(__builtin_fabsf(x) <= kReducedF), 0))
    return (float)sin(x);
  float cosine;
  return sineAndCosineF(x, &cosine);
}

float hz_cosf(float x) {
  if (__builtin_expect(!(__builtin_fabsf(x) <= kReducedF), 0))
    return (float)cos(x);
  float cosine;
  sineAndCosineF(x, &cosine);
  return cosine;
}

float hz_sincosf(float x, float *cosine) {
  if (__builtin_expect(!(__builtin_fabsf(x) <= kReducedF), 0)) {
    *cosine = (float)cos(x);
    return (float)sin(x);
  }
  return sineAndCosineF(x, cosine);
}

float hz_tanf(float x) {
  if (__builtin_expect(!(__builtin_fabsf(x) <= kReducedF), 0))
    return (float)tan(x);
  double low;
  int quarter;
  double high = reduce(x, &low, &quarter), s = sineOfParts(high, low), c = cosineOfParts(high, low);
  double y = quarter & 1 ? -c / s : s / c;
  return x == 0 ? x : (float)y;
}

/// x to the power of y, whose parity is given for whole numbers.
static inline float powerOfFloat(float x, double y, int whole, int odd) {
  float magnitude = __builtin_fabsf(x);
  double result = exp2Short(clamp(log2Any(magnitude) * y, -400, 399));
  result = x < 0 && x > -INFINITE && !whole ? (double)NOT_A_NUMBER : result;
  result = bitsOfFloat(x) >> 31 && odd ? -result : result;
  result = x != x || y != y ? (double)NOT_A_NUMBER : result;
  return y == 0 || x == 1 || (magnitude == 1 && __builtin_fabs(y) == (double)INFINITE) ? 1 : (float)result;
}
float hz_powf(float x, float y) {
  float part = __builtin_fabsf(y) < 0x1p24f ? y : 0; // larger ones are even
  int whole = __builtin_truncf(y) == y, odd = whole && ((int)part & 1);
  return powerOfFloat(x, y, whole, odd);
}
float hz_pownf(float x, int n) { return powerOfFloat(x, n, 1, n & 1); }
float hz_powrf(float x, float y) {
  int outside = x < 0 || (x == 0 && y == 0) || (x == INFINITE && y == 0) ||
                (x == 1 && __builtin_fabsf(y) == INFINITE) || x != x || y != y;
  float result = powerOfFloat(__builtin_fabsf(x), y, 1, 0);
  return outside ? NOT_A_NUMBER : result;
}

float hz_cbrtf(float x) {
  float magnitude = __builtin_fabsf(x);
  int plain = magnitude > 0 && magnitude < INFINITE;
  double y = exp2Short(log2Short(plain ? magnitude : 1.0f) * (1.0 / 3));
  return plain ? __builtin_copysignf((float)y, x) : x;
}

float hz_hypotf(float x, float y) {
  double result = __builtin_sqrt((double)x * x + (double)y * y);
  return __builtin_fabsf(x) == INFINITE || __builtin_fabsf(y) == INFINITE ? INFINITE : (float)result;
}

float hz_sinhf(float x) {
  double e = expm1Wide(clamp(__builtin_fabsf(x), 0, 100));
  double y = 0.5 * (e + e / (e + 1));
  return x != x ? x : __builtin_copysignf((float)y, x);
}
float hz_coshf(float x) {
  double e = expShort(clamp(__builtin_fabsf(x), 0, 100));
  return x != x ? x : (float)(0.5 * (e + 1 / e));
}
float hz_tanhf(float x) {
  double e = expm1Wide(clamp(2 * __builtin_fabsf(x), 0, 60));
  return x != x ? x : __builtin_copysignf((float)(e / (e + 2)), x);
}

float hz_atanf(float x) { return __builtin_copysignf((float)angleOf(__builtin_fabsf(x), 1), x); }
float hz_asinf(float x) {
  double magnitude = __builtin_fabsf(x);
  return __builtin_copysignf((float)angleOf(magnitude, __builtin_sqrt((1 - magnitude) * (1 + magnitude))), x);
}
float hz_acosf(float x) {
  double magnitude = __builtin_fabsf(x);
  double angle = angleOf(__builtin_sqrt((1 - magnitude) * (1 + magnitude)), magnitude);
  return (float)(x < 0 ? PI - angle : angle);
}
/// The angle of (x, y) for any signs.
static inline double fullAngle(float y, float x) {
  double angle = angleOf(__builtin_fabsf(y), __builtin_fabsf(x));
  angle = bitsOfFloat(x) >> 31 ? PI - angle : angle;
  return __builtin_copysign(angle, y);
}
float hz_atan2f(float y, float x) { return (float)fullAngle(y, x); }
float hz_atanpif(float x) { return __builtin_copysignf((float)(angleOf(__builtin_fabsf(x), 1) / PI), x); }
float hz_atan2pif(float y, float x) { return (float)(fullAngle(y, x) / PI); }

/// erfc(x) for 1 <= x <= 10.5.
static inline double erfcBeyond1(double x) { return expShort(-x * x) * erfcScaled((x - 2) / (x + 2)); }
float hz_erff(float x) {
  double magnitude = __builtin_fabsf(x);
  double near = magnitude * erfSeries(clamp(magnitude * magnitude, 0, 1)),
         far = 1 - erfcBeyond1(clamp(magnitude, 1, 10));
  double y = magnitude <= 1 ? near : far;
  return x != x ? x : __builtin_copysignf((float)y, x);
}
float hz_erfcf(float x) {
  double wide = x, magnitude = __builtin_fabs(wide);
  double near = 1 - wide * erfSeries(clamp(wide * wide, 0, 1)), far = erfcBeyond1(clamp(magnitude, 1, 10.5));
  far = wide < 0 ? 2 - far : far;
  double y = magnitude <= 1 ? near : far;
  return x != x ? x : (float)y;
}
