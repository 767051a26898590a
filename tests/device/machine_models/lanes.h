// SPDX-License-Identifier: MIT
// Models of what lanes read of each other, and of operands that are parts of registers.
#pragma once
#include "model.h"

inline uint32_t sourceOf(const Case &k, unsigned lane) { return static_cast<uint32_t>(k.wave[lane].in[0]); }
inline bool isActive(const Case &k, unsigned lane) { return k.wave[lane].in[3] & 1; }

inline unsigned reversedLane(unsigned lane) {
  return (lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | (lane & 16) >> 4;
}

/// A move whose source is another lane. `from` gives its number, or -1 if it is outside of the row.
inline void addDpp(Table &t, const std::string &control, const std::function<int(int)> &from) {
  const std::string all = " row_mask:0xf bank_mask:0xf";
  t.push_back({"v_mov_b32_dpp v12, v4 " + control + all, [=](Case &k) {
                 const int lane = from(static_cast<int>(k.lane));
                 if (lane >= 0)
                   low(k, sourceOf(k, static_cast<unsigned>(lane)));
               }});
  t.push_back({"v_mov_b32_dpp v12, v4 " + control + all + " bound_ctrl:0", [=](Case &k) {
                 const int lane = from(static_cast<int>(k.lane));
                 low(k, lane >= 0 ? sourceOf(k, static_cast<unsigned>(lane)) : 0);
               }});
  // Some lanes are not active: they are not read either, unless the instruction says so.
  const std::string before = "s_mov_b32 exec_lo, vcc_lo; !v_add_nc_u32_dpp v12, v4, v6 ",
                    after = "; s_mov_b32 exec_lo, -1";
  t.push_back({before + control + all + after, [=](Case &k) {
                 const int lane = from(static_cast<int>(k.lane));
                 if (k.vcc && lane >= 0 && isActive(k, static_cast<unsigned>(lane)))
                   low(k, sourceOf(k, static_cast<unsigned>(lane)) + k.b);
               }});
  t.push_back({before + control + all + " fi:1" + after, [=](Case &k) {
                 const int lane = from(static_cast<int>(k.lane));
                 if (k.vcc && lane >= 0)
                   low(k, sourceOf(k, static_cast<unsigned>(lane)) + k.b);
               }});
}

inline uint32_t pulled(const Case &k, uint32_t address) {
  return static_cast<uint32_t>(k.wave[address >> 2 & 31].in[1]);
}
/// The eight fields of four bits in two scalars, which are the first lane's.
inline unsigned rowPlace(const Case &k) {
  const uint32_t fields = static_cast<uint32_t>(k.wave[0].in[k.lane % 16 < 8 ? 1 : 2]);
  return fields >> 4 * (k.lane % 8) & 15;
}

inline void addLanes(Table &t) {
  auto inRow = [](int lane, int place) { return place < 0 || place > 15 ? -1 : (lane & 16) + place; };
  addDpp(t, "quad_perm:[1,0,3,2]", [](int lane) { return lane ^ 1; });
  addDpp(t, "quad_perm:[3,3,0,1]", [](int lane) {
    const int p[] = {3, 3, 0, 1};
    return (lane & ~3) + p[lane & 3];
  });
  addDpp(t, "row_shl:3", [=](int lane) { return inRow(lane, lane % 16 + 3); });
  addDpp(t, "row_shr:1", [=](int lane) { return inRow(lane, lane % 16 - 1); });
  addDpp(t, "row_ror:5", [=](int lane) { return inRow(lane, (lane + 11) % 16); });
  addDpp(t, "row_mirror", [=](int lane) { return inRow(lane, 15 - lane % 16); });
  addDpp(t, "row_half_mirror", [](int lane) { return (lane & ~7) + 7 - lane % 8; });
  addDpp(t, "row_share:6", [=](int lane) { return inRow(lane, 6); });
  addDpp(t, "row_xmask:9", [=](int lane) { return inRow(lane, lane % 16 ^ 9); });
  OP("v_mov_b32_dpp v12, v4 row_ror:3 row_mask:0x1 bank_mask:0x5",
     if (k.lane < 16 && (k.lane / 4 == 0 || k.lane / 4 == 2)) low(k, sourceOf(k, (k.lane + 13) % 16)));
  OP("v_add_f32_dpp v12, -v4, |v6| row_shr:1 row_mask:0xf bank_mask:0xf",
     if (k.lane % 16) single(k, -f(sourceOf(k, k.lane - 1)) + std::fabs(f(k.b))));
  OP("v_fmac_f32_dpp v12, v4, v6 row_shr:1 row_mask:0xf bank_mask:0xf",
     if (k.lane % 16) single(k, std::fma(f(sourceOf(k, k.lane - 1)), f(k.b), f(k.d))));
  OP("v_mov_b32_dpp v12, v4 dpp8:[7,6,1,0,3,2,5,5]", const unsigned from[] = {7, 6, 1, 0, 3, 2, 5, 5};
     low(k, sourceOf(k, (k.lane & ~7u) + from[k.lane & 7])));
  // Parts of registers: bytes and words, with signs or not, and what becomes of the rest of the result.
  OP("v_add_nc_u32_sdwa v12, v4, v6 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:WORD_0",
     low(k, (k.d & 0xffff) | ((k.a >> 8 & 0xff) + (k.b & 0xffff)) << 16));
  OP("v_add_nc_u32_sdwa v12, v4, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_1",
     low(k, (k.a >> 24) + (k.b >> 16)));
  OP("v_add_nc_u32_sdwa v12, sext(v4), sext(v6) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:WORD_0",
     low(k, static_cast<uint32_t>(static_cast<int8_t>(k.a >> 16) + s16(k.b))));
  OP("v_sub_nc_u32_sdwa v12, v4, v6 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
     low(k, (k.a - k.b & 0xff) << 16));
  OP("v_sub_nc_u32_sdwa v12, v4, v6 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_0",
     low(k, static_cast<uint32_t>(int32_t{static_cast<int8_t>(k.a - (k.b & 0xff))}) << 8));
  OP("v_mov_b32_sdwa v12, v4 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1",
     low(k, (k.d & 0xffff0000) | k.a >> 16));
  OP("v_cmp_lt_u32_sdwa s20, v4, v6 src0_sel:WORD_1 src1_sel:BYTE_1", k.mask = k.a >> 16 < (k.b >> 8 & 255));
  OP("v_cmp_eq_u16_sdwa s20, v4, v6 src0_sel:BYTE_0 src1_sel:BYTE_1", k.mask = (k.a & 255) == (k.b >> 8 & 255));
  OP("v_add_nc_u32_sdwa v12, s32, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD",
     low(k, (static_cast<uint32_t>(k.wave[0].in[0]) >> 16) + k.b));
  OP("v_add_nc_u32_sdwa v12, v4, sext(s34) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_2",
     low(k, k.a + static_cast<uint32_t>(static_cast<int8_t>(k.wave[0].in[1] >> 16 & 255))));
  OP("v_mul_f16_sdwa v12, v4, -v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0",
     low(k, toHalf(h(k.a >> 16 & 0xffff) * -h(k.b & 0xffff)));
     k.kind = Kind::half);
  OP("ds_bpermute_b32 v12, v4, v6", low(k, pulled(k, k.a)));
  OP("ds_bpermute_b32 v12, v4, v6 offset:20", low(k, pulled(k, k.a + 20)));
  OP("s_mov_b32 exec_lo, vcc_lo; !ds_bpermute_b32 v12, v4, v6; s_waitcnt lgkmcnt(0); s_mov_b32 exec_lo, -1",
     if (k.vcc) low(k, isActive(k, k.a >> 2 & 31) ? pulled(k, k.a) : 0));
  OP("ds_permute_b32 v12, v4, v6", low(k, 0);
     for (unsigned lane = 0; lane < kLanes; ++lane) if ((sourceOf(k, lane) >> 2 & 31) == k.lane)
         low(k, static_cast<uint32_t>(k.wave[lane].in[1])));
  OP("ds_swizzle_b32 v12, v4 offset:0x8041", const unsigned from[] = {1, 0, 0, 1};
     low(k, sourceOf(k, (k.lane & ~3u) + from[k.lane & 3])));
  // Rotations of the lanes that a mask leaves together, both ways; steps of a Fourier transform.
  OP("ds_swizzle_b32 v12, v4 offset:0xc078", low(k, sourceOf(k, (k.lane & 24) | ((k.lane + 3) & 7))));
  OP("ds_swizzle_b32 v12, v4 offset:0xc460", low(k, sourceOf(k, (k.lane + 29) & 31)));
  OP("ds_swizzle_b32 v12, v4 offset:0xe000", low(k, sourceOf(k, reversedLane(k.lane))));
  OP("ds_swizzle_b32 v12, v4 offset:0xe018", low(k, sourceOf(k, reversedLane(k.lane) >> 2 | (k.lane & 24))));
  OP("ds_swizzle_b32 v12, v4 offset:0x041f", low(k, sourceOf(k, k.lane ^ 1)));
  OP("ds_swizzle_b32 v12, v4 offset:0x00e6", low(k, sourceOf(k, (k.lane & 6) | 7)));
  OP("v_permlane16_b32 v12, v4, s34, s36", low(k, sourceOf(k, (k.lane & 16) | rowPlace(k))));
  OP("v_permlanex16_b32 v12, v4, s34, s36", low(k, sourceOf(k, ((k.lane & 16) ^ 16) | rowPlace(k))));
  OP("v_mbcnt_lo_u32_b32 v12, v4, v6",
     low(k, k.b + static_cast<uint32_t>(__builtin_popcount(k.a & ((1u << k.lane) - 1)))));
  OP("v_mbcnt_hi_u32_b32 v12, v4, v6", low(k, k.b));
  OP("v_readfirstlane_b32 s38, v4", low(k, sourceOf(k, 0)));
  OP("s_mov_b32 exec_lo, 0xff00; !v_readfirstlane_b32 s38, v4; s_mov_b32 exec_lo, -1", low(k, sourceOf(k, 8)));
  OP("v_readlane_b32 s38, v4, s34", low(k, sourceOf(k, k.b & 31)));
  OP("v_writelane_b32 v12, s32, s34",
     if (k.lane == (static_cast<uint32_t>(k.wave[0].in[1]) & 31)) low(k, sourceOf(k, 0)));
  // Lanes that an instruction leaves out keep what they had, also where they come back, in the next round of a loop too.
  OP("s_mov_b32 exec_lo, vcc_lo; !v_mov_b32 v12, v4; s_not_b32 exec_lo, exec_lo; v_mov_b32 v12, v6; s_mov_b32 exec_lo, "
     "-1",
     low(k, k.vcc ? k.a : k.b));
  OP("s_and_saveexec_b32 s44, vcc_lo; v_mov_b32 v26, v4; !v_add_nc_u32 v12, v26, v6; s_or_b32 exec_lo, exec_lo, s44",
     if (k.vcc) low(k, k.a + k.b));
  OP("v_mov_b32 v26, v4; s_mov_b32 exec_lo, vcc_lo; s_movk_i32 s44, 1; L@: !v_add_nc_u32 v26, v26, v6; "
     "s_not_b32 exec_lo, exec_lo; s_sub_u32 s44, s44, 1; s_cbranch_scc0 L@; s_mov_b32 exec_lo, -1; v_mov_b32 v12, v26",
     low(k, k.a + k.b));
  // Registers that M0 selects: one of v4 to v11, and of s32 to s39.
  OP("s_and_b32 m0, s32, 7; !v_movrels_b32 v12, v4; s_mov_b32 m0, -1",
     const unsigned n = static_cast<uint32_t>(k.wave[0].in[0]) & 7;
     low(k, k.wave[k.lane].in[n / 2] >> 32 * (n % 2)));
  OP("s_and_b32 m0, s32, 7; !v_movreld_b32 v4, 17; s_mov_b32 m0, -1; v_xor_b32 v12, v4, v5; v_xor_b32 v13, v6, v11",
     const unsigned n = static_cast<uint32_t>(k.wave[0].in[0]) & 7;
     uint32_t v[8]; std::memcpy(v, k.wave[k.lane].in, sizeof v); v[n] = 17;
     wide(k, (v[0] ^ v[1]) | uint64_t{v[2] ^ v[7]} << 32));
}
