// SPDX-License-Identifier: MIT
// Models of operations on numbers of 32 and 64 bits, conversions, and the steps of divisions.
#pragma once
#include "model.h"

#include <algorithm>

inline bool isSignaling(uint32_t v) { return std::isnan(f(v)) && !(v & 0x400000); }
inline bool isSignaling(uint64_t v) { return std::isnan(d(v)) && !(v >> 51 & 1); }

/// The lesser or greater number; a signaling NaN wins, a quiet one loses, and -0 is less than 0.
template <class T> T extremum(T a, T b, bool isLeast, bool isSignalingAny) {
  if (isSignalingAny)
    return static_cast<T>(NAN);
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) == isLeast ? a : b;
  return (a < b) == isLeast ? a : b;
}
inline float extremum(uint32_t a, uint32_t b, bool isLeast) {
  return extremum(f(a), f(b), isLeast, isSignaling(a) || isSignaling(b));
}
inline double extremum(uint64_t a, uint64_t b, bool isLeast) {
  return extremum(d(a), d(b), isLeast, isSignaling(a) || isSignaling(b));
}
inline float three(uint32_t a, uint32_t b, uint32_t c, bool isLeast) {
  const float two = extremum(a, b, isLeast);
  return isSignaling(a) || isSignaling(b) ? extremum(bits(std::isnan(two) ? NAN : two), c, isLeast)
                                          : extremum(bits(two), c, isLeast);
}
inline float median(uint32_t a, uint32_t b, uint32_t c) {
  if (std::isnan(f(a)) || std::isnan(f(b)) || std::isnan(f(c)))
    return three(a, b, c, true);
  const float top = three(a, b, c, false);
  if (bits(top) == a)
    return extremum(b, c, false);
  return bits(top) == b ? extremum(a, c, false) : extremum(a, b, false);
}

template <class T> T clamped(T value) { return !(value > 0) ? 0 : value > 1 ? 1 : value; }

template <class T> T fraction(T value) {
  const T rest = value - std::floor(value);
  return rest >= 1 ? std::nextafter(T{1}, T{0}) : rest;
}

template <class T> T mantissa(T value) {
  int exponent;
  return std::frexp(value, &exponent);
}

struct Single {
  using Number = float;
  static constexpr int exponentBits = 255, nearMost = 96, tiny = 23, shift = 64, vanish = -150, bias = 127;
  static int exponent(float v) { return static_cast<int>(bits(v) >> 23 & 255); }
};
struct Double {
  using Number = double;
  static constexpr int exponentBits = 2047, nearMost = 768, tiny = 53, shift = 128, vanish = -1075, bias = 1023;
  static int exponent(double v) { return static_cast<int>(bits(v) >> 52 & 2047); }
};

/// Scales the denominator or the numerator of a quotient.
template <class F>
typename F::Number divScale(typename F::Number s0, typename F::Number s1, typename F::Number s2, bool &flag) {
  using T = typename F::Number;
  auto isDenormal = [](T v) { return std::fpclassify(v) == FP_SUBNORMAL; };
  const T inverse = 1 / s1, quotient = s2 / s1;
  flag = false;
  if (s2 == 0 || s1 == 0)
    return NAN;
  if (F::exponent(s2) - F::exponent(s1) >= F::nearMost) {
    flag = true;
    return s0 == s1 ? std::ldexp(s0, F::shift) : s0;
  }
  if (isDenormal(s1))
    return std::ldexp(s0, F::shift);
  if (isDenormal(inverse) && isDenormal(quotient)) { // the manual has the other sign, which makes infinity of it
    flag = true;
    return s0 == s1 ? std::ldexp(s0, -F::shift) : s0;
  }
  if (isDenormal(inverse))
    return std::ldexp(s0, -F::shift);
  if (isDenormal(quotient)) {
    flag = true;
    return s0 == s2 ? std::ldexp(s0, F::shift) : s0;
  }
  return F::exponent(s2) <= F::tiny ? std::ldexp(s0, F::shift) : s0;
}

template <class F> typename F::Number divFixup(typename F::Number s0, typename F::Number s1, typename F::Number s2) {
  using T = typename F::Number;
  const bool sign = std::signbit(s1) != std::signbit(s2);
  auto with = [&](T v) { return sign ? -v : v; };
  if (std::isnan(s2) || std::isnan(s1) || (s1 == 0 && s2 == 0) || (std::isinf(s1) && std::isinf(s2)))
    return NAN;
  if (s1 == 0 || std::isinf(s2))
    return with(INFINITY);
  if (std::isinf(s1) || s2 == 0 || F::exponent(s2) - F::exponent(s1) < F::vanish)
    return with(0);
  // The steps of a quotient that is too large may end in infinity minus infinity.
  return with(std::isnan(s0) ? INFINITY : std::fabs(s0));
}

/// The sequences of compilers for a / b.
inline const char *kSingleQuotient =
    "!v_div_scale_f32 v24, s21, v6, v6, v4; v_div_scale_f32 v25, vcc_lo, v4, v6, v4; v_rcp_f32 v26, v24; "
    "v_fma_f32 v27, -v24, v26, 1.0; v_fmac_f32 v26, v27, v26; v_mul_f32 v27, v25, v26; v_fma_f32 v28, -v24, v27, v25; "
    "v_fmac_f32 v27, v28, v26; v_fma_f32 v24, -v24, v27, v25; !v_div_fmas_f32 v24, v24, v26, v27; "
    "!v_div_fixup_f32 v12, v24, v6, v4";
inline const char *kDoubleQuotient =
    "!v_div_scale_f64 v[24:25], s21, v[6:7], v[6:7], v[4:5]; v_rcp_f64 v[26:27], v[24:25]; "
    "v_fma_f64 v[28:29], -v[24:25], v[26:27], 1.0; v_fma_f64 v[26:27], v[26:27], v[28:29], v[26:27]; "
    "v_fma_f64 v[28:29], -v[24:25], v[26:27], 1.0; v_fma_f64 v[26:27], v[26:27], v[28:29], v[26:27]; "
    "v_div_scale_f64 v[28:29], vcc_lo, v[4:5], v[6:7], v[4:5]; v_mul_f64 v[30:31], v[28:29], v[26:27]; "
    "v_fma_f64 v[24:25], -v[24:25], v[30:31], v[28:29]; !v_div_fmas_f64 v[24:25], v[24:25], v[26:27], v[30:31]; "
    "!v_div_fixup_f64 v[12:13], v[24:25], v[6:7], v[4:5]";

#define BOTH(name, within, expression)                                                                                 \
  OP("v_" name "_f32 v12, v4", const float x = f(k.a); single(k, expression); k.distance = within);                    \
  OP("v_" name "_f64 v[12:13], v[4:5]", const double x = d(k.A); twice(k, expression); k.distance = within)

/// Faces of cubemaps and the coordinates on them: the component of the greatest size counts, z before y before x.
inline void addCubes(Table &t) {
  auto add = [&](const std::string &name, const std::function<float(float, float, float, int)> &model) {
    t.push_back({name + " v12, v4, v6, v8", [=](Case &k) {
                   const float x = f(k.a), y = f(k.b), z = f(k.c), ax = std::fabs(x), ay = std::fabs(y),
                               az = std::fabs(z);
                   single(k, model(x, y, z, az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0));
                   k.isOpen = std::isnan(x) || std::isnan(y) || std::isnan(z);
                 }});
  };
  add("v_cubeid_f32", [](float x, float y, float z, int axis) {
    const float along = axis == 2 ? z : axis == 1 ? y : x;
    return static_cast<float>(2 * axis + (along < 0));
  });
  add("v_cubema_f32", [](float x, float y, float z, int axis) { return 2 * (axis == 2 ? z : axis == 1 ? y : x); });
  add("v_cubesc_f32", [](float x, float, float z, int axis) {
    return axis == 2 ? (z < 0 ? -x : x) : axis == 1 ? x : x < 0 ? z : -z;
  });
  add("v_cubetc_f32", [](float, float y, float z, int axis) { return axis == 1 ? (y < 0 ? -z : z) : -y; });
}

/// Fractions of 1280 bits in words of 32, the highest first, behind the whole part.
using Fraction = std::vector<uint32_t>;
inline void divide(Fraction &value, uint32_t by) {
  uint64_t rest = 0;
  for (uint32_t &word : value) {
    rest = rest << 32 | word;
    word = static_cast<uint32_t>(rest / by);
    rest %= by;
  }
}
inline void addTo(Fraction &value, const Fraction &other, bool subtracts) {
  int64_t carry = 0;
  for (size_t i = value.size(); i-- > 0;) {
    carry += int64_t{value[i]} + (subtracts ? -int64_t{other[i]} : int64_t{other[i]});
    value[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
}
/// factor * arctan(1 / x), by its series.
inline Fraction arctan(uint32_t factor, uint32_t x) {
  Fraction term(44), sum(44);
  term[0] = factor;
  divide(term, x);
  for (uint32_t k = 1; std::any_of(term.begin(), term.end(), [](uint32_t word) { return word != 0; }); k += 2) {
    Fraction part = term;
    divide(part, k);
    addTo(sum, part, k % 4 == 3);
    divide(term, x * x);
  }
  return sum;
}
/// The bits of 2/pi: pi is 16 arctan(1/5) - 4 arctan(1/239), and the quotient comes bit by bit.
inline const std::vector<bool> &twoByPi() {
  static const std::vector<bool> all = [] {
    Fraction pi = arctan(16, 5), rest(44);
    addTo(pi, arctan(4, 239), true);
    rest[0] = 2;
    std::vector<bool> bits;
    for (int i = 0; i < 1201; ++i) {
      addTo(rest, Fraction(rest), false);
      bits.push_back(rest >= pi);
      if (bits.back())
        addTo(rest, pi, true);
    }
    return bits;
  }();
  return all;
}
inline double twoByPiSegment(uint64_t angle, uint32_t segment) {
  const unsigned exponent = angle >> 52 & 0x7ff;
  const unsigned shift = (segment & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
  double result = 0;
  for (unsigned i = 0; i < 53; ++i)
    if (shift + i < 1201 && twoByPi()[shift + i])
      result += std::ldexp(1.0, 52 - static_cast<int>(i));
  return std::ldexp(result, -53 - static_cast<int>(shift) + (exponent >= 1968 ? 128 : 0));
}

/// The nearest integer that stands for a fraction, of 16 bits. What lies in the middle may go either way.
inline uint32_t normalized(double value, bool isSigned, bool &isOpen) {
  if (std::isnan(value))
    return 0;
  const double low = isSigned ? -1 : 0, factor = isSigned ? 32767 : 65535;
  const double exact = (value < low ? low : value > 1 ? 1 : value) * factor;
  isOpen |= std::fabs(std::fabs(exact - std::floor(exact)) - 0.5) < 0x1p-7;
  return u16(static_cast<uint64_t>(static_cast<int64_t>(std::nearbyint(exact))));
}

inline void addNormalized(Table &t) {
  for (const bool isSigned : {true, false}) {
    const std::string type = isSigned ? "i16" : "u16";
    t.push_back({"v_cvt_pknorm_" + type + "_f32 v12, v4, v6", [=](Case &k) {
                   low(k, normalized(f(k.a), isSigned, k.isOpen) | normalized(f(k.b), isSigned, k.isOpen) << 16);
                 }});
    t.push_back({"v_cvt_pknorm_" + type + "_f16 v12, v4, v6 op_sel:[0,1,0]", [=](Case &k) {
                   low(k, normalized(h(k.a & 0xffff), isSigned, k.isOpen) | normalized(h(k.b >> 16), isSigned, k.isOpen)
                                                                                << 16);
                 }});
    t.push_back({"v_cvt_norm_" + type + "_f16 v12, v4",
                 [=](Case &k) { word(k, normalized(h(k.a & 0xffff), isSigned, k.isOpen)); }});
  }
}

inline void addNumbers(Table &t) {
  addNormalized(t);
  OP("v_trig_preop_f64 v[12:13], v[4:5], v6", twice(k, twoByPiSegment(k.A, k.b)));
  OP("v_add_f32 v12, v4, v6", single(k, f(k.a) + f(k.b)));
  OP("v_add_f32 v12, v4, v6 clamp", single(k, clamped(f(k.a) + f(k.b))));
  OP("v_add_f32 v12, v4, 0x40490fdb", single(k, f(k.a) + f(0x40490fdb)));
  OP("v_sub_f32 v12, v4, v6", single(k, f(k.a) - f(k.b)));
  OP("v_subrev_f32 v12, v4, v6", single(k, f(k.b) - f(k.a)));
  OP("v_mul_f32 v12, v4, v6", single(k, f(k.a) * f(k.b)));
  OP("v_mul_f32 v12, -v4, |v6|", single(k, -f(k.a) * std::fabs(f(k.b))));
  OP("v_mul_f32 v12, v4, -|v6|", single(k, f(k.a) * -std::fabs(f(k.b))));
  OP("v_mul_legacy_f32 v12, v4, v6", single(k, f(k.a) == 0 || f(k.b) == 0 ? 0 : f(k.a) * f(k.b)));
  OP("v_fma_legacy_f32 v12, v4, v6, v8",
     single(k, f(k.a) == 0 || f(k.b) == 0 ? 0 + f(k.c) : std::fma(f(k.a), f(k.b), f(k.c))));
  OP("v_fmac_legacy_f32 v12, v4, v6",
     single(k, f(k.a) == 0 || f(k.b) == 0 ? 0 + f(k.d) : std::fma(f(k.a), f(k.b), f(k.d))));
  OP("v_cvt_off_f32_i4 v12, v4",
     single(k, static_cast<float>(static_cast<int>(k.a & 7) - static_cast<int>(k.a & 8)) / 16));
  OP("v_fma_f32 v12, v4, v6, v8", single(k, std::fma(f(k.a), f(k.b), f(k.c))));
  OP("v_fma_f32 v12, -v4, |v6|, -|v8| clamp",
     single(k, clamped(std::fma(-f(k.a), std::fabs(f(k.b)), -std::fabs(f(k.c))))));
  OP("v_fmac_f32 v12, v4, v6", single(k, std::fma(f(k.a), f(k.b), f(k.d))));
  OP("v_fmaak_f32 v12, v4, v6, 0x40490fdb", single(k, std::fma(f(k.a), f(k.b), f(0x40490fdb))));
  OP("v_fmamk_f32 v12, v4, 0x40490fdb, v6", single(k, std::fma(f(k.a), f(0x40490fdb), f(k.b))));
  OP("v_min_f32 v12, v4, v6", single(k, extremum(k.a, k.b, true)));
  OP("v_max_f32 v12, v4, v6", single(k, extremum(k.a, k.b, false)));
  OP("v_min3_f32 v12, v4, v6, v8", single(k, three(k.a, k.b, k.c, true)));
  OP("v_max3_f32 v12, v4, v6, v8", single(k, three(k.a, k.b, k.c, false)));
  OP("v_med3_f32 v12, v4, v6, v8", single(k, median(k.a, k.b, k.c)));
  OP("v_add_f64 v[12:13], v[4:5], v[6:7]", twice(k, d(k.A) + d(k.B)));
  OP("v_add_f64 v[12:13], -v[4:5], |v[6:7]|", twice(k, -d(k.A) + std::fabs(d(k.B))));
  OP("v_add_f64 v[12:13], v[4:5], 0.5", twice(k, d(k.A) + 0.5));
  OP("v_add_f64 v[12:13], v[4:5], 0x40080000", twice(k, d(k.A) + 3));
  OP("v_mul_f64 v[12:13], v[4:5], v[6:7]", twice(k, d(k.A) * d(k.B)));
  OP("v_fma_f64 v[12:13], v[4:5], v[6:7], v[8:9]", twice(k, std::fma(d(k.A), d(k.B), d(k.C))));
  OP("v_min_f64 v[12:13], v[4:5], v[6:7]", twice(k, extremum(k.A, k.B, true)));
  OP("v_max_f64 v[12:13], v[4:5], v[6:7]", twice(k, extremum(k.A, k.B, false)));
  BOTH("trunc", 0, std::trunc(x));
  BOTH("ceil", 0, std::ceil(x));
  BOTH("floor", 0, std::floor(x));
  BOTH("rndne", 0, std::nearbyint(x));
  BOTH("fract", 0, fraction(x));
  BOTH("rcp", 1, 1 / x);
  BOTH("sqrt", 1, std::sqrt(x));
  BOTH("rsq", 2, 1 / std::sqrt(x));
  BOTH("frexp_mant", 0, mantissa(x));
  OP("v_frexp_exp_i32_f32 v12, v4", int e = 0; if (std::isfinite(f(k.a))) std::frexp(f(k.a), &e);
     low(k, static_cast<uint32_t>(e)));
  OP("v_frexp_exp_i32_f64 v12, v[4:5]", int e = 0; if (std::isfinite(d(k.A))) std::frexp(d(k.A), &e);
     low(k, static_cast<uint32_t>(e)));
  OP("v_rcp_iflag_f32 v12, v4", single(k, 1 / f(k.a)); k.distance = 1);
  // Powers and logarithms of base 2, angles in turns.
  OP("v_exp_f32 v12, v4", single(k, static_cast<float>(std::exp2(static_cast<double>(f(k.a))))); k.distance = 1);
  OP("v_log_f32 v12, v4", single(k, static_cast<float>(std::log2(static_cast<double>(f(k.a))))); k.distance = 1);
  OP("v_fract_f32 v24, v4; !v_sin_f32 v12, v24", const double x = fraction(f(k.a));
     single(k, static_cast<float>(std::sin(x * 2 * M_PI))); k.distance = -0x1p-20);
  OP("v_fract_f32 v24, v4; !v_cos_f32 v12, v24", const double x = fraction(f(k.a));
     single(k, static_cast<float>(std::cos(x * 2 * M_PI))); k.distance = -0x1p-20);
  OP("v_ldexp_f32 v12, v4, v6", single(k, std::ldexp(f(k.a), s32(k.b))));
  OP("v_ldexp_f64 v[12:13], v[4:5], v6", twice(k, std::ldexp(d(k.A), s32(k.b))));
  OP("v_cvt_f32_u32 v12, v4", single(k, static_cast<float>(k.a)));
  OP("v_cvt_f32_i32 v12, v4", single(k, static_cast<float>(s32(k.a))));
  OP("v_cvt_f64_u32 v[12:13], v4", twice(k, k.a));
  OP("v_cvt_f64_i32 v[12:13], v4", twice(k, s32(k.a)));
  OP("v_cvt_u32_f32 v12, v4", low(k, saturated<uint32_t>(f(k.a))));
  OP("v_cvt_i32_f32 v12, v4", low(k, static_cast<uint32_t>(saturated<int32_t>(f(k.a)))));
  OP("v_cvt_u32_f64 v12, v[4:5]", low(k, saturated<uint32_t>(d(k.A))));
  OP("v_cvt_i32_f64 v12, v[4:5]", low(k, static_cast<uint32_t>(saturated<int32_t>(d(k.A)))));
  OP("v_cvt_flr_i32_f32 v12, v4", low(k, static_cast<uint32_t>(saturated<int32_t>(std::floor(f(k.a))))));
  OP("v_cvt_rpi_i32_f32 v12, v4", low(k, static_cast<uint32_t>(saturated<int32_t>(std::floor(f(k.a) + 0.5f)))));
  OP("v_cvt_f64_f32 v[12:13], v4", twice(k, static_cast<double>(f(k.a))));
  OP("v_cvt_f32_f64 v12, v[4:5]", single(k, static_cast<float>(d(k.A))));
  OP("v_cvt_f32_ubyte0 v12, v4", single(k, static_cast<float>(k.a & 255)));
  OP("v_cvt_f32_ubyte1 v12, v4", single(k, static_cast<float>(k.a >> 8 & 255)));
  OP("v_cvt_f32_ubyte2 v12, v4", single(k, static_cast<float>(k.a >> 16 & 255)));
  OP("v_cvt_f32_ubyte3 v12, v4", single(k, static_cast<float>(k.a >> 24)));
  OP("v_div_scale_f32 v12, s20, v4, v4, v6", single(k, divScale<Single>(f(k.a), f(k.a), f(k.b), k.mask)));
  OP("v_div_scale_f32 v12, s20, v6, v4, v6", single(k, divScale<Single>(f(k.b), f(k.a), f(k.b), k.mask)));
  OP("v_div_scale_f64 v[12:13], s20, v[4:5], v[4:5], v[6:7]",
     twice(k, divScale<Double>(d(k.A), d(k.A), d(k.B), k.mask)));
  OP("v_div_scale_f64 v[12:13], s20, v[6:7], v[4:5], v[6:7]",
     twice(k, divScale<Double>(d(k.B), d(k.A), d(k.B), k.mask)));
  OP("v_div_fixup_f32 v12, v4, v6, v8", single(k, divFixup<Single>(f(k.a), f(k.b), f(k.c))));
  OP("v_div_fixup_f64 v[12:13], v[4:5], v[6:7], v[8:9]", twice(k, divFixup<Double>(d(k.A), d(k.B), d(k.C))));
  // The factor of v_div_fmas undoes that of v_div_scale: whole quotients are rounded as IEEE 754 says.
  t.push_back({kSingleQuotient, [](Case &k) { single(k, f(k.a) / f(k.b)); }});
  t.push_back({kDoubleQuotient, [](Case &k) {
                 twice(k, d(k.A) / d(k.B));
                 k.distance = std::fpclassify(d(k.result)) == FP_SUBNORMAL; // the last step may round twice
               }});
  // Denormal numbers that the mode keeps out: those of 32 bits here, operands and results, with their signs.
  OP(
      "s_denorm_mode 12; !v_mul_f32 v12, v4, v6; !s_denorm_mode 15",
      auto kept = [](float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; };
      single(k, kept(kept(f(k.a)) * kept(f(k.b)))));
  OP(
      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0; v_add_f32 v12, v4, v6; !s_setreg_imm32_b32 hwreg(HW_REG_MODE, "
      "4, 2), 3",
      auto kept = [](float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; };
      single(k, kept(kept(f(k.a)) + kept(f(k.b)))));
  addCubes(t);
}
