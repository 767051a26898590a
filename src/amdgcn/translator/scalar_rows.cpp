// SPDX-License-Identifier: MIT
// Scalar operations.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/operations.h"
#include "base/llvm_compat.h"

#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using In = Value *const *;

Value *shiftCount(Wave &w, Value *value, Value *count) {
  const unsigned width = value->getType()->getIntegerBitWidth();
  count = w.b.CreateAnd(count, w.constant(count, width - 1));
  return w.b.CreateZExtOrTrunc(count, value->getType());
}

// A field of bits: the offset in the lowest bits of the operand, the size in bits 22 to 16.
Value *field(Wave &w, Value *value, Value *where, bool isSigned) {
  const unsigned width = value->getType()->getIntegerBitWidth();
  Value *offset = w.b.CreateZExt(w.b.CreateAnd(where, w.b.getInt32(width - 1)), value->getType());
  Value *size = w.b.CreateZExt(w.b.CreateAnd(w.b.CreateLShr(where, 16), w.b.getInt32(0x7f)), value->getType());
  Value *shifted = isSigned ? w.b.CreateAShr(value, offset) : w.b.CreateLShr(value, offset);
  Value *most = w.constant(value, width);
  Value *unused = w.b.CreateSelect(w.b.CreateICmpULT(size, most), w.b.CreateSub(most, size), w.constant(value, 0));
  Value *isEmpty = w.b.CreateICmpEQ(size, w.constant(value, 0));
  unused = w.b.CreateSelect(isEmpty, w.constant(value, 0), unused);
  Value *up = w.b.CreateShl(shifted, unused);
  Value *result = isSigned ? w.b.CreateAShr(up, unused) : w.b.CreateLShr(up, unused);
  return w.b.CreateSelect(isEmpty, w.constant(value, 0), result);
}

Value *mask(Wave &w, Value *size, Value *offset) {
  const unsigned width = size->getType()->getIntegerBitWidth();
  size = w.b.CreateAnd(size, w.constant(size, width - 1));
  offset = w.b.CreateAnd(offset, w.constant(offset, width - 1));
  Value *ones = w.b.CreateSub(w.b.CreateShl(w.constant(size, 1), size), w.constant(size, 1));
  return w.b.CreateShl(ones, offset);
}

// The number of the first bit, or -1.
Value *firstBit(Wave &w, Value *value, Intrinsic::ID count) {
  Value *at = w.b.CreateIntrinsic(count, {value->getType()}, {value, w.b.getTrue()});
  Value *none = w.b.CreateICmpEQ(value, w.constant(value, 0));
  return w.b.CreateSelect(none, w.b.getInt32(~0u), w.b.CreateZExtOrTrunc(at, w.i32));
}

Value *signBits(Wave &w, Value *value) { // how many below the sign bit are like it, or -1 if all are
  Value *folded =
      w.b.CreateXor(value, w.b.CreateAShr(value, w.constant(value, value->getType()->getIntegerBitWidth() - 1)));
  return firstBit(w, folded, Intrinsic::ctlz);
}

Value *addWithCarry(Wave &w, Value *a, Value *b, Value *carry) {
  Value *sum =
      w.b.CreateAdd(w.b.CreateAdd(w.b.CreateZExt(a, w.i64), w.b.CreateZExt(b, w.i64)), w.b.CreateZExt(carry, w.i64));
  w.setScc(w.b.CreateICmpNE(w.b.CreateLShr(sum, 32), w.b.getInt64(0)));
  return w.b.CreateTrunc(sum, w.i32);
}

Value *subWithBorrow(Wave &w, Value *a, Value *b, Value *borrow) {
  Value *difference =
      w.b.CreateSub(w.b.CreateSub(w.b.CreateZExt(a, w.i64), w.b.CreateZExt(b, w.i64)), w.b.CreateZExt(borrow, w.i64));
  w.setScc(w.b.CreateICmpSLT(difference, w.b.getInt64(0)));
  return w.b.CreateTrunc(difference, w.i32);
}

Value *addSigned(Wave &w, Value *a, Value *b) {
  Value *both = w.b.CreateIntrinsic(Intrinsic::sadd_with_overflow, {a->getType()}, {a, b});
  w.setScc(w.b.CreateExtractValue(both, 1));
  return w.b.CreateExtractValue(both, 0);
}

Value *subSigned(Wave &w, Value *a, Value *b) {
  Value *both = w.b.CreateIntrinsic(Intrinsic::ssub_with_overflow, {a->getType()}, {a, b});
  w.setScc(w.b.CreateExtractValue(both, 1));
  return w.b.CreateExtractValue(both, 0);
}

Value *shiftAdd(Wave &w, In in, unsigned shift) {
  Value *sum = w.b.CreateAdd(w.b.CreateShl(w.b.CreateZExt(in[0], w.i64), shift), w.b.CreateZExt(in[1], w.i64));
  w.setScc(w.b.CreateICmpUGT(sum, w.b.getInt64(0xffffffff)));
  return w.b.CreateTrunc(sum, w.i32);
}

// SCC tells if the first operand was chosen.
Value *choose(Wave &w, CmpInst::Predicate predicate, In in) {
  Value *first = w.b.CreateICmp(predicate, in[0], in[1]);
  w.setScc(first);
  return w.b.CreateSelect(first, in[0], in[1]);
}

Value *highProduct(Wave &w, In in, bool isSigned) {
  auto wide = [&](Value *value) { return isSigned ? w.b.CreateSExt(value, w.i64) : w.b.CreateZExt(value, w.i64); };
  return w.b.CreateTrunc(w.b.CreateLShr(w.b.CreateMul(wide(in[0]), wide(in[1])), 32), w.i32);
}

Value *pack(Wave &w, Value *low, Value *high) {
  return w.b.CreateOr(w.b.CreateAnd(low, w.b.getInt32(0xffff)), w.b.CreateShl(high, 16));
}

Value *nonZero(Wave &w, Value *value) { return w.b.CreateICmpNE(value, w.constant(value, 0)); }

// Bits of quads in which any bit is set, or all.
Value *wholeQuads(Wave &w, Value *value) {
  Value *any = w.b.CreateOr(value, w.b.CreateLShr(value, 1));
  any = w.b.CreateAnd(w.b.CreateOr(any, w.b.CreateLShr(any, 2)), w.constant(value, 0x1111111111111111));
  return w.b.CreateMul(any, w.constant(value, 15));
}

// One bit for each quad in which any bit is set.
Value *quads(Wave &w, Value *value) {
  const unsigned width = value->getType()->getIntegerBitWidth();
  Value *result = w.constant(value, 0);
  for (unsigned quad = 0; quad < width / 4; ++quad) {
    Value *any = nonZero(w, w.b.CreateAnd(value, w.constant(value, uint64_t{15} << 4 * quad)));
    result = w.b.CreateOr(result, w.b.CreateShl(w.b.CreateZExt(any, value->getType()), quad));
  }
  return result;
}

// Each bit twice.
Value *doubled(Wave &w, Value *value) {
  value = w.b.CreateZExt(value, w.i64);
  constexpr std::pair<unsigned, uint64_t> kSteps[] = {{16, 0x0000ffff0000ffff},
                                                      {8, 0x00ff00ff00ff00ff},
                                                      {4, 0x0f0f0f0f0f0f0f0f},
                                                      {2, 0x3333333333333333},
                                                      {1, 0x5555555555555555}};
  for (const auto &[shift, mask] : kSteps)
    value = w.b.CreateAnd(w.b.CreateOr(value, w.b.CreateShl(value, shift)), mask);
  return w.b.CreateOr(value, w.b.CreateShl(value, 1));
}

// clang-format off
constexpr ValueRow kScalarRows[] = {
    {"s_mov_b32", "32=32", [](Wave &, In in) { return in[0]; }},
    {"s_mov_b64", "64=64", [](Wave &, In in) { return in[0]; }},
    {"s_cmov_b32", "32=32,d32", [](Wave &w, In in) { return w.b.CreateSelect(w.scc(), in[0], in[1]); }},
    {"s_cmov_b64", "64=64,d64", [](Wave &w, In in) { return w.b.CreateSelect(w.scc(), in[0], in[1]); }},
    {"s_cselect_b32", "32=32,32", [](Wave &w, In in) { return w.b.CreateSelect(w.scc(), in[0], in[1]); }},
    {"s_cselect_b64", "64=64,64", [](Wave &w, In in) { return w.b.CreateSelect(w.scc(), in[0], in[1]); }},
    {"s_not_b32", "32!=32", [](Wave &w, In in) { return w.b.CreateNot(in[0]); }},
    {"s_not_b64", "64!=64", [](Wave &w, In in) { return w.b.CreateNot(in[0]); }},
    {"s_wqm_b32", "32!=32", [](Wave &w, In in) { return wholeQuads(w, in[0]); }},
    {"s_wqm_b64", "64!=64", [](Wave &w, In in) { return wholeQuads(w, in[0]); }},
    {"s_quadmask_b32", "32!=32", [](Wave &w, In in) { return quads(w, in[0]); }},
    {"s_quadmask_b64", "64!=64", [](Wave &w, In in) { return quads(w, in[0]); }},
    {"s_bitreplicate_b64_b32", "64=32", [](Wave &w, In in) { return doubled(w, in[0]); }},
    {"s_brev_b32", "32=32", [](Wave &w, In in) { return intrinsicCall(w, Intrinsic::bitreverse, {in[0]}); }},
    {"s_brev_b64", "64=64", [](Wave &w, In in) { return intrinsicCall(w, Intrinsic::bitreverse, {in[0]}); }},
    {"s_bcnt0_i32_b32", "32!=32", [](Wave &w, In in) { return intrinsicCall(w, Intrinsic::ctpop, {w.b.CreateNot(in[0])}); }},
    {"s_bcnt1_i32_b32", "32!=32", [](Wave &w, In in) { return intrinsicCall(w, Intrinsic::ctpop, {in[0]}); }},
    {"s_bcnt0_i32_b64", "32!=64", [](Wave &w, In in) { return w.b.CreateTrunc(intrinsicCall(w, Intrinsic::ctpop, {w.b.CreateNot(in[0])}), w.i32); }},
    {"s_bcnt1_i32_b64", "32!=64", [](Wave &w, In in) { return w.b.CreateTrunc(intrinsicCall(w, Intrinsic::ctpop, {in[0]}), w.i32); }},
    {"s_ff0_i32_b32", "32=32", [](Wave &w, In in) { return firstBit(w, w.b.CreateNot(in[0]), Intrinsic::cttz); }},
    {"s_ff1_i32_b32", "32=32", [](Wave &w, In in) { return firstBit(w, in[0], Intrinsic::cttz); }},
    {"s_ff0_i32_b64", "32=64", [](Wave &w, In in) { return firstBit(w, w.b.CreateNot(in[0]), Intrinsic::cttz); }},
    {"s_ff1_i32_b64", "32=64", [](Wave &w, In in) { return firstBit(w, in[0], Intrinsic::cttz); }},
    {"s_flbit_i32_b32", "32=32", [](Wave &w, In in) { return firstBit(w, in[0], Intrinsic::ctlz); }},
    {"s_flbit_i32_b64", "32=64", [](Wave &w, In in) { return firstBit(w, in[0], Intrinsic::ctlz); }},
    {"s_flbit_i32", "32=32", [](Wave &w, In in) { return signBits(w, in[0]); }},
    {"s_flbit_i32_i64", "32=64", [](Wave &w, In in) { return signBits(w, in[0]); }},
    {"s_sext_i32_i8", "32=32", [](Wave &w, In in) { return w.b.CreateSExt(w.b.CreateTrunc(in[0], w.b.getInt8Ty()), w.i32); }},
    {"s_sext_i32_i16", "32=32", [](Wave &w, In in) { return w.b.CreateSExt(w.b.CreateTrunc(in[0], w.i16), w.i32); }},
    {"s_abs_i32", "32!=32", [](Wave &w, In in) { return w.b.CreateSelect(w.b.CreateICmpSLT(in[0], w.b.getInt32(0)), w.b.CreateNeg(in[0]), in[0]); }},
    {"s_bitset0_b32", "32=32,d32", [](Wave &w, In in) { return w.b.CreateAnd(in[1], w.b.CreateNot(w.b.CreateShl(w.b.getInt32(1), shiftCount(w, in[1], in[0])))); }},
    {"s_bitset1_b32", "32=32,d32", [](Wave &w, In in) { return w.b.CreateOr(in[1], w.b.CreateShl(w.b.getInt32(1), shiftCount(w, in[1], in[0]))); }},
    {"s_bitset0_b64", "64=32,d64", [](Wave &w, In in) { return w.b.CreateAnd(in[1], w.b.CreateNot(w.b.CreateShl(w.b.getInt64(1), shiftCount(w, in[1], in[0])))); }},
    {"s_bitset1_b64", "64=32,d64", [](Wave &w, In in) { return w.b.CreateOr(in[1], w.b.CreateShl(w.b.getInt64(1), shiftCount(w, in[1], in[0]))); }},
    {"s_add_u32", "32+=32,32", [](Wave &w, In in) { return addWithCarry(w, in[0], in[1], w.b.getInt32(0)); }},
    {"s_addc_u32", "32+=32,32", [](Wave &w, In in) { return addWithCarry(w, in[0], in[1], w.b.CreateZExt(w.scc(), w.i32)); }},
    {"s_sub_u32", "32+=32,32", [](Wave &w, In in) { return subWithBorrow(w, in[0], in[1], w.b.getInt32(0)); }},
    {"s_subb_u32", "32+=32,32", [](Wave &w, In in) { return subWithBorrow(w, in[0], in[1], w.b.CreateZExt(w.scc(), w.i32)); }},
    {"s_add_i32", "32+=32,32", [](Wave &w, In in) { return addSigned(w, in[0], in[1]); }},
    {"s_sub_i32", "32+=32,32", [](Wave &w, In in) { return subSigned(w, in[0], in[1]); }},
    {"s_absdiff_i32", "32!=32,32", [](Wave &w, In in) { Value *d = w.b.CreateSub(in[0], in[1]); return w.b.CreateSelect(w.b.CreateICmpSLT(d, w.b.getInt32(0)), w.b.CreateNeg(d), d); }},
    {"s_lshl1_add_u32", "32+=32,32", [](Wave &w, In in) { return shiftAdd(w, in, 1); }},
    {"s_lshl2_add_u32", "32+=32,32", [](Wave &w, In in) { return shiftAdd(w, in, 2); }},
    {"s_lshl3_add_u32", "32+=32,32", [](Wave &w, In in) { return shiftAdd(w, in, 3); }},
    {"s_lshl4_add_u32", "32+=32,32", [](Wave &w, In in) { return shiftAdd(w, in, 4); }},
    {"s_min_i32", "32+=32,32", [](Wave &w, In in) { return choose(w, CmpInst::ICMP_SLT, in); }},
    {"s_min_u32", "32+=32,32", [](Wave &w, In in) { return choose(w, CmpInst::ICMP_ULT, in); }},
    {"s_max_i32", "32+=32,32", [](Wave &w, In in) { return choose(w, CmpInst::ICMP_SGT, in); }},
    {"s_max_u32", "32+=32,32", [](Wave &w, In in) { return choose(w, CmpInst::ICMP_UGT, in); }},
    {"s_and_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateAnd(in[0], in[1]); }},
    {"s_and_b64", "64!=64,64", [](Wave &w, In in) { return w.b.CreateAnd(in[0], in[1]); }},
    {"s_or_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateOr(in[0], in[1]); }},
    {"s_or_b64", "64!=64,64", [](Wave &w, In in) { return w.b.CreateOr(in[0], in[1]); }},
    {"s_xor_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateXor(in[0], in[1]); }},
    {"s_xor_b64", "64!=64,64", [](Wave &w, In in) { return w.b.CreateXor(in[0], in[1]); }},
    {"s_andn2_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateAnd(in[0], w.b.CreateNot(in[1])); }},
    {"s_andn2_b64", "64!=64,64", [](Wave &w, In in) { return w.b.CreateAnd(in[0], w.b.CreateNot(in[1])); }},
    {"s_orn2_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateOr(in[0], w.b.CreateNot(in[1])); }},
    {"s_orn2_b64", "64!=64,64", [](Wave &w, In in) { return w.b.CreateOr(in[0], w.b.CreateNot(in[1])); }},
    {"s_nand_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateNot(w.b.CreateAnd(in[0], in[1])); }},
    {"s_nand_b64", "64!=64,64", [](Wave &w, In in) { return w.b.CreateNot(w.b.CreateAnd(in[0], in[1])); }},
    {"s_nor_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateNot(w.b.CreateOr(in[0], in[1])); }},
    {"s_nor_b64", "64!=64,64", [](Wave &w, In in) { return w.b.CreateNot(w.b.CreateOr(in[0], in[1])); }},
    {"s_xnor_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateNot(w.b.CreateXor(in[0], in[1])); }},
    {"s_xnor_b64", "64!=64,64", [](Wave &w, In in) { return w.b.CreateNot(w.b.CreateXor(in[0], in[1])); }},
    {"s_lshl_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateShl(in[0], shiftCount(w, in[0], in[1])); }},
    {"s_lshl_b64", "64!=64,32", [](Wave &w, In in) { return w.b.CreateShl(in[0], shiftCount(w, in[0], in[1])); }},
    {"s_lshr_b32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateLShr(in[0], shiftCount(w, in[0], in[1])); }},
    {"s_lshr_b64", "64!=64,32", [](Wave &w, In in) { return w.b.CreateLShr(in[0], shiftCount(w, in[0], in[1])); }},
    {"s_ashr_i32", "32!=32,32", [](Wave &w, In in) { return w.b.CreateAShr(in[0], shiftCount(w, in[0], in[1])); }},
    {"s_ashr_i64", "64!=64,32", [](Wave &w, In in) { return w.b.CreateAShr(in[0], shiftCount(w, in[0], in[1])); }},
    {"s_bfm_b32", "32=32,32", [](Wave &w, In in) { return mask(w, in[0], in[1]); }},
    {"s_bfm_b64", "64=32,32", [](Wave &w, In in) { return mask(w, w.b.CreateZExt(in[0], w.i64), w.b.CreateZExt(in[1], w.i64)); }},
    {"s_bfe_u32", "32!=32,32", [](Wave &w, In in) { return field(w, in[0], in[1], false); }},
    {"s_bfe_i32", "32!=32,32", [](Wave &w, In in) { return field(w, in[0], in[1], true); }},
    {"s_bfe_u64", "64!=64,32", [](Wave &w, In in) { return field(w, in[0], in[1], false); }},
    {"s_bfe_i64", "64!=64,32", [](Wave &w, In in) { return field(w, in[0], in[1], true); }},
    {"s_mul_i32", "32=32,32", [](Wave &w, In in) { return w.b.CreateMul(in[0], in[1]); }},
    {"s_mul_hi_u32", "32=32,32", [](Wave &w, In in) { return highProduct(w, in, false); }},
    {"s_mul_hi_i32", "32=32,32", [](Wave &w, In in) { return highProduct(w, in, true); }},
    {"s_pack_ll_b32_b16", "32=32,32", [](Wave &w, In in) { return pack(w, in[0], in[1]); }},
    {"s_pack_lh_b32_b16", "32=32,32", [](Wave &w, In in) { return pack(w, in[0], w.b.CreateLShr(in[1], 16)); }},
    {"s_pack_hh_b32_b16", "32=32,32", [](Wave &w, In in) { return pack(w, w.b.CreateLShr(in[0], 16), w.b.CreateLShr(in[1], 16)); }},
    {"s_bitcmp0_b32", "=32,32", [](Wave &w, In in) { Value *bit = w.b.CreateAnd(w.b.CreateLShr(in[0], shiftCount(w, in[0], in[1])), 1); w.setScc(w.b.CreateNot(nonZero(w, bit))); return bit; }},
    {"s_bitcmp1_b32", "=32,32", [](Wave &w, In in) { Value *bit = w.b.CreateAnd(w.b.CreateLShr(in[0], shiftCount(w, in[0], in[1])), 1); w.setScc(nonZero(w, bit)); return bit; }},
    {"s_bitcmp0_b64", "=64,32", [](Wave &w, In in) { Value *bit = w.b.CreateAnd(w.b.CreateLShr(in[0], shiftCount(w, in[0], in[1])), 1); w.setScc(w.b.CreateNot(nonZero(w, bit))); return bit; }},
    {"s_bitcmp1_b64", "=64,32", [](Wave &w, In in) { Value *bit = w.b.CreateAnd(w.b.CreateLShr(in[0], shiftCount(w, in[0], in[1])), 1); w.setScc(nonZero(w, bit)); return bit; }},
    {"s_cmp_eq_u64", "=64,64", [](Wave &w, In in) { w.setScc(w.b.CreateICmpEQ(in[0], in[1])); return in[0]; }},
    {"s_cmp_lg_u64", "=64,64", [](Wave &w, In in) { w.setScc(w.b.CreateICmpNE(in[0], in[1])); return in[0]; }},
};
// clang-format on

} // namespace

ArrayRef<ValueRow> scalarRows() { return kScalarRows; }

} // namespace hiplz::amdgcn
