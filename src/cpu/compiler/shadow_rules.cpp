// SPDX-License-Identifier: MIT
// See shadow_rules.h.
#include "cpu/compiler/shadow_rules.h"
#include "cpu/vectorizer/check_calls.h"

#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <utility>

using namespace llvm;

namespace hiplz::cpu {
namespace {

bool getConstant(const Value *value, const APInt *&number) {
  auto *constant = dyn_cast<Constant>(value);
  auto *scalar = constant && constant->getType()->isVectorTy() ? constant->getSplatValue() : constant;
  auto *integer = dyn_cast_or_null<ConstantInt>(scalar);
  number = integer ? &integer->getValue() : nullptr;
  return number;
}

// True if both are one value, which code that was compiled without optimisation has loaded twice.
bool isSame(const Value *left, const Value *right) {
  if (left == right)
    return true;
  auto *first = dyn_cast<LoadInst>(left), *second = dyn_cast<LoadInst>(right);
  if (!first || !second || first->getParent() != second->getParent() || !first->isSimple() || !second->isSimple() ||
      first->getPointerOperand() != second->getPointerOperand() || first->getType() != second->getType())
    return false;
  if (second->comesBefore(first))
    std::swap(first, second);
  for (const Instruction *at = first; at != second; at = at->getNextNode())
    if (auto *call = dyn_cast<CallBase>(at); at->mayWriteToMemory() && !(call && isAnyCheck(*call)))
      return false;
  return true;
}

} // namespace

Value *ShadowRules::compute(Instruction &instruction) {
  Type *type = shadowType(instruction.getType());
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
    return ofBinary(*binary);
  if (auto *cast = dyn_cast<CastInst>(&instruction))
    return ofCast(*cast, type);
  if (auto *compare = dyn_cast<ICmpInst>(&instruction);
      compare && compare->getOperand(0)->getType()->isIntOrIntVectorTy())
    return ofCompare(*compare);
  if (isa<CmpInst>(instruction))
    return s_.spread(s_.b.CreateOr(s_.shadowOf(instruction.getOperand(0)), s_.shadowOf(instruction.getOperand(1))),
                     type);
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    return ofSelect(*select);
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return ofAddress(*address, type);
  if (isa<UnaryOperator>(instruction))
    return s_.shadowOf(instruction.getOperand(0));
  if (isa<ExtractElementInst>(instruction))
    return s_.b.CreateExtractElement(s_.shadowOf(instruction.getOperand(0)), instruction.getOperand(1));
  if (isa<InsertElementInst>(instruction))
    return s_.b.CreateInsertElement(s_.shadowOf(instruction.getOperand(0)), s_.shadowOf(instruction.getOperand(1)),
                                    instruction.getOperand(2));
  if (auto *extract = dyn_cast<ExtractValueInst>(&instruction))
    return s_.b.CreateExtractValue(s_.shadowOf(extract->getAggregateOperand()), extract->getIndices());
  if (auto *insert = dyn_cast<InsertValueInst>(&instruction))
    return s_.b.CreateInsertValue(s_.shadowOf(insert->getAggregateOperand()),
                                  s_.shadowOf(insert->getInsertedValueOperand()), insert->getIndices());
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
    return ofShuffle(*shuffle);
  return nullptr;
}

Value *ShadowRules::ofBinary(BinaryOperator &operation) {
  Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  Value *a = s_.shadowOf(left), *b = s_.shadowOf(right);
  Type *type = a->getType();
  Value *both = s_.b.CreateOr(a, b);
  switch (operation.getOpcode()) {
  case Instruction::Xor:
  case Instruction::Sub: return isSame(left, right) ? Constant::getNullValue(type) : both;
  case Instruction::And:
    return s_.b.CreateOr(s_.b.CreateAnd(a, b), s_.b.CreateOr(s_.b.CreateAnd(left, b), s_.b.CreateAnd(a, right)));
  case Instruction::Or:
    return s_.b.CreateOr(s_.b.CreateAnd(a, b), s_.b.CreateOr(s_.b.CreateAnd(s_.b.CreateNot(left), b),
                                                             s_.b.CreateAnd(a, s_.b.CreateNot(right))));
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr: {
    Value *amount = right;
    if (!isa<Constant>(right)) // what is too large is undefined, not uninitialized
      amount = s_.b.CreateAnd(right, ConstantInt::get(type, PowerOf2Ceil(type->getScalarSizeInBits()) - 1));
    Value *shifted = s_.b.CreateBinOp(operation.getOpcode(), a, amount);
    return isZero(b) ? shifted : s_.b.CreateOr(shifted, s_.spread(b, type));
  }
  case Instruction::Mul: return ofProduct(left, right, a, b);
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem: return s_.spread(both, type);
  default: return both;
  }
}

// Bits from the lowest uninitialized one on, unless one factor is zero.
Value *ShadowRules::ofProduct(Value *left, Value *right, Value *a, Value *b) {
  Value *both = s_.b.CreateOr(a, b);
  const APInt *factor = nullptr;
  if (isZero(b) && getConstant(right, factor) && factor->isPowerOf2())
    return s_.b.CreateShl(a, ConstantInt::get(a->getType(), factor->logBase2()));
  Value *result = s_.b.CreateOr(both, s_.b.CreateNeg(both)), *zero = Constant::getNullValue(both->getType());
  auto exceptZero = [&](Value *value, Value *shadow) {
    if (!isa<Constant>(value))
      result = s_.b.CreateSelect(s_.b.CreateICmpEQ(s_.b.CreateOr(value, shadow), zero), zero, result);
  };
  if (left->getType()->isIntegerTy()) {
    exceptZero(left, a);
    exceptZero(right, b);
  }
  return result;
}

Value *ShadowRules::ofCast(CastInst &cast, Type *type) {
  Value *from = s_.shadowOf(cast.getOperand(0));
  switch (cast.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::BitCast: return s_.b.CreateCast(cast.getOpcode(), from, type);
  case Instruction::PtrToInt:
  case Instruction::IntToPtr: return s_.b.CreateZExtOrTrunc(from, type);
  case Instruction::AddrSpaceCast: return from;
  default: return s_.spread(from, type);
  }
}

// The result is known if it is the same for the least and the largest values that the operands may have. These are computed only where
// bits are uninitialized.
Value *ShadowRules::ofCompare(ICmpInst &compare) {
  Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  Value *a = s_.shadowOf(left), *b = s_.shadowOf(right);
  Value *zero = Constant::getNullValue(a->getType());
  if (isSame(left, right))
    return Constant::getNullValue(shadowType(compare.getType()));
  if (compare.isEquality()) {
    Value *both = s_.b.CreateOr(a, b);
    Value *different = s_.b.CreateAnd(s_.b.CreateXor(left, right), s_.b.CreateNot(both));
    return s_.b.CreateAnd(s_.b.CreateICmpNE(both, zero), s_.b.CreateICmpEQ(different, zero));
  }
  Value *suspect = s_.any(s_.b.CreateOr(a, b)), *none = Constant::getNullValue(shadowType(compare.getType()));
  if (isZero(suspect))
    return none;
  Instruction *next = &*s_.b.GetInsertPoint();
  Instruction *then = SplitBlockAndInsertIfThen(suspect, next, false, s_.unlikely());
  s_.b.SetInsertPoint(then);
  Value *bits = ofOrder(compare, a, b);
  s_.b.SetInsertPoint(next);
  PHINode *result = s_.b.CreatePHI(none->getType(), 2);
  result->addIncoming(none, then->getParent()->getSinglePredecessor());
  result->addIncoming(bits, then->getParent());
  return result;
}

Value *ShadowRules::ofOrder(const ICmpInst &compare, Value *a, Value *b) {
  Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  const bool isSigned = compare.isSigned();
  const unsigned bits = a->getType()->getScalarSizeInBits();
  Value *sign = ConstantInt::get(a->getType(), isSigned ? APInt::getSignMask(bits) : APInt::getZero(bits));
  auto bound = [&](Value *value, Value *shadow, bool largest) {
    if (isZero(shadow))
      return value;
    Value *known = s_.b.CreateAnd(value, s_.b.CreateNot(shadow));
    return s_.b.CreateOr(known, s_.b.CreateAnd(shadow, largest ? s_.b.CreateNot(sign) : sign));
  };
  Value *one = s_.b.CreateICmp(compare.getPredicate(), bound(left, a, false), bound(right, b, true));
  Value *other = s_.b.CreateICmp(compare.getPredicate(), bound(left, a, true), bound(right, b, false));
  return s_.b.CreateXor(one, other);
}

Value *ShadowRules::ofSelect(SelectInst &select) {
  Value *yes = select.getTrueValue(), *no = select.getFalseValue();
  Value *condition = s_.shadowOf(select.getCondition());
  Value *a = s_.shadowOf(yes), *b = s_.shadowOf(no);
  Value *chosen = s_.b.CreateSelect(select.getCondition(), a, b);
  if (isZero(condition) || yes == no)
    return chosen;
  Value *different = Constant::getAllOnesValue(a->getType());
  if (yes->getType()->isIntOrIntVectorTy() || yes->getType()->isFPOrFPVectorTy())
    different = s_.b.CreateOr(s_.b.CreateXor(asInteger(yes), asInteger(no)), s_.b.CreateOr(a, b));
  return s_.b.CreateSelect(condition, different, chosen);
}

Value *ShadowRules::ofAddress(GetElementPtrInst &address, Type *type) {
  if (!type->isIntegerTy())
    return Constant::getNullValue(type);
  Value *all = s_.shadowOf(address.getPointerOperand());
  for (Value *index : address.indices())
    if (Value *shadow = s_.shadowOf(index); !isZero(shadow))
      all = s_.b.CreateOr(all, s_.b.CreateSExtOrTrunc(shadow, type));
  return all;
}

Value *ShadowRules::ofShuffle(ShuffleVectorInst &shuffle) {
  SmallVector<int, 16> order(shuffle.getShuffleMask().begin(), shuffle.getShuffleMask().end());
  SmallVector<Constant *, 16> kept;
  bool all = true;
  Type *element = cast<VectorType>(shadowType(shuffle.getType()))->getElementType();
  for (int &from : order) {
    kept.push_back(from < 0 ? Constant::getNullValue(element) : Constant::getAllOnesValue(element));
    all = all && from >= 0;
    from = std::max(from, 0);
  }
  Value *shuffled =
      s_.b.CreateShuffleVector(s_.shadowOf(shuffle.getOperand(0)), s_.shadowOf(shuffle.getOperand(1)), order);
  return all ? shuffled : s_.b.CreateAnd(shuffled, ConstantVector::get(kept));
}

Value *ShadowRules::asInteger(Value *value) {
  Type *type = shadowType(value->getType());
  return value->getType() == type ? value : s_.b.CreateBitCast(value, type);
}

} // namespace hiplz::cpu
