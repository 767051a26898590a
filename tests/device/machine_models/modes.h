// SPDX-License-Identifier: MIT
// Models of what the mode register changes, see model.h. Each line leaves the mode as it was: numbers rounded to the nearest, denormal ones
// kept, IEEE and DX10_CLAMP on.
#pragma once
#include "halves.h"
#include "model.h"
#include "numbers.h"

#include <cfenv>

/// Out of IEEE mode: the other operand if one is not a number, whatever kind of NaN it is.
template <class T> T plainExtremum(T a, T b, bool isLeast) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) == isLeast ? a : b;
  return (a < b) == isLeast ? a : b;
}

inline float plainMedian(float a, float b, float c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return plainExtremum(plainExtremum(a, b, true), c, true);
  return plainExtremum(plainExtremum(a, b, true), plainExtremum(plainExtremum(a, b, false), c, true), false);
}

/// Clamped, without the rule that NaN becomes 0.
template <class T> T clampedNumber(T value) { return std::isnan(value) ? value : clamped(value); }

inline void addMode(Table &t, const std::string &off, const std::string &on, const std::string &line,
                    const std::function<void(Case &)> &model) {
  const std::string set = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, ";
  t.push_back({set + off + "; !" + line + "; !" + set + on, model});
}

/// An output modifier, which multiplies by `factor`, and what it makes of a result.
struct Modifier {
  const char *name;
  double factor;
};
inline constexpr Modifier kModifiers[] = {{"mul:2", 2}, {"mul:4", 4}, {"div:2", 0.5}};

// The manual does not say what becomes of denormal numbers between the operation and the modifier.
template <class T> bool isModified(Case &k, T exact, T &result, double factor, T smallest) {
  result = exact * static_cast<T>(factor);
  if (result == 0)
    result = 0;
  k.isOpen = (exact != 0 && std::fabs(exact) < smallest) || (result != 0 && std::fabs(result) < smallest);
  return !k.isOpen;
}

inline void addOutputModifiers(Table &t) {
  auto flushed = [](float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; };
  for (const Modifier &modifier : kModifiers) {
    const std::string product = "v_mul_f32 v12, v4, v6 ", line = product + modifier.name;
    const double factor = modifier.factor;
    // No effect in IEEE mode, nor where denormal results are kept.
    t.push_back({line, [](Case &k) { single(k, f(k.a) * f(k.b)); }});
    addMode(t, "9, 1), 0", "9, 1), 1", line, [](Case &k) { single(k, f(k.a) * f(k.b)); });
    addMode(t, "4, 2), 0", "4, 2), 3", line, [=](Case &k) { single(k, flushed(flushed(f(k.a)) * flushed(f(k.b)))); });
    // Bits 4 to 9: no denormal numbers of 32 bits, those of others, DX10_CLAMP.
    addMode(t, "4, 6), 0x1c", "4, 6), 0x3f", line, [=](Case &k) {
      float value;
      isModified(k, flushed(f(k.a)) * flushed(f(k.b)), value, factor, 0x1p-126f);
      single(k, value);
    });
    addMode(t, "4, 6), 0x1c", "4, 6), 0x3f", product + "clamp " + modifier.name, [=](Case &k) {
      float value;
      isModified(k, flushed(f(k.a)) * flushed(f(k.b)), value, factor, 0x1p-126f);
      single(k, clamped(value));
    });
    // And the other way round.
    addMode(t, "4, 6), 0x13", "4, 6), 0x3f", std::string("v_add_f64 v[12:13], v[4:5], v[6:7] ") + modifier.name,
            [=](Case &k) {
              auto kept = [](double v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0, v) : v; };
              double value;
              isModified(k, kept(d(k.A)) + kept(d(k.B)), value, factor, 0x1p-1022);
              twice(k, value);
            });
    addMode(t, "4, 6), 0x13", "4, 6), 0x3f", std::string("v_add_f16 v12, v4, v6 ") + modifier.name, [=](Case &k) {
      auto kept = [](double v) { return std::fabs(v) < 0x1p-14 ? std::copysign(0.0, v) : v; };
      double value;
      isModified(k, kept(h(k.a)) + kept(h(k.b)), value, factor, 0x1p-14);
      half(k, value);
    });
  }
}

/// The host's direction for AMD's number: to the nearest, up, down, toward zero.
struct Rounding {
  explicit Rounding(unsigned direction) {
    const int directions[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    std::fesetround(directions[direction]);
  }
  ~Rounding() { std::fesetround(FE_TONEAREST); }
};

/// Computed in a direction. Neither operands nor results may be known before.
template <class T, class Compute> T inDirection(unsigned direction, Compute compute, T a, T b, T c = 0) {
  const Rounding rounding(direction);
  volatile T x = a, y = b, z = c;
  volatile T result = compute(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
  return result;
}

/// A half in a direction, of a number that is exact.
inline uint32_t toHalf(double value, unsigned direction) {
  const uint32_t nearest = toHalf(value);
  const double got = h(nearest);
  if (std::isnan(value) || got == value || direction == 0)
    return nearest;
  const bool isNegative = std::signbit(value), isUp = direction == 1, isOut = direction != 3 && isUp != isNegative;
  const bool isFarther = std::fabs(got) > std::fabs(value);
  return std::isinf(value) || isOut == isFarther ? nearest : isOut ? nearest + 1 : nearest - 1;
}

/// Both directions of the mode change at once; each operation is rounded by its own one.
inline void addRounding(Table &t) {
  for (unsigned direction = 1; direction < 4; ++direction) {
    const unsigned others = direction % 3 + 1;
    const std::string off = "0, 4), " + std::to_string(direction | others << 2), on = "0, 4), 0";
    auto add = [&](const std::string &line, const std::function<void(Case &)> &model) {
      addMode(t, off, on, line, model);
    };
    add("v_add_f32 v12, v4, v6", [=](Case &k) {
      single(k, inDirection(
                    direction, [](float x, float y, float) { return x + y; }, f(k.a), f(k.b)));
    });
    add("v_subrev_f32 v12, v4, v6", [=](Case &k) {
      single(k, inDirection(
                    direction, [](float x, float y, float) { return y - x; }, f(k.a), f(k.b)));
    });
    add("v_mul_f32 v12, v4, v6", [=](Case &k) {
      single(k, inDirection(
                    direction, [](float x, float y, float) { return x * y; }, f(k.a), f(k.b)));
    });
    add("v_fma_f32 v12, v4, v6, v8", [=](Case &k) {
      single(k, inDirection(
                    direction, [](float x, float y, float z) { return std::fma(x, y, z); }, f(k.a), f(k.b), f(k.c)));
    });
    add("v_add_f64 v[12:13], v[4:5], v[6:7]", [=](Case &k) {
      twice(k, inDirection(
                   others, [](double x, double y, double) { return x + y; }, d(k.A), d(k.B)));
    });
    add("v_mul_f64 v[12:13], v[4:5], v[6:7]", [=](Case &k) {
      twice(k, inDirection(
                   others, [](double x, double y, double) { return x * y; }, d(k.A), d(k.B)));
    });
    add("v_fma_f64 v[12:13], v[4:5], v[6:7], v[8:9]", [=](Case &k) {
      twice(k, inDirection(
                   others, [](double x, double y, double z) { return std::fma(x, y, z); }, d(k.A), d(k.B), d(k.C)));
    });
    add("v_ldexp_f32 v12, v4, v6", [=](Case &k) {
      const int by = s32(k.b);
      single(k, inDirection(
                    direction, [=](float x, float, float) { return std::ldexp(x, by); }, f(k.a), 0.0f));
    });
    add("v_ldexp_f64 v[12:13], v[4:5], v6", [=](Case &k) {
      const int by = s32(k.b);
      twice(k, inDirection(
                   others, [=](double x, double, double) { return std::ldexp(x, by); }, d(k.A), 0.0));
    });
    add("v_cvt_f32_f64 v12, v[4:5]", [=](Case &k) {
      const Rounding rounding(direction);
      volatile double x = d(k.A);
      volatile float result = static_cast<float>(x);
      single(k, result);
    });
    add("v_cvt_f32_u32 v12, v4", [=](Case &k) {
      const Rounding rounding(direction);
      volatile uint64_t x = k.a;
      volatile float result = static_cast<float>(static_cast<int64_t>(x));
      single(k, result);
    });
    add("v_cvt_f32_i32 v12, v4", [=](Case &k) {
      const Rounding rounding(direction);
      volatile int32_t x = s32(k.a);
      volatile float result = static_cast<float>(x);
      single(k, result);
    });
    add("v_cvt_f16_f32 v12, v4", [=](Case &k) { word(k, toHalf(f(k.a), others)), k.kind = Kind::half; });
    // Sums of halves have up to 40 bits, their products 22.
    add("v_add_f16 v12, v4, v6", [=](Case &k) { word(k, toHalf(h(k.a) + h(k.b), others)), k.kind = Kind::half; });
    add("v_pk_mul_f16 v12, v4, v6", [=](Case &k) {
      low(k, toHalf(h(k.a) * h(k.b), others) | toHalf(h(k.a >> 16) * h(k.b >> 16), others) << 16);
      k.kind = Kind::halves;
    });
    add("v_fma_mix_f32 v12, v4, v6, v8", [=](Case &k) {
      single(k, inDirection(
                    direction, [](float x, float y, float z) { return std::fma(x, y, z); }, f(k.a), f(k.b), f(k.c)));
    });
    // Other operations stay to the nearest: rounding to integers, and what the C library computes.
    add("v_rndne_f32 v12, v4", [](Case &k) { single(k, std::nearbyint(f(k.a))); });
    add("v_exp_f32 v12, v4", [](Case &k) {
      single(k, static_cast<float>(std::exp2(static_cast<double>(f(k.a)))));
      k.distance = 1;
    });
  }
  addMode(t, "2, 2), 1", "2, 2), 0", "v_cvt_f16_f32 v12, v4",
          [](Case &k) { word(k, toHalf(f(k.a), 1)), k.kind = Kind::half; });
  t.push_back({"!s_round_mode 3; v_mul_f32 v12, v4, v6; s_round_mode 0", [](Case &k) {
                 single(k, inDirection(
                               3, [](float x, float y, float) { return x * y; }, f(k.a), f(k.b)));
               }});
  // A direction that is known when the kernel runs, and the old one again.
  t.push_back({"s_getreg_b32 s44, hwreg(HW_REG_MODE, 0, 4); s_and_b32 s45, s36, 3; !s_setreg_b32 hwreg(HW_REG_MODE, 0, "
               "2), s45; "
               "v_add_f32 v12, v4, v6; s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s44; s_cmp_lg_u32 s36, s36",
               [](Case &k) {
                 const unsigned direction = k.wave[0].in[2] & 3;
                 single(k, inDirection(
                               direction, [](float x, float y, float) { return x + y; }, f(k.a), f(k.b)));
               }});
}

/// Modes that a branch or the last round of a loop has set.
inline void addModesOfPaths(Table &t) {
  auto flushed = [](float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; };
  t.push_back(
      {"s_bitcmp1_b32 s32, 0; s_cbranch_scc0 L@; s_denorm_mode 12; L@: !v_mul_f32 v12, 1.0, v4; !s_denorm_mode 15",
       [=](Case &k) { single(k, k.wave[0].in[0] & 1 ? flushed(f(k.a)) : f(k.a)); }});
  t.push_back(
      {"s_bitcmp1_b32 s32, 0; s_cbranch_scc0 L@; s_round_mode 3; L@: !v_add_f32 v12, v4, v6; !s_round_mode 0",
       [](Case &k) {
         single(k, inDirection(
                       k.wave[0].in[0] & 1 ? 3 : 0, [](float x, float y, float) { return x + y; }, f(k.a), f(k.b)));
       }});
  t.push_back(
      {"v_mov_b32 v12, v4; s_movk_i32 s44, 1; L@: v_mov_b32 v13, v12; !v_mul_f32 v12, 1.0, v4; s_denorm_mode 12; "
       "s_sub_u32 s44, s44, 1; s_cbranch_scc0 L@; !s_denorm_mode 15",
       [=](Case &k) {
         wide(k, bits(flushed(f(k.a))) | uint64_t{k.a} << 32);
         k.isOpen = std::isnan(f(k.a));
       }});
}

inline void addModes(Table &t) {
  addRounding(t);
  // Where the wave runs: in the first compute unit.
  OP("s_getreg_b32 s38, hwreg(HW_REG_HW_ID1); s_cmp_lg_u32 s36, s36", low(k, 0));
  OP("s_getreg_b32 s38, hwreg(HW_REG_HW_ID2); s_cmp_lg_u32 s36, s36", low(k, 0));
  OP("s_getreg_b32 s38, hwreg(HW_REG_SHADER_CYCLES, 0, 20); s_lshr_b32 s38, s38, 20; s_cmp_lg_u32 s36, s36", low(k, 0));
  OP("s_getreg_b32 s38, hwreg(HW_REG_MODE, 0, 32)", low(k, 0x3f0));
  OP("s_getreg_b32 s44, hwreg(HW_REG_MODE, 0, 32); s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 10), 0; s_getreg_b32 s38, "
     "hwreg(HW_REG_MODE, 0, 10); !s_setreg_b32 hwreg(HW_REG_MODE, 0, 32), s44; s_getreg_b32 s44, hwreg(HW_REG_MODE, 8, "
     "2); s_add_u32 s38, s38, s44; s_cmp_lg_u32 s36, s36",
     low(k, 3));
  const std::string ieee = "9, 1), 0", back = "9, 1), 1";
  for (const bool isLeast : {true, false}) {
    const std::string name = isLeast ? "v_min" : "v_max";
    addMode(t, ieee, back, name + "_f32 v12, v4, v6",
            [=](Case &k) { single(k, plainExtremum(f(k.a), f(k.b), isLeast)); });
    addMode(t, ieee, back, name + "_f64 v[12:13], v[4:5], v[6:7]",
            [=](Case &k) { twice(k, plainExtremum(d(k.A), d(k.B), isLeast)); });
    addMode(t, ieee, back, name + "_f16 v12, v4, v6",
            [=](Case &k) { half(k, plainExtremum(h(k.a), h(k.b), isLeast)); });
    addMode(t, ieee, back, name + "3_f32 v12, v4, v6, v8",
            [=](Case &k) { single(k, plainExtremum(plainExtremum(f(k.a), f(k.b), isLeast), f(k.c), isLeast)); });
    addMode(t, ieee, back, std::string(isLeast ? "v_pk_min" : "v_pk_max") + "_f16 v12, v4, v6", [=](Case &k) {
      halves(k, plainExtremum(h(k.a), h(k.b), isLeast), plainExtremum(h(k.a >> 16), h(k.b >> 16), isLeast));
    });
  }
  addMode(t, ieee, back, "v_med3_f32 v12, v4, v6, v8", [](Case &k) { single(k, plainMedian(f(k.a), f(k.b), f(k.c))); });
  // DX10_CLAMP off.
  const std::string clampsNan = "8, 1), 0", again = "8, 1), 1";
  addMode(t, clampsNan, again, "v_add_f32 v12, v4, v6 clamp",
          [](Case &k) { single(k, clampedNumber(f(k.a) + f(k.b))); });
  addMode(t, clampsNan, again, "v_add_f64 v[12:13], v[4:5], v[6:7] clamp",
          [](Case &k) { twice(k, clampedNumber(d(k.A) + d(k.B))); });
  addMode(t, clampsNan, again, "v_add_f16 v12, v4, v6 clamp", [](Case &k) { half(k, clampedNumber(h(k.a) + h(k.b))); });
  addMode(t, clampsNan, again, "v_pk_add_f16 v12, v4, v6 clamp",
          [](Case &k) { halves(k, clampedNumber(h(k.a) + h(k.b)), clampedNumber(h(k.a >> 16) + h(k.b >> 16))); });
  addOutputModifiers(t);
  addModesOfPaths(t);
}
