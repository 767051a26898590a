// SPDX-License-Identifier: MIT
// Models of what gfx1100 has and gfx1030 does not, from the words of AMD's manual "RDNA3 Instruction Set Architecture", see model.h: two
// instructions in one, halves of registers that any 16-bit operation names, lanes exchanged by operations with three operands, and
// operations of its own. Encodings that the assembler of LLVM 15 does not write are words behind a comment, whose mark names the
// operation.
#pragma once
#include "halves.h"
#include "lanes.h"
#include "memory.h"
#include "model.h"
#include "numbers.h"

/// Lines with buffers that are interleaved in gfx1030's way.
inline const char *const kInterleaved = "s_or_b32 s41, s41, 0x80100000";

/// True if gfx1100 has the line of the table, which is written for gfx1030.
inline bool isOfGeneration11(const std::string &line) {
  for (const char *gone : {"_sdwa", "v_dot2_i32_i16", "v_dot2_u32_u16", "v_dot4_i32_i8", "v_dot4c_i32_i8",
                           "v_dot8_i32_i4", "s_ff0_i32", "_atomic_fmin_x2", "_atomic_fmax_x2", "_atomic_fcmpswap_x2",
                           "v_sat_pk_u8_i16", "BUF_FMT_10_11_11_UINT", "BUF_FMT_11_11_10_SNORM", kInterleaved})
    if (line.find(gone) != line.npos)
      return false;
  return true;
}

/// A byte or four bits, signed or not.
inline int64_t element(uint32_t value, unsigned bits, unsigned number, bool isSigned) {
  const auto field = static_cast<int64_t>(value >> (bits * number) & ((1u << bits) - 1));
  return isSigned && field >> (bits - 1) ? field - (int64_t{1} << bits) : field;
}

inline int64_t dotProduct(const Case &k, unsigned bits, bool isFirstSigned, bool isSecondSigned) {
  int64_t sum = s32(k.c);
  for (unsigned n = 0; n < 32 / bits; ++n)
    sum += element(k.a, bits, n, isFirstSigned) * element(k.b, bits, n, isSecondSigned);
  return sum;
}

inline void addMixedDots(Table &t) {
  for (const unsigned bits : {8u, 4u})
    for (const bool first : {false, true})
      for (const bool second : {false, true}) {
        std::string line = bits == 8 ? "v_dot4_i32_iu8 v12, v4, v6, v8" : "v_dot8_i32_iu4 v12, v4, v6, v8";
        if (first || second)
          line += std::string(" neg_lo:[") + (first ? "1," : "0,") + (second ? "1,0]" : "0,0]");
        t.push_back({line, [=](Case &k) { low(k, static_cast<uint64_t>(dotProduct(k, bits, first, second))); }});
        t.push_back({line + " clamp", [=](Case &k) {
                       const int64_t sum = dotProduct(k, bits, first, second);
                       low(k, static_cast<uint64_t>(most<int64_t>(INT32_MIN, least<int64_t>(INT32_MAX, sum))));
                     }});
      }
}

/// Both read their operands before either writes: the second one reads what the first one's result was.
inline void addPairs(Table &t) {
  OP("!v_dual_mov_b32 v12, v5 :: !v_dual_mov_b32 v13, v12", k.result = k.A >> 32 | uint64_t{k.d} << 32);
  OP("!v_dual_add_f32 v12, v4, v6 :: !v_dual_mul_f32 v13, v7, v12",
     k.isOpen = std::isnan(f(k.a) + f(k.b)) || std::isnan(f(static_cast<uint32_t>(k.B >> 32)) * f(k.d)),
     k.result = bits(f(k.a) + f(k.b)) | uint64_t{bits(f(static_cast<uint32_t>(k.B >> 32)) * f(k.d))} << 32);
  OP("!v_dual_sub_f32 v12, v4, v6 :: !v_dual_lshlrev_b32 v13, v5, v12", k.isOpen = std::isnan(f(k.a) - f(k.b)),
     k.result = bits(f(k.a) - f(k.b)) | uint64_t{k.d << (k.A >> 32 & 31)} << 32);
  OP("!v_dual_subrev_f32 v12, v4, v6 :: !v_dual_and_b32 v13, v5, v12", k.isOpen = std::isnan(f(k.b) - f(k.a)),
     k.result = bits(f(k.b) - f(k.a)) | uint64_t{k.d & static_cast<uint32_t>(k.A >> 32)} << 32);
  OP("!v_dual_cndmask_b32 v12, v4, v6 :: !v_dual_add_nc_u32 v13, v5, v12",
     k.result = (k.vcc ? k.b : k.a) | uint64_t{static_cast<uint32_t>(k.A >> 32) + k.d} << 32);
  OP("!v_dual_min_f32 v12, v4, v6 :: !v_dual_max_f32 v13, v5, v7", const float lesser = extremum(k.a, k.b, true),
     greater = extremum(static_cast<uint32_t>(k.A >> 32), static_cast<uint32_t>(k.B >> 32), false);
     k.isOpen = std::isnan(lesser) || std::isnan(greater), k.result = bits(lesser) | uint64_t{bits(greater)} << 32);
  OP("!v_dual_fmac_f32 v12, v4, v6 :: !v_dual_fmamk_f32 v13, v5, 0x40400000, v7",
     const float sum = std::fma(f(k.a), f(k.b), f(k.d)),
     other = std::fma(f(static_cast<uint32_t>(k.A >> 32)), 3.0f, f(static_cast<uint32_t>(k.B >> 32)));
     k.isOpen = std::isnan(sum) || std::isnan(other), k.result = bits(sum) | uint64_t{bits(other)} << 32);
  OP("!v_dual_fmaak_f32 v12, v4, v6, 0xc0400000 :: !v_dual_mov_b32 v13, v5",
     const float sum = std::fma(f(k.a), f(k.b), -3.0f);
     k.isOpen = std::isnan(sum), k.result = bits(sum) | (k.A & ~uint64_t{0xffffffff}));
  OP("!v_dual_mul_dx9_zero_f32 v12, v4, v6 :: !v_dual_mov_b32 v13, s33",
     const float product = f(k.a) == 0 || f(k.b) == 0 ? 0 : f(k.a) * f(k.b);
     k.isOpen = std::isnan(product), k.result = bits(product) | (k.wave[0].in[0] & ~uint64_t{0xffffffff}));
  OP("!v_dual_dot2acc_f32_f16 v12, v4, v6 :: !v_dual_mov_b32 v13, 1.0",
     // As v_dot2_f32_f16 in packed.h: rounded after each product.
     float sum = std::fma(static_cast<float>(h(k.a)), static_cast<float>(h(k.b)), f(k.d));
     sum = std::fma(static_cast<float>(h(k.a >> 16)), static_cast<float>(h(k.b >> 16)), sum);
     k.isOpen = std::isnan(sum), k.result = bits(sum) | uint64_t{0x3f800000} << 32);
  // Lanes that EXEC excludes keep both.
  OP("s_mov_b32 exec_lo, 0xff00ff; !v_dual_mov_b32 v12, v6 :: !v_dual_mov_b32 v13, v7; s_mov_b32 exec_lo, -1",
     if (k.lane % 16 < 8) k.result = k.B);
}

/// v128 + n is the upper half of vn, as an operand and as a result. op_sel says it in longer encodings.
inline void addHalvesByNumber(Table &t) {
  auto high = [](uint32_t value) { return value >> 16; };
  auto highHalf = [](Case &k, double value) { highWord(k, toHalf(value)), k.kind = Kind::highHalf; };
  t.push_back({"v_add_f16 v12, v132, v6", [=](Case &k) { half(k, h(high(k.a)) + h(k.b)); }});
  t.push_back({"v_add_f16 v140, v4, v134", [=](Case &k) { highHalf(k, h(k.a) + h(high(k.b))); }});
  t.push_back({"v_add_f16 v140, s32, v134",
               [=](Case &k) { highHalf(k, h(static_cast<uint32_t>(k.wave[0].in[0])) + h(high(k.b))); }});
  t.push_back({"v_add_f16 v140, 1.0, v134", [=](Case &k) { highHalf(k, 1 + h(high(k.b))); }});
  t.push_back({"v_fmac_f16 v140, v4, v6", [=](Case &k) { highHalf(k, h(k.a) * h(k.b) + h(high(k.d))); }});
  t.push_back({"v_trunc_f16 v140, v132", [=](Case &k) { highHalf(k, std::trunc(h(high(k.a)))); }});
  t.push_back({"v_cvt_f32_f16 v12, v132", [=](Case &k) { single(k, static_cast<float>(h(high(k.a)))); }});
  t.push_back({"v_cvt_i16_f16 v140, v132",
               [=](Case &k) { highWord(k, static_cast<uint16_t>(saturated<int16_t>(h(high(k.a))))); }});
  t.push_back(
      {"v_cmp_lt_i16 vcc_lo, v132, v6; s_mov_b32 s20, vcc_lo", [=](Case &k) { k.mask = s16(high(k.a)) < s16(k.b); }});
  t.push_back({"v_cmp_eq_u16 vcc_lo, 1, v134; s_mov_b32 s20, vcc_lo", [=](Case &k) { k.mask = high(k.b) == 1; }});
  t.push_back({"v_cmp_class_f16 vcc_lo, v132, v6; s_mov_b32 s20, vcc_lo", [=](Case &k) {
                 const uint32_t v = high(k.a), size = v & 0x7fff, sign = v >> 15;
                 const unsigned number = size > 0x7c00    ? (size & 0x200 ? 1 : 0)
                                         : size == 0x7c00 ? (sign ? 2 : 9)
                                         : size == 0      ? (sign ? 5 : 6)
                                         : size < 0x400   ? (sign ? 4 : 7)
                                                          : (sign ? 3 : 8);
                 k.mask = k.b >> number & 1;
               }});
  // Moves and exchanges of halves, which LLVM 15 does not know.
  OP("/*!v_mov_b16 v12.h, v4.l*/ .long 0x7f183904", highWord(k, k.a));
  OP("/*!v_mov_b16 v12.l, v4.h*/ .long 0x7e183984", word(k, k.a >> 16));
  OP("/*!v_mov_b16 v12.h, 1.0*/ .long 0x7f1838f2", highWord(k, 0x3c00));
  OP("/*!v_mov_b16 v12.l, -2*/ .long 0x7e1838c2", word(k, 0xfffe));
  OP("/*!v_mov_b16 v12.l, lit(0x1234)*/ .long 0x7e1838ff, 0x1234", word(k, 0x1234));
  OP("/*!v_mov_b16 v12.h, v4.h (64 bits)*/ .long 0xd59c480c, 0x00000104", highWord(k, k.a >> 16));
  OP("/*!v_swap_b16 v12.h, v4.l*/ .long 0x7f18cd04; v_mov_b32 v13, v4",
     k.result = (k.d & 0xffff) | (k.a << 16) | uint64_t{(k.a & 0xffff0000) | k.d >> 16} << 32);
  OP("/*!v_swap_b16 v12.l, v12.h*/ .long 0x7e18cd8c", low(k, k.d >> 16 | k.d << 16));
  // op_sel of operations for which LLVM 15 has none: add, multiply and add, comparisons, conversions.
  t.push_back({"/*!v_add_f16 v12.l, v4.h, v6.l*/ .long 0xd532080c, 0x00020d04",
               [=](Case &k) { half(k, h(high(k.a)) + h(k.b)); }});
  t.push_back({"/*!v_add_f16 v12.h, -v4.l, |v6.h|*/ .long 0xd532520c, 0x20020d04",
               [=](Case &k) { highHalf(k, -h(k.a) + std::fabs(h(high(k.b)))); }});
  t.push_back({"/*!v_fmac_f16 v12.h, v4.h, v6.l*/ .long 0xd536480c, 0x00020d04",
               [=](Case &k) { highHalf(k, h(high(k.a)) * h(k.b) + h(high(k.d))); }});
  t.push_back({"/*!v_cvt_f32_f16 v12, v4.h*/ .long 0xd58b080c, 0x00000104",
               [=](Case &k) { single(k, static_cast<float>(h(high(k.a)))); }});
  t.push_back({"/*!v_cmp_lt_i16 s20, v4.h, v6.l*/ .long 0xd4310814, 0x00020d04",
               [=](Case &k) { k.mask = s16(high(k.a)) < s16(k.b); }});
  t.push_back({"/*!v_cndmask_b16 v12.h, v4.l, v6.h, vcc_lo*/ .long 0xd65d500c, 0x01aa0d04",
               [=](Case &k) { highWord(k, k.vcc ? high(k.b) : k.a); }});
  t.push_back(
      {"/*!v_cmpx_lt_i16 v4.l, v6.h*/ .long 0xd4b1107e, 0x00020d04; s_mov_b32 s20, exec_lo; s_mov_b32 exec_lo, -1",
       [=](Case &k) { k.mask = s16(k.a) < s16(high(k.b)); }});
  auto byte = [](uint32_t value) { return static_cast<uint32_t>(most(0, least<int>(255, s16(value)))); };
  t.push_back({"/*!v_sat_pk_u8_half of v4*/ v_sat_pk_u8_i16 v12, v4",
               [=](Case &k) { word(k, byte(k.a) | byte(k.a >> 16) << 8); }});
  t.push_back({"/*!v_sat_pk_u8_half of v4*/ v_sat_pk_u8_i16 v140, v4",
               [=](Case &k) { highWord(k, byte(k.a) | byte(k.a >> 16) << 8); }});
  OP("v_cndmask_b16 v12, v4, v6, vcc_lo", word(k, k.vcc ? k.b : k.a));
  OP("v_and_b16 v12, v4, v6", word(k, k.a & k.b));
  OP("v_or_b16 v12, v4, v6", word(k, k.a | k.b));
  OP("v_xor_b16 v12, v4, v6", word(k, k.a ^ k.b));
  OP("v_not_b16 v140, v132", highWord(k, ~(k.a >> 16)));
  OP("v_cvt_i32_i16 v12, v132", low(k, static_cast<uint32_t>(int32_t{s16(k.a >> 16)})));
  OP("v_cvt_u32_u16 v12, v4", low(k, u16(k.a)));
}

/// Lanes of other places in operations with modifiers or three operands, and in comparisons.
inline void addLongExchanges(Table &t) {
  OP("v_fma_f32_e64_dpp v12, v4, v6, v8 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
     single(k, std::fma(f(sourceOf(k, k.lane ^ 1)), f(k.b), f(k.c))));
  OP("v_add_f32_e64_dpp v12, -v4, |v6| row_ror:1 row_mask:0xf bank_mask:0xf",
     single(k, -f(sourceOf(k, (k.lane & 16) | ((k.lane - 1) & 15))) + std::fabs(f(k.b))));
  OP("v_add3_u32_e64_dpp v12, v4, v6, v8 dpp8:[7,6,5,4,3,2,1,0]",
     low(k, sourceOf(k, (k.lane & ~7u) | (7 - k.lane % 8)) + k.b + k.c));
  OP("v_add_co_u32_e64_dpp v12, s20, v4, v6 row_share:3 row_mask:0xf bank_mask:0xf",
     carry(k, uint64_t{sourceOf(k, (k.lane & 16) | 3)} + k.b));
  OP("v_cmp_lt_u32_dpp vcc_lo, v4, v6 row_xmask:5 row_mask:0xf bank_mask:0xf bound_ctrl:1; s_mov_b32 s20, vcc_lo",
     k.mask = sourceOf(k, k.lane ^ 5) < k.b);
  OP("v_cmp_eq_u16_e64_dpp s20, v4, v6 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1",
     k.mask = u16(k.lane % 16 ? sourceOf(k, k.lane - 1) : 0) == u16(k.b));
  OP("v_add_f16_dpp v140, v132, v6 quad_perm:[0,0,2,2] row_mask:0xf bank_mask:0xf",
     highWord(k, toHalf(h(sourceOf(k, k.lane & ~1u) >> 16) + h(k.b))), k.kind = Kind::highHalf);
}

/// 32-bit numbers added in global memory.
inline void addNumberSums(Table &t) {
  const std::pair<const char *, const char *> forms[] = {{"global_atomic_add_f32 ", "v1, v4, s[8:9]"},
                                                         {"flat_atomic_add_f32 ", "v[24:25], v4"},
                                                         {"buffer_atomic_add_f32 ", "v4, v1, s[40:43], 0 offen"}};
  for (const auto &[name, operands] : forms)
    t.push_back({std::string("!") + name + operands + kWait + "global_load_b32 v12, v1, s[8:9]" + kWait,
                 [](Case &k) { single(k, f(k.c) + f(k.a)); }});
  OP("!global_atomic_add_f32 v12, v1, v4, s[8:9] glc; s_waitcnt vmcnt(0)", low(k, k.c));
}

/// The upper half of a register to and from a typed buffer, 16_16_UINT.
inline void addTypedHalves(Table &t) {
  OP("s_mov_b32 s43, 0x3101bfac; v_mov_b32 v12, v4; !buffer_load_format_d16_hi_x v12, v1, s[40:43], 0 offen; s_waitcnt "
     "vmcnt(0)",
     low(k, (k.a & 0xffff) | k.c << 16));
  OP("s_mov_b32 s43, 0x3101bfac; !buffer_store_format_d16_hi_x v4, v1, s[40:43], 0 offen; s_waitcnt_vscnt null, 0; "
     "global_load_b32 v12, v1, s[8:9]; s_waitcnt vmcnt(0)",
     low(k, (k.a & 0xffff0000) | k.a >> 16));
}

inline void addGeneration11(Table &t) {
  addTypedHalves(t);
  addMixedDots(t);
  addPairs(t);
  addHalvesByNumber(t);
  addLongExchanges(t);
  addNumberSums(t);
  OP("v_minmax_f32 v12, v4, v6, v8", single(k, extremum(bits(extremum(k.a, k.b, true)), k.c, false)),
     k.isOpen = isSignaling(k.a) || isSignaling(k.b));
  OP("v_maxmin_f32 v12, v4, v6, v8", single(k, extremum(bits(extremum(k.a, k.b, false)), k.c, true)),
     k.isOpen = isSignaling(k.a) || isSignaling(k.b));
  OP("v_minmax_f16 v12, v4, v6, v8", half(k, extremum16(toHalf(extremum16(u16(k.a), u16(k.b), true)), u16(k.c), false)),
     k.isOpen = isSignaling16(u16(k.a)) || isSignaling16(u16(k.b)));
  OP("v_maxmin_f16 v12, v4, v6, v8", half(k, extremum16(toHalf(extremum16(u16(k.a), u16(k.b), false)), u16(k.c), true)),
     k.isOpen = isSignaling16(u16(k.a)) || isSignaling16(u16(k.b)));
  OP("v_minmax_i32 v12, v4, v6, v8", low(k, static_cast<uint32_t>(most(least(s32(k.a), s32(k.b)), s32(k.c)))));
  OP("v_maxmin_i32 v12, v4, v6, v8", low(k, static_cast<uint32_t>(least(most(s32(k.a), s32(k.b)), s32(k.c)))));
  OP("v_minmax_u32 v12, v4, v6, v8", low(k, most(least(k.a, k.b), k.c)));
  OP("v_maxmin_u32 v12, v4, v6, v8", low(k, least(most(k.a, k.b), k.c)));
  OP("v_cvt_pk_i16_f32 v12, v4, v6",
     low(k, static_cast<uint16_t>(saturated<int16_t>(f(k.a))) |
                static_cast<uint32_t>(static_cast<uint16_t>(saturated<int16_t>(f(k.b)))) << 16));
  OP("v_cvt_pk_u16_f32 v12, v4, v6",
     low(k, saturated<uint16_t>(f(k.a)) | static_cast<uint32_t>(saturated<uint16_t>(f(k.b))) << 16));
  OP("s_pack_hl_b32_b16 s38, s32, s34", low(k, k.a >> 16 | k.b << 16));
}
