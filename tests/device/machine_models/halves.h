// SPDX-License-Identifier: MIT
// Models of vector operations on 16 bits, which leave the other half of the result's register.
#pragma once
#include "model.h"

inline bool isSignaling16(uint32_t value) { return (value & 0x7c00) == 0x7c00 && (value & 0x3ff) && !(value & 0x200); }
/// The lesser or greater number; a signaling NaN wins, a quiet one loses.
inline double extremum16(uint32_t a, uint32_t b, bool isLeast) {
  if (isSignaling16(a) || isSignaling16(b))
    return NAN;
  const double x = h(a), y = h(b);
  if (std::isnan(x))
    return y;
  if (std::isnan(y))
    return x;
  if (x == y)
    return (std::signbit(x) == isLeast) ? x : y;
  return (x < y) == isLeast ? x : y;
}

inline double three16(uint32_t a, uint32_t b, uint32_t c, bool isLeast) {
  const double two = extremum16(a, b, isLeast);
  return isSignaling16(a) || isSignaling16(b) ? extremum16(0x7e00, c, isLeast) : extremum16(toHalf(two), c, isLeast);
}
inline double median16(uint32_t a, uint32_t b, uint32_t c) {
  if (std::isnan(h(a)) || std::isnan(h(b)) || std::isnan(h(c)))
    return three16(a, b, c, true);
  const uint32_t top = toHalf(three16(a, b, c, false));
  return top == a ? extremum16(b, c, false) : top == b ? extremum16(a, c, false) : extremum16(a, b, false);
}
/// The half between 0 and the number that is nearest to it.
inline uint32_t halfTowardZero(double value) {
  const uint32_t nearest = toHalf(value);
  return std::isfinite(value) && std::fabs(h(nearest)) > std::fabs(value) ? nearest - 1 : nearest;
}
inline double divFixup16(double s0, double s1, double s2) {
  const bool sign = std::signbit(s1) != std::signbit(s2);
  auto with = [&](double v) { return sign ? -v : v; };
  if (std::isnan(s2) || std::isnan(s1) || (s1 == 0 && s2 == 0) || (std::isinf(s1) && std::isinf(s2)))
    return NAN;
  if (s1 == 0 || std::isinf(s2))
    return with(INFINITY);
  if (std::isinf(s1) || s2 == 0)
    return with(0);
  return with(std::isnan(s0) ? INFINITY : std::fabs(s0));
}

inline void addHalves(Table &t) {
  OP("v_add_nc_u16 v12, v4, v6", word(k, k.a + k.b));
  OP("v_add_nc_i16 v12, v4, v6", word(k, k.a + k.b));
  OP("v_add_nc_u16 v12, v4, v6 op_sel:[1,0,1]", highWord(k, (k.a >> 16) + k.b));
  OP("v_add_nc_u16 v12, v4, v6 op_sel:[0,1,0]", word(k, k.a + (k.b >> 16)));
  OP("v_add_nc_u16 v12, s32, v6 op_sel:[1,0,0]", word(k, (k.wave[0].in[0] >> 16) + k.b));
  OP("v_sub_nc_u16 v12, v4, v6", word(k, k.a - k.b));
  OP("v_sub_nc_i16 v12, v4, v6", word(k, k.a - k.b));
  OP("v_mul_lo_u16 v12, v4, v6", word(k, k.a * k.b));
  OP("v_mad_u16 v12, v4, v6, v8", word(k, k.a * k.b + k.c));
  OP("v_mad_u16 v12, v4, v6, v8 op_sel:[0,1,1,1]", highWord(k, k.a * (k.b >> 16) + (k.c >> 16)));
  OP("v_mad_i16 v12, v4, v6, v8", word(k, k.a * k.b + k.c));
  OP("v_lshlrev_b16 v12, v4, v6", word(k, u16(k.b) << (k.a & 15)));
  OP("v_lshrrev_b16 v12, v4, v6", word(k, u16(k.b) >> (k.a & 15)));
  OP("v_ashrrev_i16 v12, v4, v6", word(k, static_cast<uint64_t>(s16(k.b) >> (k.a & 15))));
  OP("v_min_u16 v12, v4, v6", word(k, least(u16(k.a), u16(k.b))));
  OP("v_max_u16 v12, v4, v6", word(k, most(u16(k.a), u16(k.b))));
  OP("v_min_i16 v12, v4, v6", word(k, static_cast<uint64_t>(least(s16(k.a), s16(k.b)))));
  OP("v_max_i16 v12, v4, v6", word(k, static_cast<uint64_t>(most(s16(k.a), s16(k.b)))));
  OP("v_min3_u16 v12, v4, v6, v8", word(k, least(u16(k.a), least(u16(k.b), u16(k.c)))));
  OP("v_max3_u16 v12, v4, v6, v8", word(k, most(u16(k.a), most(u16(k.b), u16(k.c)))));
  OP("v_med3_u16 v12, v4, v6, v8", word(k, middle(u16(k.a), u16(k.b), u16(k.c))));
  OP("v_min3_i16 v12, v4, v6, v8", word(k, static_cast<uint64_t>(least(s16(k.a), least(s16(k.b), s16(k.c))))));
  OP("v_max3_i16 v12, v4, v6, v8", word(k, static_cast<uint64_t>(most(s16(k.a), most(s16(k.b), s16(k.c))))));
  OP("v_med3_i16 v12, v4, v6, v8", word(k, static_cast<uint64_t>(middle(s16(k.a), s16(k.b), s16(k.c)))));
  OP("v_add_f16 v12, v4, v6", half(k, h(k.a) + h(k.b)));
  OP("v_add_f16 v12, -v4, |v6| clamp", const double sum = -h(k.a) + std::fabs(h(k.b)); half(k, !(sum > 0) ? 0
                                                                                               : sum > 1  ? 1
                                                                                                          : sum));
  OP("v_sub_f16 v12, v4, v6", half(k, h(k.a) - h(k.b)));
  OP("v_subrev_f16 v12, v4, v6", half(k, h(k.b) - h(k.a)));
  OP("v_mul_f16 v12, v4, v6", half(k, h(k.a) * h(k.b)));
  OP("v_mul_f16 v12, 0.5, v6", half(k, 0.5 * h(k.b)));
  OP("v_fma_f16 v12, v4, v6, v8",
     half(k, static_cast<double>(static_cast<long double>(h(k.a) * h(k.b)) + static_cast<long double>(h(k.c)))));
  OP("v_fma_f16 v12, -v4, v6, |v8| op_sel:[1,0,1,1]",
     highWord(k, toHalf(static_cast<double>(static_cast<long double>(-h(k.a >> 16) * h(k.b)) +
                                            static_cast<long double>(std::fabs(h(k.c >> 16))))));
     k.kind = Kind::highHalf);
  OP("v_fmac_f16 v12, v4, v6", half(k, h(k.a) * h(k.b) + h(k.d)));
  OP("v_min_f16 v12, v4, v6", half(k, extremum16(k.a & 0xffff, k.b & 0xffff, true)));
  OP("v_max_f16 v12, v4, v6", half(k, extremum16(k.a & 0xffff, k.b & 0xffff, false)));
  OP("v_rcp_f16 v12, v4", half(k, 1 / h(k.a)); k.distance = 1);
  OP("v_sqrt_f16 v12, v4", half(k, std::sqrt(h(k.a))); k.distance = 1);
  OP("v_trunc_f16 v12, v4", half(k, std::trunc(h(k.a))));
  OP("v_ceil_f16 v12, v4", half(k, std::ceil(h(k.a))));
  OP("v_floor_f16 v12, v4", half(k, std::floor(h(k.a))));
  OP("v_rndne_f16 v12, v4", half(k, std::nearbyint(h(k.a))));
  OP("v_cvt_f16_u16 v12, v4", half(k, u16(k.a)));
  OP("v_cvt_f16_i16 v12, v4", half(k, s16(k.a)));
  OP("v_cvt_u16_f16 v12, v4", word(k, saturated<uint16_t>(h(k.a))));
  OP("v_cvt_i16_f16 v12, v4", word(k, static_cast<uint64_t>(saturated<int16_t>(h(k.a)))));
  OP("v_cvt_f32_f16 v12, v4", single(k, static_cast<float>(h(k.a))));
  OP("v_cvt_f16_f32 v12, v4", half(k, f(k.a)));
  OP("v_cvt_f16_f32 v12, -|v4| clamp", const double value = -std::fabs(f(k.a)); half(k, value > 0 ? value : 0));
  auto whole = [](int64_t v, bool isSigned) {
    const int64_t least = isSigned ? -0x8000 : 0, most = isSigned ? 0x7fff : 0xffff;
    return static_cast<uint64_t>(v < least ? least : v > most ? most : v);
  };
  t.push_back(
      {"v_add_nc_u16 v12, v4, v6 clamp", [=](Case &k) { word(k, whole(int64_t{u16(k.a)} + u16(k.b), false)); }});
  t.push_back(
      {"v_sub_nc_u16 v12, v4, v6 clamp", [=](Case &k) { word(k, whole(int64_t{u16(k.a)} - u16(k.b), false)); }});
  t.push_back({"v_add_nc_i16 v12, v4, v6 clamp", [=](Case &k) { word(k, whole(int64_t{s16(k.a)} + s16(k.b), true)); }});
  t.push_back({"v_sub_nc_i16 v12, v4, v6 clamp", [=](Case &k) { word(k, whole(int64_t{s16(k.a)} - s16(k.b), true)); }});
  t.push_back({"v_mad_u16 v12, v4, v6, v8 clamp",
               [=](Case &k) { word(k, whole(int64_t{u16(k.a)} * u16(k.b) + u16(k.c), false)); }});
  t.push_back({"v_mad_i16 v12, v4, v6, v8 clamp",
               [=](Case &k) { word(k, whole(int64_t{s16(k.a)} * s16(k.b) + s16(k.c), true)); }});
  OP("v_fmaak_f16 v12, v4, v6, 0x4200", half(k, h(k.a) * h(k.b) + 3));
  OP("v_fmamk_f16 v12, v4, 0x4200, v6", half(k, h(k.a) * 3 + h(k.b)));
  OP("v_min3_f16 v12, v4, v6, v8", half(k, three16(u16(k.a), u16(k.b), u16(k.c), true)));
  OP("v_max3_f16 v12, v4, v6, v8", half(k, three16(u16(k.a), u16(k.b), u16(k.c), false)));
  OP("v_med3_f16 v12, v4, v6, v8", half(k, median16(u16(k.a), u16(k.b), u16(k.c))));
  OP("v_rsq_f16 v12, v4", half(k, 1 / std::sqrt(h(k.a))); k.distance = 1);
  OP("v_exp_f16 v12, v4", half(k, std::exp2(h(k.a))); k.distance = 1);
  OP("v_log_f16 v12, v4", half(k, std::log2(h(k.a))); k.distance = 1);
  OP("v_sin_f16 v12, v4", half(k, std::isfinite(h(k.a)) ? std::sin(std::remainder(h(k.a), 1.0) * 2 * M_PI) : NAN);
     k.distance = 2; k.isOpen = std::fabs(h(k.result & 0xffff)) < 0x1p-8);
  OP("v_cos_f16 v12, v4", half(k, std::isfinite(h(k.a)) ? std::cos(std::remainder(h(k.a), 1.0) * 2 * M_PI) : NAN);
     k.distance = 2; k.isOpen = std::fabs(h(k.result & 0xffff)) < 0x1p-8);
  OP("v_fract_f16 v12, v4", const double rest = h(k.a) - std::floor(h(k.a));
     half(k, rest > 0x1.ffcp-1 ? 0x1.ffcp-1 : rest));
  OP("v_frexp_mant_f16 v12, v4", int e = 0; half(k, std::frexp(h(k.a), &e)));
  OP("v_frexp_exp_i16_f16 v12, v4", int e = 0; if (std::isfinite(h(k.a))) std::frexp(h(k.a), &e);
     word(k, static_cast<uint64_t>(e)));
  OP("v_ldexp_f16 v12, v4, v6", half(k, std::ldexp(h(k.a), s16(k.b))));
  OP("v_div_fixup_f16 v12, v4, v6, v8", half(k, divFixup16(h(k.a), h(k.b), h(k.c))));
  OP("v_cvt_pkrtz_f16_f32 v12, v4, v6", low(k, halfTowardZero(f(k.a)) | halfTowardZero(f(k.b)) << 16);
     k.kind = Kind::halves);
  OP("v_pack_b32_f16 v12, v4, v6", halves(k, h(u16(k.a)), h(u16(k.b))));
  OP("v_pack_b32_f16 v12, -v4, |v6| op_sel:[1,0,0]", halves(k, -h(k.a >> 16), std::fabs(h(u16(k.b)))));
}
