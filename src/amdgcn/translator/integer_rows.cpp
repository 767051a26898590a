// SPDX-License-Identifier: MIT
// Vector operations on integers of 32 and 64 bits.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/operations.h"

#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using In = Value *const *;

Value *count(Wave &w, Value *value, Value *by) {
  const unsigned width = value->getType()->getScalarSizeInBits();
  by = w.b.CreateAnd(by, w.constant(by, width - 1));
  return w.b.CreateZExtOrTrunc(by, value->getType());
}

/// 32 bits out of the 64 of high and low.
Value *funnel(Wave &w, Intrinsic::ID direction, Value *high, Value *low, Value *by) {
  return w.b.CreateIntrinsic(direction, {low->getType()}, {high, low, by});
}

/// Shifts a number of 64 bits. Where the count is a constant, as in most code, both halves of the number are shifted for themselves: vectors of
/// 64-bit elements need twice as many instructions for each step.
Value *shift(Wave &w, llvm::Instruction::BinaryOps direction, Value *value, Value *by) {
  const auto [low, high] = w.halvesOf(value);
  auto *constant = dyn_cast_or_null<ConstantInt>(isa<Constant>(by) ? cast<Constant>(by)->getSplatValue() : nullptr);
  if (!low || !constant)
    return w.b.CreateBinOp(direction, value, count(w, value, by));
  const unsigned bits = static_cast<unsigned>(constant->getZExtValue()) & 63;
  const bool isLeft = direction == llvm::Instruction::Shl;
  Value *rest = w.constant(low, bits & 31), *none = w.constant(low, 0);
  if (bits < 32 && isLeft)
    return w.wide(w.b.CreateShl(low, rest), funnel(w, Intrinsic::fshl, high, low, rest));
  if (bits < 32)
    return w.wide(funnel(w, Intrinsic::fshr, high, low, rest), w.b.CreateBinOp(direction, high, rest));
  if (isLeft)
    return w.wide(none, w.b.CreateShl(low, rest));
  Value *above = direction == llvm::Instruction::AShr ? w.b.CreateAShr(high, w.constant(high, 31)) : none;
  return w.wide(w.b.CreateBinOp(direction, high, rest), above);
}

Value *shl(Wave &w, Value *value, Value *by) { return shift(w, llvm::Instruction::Shl, value, by); }
Value *lshr(Wave &w, Value *value, Value *by) { return shift(w, llvm::Instruction::LShr, value, by); }
Value *ashr(Wave &w, Value *value, Value *by) { return shift(w, llvm::Instruction::AShr, value, by); }

Value *low24(Wave &w, Value *value, bool isSigned) {
  if (!isSigned)
    return w.b.CreateAnd(value, w.constant(value, 0xffffff));
  Value *unused = w.constant(value, value->getType()->getScalarSizeInBits() - 24);
  return w.b.CreateAShr(w.b.CreateShl(value, unused), unused);
}
Value *mul24(Wave &w, In in, bool isSigned) {
  return w.b.CreateMul(low24(w, in[0], isSigned), low24(w, in[1], isSigned));
}

// Of words that are extended to the width of what is added.
Value *mul16(Wave &w, In in, bool isSigned) {
  auto extend = [&](Value *value) {
    return isSigned ? w.b.CreateSExt(value, in[2]->getType()) : w.b.CreateZExt(value, in[2]->getType());
  };
  return w.b.CreateMul(extend(in[0]), extend(in[1]));
}

// An element of so many bits of a register's 32.
Value *element(Wave &w, Value *value, unsigned bits, unsigned number, bool isSigned) {
  const unsigned width = value->getType()->getScalarSizeInBits();
  value = w.b.CreateShl(value, w.constant(value, width - bits * (number + 1)));
  Value *down = w.constant(value, width - bits);
  return isSigned ? w.b.CreateAShr(value, down) : w.b.CreateLShr(value, down);
}

// The sum of the products of elements, and of the third operand.
Value *dot(Wave &w, In in, unsigned bits, bool isSigned) {
  Value *sum = in[2];
  for (unsigned n = 0; n < 32 / bits; ++n)
    sum = w.b.CreateAdd(sum, w.b.CreateMul(element(w, in[0], bits, n, isSigned), element(w, in[1], bits, n, isSigned)));
  return sum;
}

// Averages of bytes, rounded up where the third operand's byte has its lowest bit set.
Value *averages(Wave &w, In in) {
  Value *result = w.vector(0);
  for (unsigned n = 0; n < 4; ++n) {
    Value *sum = w.b.CreateAdd(element(w, in[0], 8, n, false), element(w, in[1], 8, n, false));
    sum = w.b.CreateAdd(sum, w.b.CreateAnd(element(w, in[2], 8, n, false), w.vector(1)));
    result = w.b.CreateOr(result, w.b.CreateShl(w.b.CreateLShr(sum, w.vector(1)), w.vector(8 * n)));
  }
  return result;
}

Value *wideProduct(Wave &w, Value *a, Value *b, bool isSigned) {
  Type *type = w.vectorOf(w.i64);
  return isSigned ? w.b.CreateMul(w.b.CreateSExt(a, type), w.b.CreateSExt(b, type))
                  : w.b.CreateMul(w.b.CreateZExt(a, type), w.b.CreateZExt(b, type));
}
Value *highProduct(Wave &w, Value *a, Value *b, bool isSigned) { return w.highHalf(wideProduct(w, a, b, isSigned)); }

Value *least(Wave &w, Value *a, Value *b, bool isSigned) {
  return w.b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin, a, b);
}
Value *most(Wave &w, Value *a, Value *b, bool isSigned) {
  return w.b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smax : Intrinsic::umax, a, b);
}
Value *median(Wave &w, In in, bool isSigned) {
  Value *low = least(w, in[0], in[1], isSigned), *high = most(w, in[0], in[1], isSigned);
  return most(w, low, least(w, high, in[2], isSigned), isSigned);
}

Value *field(Wave &w, In in, bool isSigned) {
  Value *offset = w.b.CreateAnd(in[1], w.vector(31)), *size = w.b.CreateAnd(in[2], w.vector(31));
  Value *shifted = isSigned ? w.b.CreateAShr(in[0], offset) : w.b.CreateLShr(in[0], offset);
  Value *unused = w.b.CreateAnd(w.b.CreateSub(w.vector(32), size), w.vector(31));
  Value *up = w.b.CreateShl(shifted, unused);
  Value *result = isSigned ? w.b.CreateAShr(up, unused) : w.b.CreateLShr(up, unused);
  return w.b.CreateSelect(w.b.CreateICmpEQ(size, w.vector(0)), w.vector(0), result);
}

Value *firstBit(Wave &w, Value *value, Intrinsic::ID counting) {
  Value *at = w.b.CreateIntrinsic(counting, {value->getType()}, {value, w.b.getFalse()});
  return w.b.CreateSelect(w.b.CreateICmpEQ(value, w.vector(0)), w.vector(~0u), at);
}

// Each byte of the selector chooses one of the eight bytes of the operands, a sign, 0 or 255.
Value *permuteBytes(Wave &w, In in) {
  Value *bytes = w.wide(in[1], in[0]), *result = w.vector(0);
  for (unsigned byte = 0; byte < 4; ++byte) {
    Value *selector = w.b.CreateAnd(w.b.CreateLShr(in[2], w.vector(8 * byte)), w.vector(0xff));
    auto is = [&](uint32_t value) { return w.b.CreateICmpEQ(selector, w.vector(value)); };
    auto sign = [&](unsigned bit) {
      Value *top = w.b.CreateTrunc(w.b.CreateLShr(bytes, w.vector64(bit)), w.vectorOf(w.i1));
      return w.b.CreateSelect(top, w.vector(0xff), w.vector(0));
    };
    Value *shift = w.b.CreateZExt(w.b.CreateAnd(w.b.CreateShl(selector, w.vector(3)), w.vector(63)), w.vectorOf(w.i64));
    Value *chosen = w.b.CreateAnd(w.lowHalf(w.b.CreateLShr(bytes, shift)), w.vector(0xff));
    for (unsigned n = 0; n < 4; ++n)
      chosen = w.b.CreateSelect(is(8 + n), sign(16 * n + 15), chosen);
    chosen = w.b.CreateSelect(is(12), w.vector(0), chosen);
    chosen = w.b.CreateSelect(w.b.CreateICmpUGE(selector, w.vector(13)), w.vector(0xff), chosen);
    result = w.b.CreateOr(result, w.b.CreateShl(chosen, w.vector(8 * byte)));
  }
  return result;
}

// Where the second operand's byte is 0, the difference does not count.
Value *maskedDifferences(Wave &w, In in) {
  Value *sum = in[2];
  for (unsigned n = 0; n < 4; ++n) {
    Value *a = element(w, in[0], 8, n, false), *b = element(w, in[1], 8, n, false);
    Value *difference = w.b.CreateSub(most(w, a, b, false), least(w, a, b, false));
    sum = w.b.CreateAdd(sum, w.b.CreateSelect(w.b.CreateICmpEQ(b, w.constant(b, 0)), w.constant(b, 0), difference));
  }
  return sum;
}

// Two numbers in the range of 16 bits, in one register.
Value *packedSaturated(Wave &w, In in, bool isSigned) {
  auto bring = [&](Value *value) {
    if (isSigned)
      value = most(w, value, w.vector(static_cast<uint32_t>(-0x8000)), true);
    return w.b.CreateAnd(least(w, value, w.vector(isSigned ? 0x7fff : 0xffff), isSigned), w.vector(0xffff));
  };
  return w.b.CreateOr(bring(in[0]), w.b.CreateShl(bring(in[1]), w.vector(16)));
}

Value *sumOfDifferences(Wave &w, In in, unsigned bits) {
  Value *sum = in[2];
  const uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  for (unsigned at = 0; at < 32; at += bits) {
    auto part = [&](Value *of) { return w.b.CreateAnd(w.b.CreateLShr(of, w.constant(of, at)), w.constant(of, mask)); };
    Value *a = part(in[0]), *b = part(in[1]);
    sum = w.b.CreateAdd(sum, w.b.CreateSub(most(w, a, b, false), least(w, a, b, false)));
  }
  return sum;
}

// clang-format off
constexpr ValueRow kIntegerRows[] = {
    {"v_mov_b32", "32=32", [](Wave &, In in) { return in[0]; }},
    {"v_not_b32", "32=32", [](Wave &w, In in) { return w.b.CreateNot(in[0]); }},
    {"v_bfrev_b32", "32=32", [](Wave &w, In in) { return intrinsicCall(w, Intrinsic::bitreverse, {in[0]}); }},
    {"v_ffbl_b32", "32=32", [](Wave &w, In in) { return firstBit(w, in[0], Intrinsic::cttz); }},
    {"v_ffbh_u32", "32=32", [](Wave &w, In in) { return firstBit(w, in[0], Intrinsic::ctlz); }},
    {"v_ffbh_i32", "32=32", [](Wave &w, In in) { return firstBit(w, w.b.CreateXor(in[0], w.b.CreateAShr(in[0], w.vector(31))), Intrinsic::ctlz); }},
    {"v_cndmask_b32", "32=32,32,m", [](Wave &w, In in) { return w.b.CreateSelect(in[2], in[1], in[0]); }},
    {"v_add_nc_u32", "u32=u32,u32", [](Wave &w, In in) { return w.b.CreateAdd(in[0], in[1]); }},
    {"v_sub_nc_u32", "u32=u32,u32", [](Wave &w, In in) { return w.b.CreateSub(in[0], in[1]); }},
    {"v_subrev_nc_u32", "u32=u32,u32", [](Wave &w, In in) { return w.b.CreateSub(in[1], in[0]); }},
    {"v_add_nc_i32", "i32=i32,i32", [](Wave &w, In in) { return w.b.CreateAdd(in[0], in[1]); }},
    {"v_sub_nc_i32", "i32=i32,i32", [](Wave &w, In in) { return w.b.CreateSub(in[0], in[1]); }},
    {"v_and_b32", "32=32,32", [](Wave &w, In in) { return w.b.CreateAnd(in[0], in[1]); }},
    {"v_or_b32", "32=32,32", [](Wave &w, In in) { return w.b.CreateOr(in[0], in[1]); }},
    {"v_xor_b32", "32=32,32", [](Wave &w, In in) { return w.b.CreateXor(in[0], in[1]); }},
    {"v_xnor_b32", "32=32,32", [](Wave &w, In in) { return w.b.CreateNot(w.b.CreateXor(in[0], in[1])); }},
    {"v_lshlrev_b32", "32=32,32", [](Wave &w, In in) { return shl(w, in[1], in[0]); }},
    {"v_lshrrev_b32", "32=32,32", [](Wave &w, In in) { return lshr(w, in[1], in[0]); }},
    {"v_ashrrev_i32", "32=32,32", [](Wave &w, In in) { return ashr(w, in[1], in[0]); }},
    {"v_lshlrev_b64", "64=32,64", [](Wave &w, In in) { return shl(w, in[1], in[0]); }},
    {"v_lshrrev_b64", "64=32,64", [](Wave &w, In in) { return lshr(w, in[1], in[0]); }},
    {"v_ashrrev_i64", "64=32,64", [](Wave &w, In in) { return ashr(w, in[1], in[0]); }},
    {"v_min_i32", "32=32,32", [](Wave &w, In in) { return least(w, in[0], in[1], true); }},
    {"v_max_i32", "32=32,32", [](Wave &w, In in) { return most(w, in[0], in[1], true); }},
    {"v_min_u32", "32=32,32", [](Wave &w, In in) { return least(w, in[0], in[1], false); }},
    {"v_max_u32", "32=32,32", [](Wave &w, In in) { return most(w, in[0], in[1], false); }},
    {"v_min3_i32", "32=32,32,32", [](Wave &w, In in) { return least(w, least(w, in[0], in[1], true), in[2], true); }},
    {"v_max3_i32", "32=32,32,32", [](Wave &w, In in) { return most(w, most(w, in[0], in[1], true), in[2], true); }},
    {"v_med3_i32", "32=32,32,32", [](Wave &w, In in) { return median(w, in, true); }},
    {"v_min3_u32", "32=32,32,32", [](Wave &w, In in) { return least(w, least(w, in[0], in[1], false), in[2], false); }},
    {"v_max3_u32", "32=32,32,32", [](Wave &w, In in) { return most(w, most(w, in[0], in[1], false), in[2], false); }},
    {"v_med3_u32", "32=32,32,32", [](Wave &w, In in) { return median(w, in, false); }},
    {"v_mul_lo_u32", "32=32,32", [](Wave &w, In in) { return w.b.CreateMul(in[0], in[1]); }},
    {"v_mul_hi_u32", "32=32,32", [](Wave &w, In in) { return highProduct(w, in[0], in[1], false); }},
    {"v_mul_hi_i32", "32=32,32", [](Wave &w, In in) { return highProduct(w, in[0], in[1], true); }},
    {"v_mul_u32_u24", "32=32,32", [](Wave &w, In in) { return mul24(w, in, false); }},
    {"v_mul_i32_i24", "32=32,32", [](Wave &w, In in) { return mul24(w, in, true); }},
    {"v_mul_hi_u32_u24", "32=32,32", [](Wave &w, In in) { return highProduct(w, low24(w, in[0], false), low24(w, in[1], false), false); }},
    {"v_mul_hi_i32_i24", "32=32,32", [](Wave &w, In in) { return highProduct(w, low24(w, in[0], true), low24(w, in[1], true), true); }},
    {"v_mad_u32_u24", "u32=u32,u32,u32", [](Wave &w, In in) { return w.b.CreateAdd(mul24(w, in, false), in[2]); }},
    {"v_mad_i32_i24", "i32=i32,i32,i32", [](Wave &w, In in) { return w.b.CreateAdd(mul24(w, in, true), in[2]); }},
    {"v_bfe_u32", "32=32,32,32", [](Wave &w, In in) { return field(w, in, false); }},
    {"v_bfe_i32", "32=32,32,32", [](Wave &w, In in) { return field(w, in, true); }},
    {"v_bfi_b32", "32=32,32,32", [](Wave &w, In in) { return w.b.CreateOr(w.b.CreateAnd(in[0], in[1]), w.b.CreateAnd(w.b.CreateNot(in[0]), in[2])); }},
    {"v_bfm_b32", "32=32,32", [](Wave &w, In in) { return shl(w, w.b.CreateSub(shl(w, w.vector(1), in[0]), w.vector(1)), in[1]); }},
    {"v_bcnt_u32_b32", "32=32,32", [](Wave &w, In in) { return w.b.CreateAdd(intrinsicCall(w, Intrinsic::ctpop, {in[0]}), in[1]); }},
    {"v_alignbit_b32", "32=32,32,32", [](Wave &w, In in) { return funnel(w, Intrinsic::fshr, in[0], in[1], in[2]); }},
    {"v_add3_u32", "32=32,32,32", [](Wave &w, In in) { return w.b.CreateAdd(w.b.CreateAdd(in[0], in[1]), in[2]); }},
    {"v_xor3_b32", "32=32,32,32", [](Wave &w, In in) { return w.b.CreateXor(w.b.CreateXor(in[0], in[1]), in[2]); }},
    {"v_or3_b32", "32=32,32,32", [](Wave &w, In in) { return w.b.CreateOr(w.b.CreateOr(in[0], in[1]), in[2]); }},
    {"v_and_or_b32", "32=32,32,32", [](Wave &w, In in) { return w.b.CreateOr(w.b.CreateAnd(in[0], in[1]), in[2]); }},
    {"v_lshl_or_b32", "32=32,32,32", [](Wave &w, In in) { return w.b.CreateOr(shl(w, in[0], in[1]), in[2]); }},
    {"v_lshl_add_u32", "32=32,32,32", [](Wave &w, In in) { return w.b.CreateAdd(shl(w, in[0], in[1]), in[2]); }},
    {"v_add_lshl_u32", "32=32,32,32", [](Wave &w, In in) { return shl(w, w.b.CreateAdd(in[0], in[1]), in[2]); }},
    {"v_xad_u32", "32=32,32,32", [](Wave &w, In in) { return w.b.CreateAdd(w.b.CreateXor(in[0], in[1]), in[2]); }},
    {"v_perm_b32", "32=32,32,32", [](Wave &w, In in) { return permuteBytes(w, in); }},
    {"v_mad_u32_u16", "u32=u16,u16,u32", [](Wave &w, In in) { return w.b.CreateAdd(mul16(w, in, false), in[2]); }},
    {"v_mad_i32_i16", "i32=i16,i16,i32", [](Wave &w, In in) { return w.b.CreateAdd(mul16(w, in, true), in[2]); }},
    {"v_dot2_i32_i16", "i32=i32,i32,i32", [](Wave &w, In in) { return dot(w, in, 16, true); }},
    {"v_dot2_u32_u16", "u32=u32,u32,u32", [](Wave &w, In in) { return dot(w, in, 16, false); }},
    {"v_dot4_i32_i8", "i32=i32,i32,i32", [](Wave &w, In in) { return dot(w, in, 8, true); }},
    {"v_dot4_u32_u8", "u32=u32,u32,u32", [](Wave &w, In in) { return dot(w, in, 8, false); }},
    {"v_dot4c_i32_i8", "i32=i32,i32,di32", [](Wave &w, In in) { return dot(w, in, 8, true); }},
    {"v_dot8_i32_i4", "i32=i32,i32,i32", [](Wave &w, In in) { return dot(w, in, 4, true); }},
    {"v_dot8_u32_u4", "u32=u32,u32,u32", [](Wave &w, In in) { return dot(w, in, 4, false); }},
    {"v_alignbyte_b32", "32=32,32,32", [](Wave &w, In in) { return funnel(w, Intrinsic::fshr, in[0], in[1], w.b.CreateShl(w.b.CreateAnd(in[2], w.vector(3)), w.vector(3))); }},
    {"v_lerp_u8", "32=32,32,32", [](Wave &w, In in) { return averages(w, in); }},
    {"v_msad_u8", "u32=u32,u32,u32", [](Wave &w, In in) { return maskedDifferences(w, in); }},
    {"v_sad_hi_u8", "u32=u32,u32,u32", [](Wave &w, In in) { Value *const zero[] = {in[0], in[1], w.constant(in[0], 0)}; return w.b.CreateAdd(w.b.CreateShl(sumOfDifferences(w, zero, 8), w.constant(in[0], 16)), in[2]); }},
    {"v_cvt_pk_u16_u32", "32=32,32", [](Wave &w, In in) { return packedSaturated(w, in, false); }},
    {"v_cvt_pk_i16_i32", "32=32,32", [](Wave &w, In in) { return packedSaturated(w, in, true); }},
    {"v_sat_pk_u8_i16", "32=32", [](Wave &w, In in) {
       auto byte = [&](unsigned n) { return least(w, most(w, element(w, in[0], 16, n, true), w.vector(0), true), w.vector(255), true); };
       return w.b.CreateOr(byte(0), w.b.CreateShl(byte(1), w.vector(8))); }},
    {"v_sad_u8", "u32=u32,u32,u32", [](Wave &w, In in) { return sumOfDifferences(w, in, 8); }},
    {"v_sad_u16", "u32=u32,u32,u32", [](Wave &w, In in) { return sumOfDifferences(w, in, 16); }},
    {"v_sad_u32", "u32=u32,u32,u32", [](Wave &w, In in) { return sumOfDifferences(w, in, 32); }},
};
// clang-format on

} // namespace

ArrayRef<ValueRow> integerRows() { return kIntegerRows; }

} // namespace hiplz::amdgcn
