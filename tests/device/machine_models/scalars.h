// SPDX-License-Identifier: MIT
// Models of scalar operations. Operands are those of the first lane; `mask` is SCC, which begins as 0.
#pragma once
#include "integers.h"

inline void addCompare(Table &t, const std::string &name, const std::string &operands,
                       const std::function<bool(const Case &)> &model) {
  t.push_back({name + " " + operands, [model](Case &k) { k.mask = model(k); }});
}

inline bool scalarCondition(const std::string &condition, int64_t a, int64_t b) {
  return condition == "eq"   ? a == b
         : condition == "lg" ? a != b
         : condition == "gt" ? a > b
         : condition == "ge" ? a >= b
         : condition == "lt" ? a < b
                             : a <= b;
}

/// D = EXEC (or, for wrexec, the new EXEC), EXEC = combined, SCC = EXEC != 0. EXEC is s34 before.
inline void addExec(Table &t, const std::string &name, uint32_t (*combined)(uint32_t s, uint32_t e)) {
  const bool writes = name.find("wrexec") != name.npos;
  t.push_back(
      {"s_mov_b32 exec_lo, s34; !" + name + " s38, s32; s_mov_b32 s39, exec_lo; s_mov_b32 exec_lo, -1", [=](Case &k) {
         const uint32_t after = combined(k.a, k.b);
         wide(k, uint64_t{after} << 32 | (writes ? after : k.b));
         k.mask = after != 0;
       }});
}

/// Marks that a branch was taken: s38 becomes 5 if it was not.
inline void addBranch(Table &t, const std::string &before, const std::string &name,
                      const std::function<bool(const Case &)> &taken) {
  t.push_back(
      {before + "!" + name + " L@; s_mov_b32 s38, 5; L@: s_mov_b32 exec_lo, -1; s_cmp_lg_u32 s36, s36", [=](Case &k) {
         if (!taken(k))
           low(k, 5);
       }});
}

/// The same operation on 32 and 64 bits, whose SCC says if the result is zero.
#define LOGIC(name, expression)                                                                                        \
  OP(name "_b32 s38, s32, s34", const uint32_t x = k.a, y = k.b; tested(k, expression));                               \
  OP(name "_b64 s[38:39], s[32:33], s[34:35]", const uint64_t x = k.A, y = k.B; testedWide(k, expression))

inline void addArithmetic(Table &t) {
  OP("s_add_u32 s38, s32, s34", carry(k, uint64_t{k.a} + k.b));
  OP("s_bitcmp1_b32 s36, 0; !s_addc_u32 s38, s32, s34", carry(k, uint64_t{k.a} + k.b + (k.c & 1)));
  OP("s_sub_u32 s38, s32, s34", carry(k, uint64_t{k.a} - k.b));
  OP("s_bitcmp1_b32 s36, 0; !s_subb_u32 s38, s32, s34", carry(k, uint64_t{k.a} - k.b - (k.c & 1)));
  OP("s_add_i32 s38, s32, s34", const int64_t sum = int64_t{s32(k.a)} + s32(k.b); low(k, static_cast<uint64_t>(sum));
     k.mask = sum != s32(static_cast<uint64_t>(sum)));
  OP("s_sub_i32 s38, s32, s34", const int64_t sum = int64_t{s32(k.a)} - s32(k.b); low(k, static_cast<uint64_t>(sum));
     k.mask = sum != s32(static_cast<uint64_t>(sum)));
  OP("s_mov_b32 s38, s32; !s_addk_i32 s38, 0x8123", const int64_t sum = int64_t{s32(k.a)} + s16(0x8123);
     low(k, static_cast<uint64_t>(sum)); k.mask = sum != s32(static_cast<uint64_t>(sum)));
  OP("s_mov_b32 s38, s32; !s_mulk_i32 s38, 0x8123", low(k, static_cast<uint64_t>(int64_t{s32(k.a)} * s16(0x8123))));
  OP("s_mul_i32 s38, s32, s34", low(k, k.a * k.b));
  OP("s_mul_hi_u32 s38, s32, s34", low(k, uint64_t{k.a} * k.b >> 32));
  OP("s_mul_hi_i32 s38, s32, s34", low(k, static_cast<uint64_t>(int64_t{s32(k.a)} * s32(k.b)) >> 32));
  OP("s_min_i32 s38, s32, s34", low(k, s32(k.a) < s32(k.b) ? k.a : k.b); k.mask = s32(k.a) < s32(k.b));
  OP("s_max_i32 s38, s32, s34", low(k, s32(k.a) > s32(k.b) ? k.a : k.b); k.mask = s32(k.a) > s32(k.b));
  OP("s_min_u32 s38, s32, s34", low(k, least(k.a, k.b)); k.mask = k.a < k.b);
  OP("s_max_u32 s38, s32, s34", low(k, most(k.a, k.b)); k.mask = k.a > k.b);
  OP("s_lshl1_add_u32 s38, s32, s34", carry(k, (uint64_t{k.a} << 1) + k.b));
  OP("s_lshl2_add_u32 s38, s32, s34", carry(k, (uint64_t{k.a} << 2) + k.b));
  OP("s_lshl3_add_u32 s38, s32, s34", carry(k, (uint64_t{k.a} << 3) + k.b));
  OP("s_lshl4_add_u32 s38, s32, s34", carry(k, (uint64_t{k.a} << 4) + k.b));
  OP("s_absdiff_i32 s38, s32, s34", const auto difference = static_cast<int32_t>(k.a - k.b);
     tested(k, difference < 0 ? 0 - static_cast<uint32_t>(difference) : static_cast<uint32_t>(difference)));
  OP("s_abs_i32 s38, s32", tested(k, s32(k.a) < 0 ? 0 - k.a : k.a));
}

inline void addBits(Table &t) {
  // Bits of quads in which any bit is set.
  OP("s_wqm_b32 s38, s32", uint32_t all = 0;
     for (unsigned i = 0; i < 32; ++i) all |= uint32_t{(k.a >> (i & ~3u) & 15) != 0} << i; tested(k, all));
  OP("s_wqm_b64 s[38:39], s[32:33]", uint64_t all = 0;
     for (unsigned i = 0; i < 64; ++i) all |= uint64_t{(k.A >> (i & ~3u) & 15) != 0} << i; testedWide(k, all));
  LOGIC("s_and", x & y);
  LOGIC("s_or", x | y);
  LOGIC("s_xor", x ^ y);
  LOGIC("s_andn2", x & ~y);
  LOGIC("s_orn2", x | ~y);
  LOGIC("s_nand", ~(x & y));
  LOGIC("s_nor", ~(x | y));
  LOGIC("s_xnor", ~(x ^ y));
  OP("s_not_b32 s38, s32", tested(k, ~k.a));
  OP("s_not_b64 s[38:39], s[32:33]", testedWide(k, ~k.A));
  OP("s_and_b64 s[38:39], s[32:33], -2", testedWide(k, k.A & ~uint64_t{1}));
  OP("s_lshl_b32 s38, s32, s34", tested(k, k.a << (k.b & 31)));
  OP("s_lshr_b32 s38, s32, s34", tested(k, k.a >> (k.b & 31)));
  OP("s_ashr_i32 s38, s32, s34", tested(k, static_cast<uint32_t>(s32(k.a) >> (k.b & 31))));
  OP("s_lshl_b64 s[38:39], s[32:33], s34", testedWide(k, k.A << (k.b & 63)));
  OP("s_lshr_b64 s[38:39], s[32:33], s34", testedWide(k, k.A >> (k.b & 63)));
  OP("s_ashr_i64 s[38:39], s[32:33], s34", testedWide(k, static_cast<uint64_t>(s64(k.A) >> (k.b & 63))));
  OP("s_bfm_b32 s38, s32, s34", low(k, ((1u << (k.a & 31)) - 1) << (k.b & 31)));
  OP("s_bfm_b64 s[38:39], s32, s34", wide(k, ((uint64_t{1} << (k.a & 63)) - 1) << (k.b & 63)));
  OP("s_bfe_u32 s38, s32, s34",
     tested(k, static_cast<uint32_t>(bitField(k.a, k.b & 31, least(k.b >> 16 & 0x7f, 32u)))));
  OP("s_bfe_i32 s38, s32, s34",
     tested(k, static_cast<uint32_t>(signedField(s32(k.a), k.b & 31, least(k.b >> 16 & 0x7f, 32u)))));
  OP("s_bfe_u64 s[38:39], s[32:33], s34", testedWide(k, bitField(k.A, k.b & 63, least(k.b >> 16 & 0x7f, 64u))));
  OP("s_bfe_i64 s[38:39], s[32:33], s34",
     testedWide(k, static_cast<uint64_t>(signedField(s64(k.A), k.b & 63, least(k.b >> 16 & 0x7f, 64u)))));
  OP("s_bcnt1_i32_b32 s38, s32", tested(k, static_cast<uint32_t>(__builtin_popcount(k.a))));
  OP("s_bcnt0_i32_b32 s38, s32", tested(k, static_cast<uint32_t>(32 - __builtin_popcount(k.a))));
  OP("s_bcnt1_i32_b64 s38, s[32:33]", tested(k, static_cast<uint32_t>(__builtin_popcountll(k.A))));
  OP("s_bcnt0_i32_b64 s38, s[32:33]", tested(k, static_cast<uint32_t>(64 - __builtin_popcountll(k.A))));
  OP("s_ff1_i32_b32 s38, s32", low(k, lowestBit(k.a, 32)));
  OP("s_ff0_i32_b32 s38, s32", low(k, lowestBit(~k.a, 32)));
  OP("s_ff1_i32_b64 s38, s[32:33]", low(k, lowestBit(k.A, 64)));
  OP("s_ff0_i32_b64 s38, s[32:33]", low(k, lowestBit(~k.A, 64)));
  OP("s_flbit_i32_b32 s38, s32", low(k, highestBit(k.a, 32)));
  OP("s_flbit_i32_b64 s38, s[32:33]", low(k, highestBit(k.A, 64)));
  OP("s_flbit_i32 s38, s32", low(k, highestUnlikeSign(k.a, 32)));
  OP("s_flbit_i32_i64 s38, s[32:33]", low(k, highestUnlikeSign(k.A, 64)));
  OP("s_brev_b32 s38, s32", low(k, reversed(k.a, 32)));
  OP("s_brev_b64 s[38:39], s[32:33]", wide(k, reversed(k.A, 64)));
  OP("s_sext_i32_i8 s38, s32", low(k, static_cast<uint32_t>(int32_t{static_cast<int8_t>(k.a)})));
  OP("s_sext_i32_i16 s38, s32", low(k, static_cast<uint32_t>(int32_t{s16(k.a)})));
  OP("s_bitset0_b32 s38, s32", low(k, k.d & ~(1u << (k.a & 31))));
  OP("s_bitset1_b32 s38, s32", low(k, k.d | 1u << (k.a & 31)));
  OP("s_bitset0_b64 s[38:39], s32", wide(k, k.D & ~(uint64_t{1} << (k.a & 63))));
  OP("s_bitset1_b64 s[38:39], s32", wide(k, k.D | uint64_t{1} << (k.a & 63)));
  OP("s_bitcmp0_b32 s32, s34", k.mask = !(k.a >> (k.b & 31) & 1));
  OP("s_bitcmp1_b32 s32, s34", k.mask = k.a >> (k.b & 31) & 1);
  OP("s_bitcmp0_b64 s[32:33], s34", k.mask = !(k.A >> (k.b & 63) & 1));
  OP("s_bitcmp1_b64 s[32:33], s34", k.mask = k.A >> (k.b & 63) & 1);
  OP("s_pack_ll_b32_b16 s38, s32, s34", low(k, (k.a & 0xffff) | k.b << 16));
  OP("s_pack_lh_b32_b16 s38, s32, s34", low(k, (k.a & 0xffff) | (k.b & 0xffff0000)));
  OP("s_pack_hh_b32_b16 s38, s32, s34", low(k, k.a >> 16 | (k.b & 0xffff0000)));
}

inline void addMoves(Table &t) {
  OP("s_mov_b32 s38, s32", low(k, k.a));
  OP("s_mov_b32 s38, 0x80123456", low(k, 0x80123456));
  OP("s_mov_b64 s[38:39], s[32:33]", wide(k, k.A));
  OP("s_mov_b64 s[38:39], -5", wide(k, static_cast<uint64_t>(int64_t{-5})));
  OP("s_movk_i32 s38, 0x8123", low(k, 0xffff8123));
  OP("s_bitcmp1_b32 s36, 0; !s_cmov_b32 s38, s32", low(k, k.c & 1 ? k.a : k.d); k.mask = k.c & 1);
  OP("s_bitcmp1_b32 s36, 0; !s_cmov_b64 s[38:39], s[32:33]", wide(k, k.c & 1 ? k.A : k.D); k.mask = k.c & 1);
  OP("s_bitcmp1_b32 s36, 0; !s_cmovk_i32 s38, 0x8123", low(k, k.c & 1 ? 0xffff8123 : k.d); k.mask = k.c & 1);
  OP("s_bitcmp1_b32 s36, 0; !s_cselect_b32 s38, s32, s34", low(k, k.c & 1 ? k.a : k.b); k.mask = k.c & 1);
  OP("s_bitcmp1_b32 s36, 0; !s_cselect_b64 s[38:39], s[32:33], s[34:35]", wide(k, k.c & 1 ? k.A : k.B);
     k.mask = k.c & 1);
  addExec(t, "s_and_saveexec_b32", [](uint32_t s, uint32_t e) { return s & e; });
  addExec(t, "s_or_saveexec_b32", [](uint32_t s, uint32_t e) { return s | e; });
  addExec(t, "s_xor_saveexec_b32", [](uint32_t s, uint32_t e) { return s ^ e; });
  addExec(t, "s_andn2_saveexec_b32", [](uint32_t s, uint32_t e) { return s & ~e; });
  addExec(t, "s_orn2_saveexec_b32", [](uint32_t s, uint32_t e) { return s | ~e; });
  addExec(t, "s_nand_saveexec_b32", [](uint32_t s, uint32_t e) { return ~(s & e); });
  addExec(t, "s_nor_saveexec_b32", [](uint32_t s, uint32_t e) { return ~(s | e); });
  addExec(t, "s_xnor_saveexec_b32", [](uint32_t s, uint32_t e) { return ~(s ^ e); });
  addExec(t, "s_andn1_saveexec_b32", [](uint32_t s, uint32_t e) { return ~s & e; });
  addExec(t, "s_orn1_saveexec_b32", [](uint32_t s, uint32_t e) { return ~s | e; });
  addExec(t, "s_andn1_wrexec_b32", [](uint32_t s, uint32_t e) { return ~s & e; });
  addExec(t, "s_andn2_wrexec_b32", [](uint32_t s, uint32_t e) { return s & ~e; });
}

inline void addBranches(Table &t) {
  const std::string scc = "s_bitcmp1_b32 s32, 0; ";
  addBranch(t, scc, "s_cbranch_scc0", [](const Case &k) { return !(k.a & 1); });
  addBranch(t, scc, "s_cbranch_scc1", [](const Case &k) { return (k.a & 1) != 0; });
  addBranch(t, "s_mov_b32 vcc_lo, s32; ", "s_cbranch_vccz", [](const Case &k) { return k.a == 0; });
  addBranch(t, "s_mov_b32 vcc_lo, s32; ", "s_cbranch_vccnz", [](const Case &k) { return k.a != 0; });
  addBranch(t, "s_mov_b32 exec_lo, s32; ", "s_cbranch_execz", [](const Case &k) { return k.a == 0; });
  addBranch(t, "s_mov_b32 exec_lo, s32; ", "s_cbranch_execnz", [](const Case &k) { return k.a != 0; });
  addBranch(t, "", "s_branch", [](const Case &) { return true; });
  // A loop: the sum of the numbers up to the operand.
  OP("s_and_b32 s40, s32, 15; s_mov_b32 s38, 0; L@: s_add_i32 s38, s38, s40; s_sub_i32 s40, s40, 1; s_cmp_gt_i32 s40, "
     "0; "
     "!s_cbranch_scc1 L@; s_cmp_lg_u32 s36, s36",
     const uint32_t n = k.a & 15;
     low(k, n * (n + 1) / 2));
  // The called function adds 3 to s38 and returns.
  OP("s_mov_b32 s38, s32; !s_call_b64 s[40:41], L@; s_add_i32 s38, s38, s38; s_branch M@; "
     "L@: s_add_i32 s38, s38, 3; !s_setpc_b64 s[40:41]; M@: s_cmp_lg_u32 s36, s36",
     low(k, 2 * (k.a + 3)));
  OP("!s_getpc_b64 s[42:43]; s_getpc_b64 s[44:45]; s_sub_u32 s38, s44, s42; s_cmp_lg_u32 s36, s36", low(k, 4));
}

inline void addScalars(Table &t) {
  addArithmetic(t);
  addBits(t);
  addMoves(t);
  for (const std::string condition : {"eq", "lg", "gt", "ge", "lt", "le"}) {
    addCompare(t, "s_cmp_" + condition + "_i32", "s32, s34",
               [=](const Case &k) { return scalarCondition(condition, s32(k.a), s32(k.b)); });
    addCompare(t, "s_cmp_" + condition + "_u32", "s32, s34",
               [=](const Case &k) { return scalarCondition(condition, k.a, k.b); });
    addCompare(t, "s_cmpk_" + condition + "_i32", "s32, 0x8123",
               [=](const Case &k) { return scalarCondition(condition, s32(k.a), s16(0x8123)); });
    addCompare(t, "s_cmpk_" + condition + "_i32", "s32, 0x1f",
               [=](const Case &k) { return scalarCondition(condition, s32(k.a), 0x1f); });
    addCompare(t, "s_cmpk_" + condition + "_u32", "s32, 0x8123",
               [=](const Case &k) { return scalarCondition(condition, k.a, 0x8123); });
  }
  addCompare(t, "s_cmp_eq_u64", "s[32:33], s[34:35]", [](const Case &k) { return k.A == k.B; });
  addCompare(t, "s_cmp_lg_u64", "s[32:33], s[34:35]", [](const Case &k) { return k.A != k.B; });
  addBranches(t);
  const std::string none = "; s_cmp_lg_u32 s36, s36";
  t.push_back({"s_and_b32 m0, s32, 3; !s_movrels_b32 s38, s34" + none,
               [](Case &k) { low(k, (k.a & 3) < 2 ? k.B >> 32 * (k.a & 1) : k.C >> 32 * (k.a & 1)); }});
  t.push_back({"s_and_b32 m0, s32, 2; !s_movrels_b64 s[38:39], s[34:35]" + none,
               [](Case &k) { wide(k, k.a & 2 ? k.C : k.B); }});
  t.push_back({"s_and_b32 m0, s32, 1; !s_movreld_b32 s38, s34" + none,
               [](Case &k) { wide(k, k.a & 1 ? k.d | uint64_t{k.b} << 32 : (k.D & ~uint64_t{0xffffffff}) | k.b); }});
  t.push_back({"s_and_b32 m0, s32, 2; !s_movreld_b64 s[36:37], s[34:35]; s_mov_b64 s[38:39], s[36:37]" + none,
               [](Case &k) { wide(k, k.a & 2 ? k.C : k.B); }});
  auto quads = [](uint64_t v, unsigned width) {
    uint64_t all = 0;
    for (unsigned n = 0; n < width / 4; ++n)
      all |= uint64_t{(v >> 4 * n & 15) != 0} << n;
    return all;
  };
  t.push_back({"s_quadmask_b32 s38, s32", [=](Case &k) { tested(k, static_cast<uint32_t>(quads(k.a, 32))); }});
  t.push_back({"s_quadmask_b64 s[38:39], s[32:33]", [=](Case &k) { testedWide(k, quads(k.A, 64)); }});
  OP("!s_bitreplicate_b64_b32 s[38:39], s32; s_cmp_lg_u32 s36, s36", uint64_t all = 0;
     for (unsigned n = 0; n < 32; ++n) all |= uint64_t{k.a >> n & 1} * 3 << 2 * n; wide(k, all));
  OP("s_mov_b32 s38, s32; !s_round_mode 0; s_cmp_lg_u32 s36, s36", low(k, k.a));
  // The mode begins as the descriptor says: all denormal numbers are kept (bits 4 to 7).
  OP("s_getreg_b32 s38, hwreg(HW_REG_MODE, 4, 4)", low(k, 15));
  OP("!s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s32; s_getreg_b32 s38, hwreg(HW_REG_MODE, 0, 8); s_denorm_mode 15",
     low(k, (k.a & 15) << 4));
}
