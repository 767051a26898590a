// SPDX-License-Identifier: MIT
// Vector operations with carries and wide products, and the comparisons.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/operations.h"
#include "base/llvm_compat.h"

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

Value *bitOf(Wave &w, Value *mask) { return w.b.CreateZExt(mask, w.vectorOf(w.i32)); }

/// The result after clamp.
Value *clamped(Wave &w, I i, Value *result, Value *isOut, Value *limit) {
  return i.has("clamp") ? w.b.CreateSelect(isOut, limit, result) : result;
}

// D = S0 + S1 (+ carry); the carry goes to a mask.
void add(Wave &w, I i, bool takesCarry) {
  Value *a = w.readVector(2, 32), *b = w.readVector(3, 32);
  Value *sum = w.b.CreateAdd(a, b), *carry = w.b.CreateICmpULT(sum, a);
  if (takesCarry) {
    Value *in = bitOf(w, w.toMask(w.readMask(i.operands[4])));
    Value *more = w.b.CreateAdd(sum, in);
    carry = w.b.CreateOr(carry, w.b.CreateICmpULT(more, sum));
    sum = more;
  }
  w.writeVector(0, clamped(w, i, sum, carry, w.vector(~0u)));
  w.writeMask(i.operands[1], carry);
}

void subtract(Wave &w, I i, bool takesBorrow, bool isReversed) {
  Value *a = w.readVector(2, 32), *b = w.readVector(3, 32);
  if (isReversed)
    std::swap(a, b);
  Value *difference = w.b.CreateSub(a, b), *borrow = w.b.CreateICmpULT(a, b);
  if (takesBorrow) {
    Value *in = bitOf(w, w.toMask(w.readMask(i.operands[4])));
    Value *less = w.b.CreateSub(difference, in);
    borrow = w.b.CreateOr(borrow, w.b.CreateICmpULT(difference, in));
    difference = less;
  }
  w.writeVector(0, clamped(w, i, difference, borrow, w.vector(0)));
  w.writeMask(i.operands[1], borrow);
}

void wideMultiplyAdd(Wave &w, I i, bool isSigned) {
  Type *type = w.vectorOf(w.i64);
  Value *a = w.readVector(2, 32), *b = w.readVector(3, 32), *c = w.readVector(4, 64);
  a = isSigned ? w.b.CreateSExt(a, type) : w.b.CreateZExt(a, type);
  b = isSigned ? w.b.CreateSExt(b, type) : w.b.CreateZExt(b, type);
  Value *product = w.b.CreateMul(a, b), *sum = w.b.CreateAdd(product, c);
  Value *carry = w.b.CreateICmpULT(sum, product), *isOut = carry, *limit = w.vector64(~uint64_t{0});
  if (isSigned) { // bit 64 of the sum of two numbers that are extended by their signs
    auto sign = [&](Value *value) { return w.b.CreateICmpSLT(value, w.vector64(0)); };
    carry = w.b.CreateXor(w.b.CreateXor(sign(product), sign(c)), carry);
    isOut = w.b.CreateXor(carry, sign(sum));
    limit = w.b.CreateSelect(carry, w.vector64(uint64_t{1} << 63), w.vector64(~uint64_t{0} >> 1));
  }
  w.writeVector(0, clamped(w, i, sum, isOut, limit));
  w.writeMask(i.operands[1], carry);
}

void swapRegisters(Wave &w, I i) {
  Value *a = w.vectorRegister(i.operands[0].index), *b = w.vectorRegister(i.operands[1].index);
  w.setVectorRegister(i.operands[0].index, b);
  w.setVectorRegister(i.operands[1].index, a);
}

// Each bit of the set stands for a class of numbers.
Value *classOf(Wave &w, Value *bits, Value *set) {
  const unsigned width = bits->getType()->getScalarSizeInBits();
  const unsigned mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
  const uint64_t sign = uint64_t{1} << (width - 1), exponents = sign - (uint64_t{1} << mantissa);
  auto c = [&](uint64_t value) { return w.constant(bits, value); };
  auto &b = w.b;
  Value *size = b.CreateAnd(bits, c(sign - 1)), *isNegative = b.CreateICmpNE(b.CreateAnd(bits, c(sign)), c(0));
  Value *isNan = b.CreateICmpUGT(size, c(exponents)), *isInfinite = b.CreateICmpEQ(size, c(exponents));
  Value *isQuiet = b.CreateICmpNE(b.CreateAnd(bits, c(uint64_t{1} << (mantissa - 1))), c(0));
  Value *isZero = b.CreateICmpEQ(size, c(0)), *isDenormal = b.CreateICmpULT(size, c(uint64_t{1} << mantissa));
  // Numbers of the classes: signaling and quiet NaN, then from -infinity up to +infinity.
  auto pick = [&](Value *condition, Value *yes, Value *no) { return b.CreateSelect(condition, yes, no); };
  auto pair = [&](unsigned negative, unsigned positive) {
    return pick(isNegative, w.vector(1u << negative), w.vector(1u << positive));
  };
  Value *which = pair(3, 8);
  which = pick(isDenormal, pair(4, 7), which);
  which = pick(isZero, pair(5, 6), which);
  which = pick(isInfinite, pair(2, 9), which);
  which = pick(isNan, pick(isQuiet, w.vector(2), w.vector(1)), which);
  return b.CreateICmpNE(b.CreateAnd(which, set), w.vector(0));
}

struct Condition {
  const char *name;
  CmpInst::Predicate isSigned, isUnsigned, isFloat;
};
constexpr Condition kConditions[] = {
    {"lt", CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::FCMP_OLT},
    {"eq", CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_OEQ},
    {"le", CmpInst::ICMP_SLE, CmpInst::ICMP_ULE, CmpInst::FCMP_OLE},
    {"gt", CmpInst::ICMP_SGT, CmpInst::ICMP_UGT, CmpInst::FCMP_OGT},
    {"ge", CmpInst::ICMP_SGE, CmpInst::ICMP_UGE, CmpInst::FCMP_OGE},
    {"ne", CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::BAD_FCMP_PREDICATE},
    {"lg", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_ONE},
    {"o", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_ORD},
    {"u", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UNO},
    {"nge", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_ULT},
    {"nlg", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UEQ},
    {"ngt", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_ULE},
    {"nle", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UGT},
    {"neq", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UNE},
    {"nlt", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UGE},
    {"f", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_FALSE},
    {"t", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_TRUE},
    {"tru", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_TRUE},
};

// clang-format off
constexpr ActionRow kVectorActions[] = {
    {"v_add_co_u32", [](Wave &w, I i) { add(w, i, false); }},
    {"v_add_co_ci_u32", [](Wave &w, I i) { add(w, i, true); }},
    {"v_sub_co_u32", [](Wave &w, I i) { subtract(w, i, false, false); }},
    {"v_subrev_co_u32", [](Wave &w, I i) { subtract(w, i, false, true); }},
    {"v_sub_co_ci_u32", [](Wave &w, I i) { subtract(w, i, true, false); }},
    {"v_subrev_co_ci_u32", [](Wave &w, I i) { subtract(w, i, true, true); }},
    {"v_mad_u64_u32", [](Wave &w, I i) { wideMultiplyAdd(w, i, false); }},
    {"v_mad_i64_i32", [](Wave &w, I i) { wideMultiplyAdd(w, i, true); }},
    {"v_swap_b32", swapRegisters},
};
// clang-format on

} // namespace

ArrayRef<ActionRow> vectorActions() { return kVectorActions; }

bool emitComparison(Wave &w, const Instruction &i) {
  StringRef name = i.name;
  if (!name.consume_front("v_cmp"))
    return false;
  const bool writesExec = name.consume_front("x");
  auto [condition, type] = name.drop_front().split('_');
  unsigned width = 0;
  if (type.empty() || type.drop_front().getAsInteger(10, width))
    return false;
  const unsigned first = writesExec ? 0 : 1;
  if (i.encoding == Encoding::dpp &&
      (!i.has("bound_ctrl") || i.number("row_mask", 15) != 15 || i.number("bank_mask", 15) != 15))
    w.refuse("the bits of lanes that it does not write are not known");
  const bool isFloat = type[0] == 'f';
  Value *result = nullptr;
  if (i.operands.size() < first + 2)
    w.refuse("it has fewer operands than expected");
  Value *a = w.readVector(first, width, isFloat);
  if (condition == "class") {
    Value *set = w.readVector(first + 1, width == 16 ? 16 : 32);
    result = classOf(w, a, w.b.CreateZExt(set, w.vectorOf(w.i32)));
  } else {
    Value *b = w.readVector(first + 1, width, isFloat);
    if (!isFloat && (condition == "f" || condition == "t"))
      result = ConstantInt::getBool(w.vectorOf(w.i1), condition == "t");
    for (const Condition &known : kConditions) {
      if (result || condition != known.name)
        continue;
      if (isFloat && known.isFloat != CmpInst::BAD_FCMP_PREDICATE)
        result = w.b.CreateFCmp(known.isFloat, floatOf(w, a), floatOf(w, b));
      else if (!isFloat && known.isSigned != CmpInst::BAD_ICMP_PREDICATE)
        result = w.b.CreateICmp(type[0] == 'i' ? known.isSigned : known.isUnsigned, a, b);
    }
    if (!result)
      return false;
  }
  if (!writesExec) {
    w.writeMask(i.operands[0], result);
    return true;
  }
  w.setScalarRegister(kExec, w.toBits(w.b.CreateAnd(result, w.lanes())));
  return true;
}

} // namespace hiplz::amdgcn
