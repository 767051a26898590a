// SPDX-License-Identifier: MIT
// See generation11.h.
#include "amdgcn/translator/generation11.h"
#include "base/llvm_compat.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>

#include <algorithm>
#include <utility>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using Renamed = std::pair<const char *, const char *>;

/// gfx11's name, and gfx10's of the same operation.
constexpr Renamed kNames[] = {
    {"s_load_b32", "s_load_dword"},
    {"s_load_b64", "s_load_dwordx2"},
    {"s_load_b128", "s_load_dwordx4"},
    {"s_load_b256", "s_load_dwordx8"},
    {"s_load_b512", "s_load_dwordx16"},
    {"s_buffer_load_b32", "s_buffer_load_dword"},
    {"s_buffer_load_b64", "s_buffer_load_dwordx2"},
    {"s_buffer_load_b128", "s_buffer_load_dwordx4"},
    {"s_buffer_load_b256", "s_buffer_load_dwordx8"},
    {"s_buffer_load_b512", "s_buffer_load_dwordx16"},
    {"s_and_not1_b32", "s_andn2_b32"},
    {"s_and_not1_b64", "s_andn2_b64"},
    {"s_or_not1_b32", "s_orn2_b32"},
    {"s_or_not1_b64", "s_orn2_b64"},
    {"s_and_not0_saveexec_b32", "s_andn1_saveexec_b32"},
    {"s_and_not1_saveexec_b32", "s_andn2_saveexec_b32"},
    {"s_or_not0_saveexec_b32", "s_orn1_saveexec_b32"},
    {"s_or_not1_saveexec_b32", "s_orn2_saveexec_b32"},
    {"s_and_not0_wrexec_b32", "s_andn1_wrexec_b32"},
    {"s_and_not1_wrexec_b32", "s_andn2_wrexec_b32"},
    {"s_cls_i32", "s_flbit_i32"},
    {"s_cls_i32_i64", "s_flbit_i32_i64"},
    {"s_clz_i32_u32", "s_flbit_i32_b32"},
    {"s_clz_i32_u64", "s_flbit_i32_b64"},
    {"s_ctz_i32_b32", "s_ff1_i32_b32"},
    {"s_ctz_i32_b64", "s_ff1_i32_b64"},
    {"s_set_inst_prefetch_distance", "s_inst_prefetch"},
    {"v_cls_i32", "v_ffbh_i32"},
    {"v_clz_i32_u32", "v_ffbh_u32"},
    {"v_cmp_t_f16", "v_cmp_tru_f16"},
    {"v_cmp_t_f32", "v_cmp_tru_f32"},
    {"v_cmp_t_f64", "v_cmp_tru_f64"},
    {"v_cmpx_t_f16", "v_cmpx_tru_f16"},
    {"v_cmpx_t_f32", "v_cmpx_tru_f32"},
    {"v_cmpx_t_f64", "v_cmpx_tru_f64"},
    {"v_ctz_i32_b32", "v_ffbl_b32"},
    {"v_cvt_floor_i32_f32", "v_cvt_flr_i32_f32"},
    {"v_cvt_nearest_i32_f32", "v_cvt_rpi_i32_f32"},
    {"v_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"},
    {"v_dot2acc_f32_f16", "v_dot2c_f32_f16"},
    {"v_fma_dx9_zero_f32", "v_fma_legacy_f32"},
    {"v_fmac_dx9_zero_f32", "v_fmac_legacy_f32"},
    {"v_mul_dx9_zero_f32", "v_mul_legacy_f32"},
    {"v_sat_pk_u8_i16", "v_sat_pk_u8_half"}, // whose result has 16 bits here
    {"v_cvt_pk_norm_i16_f32", "v_cvt_pknorm_i16_f32"},
    {"v_cvt_pk_norm_u16_f32", "v_cvt_pknorm_u16_f32"},
    {"v_cvt_pk_norm_i16_f16", "v_cvt_pknorm_i16_f16"},
    {"v_cvt_pk_norm_u16_f16", "v_cvt_pknorm_u16_f16"},
    {"ds_load_2addr_b32", "ds_read2_b32"},
    {"ds_load_2addr_b64", "ds_read2_b64"},
    {"ds_load_2addr_stride64_b32", "ds_read2st64_b32"},
    {"ds_load_2addr_stride64_b64", "ds_read2st64_b64"},
    {"ds_load_addtid_b32", "ds_read_addtid_b32"},
    {"ds_store_addtid_b32", "ds_write_addtid_b32"},
    {"ds_load_b32", "ds_read_b32"},
    {"ds_load_b64", "ds_read_b64"},
    {"ds_load_b96", "ds_read_b96"},
    {"ds_load_b128", "ds_read_b128"},
    {"ds_load_u8", "ds_read_u8"},
    {"ds_load_i8", "ds_read_i8"},
    {"ds_load_u16", "ds_read_u16"},
    {"ds_load_i16", "ds_read_i16"},
    {"ds_load_u8_d16", "ds_read_u8_d16"},
    {"ds_load_u8_d16_hi", "ds_read_u8_d16_hi"},
    {"ds_load_i8_d16", "ds_read_i8_d16"},
    {"ds_load_i8_d16_hi", "ds_read_i8_d16_hi"},
    {"ds_load_u16_d16", "ds_read_u16_d16"},
    {"ds_load_u16_d16_hi", "ds_read_u16_d16_hi"},
    {"ds_store_2addr_b32", "ds_write2_b32"},
    {"ds_store_2addr_b64", "ds_write2_b64"},
    {"ds_store_2addr_stride64_b32", "ds_write2st64_b32"},
    {"ds_store_2addr_stride64_b64", "ds_write2st64_b64"},
    {"ds_store_b8", "ds_write_b8"},
    {"ds_store_b8_d16_hi", "ds_write_b8_d16_hi"},
    {"ds_store_b16", "ds_write_b16"},
    {"ds_store_b16_d16_hi", "ds_write_b16_d16_hi"},
    {"ds_store_b32", "ds_write_b32"},
    {"ds_store_b64", "ds_write_b64"},
    {"ds_store_b96", "ds_write_b96"},
    {"ds_store_b128", "ds_write_b128"},
    {"ds_storexchg_rtn_b32", "ds_wrxchg_rtn_b32"},
    {"ds_storexchg_rtn_b64", "ds_wrxchg_rtn_b64"},
    {"ds_storexchg_2addr_rtn_b32", "ds_wrxchg2_rtn_b32"},
    {"ds_storexchg_2addr_rtn_b64", "ds_wrxchg2_rtn_b64"},
    {"ds_storexchg_2addr_stride64_rtn_b32", "ds_wrxchg2st64_rtn_b32"},
    {"ds_storexchg_2addr_stride64_rtn_b64", "ds_wrxchg2st64_rtn_b64"},
};

/// Accesses to memory other than local memory, without their families' names in front.
constexpr Renamed kAccesses[] = {
    {"load_u8", "load_ubyte"},
    {"load_i8", "load_sbyte"},
    {"load_u16", "load_ushort"},
    {"load_i16", "load_sshort"},
    {"load_b32", "load_dword"},
    {"load_b64", "load_dwordx2"},
    {"load_b96", "load_dwordx3"},
    {"load_b128", "load_dwordx4"},
    {"load_d16_u8", "load_ubyte_d16"},
    {"load_d16_i8", "load_sbyte_d16"},
    {"load_d16_b16", "load_short_d16"},
    {"load_d16_hi_u8", "load_ubyte_d16_hi"},
    {"load_d16_hi_i8", "load_sbyte_d16_hi"},
    {"load_d16_hi_b16", "load_short_d16_hi"},
    {"store_b8", "store_byte"},
    {"store_b16", "store_short"},
    {"store_b32", "store_dword"},
    {"store_b64", "store_dwordx2"},
    {"store_b96", "store_dwordx3"},
    {"store_b128", "store_dwordx4"},
    {"store_d16_hi_b8", "store_byte_d16_hi"},
    {"store_d16_hi_b16", "store_short_d16_hi"},
    {"load_d16_format_x", "load_format_d16_x"},
    {"load_d16_format_xy", "load_format_d16_xy"},
    {"load_d16_format_xyz", "load_format_d16_xyz"},
    {"load_d16_format_xyzw", "load_format_d16_xyzw"},
    {"load_d16_hi_format_x", "load_format_d16_hi_x"},
    {"store_d16_format_x", "store_format_d16_x"},
    {"store_d16_format_xy", "store_format_d16_xy"},
    {"store_d16_format_xyz", "store_format_d16_xyz"},
    {"store_d16_format_xyzw", "store_format_d16_xyzw"},
    {"store_d16_hi_format_x", "store_format_d16_hi_x"},
    {"atomic_swap_b32", "atomic_swap"},
    {"atomic_cmpswap_b32", "atomic_cmpswap"},
    {"atomic_cmpswap_f32", "atomic_fcmpswap"},
    {"atomic_add_u32", "atomic_add"},
    {"atomic_sub_u32", "atomic_sub"},
    {"atomic_csub_u32", "atomic_csub"},
    {"atomic_min_i32", "atomic_smin"},
    {"atomic_min_u32", "atomic_umin"},
    {"atomic_min_f32", "atomic_fmin"},
    {"atomic_max_i32", "atomic_smax"},
    {"atomic_max_u32", "atomic_umax"},
    {"atomic_max_f32", "atomic_fmax"},
    {"atomic_and_b32", "atomic_and"},
    {"atomic_or_b32", "atomic_or"},
    {"atomic_xor_b32", "atomic_xor"},
    {"atomic_inc_u32", "atomic_inc"},
    {"atomic_dec_u32", "atomic_dec"},
    {"atomic_swap_b64", "atomic_swap_x2"},
    {"atomic_cmpswap_b64", "atomic_cmpswap_x2"},
    {"atomic_add_u64", "atomic_add_x2"},
    {"atomic_sub_u64", "atomic_sub_x2"},
    {"atomic_min_i64", "atomic_smin_x2"},
    {"atomic_min_u64", "atomic_umin_x2"},
    {"atomic_max_i64", "atomic_smax_x2"},
    {"atomic_max_u64", "atomic_umax_x2"},
    {"atomic_and_b64", "atomic_and_x2"},
    {"atomic_or_b64", "atomic_or_x2"},
    {"atomic_xor_b64", "atomic_xor_x2"},
    {"atomic_inc_u64", "atomic_inc_x2"},
    {"atomic_dec_u64", "atomic_dec_x2"},
};

const StringMap<std::string> &names() {
  static const StringMap<std::string> all = [] {
    StringMap<std::string> made;
    for (const auto &[name, older] : kNames)
      made[name] = older;
    for (const std::string family : {"global_", "flat_", "scratch_", "buffer_", "tbuffer_"})
      for (const auto &[name, older] : kAccesses)
        made[family + name] = family + older;
    return made;
  }();
  return all;
}

// Encodings by their highest bits. VOP3 is for any vector operation; its bits 11 to 14 are op_sel, or the lower bits of a scalar result.
bool isVop3(uint32_t word) { return word >> 26 == 0x35; }
bool isVop1(uint32_t word) { return word >> 25 == 0x3f; }
bool isVopc(uint32_t word) { return word >> 25 == 0x3e; }
bool isVop2(uint32_t word) { return word >> 31 == 0 && !isVop1(word) && !isVopc(word); }
uint32_t vop3Operation(uint32_t word) { return word >> 16 & 0x3ff; }
uint32_t vop1Operation(uint32_t word) { return word >> 9 & 0xff; }

constexpr uint32_t kOpSel = 15 << 11;
constexpr uint32_t kVop1InVop3 = 0x180; ///< where VOP1's operations begin
constexpr uint32_t kMoveHalf = 0x1c, kNotHalf = 0x69, kSwapHalves = 0x66, kSwapWhole = 0x65; ///< of VOP1

/// VOP3 with a mask as its second result.
bool hasScalarResult(uint32_t word) {
  const uint32_t operation = vop3Operation(word);
  return (operation >= 0x120 && operation <= 0x122) || // v_add_co_ci, v_sub_co_ci, v_subrev_co_ci
         (operation >= 0x2fc && operation <= 0x302);   // v_div_scale, v_mad_u64_u32, v_mad_i64_i32, v_add_co, ...
}

} // namespace

std::optional<Rewritten> rewriteGeneration11(std::span<const uint32_t, 3> words) {
  Rewritten result;
  std::copy(words.begin(), words.end(), result.words);
  uint32_t &first = result.words[0];
  if (isVop3(first) && !hasScalarResult(first)) {
    first &= ~kOpSel;
    if (vop3Operation(first) == kVop1InVop3 + kMoveHalf) {
      first ^= (kMoveHalf ^ kNotHalf) << 16;
      result.name = "v_mov_b16";
    }
  } else if (isVop1(first) && vop1Operation(first) == kMoveHalf) {
    first ^= (kMoveHalf ^ kNotHalf) << 9;
    result.name = "v_mov_b16";
  } else if (isVop1(first) && vop1Operation(first) == kSwapHalves) {
    first ^= (kSwapHalves ^ kSwapWhole) << 9;
    result.name = "v_swap_b16";
  }
  if (first == words[0])
    return std::nullopt;
  return result;
}

void normalizeGeneration11(Instruction &i) {
  for (Instruction &part : i.pair) {
    StringRef name = part.name;
    if (name.consume_front("v_dual_"))
      part.name = ("v_" + name).str();
    if (part.name == "v_cndmask_b32" && part.operands.size() == 3) { // VCC goes without saying
      Operand mask;
      mask.kind = Operand::Kind::scalar;
      mask.index = kVcc;
      part.operands.push_back(mask);
    }
    normalizeGeneration11(part);
    // The text does not say what the halves of a constant are.
    if (part.name == "v_dot2c_f32_f16" && part.operands.size() > 1 && !part.operands[1].isVector())
      part.name = "v_dual_dot2acc_f32_f16";
  }
  if (!i.pair.empty())
    return;
  if (auto known = names().find(i.name); known != names().end())
    i.name = known->second;
  // gfx11 has the new value first and what is expected second.
  if (StringRef name = i.name; name.consume_front("ds_cmpstore_") && i.operands.size() >= 3) {
    std::swap(i.operands[i.operands.size() - 2], i.operands[i.operands.size() - 1]);
    i.name = ("ds_cmpst_" + name).str();
  }
  const uint32_t word = i.words[0];
  i.halvesByNumber = isVop1(word) || isVop2(word) || isVopc(word);
  if (isVop3(word) && !hasScalarResult(word) && (word & kOpSel) && !i.operands.empty()) {
    std::string list = "[";
    const size_t results = startsWith(i.name, "v_cmpx") ? 0 : 1;
    for (size_t source = 0; source + results < i.operands.size() && source < 3; ++source)
      list += (word >> (11 + source) & 1) ? "1," : "0,";
    list += (word >> 14 & 1) ? "1]" : "0]";
    erase_if(i.modifiers, [](const auto &modifier) { return modifier.first == "op_sel"; });
    i.modifiers.emplace_back("op_sel", std::move(list));
  }
}

} // namespace hiplz::amdgcn
