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

inline void addHalves(Table &t) {
  OP("v_add_nc_u16 v12, v4, v6", word(k, k.a + k.b));
  OP("v_add_nc_i16 v12, v4, v6", word(k, k.a + k.b));
  OP("v_add_nc_u16 v12, v4, v6 op_sel:[1,0,1]", highWord(k, (k.a >> 16) + k.b));
  OP("v_add_nc_u16 v12, v4, v6 op_sel:[0,1,0]", word(k, k.a + (k.b >> 16)));
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
}
