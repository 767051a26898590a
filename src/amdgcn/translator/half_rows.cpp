// SPDX-License-Identifier: MIT
// Vector operations on 16 bits, and those that do the same with both halves of a register. The other half of the former's results stays. Numbers are computed as f32, which is exact enough that
// rounding to f16 is the only rounding.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/operations.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

using In = Value *const *;

Value *choose(Wave &w, CmpInst::Predicate predicate, Value *a, Value *b) {
  return w.b.CreateSelect(w.b.CreateICmp(predicate, a, b), a, b);
}
Value *least(Wave &w, Value *a, Value *b, bool isSigned) {
  return choose(w, isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT, a, b);
}
Value *most(Wave &w, Value *a, Value *b, bool isSigned) {
  return choose(w, isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, a, b);
}
Value *median(Wave &w, In in, bool isSigned) {
  Value *low = least(w, in[0], in[1], isSigned), *high = most(w, in[0], in[1], isSigned);
  return most(w, low, least(w, high, in[2], isSigned), isSigned);
}
Value *count(Wave &w, Value *by) { return w.b.CreateAnd(by, w.constant(by, 15)); }
Value *one(Wave &w, Intrinsic::ID id, Value *value) { return intrinsicCall(w, id, {value}); }

/// The number without what keeps a NaN signaling, for operations that make a quiet one of it in any case.
Value *plain(Value *number) {
  Value *wide;
  return match(number, m_BitCast(m_Select(m_Value(), m_Constant(), m_BitCast(m_Value(wide))))) &&
                 wide->getType() == number->getType()
             ? wide
             : number;
}

Value *sum(Wave &w, Value *a, Value *b) { return w.b.CreateFAdd(plain(a), plain(b)); }
Value *difference(Wave &w, Value *a, Value *b) { return w.b.CreateFSub(plain(a), plain(b)); }

// A sum as f64 has everything that rounding in any direction asks for. To the nearest, the sum as f32 does, made odd if it is not exact: the product
// is exact, and what the sum has lost is as well (Knuth's method; nothing is so large or so small that it would fail).
Value *productSum(Wave &w, Value *a, Value *b, Value *c) {
  auto &build = w.b;
  a = plain(a), b = plain(b), c = plain(c);
  if (w.rounds) {
    Type *type = w.vectorOf(w.f64);
    Value *product = build.CreateFMul(build.CreateFPExt(a, type), build.CreateFPExt(b, type));
    return build.CreateFAdd(product, build.CreateFPExt(c, type));
  }
  Value *product = build.CreateFMul(a, b), *sum = build.CreateFAdd(product, c);
  Value *added = build.CreateFSub(sum, product);
  Value *lost = build.CreateFAdd(build.CreateFSub(product, build.CreateFSub(sum, added)), build.CreateFSub(c, added));
  Value *bits = bitsOf(w, sum);
  Value *isInexact = build.CreateFCmpONE(lost, number(lost, 0));
  Value *isAbove = build.CreateICmpSLT(build.CreateXor(bits, bitsOf(w, lost)), w.constant(bits, 0));
  auto one = [&](Value *condition) { return build.CreateZExt(condition, bits->getType()); };
  bits = build.CreateSub(bits, one(build.CreateAnd(isInexact, isAbove)));
  return asFloat(w, build.CreateOr(bits, one(isInexact)));
}

// clang-format off
#define HIPLZ_INTEGERS(operation, signature, call)                                                                     \
  {"v_" operation "_i16", signature, [](Wave &w, In in) -> Value * { constexpr bool isSigned = true; return call; }},  \
  {"v_" operation "_u16", signature, [](Wave &w, In in) -> Value * { constexpr bool isSigned = false; return call; }}

constexpr ValueRow kHalfRows[] = {
    HIPLZ_INTEGERS("min", "16=16,16", least(w, in[0], in[1], isSigned)),
    HIPLZ_INTEGERS("max", "16=16,16", most(w, in[0], in[1], isSigned)),
    HIPLZ_INTEGERS("min3", "16=16,16,16", least(w, least(w, in[0], in[1], isSigned), in[2], isSigned)),
    HIPLZ_INTEGERS("max3", "16=16,16,16", most(w, most(w, in[0], in[1], isSigned), in[2], isSigned)),
    HIPLZ_INTEGERS("med3", "16=16,16,16", median(w, in, isSigned)),
    {"v_add_nc_u16", "u16=u16,u16", [](Wave &w, In in) { return w.b.CreateAdd(in[0], in[1]); }},
    {"v_sub_nc_u16", "u16=u16,u16", [](Wave &w, In in) { return w.b.CreateSub(in[0], in[1]); }},
    {"v_add_nc_i16", "i16=i16,i16", [](Wave &w, In in) { return w.b.CreateAdd(in[0], in[1]); }},
    {"v_sub_nc_i16", "i16=i16,i16", [](Wave &w, In in) { return w.b.CreateSub(in[0], in[1]); }},
    {"v_mul_lo_u16", "16=16,16", [](Wave &w, In in) { return w.b.CreateMul(in[0], in[1]); }},
    {"v_mad_u16", "u16=u16,u16,u16", [](Wave &w, In in) { return w.b.CreateAdd(w.b.CreateMul(in[0], in[1]), in[2]); }},
    {"v_mad_i16", "i16=i16,i16,i16", [](Wave &w, In in) { return w.b.CreateAdd(w.b.CreateMul(in[0], in[1]), in[2]); }},
    {"v_lshlrev_b16", "16=16,16", [](Wave &w, In in) { return w.b.CreateShl(in[1], count(w, in[0])); }},
    {"v_lshrrev_b16", "16=16,16", [](Wave &w, In in) { return w.b.CreateLShr(in[1], count(w, in[0])); }},
    {"v_ashrrev_i16", "16=16,16", [](Wave &w, In in) { return w.b.CreateAShr(in[1], count(w, in[0])); }},
    {"v_add_f16", "f16=f16,f16", [](Wave &w, In in) { return sum(w, in[0], in[1]); }},
    {"v_sub_f16", "f16=f16,f16", [](Wave &w, In in) { return difference(w, in[0], in[1]); }},
    {"v_subrev_f16", "f16=f16,f16", [](Wave &w, In in) { return difference(w, in[1], in[0]); }},
    {"v_mul_f16", "f16=f16,f16", [](Wave &w, In in) { return w.b.CreateFMul(plain(in[0]), plain(in[1])); }},
    {"v_min_f16", "f16=f16,f16", [](Wave &w, In in) { return minimum(w, in[0], in[1]); }},
    {"v_max_f16", "f16=f16,f16", [](Wave &w, In in) { return maximum(w, in[0], in[1]); }},
    {"v_fma_f16", "f16=f16,f16,f16", [](Wave &w, In in) { return productSum(w, in[0], in[1], in[2]); }},
    {"v_fmaak_f16", "f16=f16,f16,f16", [](Wave &w, In in) { return productSum(w, in[0], in[1], in[2]); }},
    {"v_fmamk_f16", "f16=f16,f16,f16", [](Wave &w, In in) { return productSum(w, in[0], in[1], in[2]); }},
    {"v_fmac_f16", "f16=f16,f16,df16", [](Wave &w, In in) { return productSum(w, in[0], in[1], in[2]); }},
    {"v_rcp_f16", "f16=f16", [](Wave &w, In in) { return w.b.CreateFDiv(number(in[0], 1), in[0]); }},
    {"v_sqrt_f16", "f16=f16", [](Wave &w, In in) { return one(w, Intrinsic::sqrt, in[0]); }},
    {"v_trunc_f16", "f16=f16", [](Wave &w, In in) { return one(w, Intrinsic::trunc, in[0]); }},
    {"v_ceil_f16", "f16=f16", [](Wave &w, In in) { return one(w, Intrinsic::ceil, in[0]); }},
    {"v_floor_f16", "f16=f16", [](Wave &w, In in) { return one(w, Intrinsic::floor, in[0]); }},
    {"v_rndne_f16", "f16=f16", [](Wave &w, In in) { return one(w, Intrinsic::rint, in[0]); }},
    {"v_cvt_f16_u16", "f16=16", [](Wave &w, In in) { return w.b.CreateUIToFP(in[0], w.vectorOf(w.f32)); }},
    {"v_cvt_f16_i16", "f16=16", [](Wave &w, In in) { return w.b.CreateSIToFP(in[0], w.vectorOf(w.f32)); }},
    {"v_cvt_u16_f16", "16=f16", [](Wave &w, In in) { return toInteger(w, in[0], 16, false); }},
    {"v_cvt_i16_f16", "16=f16", [](Wave &w, In in) { return toInteger(w, in[0], 16, true); }},
};

constexpr PackedRow kPacked[] = {
    {"v_pk_mad_i16", "v_mad_i16"}, {"v_pk_mad_u16", "v_mad_u16"}, {"v_pk_mul_lo_u16", "v_mul_lo_u16"},
    {"v_pk_add_i16", "v_add_nc_i16"}, {"v_pk_sub_i16", "v_sub_nc_i16"}, {"v_pk_add_u16", "v_add_nc_u16"},
    {"v_pk_sub_u16", "v_sub_nc_u16"}, {"v_pk_lshlrev_b16", "v_lshlrev_b16"}, {"v_pk_lshrrev_b16", "v_lshrrev_b16"},
    {"v_pk_ashrrev_i16", "v_ashrrev_i16"}, {"v_pk_max_i16", "v_max_i16"}, {"v_pk_min_i16", "v_min_i16"},
    {"v_pk_max_u16", "v_max_u16"}, {"v_pk_min_u16", "v_min_u16"}, {"v_pk_fma_f16", "v_fma_f16"},
    {"v_pk_fmac_f16", "v_fmac_f16"}, {"v_pk_add_f16", "v_add_f16"}, {"v_pk_mul_f16", "v_mul_f16"},
    {"v_pk_min_f16", "v_min_f16"}, {"v_pk_max_f16", "v_max_f16"},
};
// clang-format on

} // namespace

ArrayRef<ValueRow> halfRows() { return kHalfRows; }
ArrayRef<PackedRow> packedRows() { return kPacked; }

} // namespace hiplz::amdgcn
