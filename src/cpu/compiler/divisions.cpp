// SPDX-License-Identifier: MIT
#include "cpu/compiler/divisions.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

bool isSigned(const BinaryOperator &division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

bool isSafe(const BinaryOperator &division, const Constant *number) {
  auto *divisor = dyn_cast_or_null<ConstantInt>(number);
  return divisor && !divisor->isZero() && !(isSigned(division) && divisor->isMinusOne());
}

bool hasSafeDivisor(const BinaryOperator &division) {
  auto *divisor = dyn_cast<Constant>(division.getOperand(1));
  auto *type = dyn_cast<FixedVectorType>(division.getType());
  if (!divisor || !type)
    return isSafe(division, divisor);
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    if (!isSafe(division, divisor->getAggregateElement(i)))
      return false;
  return true;
}

// x / -1 is 0 - x, and its remainder that of x / 1.
Value *wrapped(IRBuilder<> &b, const BinaryOperator &division, Value *left, Value *right) {
  const auto opcode = division.getOpcode();
  if (!isSigned(division))
    return b.CreateBinOp(opcode, left, right);
  Value *isMinusOne = b.CreateICmpEQ(right, Constant::getAllOnesValue(right->getType()));
  right = b.CreateSelect(isMinusOne, ConstantInt::get(right->getType(), 1), right);
  Value *result = b.CreateBinOp(opcode, left, right);
  return opcode == Instruction::SDiv ? b.CreateSelect(isMinusOne, b.CreateNeg(left), result) : result;
}

} // namespace

void wrapDivisions(Module &module) {
  SmallVector<BinaryOperator *, 16> divisions;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *operation = dyn_cast<BinaryOperator>(&instruction);
          operation && operation->isIntDivRem() && !hasSafeDivisor(*operation) &&
          (isSigned(*operation) || operation->getType()->isVectorTy()))
        divisions.push_back(operation);
  for (BinaryOperator *division : divisions) {
    IRBuilder<> b(division);
    Value *left = division->getOperand(0), *right = division->getOperand(1), *result = nullptr;
    if (auto *type = dyn_cast<FixedVectorType>(division->getType())) {
      result = PoisonValue::get(type);
      for (unsigned i = 0; i < type->getNumElements(); ++i)
        result = b.CreateInsertElement(
            result, wrapped(b, *division, b.CreateExtractElement(left, i), b.CreateExtractElement(right, i)), i);
    } else {
      result = wrapped(b, *division, left, right);
    }
    result->takeName(division);
    division->replaceAllUsesWith(result);
    division->eraseFromParent();
  }
}

} // namespace hiplz::cpu
