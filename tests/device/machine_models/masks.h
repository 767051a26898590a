// SPDX-License-Identifier: MIT
// Models of what registers hold in lanes that EXEC excludes: code that reads them later, in other lanes, under another mask or in the
// next round of a loop, finds what was there before.
#pragma once
#include "lanes.h"
#include "model.h"

inline uint32_t firstOf(const Case &k, unsigned lane) { return static_cast<uint32_t>(k.wave[lane].in[0]); }
inline uint32_t secondOf(const Case &k, unsigned lane) { return static_cast<uint32_t>(k.wave[lane].in[1]); }
inline uint32_t thirdOf(const Case &k, unsigned lane) { return static_cast<uint32_t>(k.wave[lane].in[2]); }

/// The mask of kHalfWritten: VCC and a register, so that it is no comparison that the translator sees through.
inline bool isInMask(const Case &k, unsigned lane) { return isActive(k, lane) && firstOf(k, 0) >> lane & 1; }
/// v26 of a lane: v4, and v6 where the lane is in the mask.
inline uint32_t halfWritten(const Case &k, unsigned lane) {
  return isInMask(k, lane) ? secondOf(k, lane) : firstOf(k, lane);
}
inline const std::string kHalfWritten = "v_mov_b32 v26, v4; s_and_b32 exec_lo, vcc_lo, s32; v_mov_b32 v26, v6; ",
                         kAllLanes = "; s_mov_b32 exec_lo, -1",
                         kFromNeighbour = "v26 row_ror:1 row_mask:0xf bank_mask:0xf";
inline unsigned neighbour(const Case &k) { return (k.lane & 16) | ((k.lane + 15) & 15); }

inline void addReadsOfOtherLanes(Table &t) {
  auto add = [&](const std::string &line, const std::function<void(Case &)> &model) {
    t.push_back({kHalfWritten + line, model});
  };
  add("s_mov_b32 exec_lo, -1; !v_mov_b32_dpp v12, " + kFromNeighbour,
      [](Case &k) { low(k, halfWritten(k, neighbour(k))); });
  add("!v_mov_b32_dpp v12, " + kFromNeighbour + " fi:1" + kAllLanes, [](Case &k) {
    if (isInMask(k, k.lane))
      low(k, halfWritten(k, neighbour(k)));
  });
  add("!v_mov_b32_dpp v12, " + kFromNeighbour + " bound_ctrl:0" + kAllLanes, [](Case &k) {
    if (isInMask(k, k.lane))
      low(k, isInMask(k, neighbour(k)) ? halfWritten(k, neighbour(k)) : 0);
  });
  // All lanes for a while, as reductions of a wave do it.
  add("s_or_saveexec_b32 s44, -1; v_mov_b32 v27, v8; !v_mov_b32_dpp v27, v26 row_shr:1 row_mask:0xf bank_mask:0xf; "
      "s_mov_b32 exec_lo, s44; v_mov_b32 v12, v27" +
          kAllLanes,
      [](Case &k) {
        if (isInMask(k, k.lane))
          low(k, k.lane % 16 ? halfWritten(k, k.lane - 1) : k.c);
      });
  add("!v_readlane_b32 s44, v26, s34; s_mov_b32 exec_lo, -1; v_mov_b32 v12, s44",
      [](Case &k) { low(k, halfWritten(k, secondOf(k, 0) & 31)); });
  add("s_mov_b32 exec_lo, 0xff00; !v_readfirstlane_b32 s44, v26; s_mov_b32 exec_lo, -1; v_mov_b32 v12, s44",
      [](Case &k) { low(k, halfWritten(k, 8)); });
  add("!v_writelane_b32 v26, s32, s34; s_mov_b32 exec_lo, -1; v_mov_b32 v12, v26",
      [](Case &k) { low(k, k.lane == (secondOf(k, 0) & 31) ? firstOf(k, 0) : halfWritten(k, k.lane)); });
  add("s_mov_b32 exec_lo, -1; !ds_bpermute_b32 v12, v8, v26; s_waitcnt lgkmcnt(0)",
      [](Case &k) { low(k, halfWritten(k, k.c >> 2 & 31)); });
  add("s_mov_b32 exec_lo, -1; !ds_swizzle_b32 v12, v26 offset:0x041f; s_waitcnt lgkmcnt(0)",
      [](Case &k) { low(k, halfWritten(k, k.lane ^ 1)); });
  const auto otherRow = [](const Case &k) { return ((k.lane & 16) ^ 16) | rowPlace(k); };
  add("!v_permlanex16_b32 v12, v26, s34, s36 op_sel:[1,0]" + kAllLanes, [=](Case &k) {
    if (isInMask(k, k.lane))
      low(k, halfWritten(k, otherRow(k)));
  });
  add("!v_permlanex16_b32 v12, v26, s34, s36" + kAllLanes, [=](Case &k) {
    if (isInMask(k, k.lane) && isInMask(k, otherRow(k)))
      low(k, halfWritten(k, otherRow(k)));
  });
}

inline void addOtherMasks(Table &t) {
  // One that is moved by a lane, and one that is smaller than the one that the lanes are read under.
  OP("v_mov_b32 v26, v4; s_mov_b32 exec_lo, vcc_lo; v_mov_b32 v26, v6; s_lshl_b32 exec_lo, vcc_lo, 1; "
     "!v_add_nc_u32 v26, v26, v8; s_mov_b32 exec_lo, -1; v_mov_b32 v12, v26",
     low(k, (k.vcc ? k.b : k.a) + (k.lane && isActive(k, k.lane - 1) ? k.c : 0)));
  OP("v_mov_b32 v26, v4; s_and_b32 exec_lo, vcc_lo, s32; !v_mov_b32 v26, v6; s_mov_b32 exec_lo, vcc_lo; "
     "v_mov_b32 v12, v26; s_mov_b32 exec_lo, -1",
     if (k.vcc) low(k, firstOf(k, 0) >> k.lane & 1 ? k.b : k.a));
  OP("v_mov_b32 v26, v4; s_mov_b32 exec_lo, vcc_lo; !v_mov_b32 v26, v6; s_and_b32 exec_lo, exec_lo, s32; "
     "v_mov_b32 v12, v26; s_mov_b32 exec_lo, -1",
     if (k.vcc && firstOf(k, 0) >> k.lane & 1) low(k, k.b));
  // Both arms of a branch that only one of two paths excludes lanes on.
  OP("v_mov_b32 v26, v4; s_bitcmp1_b32 s32, 0; s_cbranch_scc1 L@; s_mov_b32 exec_lo, vcc_lo; v_mov_b32 v26, v6; L@: "
     "!v_mov_b32 v12, v26; s_mov_b32 exec_lo, -1",
     const bool skips = firstOf(k, 0) & 1;
     if (skips || k.vcc) low(k, skips ? k.a : k.b));
  OP("v_mov_b32 v26, v4; s_and_b32 s46, vcc_lo, s32; s_and_saveexec_b32 s44, s46; v_mov_b32 v26, v6; s_xor_b32 "
     "exec_lo, exec_lo, s44; "
     "!v_add_nc_u32 v26, v26, v8; s_mov_b32 exec_lo, s44; v_mov_b32 v12, v26",
     low(k, isInMask(k, k.lane) ? k.b : k.a + k.c));
  // Bits of lanes that a comparison leaves out are 0, whatever is there.
  OP("s_and_b32 exec_lo, vcc_lo, s32; v_mov_b32 v26, v6; !v_cmp_lt_u32 s44, v4, v26; s_mov_b32 exec_lo, -1; "
     "v_cndmask_b32 v12, v4, v6, s44",
     low(k, isInMask(k, k.lane) && k.a < k.b ? k.b : k.a));
}

inline void addLoopsWithMasks(Table &t) {
  // Lanes leave one by one: by v_cmpx, and as compilers do it, with a branch inside.
  OP("v_mov_b32 v26, v4; v_and_b32 v27, 3, v6; L@: !v_cmpx_ne_u32 0, v27; v_add_nc_u32 v26, v26, v6; "
     "v_subrev_nc_u32 v27, 1, v27; s_cbranch_execnz L@; s_mov_b32 exec_lo, -1; "
     "v_mov_b32_dpp v12, v26 row_ror:1 row_mask:0xf bank_mask:0xf",
     const uint32_t b = secondOf(k, neighbour(k));
     low(k, firstOf(k, neighbour(k)) + b * (b & 3)));
  OP("v_mov_b32 v26, v4; v_and_b32 v27, 7, v6; s_mov_b32 s44, 0; L@: v_cmp_eq_u32 s45, 0, v27; s_or_b32 s44, s45, s44; "
     "!s_andn2_b32 exec_lo, exec_lo, s44; v_add_nc_u32 v26, v26, v6; v_and_b32 v28, 1, v27; v_cmp_ne_u32 s46, 0, v28; "
     "s_and_saveexec_b32 s47, s46; v_xor_b32 v26, v26, v8; s_or_b32 exec_lo, exec_lo, s47; "
     "v_subrev_nc_u32 v27, 1, v27; s_cbranch_execnz L@; s_mov_b32 exec_lo, -1; v_mov_b32 v12, v26",
     uint32_t v = k.a;
     for (uint32_t n = k.b & 7; n; --n) v = (v + k.b) ^ (n & 1 ? k.c : 0); low(k, v));
  // A value of one round is read under the mask of the next one, which has other lanes.
  OP("v_mov_b32 v26, v4; v_mov_b32 v27, v8; s_and_b32 exec_lo, vcc_lo, s32; s_movk_i32 s44, 2; L@: v_add_nc_u32 v27, "
     "v27, "
     "v26; "
     "!v_mov_b32 v26, v6; s_not_b32 exec_lo, exec_lo; s_sub_u32 s44, s44, 1; s_cbranch_scc0 L@; s_mov_b32 exec_lo, -1; "
     "v_mov_b32 v12, v27",
     low(k, k.c + k.a + (isInMask(k, k.lane) ? k.b : 0)));
}

inline void addMemoryUnderMasks(Table &t) {
  const std::string row = "v_lshlrev_b32 v27, 2, v0; global_store_dword v27, v4, s[8:9]; ",
                    otherRow = "v_lshlrev_b32 v27, 2, v0; global_store_dword v27, v6, s[8:9]; s_waitcnt_vscnt null, 0; "
                               "v_mov_b32 v26, v4; ";
  t.push_back({row + "s_and_b32 exec_lo, vcc_lo, s32; !global_store_dword v27, v6, s[8:9]; s_waitcnt_vscnt null, 0; "
                     "s_mov_b32 exec_lo, -1; v_xor_b32 v28, 4, v27; global_load_dword v12, v28, s[8:9]; s_waitcnt "
                     "vmcnt(0)",
               [](Case &k) { low(k, halfWritten(k, k.lane ^ 1)); }});
  t.push_back({otherRow + "s_and_b32 exec_lo, vcc_lo, s32; !global_load_dword v26, v27, s[8:9]; s_waitcnt vmcnt(0); "
                          "s_mov_b32 exec_lo, -1; v_mov_b32_dpp v12, v26 row_ror:1 row_mask:0xf bank_mask:0xf",
               [](Case &k) { low(k, halfWritten(k, neighbour(k))); }});
  // The first lane is not active, and its address is not one.
  t.push_back({otherRow + "v_cmp_eq_u32 s44, 0, v0; v_cndmask_b32 v27, v27, v4, s44; s_and_b32 exec_lo, vcc_lo, s32; "
                          "s_and_b32 exec_lo, exec_lo, -2; "
                          "!global_load_dword v26, v27, s[8:9]; s_waitcnt vmcnt(0); s_mov_b32 exec_lo, -1; "
                          "v_mov_b32 v12, v26",
               [](Case &k) { low(k, k.lane ? halfWritten(k, k.lane) : k.a); }});
  t.push_back({row + "v_cmp_eq_u32 s44, 0, v0; v_mov_b32 v28, v27; v_cndmask_b32 v27, v27, v4, s44; "
                     "s_and_b32 exec_lo, vcc_lo, s32; s_and_b32 exec_lo, exec_lo, -2; !global_store_dword v27, v6, "
                     "s[8:9]; s_waitcnt_vscnt null, 0; "
                     "s_mov_b32 exec_lo, -1; global_load_dword v12, v28, s[8:9]; s_waitcnt vmcnt(0)",
               [](Case &k) { low(k, k.lane ? halfWritten(k, k.lane) : k.a); }});
  // Addresses that are the same in the active lanes, far and near from each other in the others.
  OP("v_mov_b32 v26, v4; v_mov_b32 v27, 0; v_cndmask_b32 v27, v6, v27, vcc_lo; s_and_b32 exec_lo, vcc_lo, s32; "
     "!global_load_dword v26, v27, s[8:9]; s_waitcnt vmcnt(0); s_mov_b32 exec_lo, -1; v_mov_b32 v12, v26",
     low(k, isInMask(k, k.lane) ? thirdOf(k, 0) : k.a));
  OP("v_mov_b32 v26, v4; s_and_b32 exec_lo, vcc_lo, s32; !ds_read_b32 v26, v1; s_waitcnt lgkmcnt(0); s_mov_b32 "
     "exec_lo, -1; "
     "v_mov_b32_dpp v12, v26 row_ror:1 row_mask:0xf bank_mask:0xf",
     const unsigned from = neighbour(k);
     low(k, isInMask(k, from) ? thirdOf(k, from) : firstOf(k, from)));
  // Half a register.
  OP("v_mov_b32 v26, v4; s_and_b32 exec_lo, vcc_lo, s32; !global_load_short_d16_hi v26, v1, s[8:9]; s_waitcnt "
     "vmcnt(0); "
     "s_mov_b32 exec_lo, -1; v_mov_b32_dpp v12, v26 row_ror:1 row_mask:0xf bank_mask:0xf",
     const unsigned from = neighbour(k);
     low(k, isInMask(k, from) ? (firstOf(k, from) & 0xffff) | thirdOf(k, from) << 16 : firstOf(k, from)));
}

inline void addMasks(Table &t) {
  addReadsOfOtherLanes(t);
  addOtherMasks(t);
  addLoopsWithMasks(t);
  addMemoryUnderMasks(t);
}
