// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/lane_divisions.h"
#include "cpu/vectorizer/passes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr const char *kPrefix = "hiplz.lanes.";
constexpr Instruction::BinaryOps kOperations[] = {Instruction::UDiv, Instruction::SDiv, Instruction::URem,
                                                  Instruction::SRem};

bool isSigned(Instruction::BinaryOps operation) {
  return operation == Instruction::SDiv || operation == Instruction::SRem;
}

std::optional<Instruction::BinaryOps> operationOf(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  if (!name.consume_front(kPrefix))
    return std::nullopt;
  for (auto operation : kOperations)
    if (name.split('.').first == Instruction::getOpcodeName(operation))
      return operation;
  return std::nullopt;
}

// The divisors if they are numbers, with ones for those that no lane may divide by. Null if they are not.
Constant *safeConstant(Value *divisors, bool &anyMinusOne) {
  auto *constant = dyn_cast<Constant>(divisors);
  if (!constant)
    return nullptr;
  auto *type = cast<FixedVectorType>(divisors->getType());
  SmallVector<Constant *, 32> lanes;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    Constant *element = constant->getAggregateElement(lane);
    if (element && isa<UndefValue>(element))
      element = ConstantInt::get(type->getElementType(), 1);
    auto *number = dyn_cast_or_null<ConstantInt>(element);
    if (!number)
      return nullptr;
    anyMinusOne = anyMinusOne || number->isMinusOne();
    lanes.push_back(number->isZero() ? ConstantInt::get(type->getElementType(), 1) : number);
  }
  return ConstantVector::get(lanes);
}

Value *expand(IRBuilder<> &b, Instruction::BinaryOps operation, Value *left, Value *right, Value *mask) {
  auto *type = cast<FixedVectorType>(left->getType());
  Type *element = type->getElementType();
  auto inMask = [&](Value *value, uint64_t otherwise) {
    auto *constant = dyn_cast<Constant>(mask);
    return constant && constant->isAllOnesValue() ? value
                                                  : b.CreateSelect(mask, value, ConstantInt::get(type, otherwise));
  };
  bool anyMinusOne = false;
  if (Constant *divisors = safeConstant(right, anyMinusOne))
    return b.CreateBinOp(operation, isSigned(operation) && anyMinusOne ? inMask(left, 0) : left, divisors);
  right = inMask(right, 1);
  // The processor divides words faster than what is shorter.
  constexpr unsigned kWordBits = 32;
  Type *word = element->getIntegerBitWidth() < kWordBits ? b.getInt32Ty() : element;
  Value *result = PoisonValue::get(type);
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    auto operand = [&](Value *vector) {
      return b.CreateIntCast(b.CreateExtractElement(vector, lane), word, isSigned(operation));
    };
    Value *quotient = b.CreateBinOp(operation, operand(left), operand(right));
    result = b.CreateInsertElement(result, b.CreateTrunc(quotient, element), lane);
  }
  return result;
}

} // namespace

Value *divideLanes(IRBuilder<> &builder, Instruction::BinaryOps operation, Value *left, Value *right, Value *mask) {
  auto *type = cast<FixedVectorType>(left->getType());
  auto *maskType = FixedVectorType::get(builder.getInt1Ty(), type->getNumElements());
  const std::string name = kPrefix + std::string(Instruction::getOpcodeName(operation)) + ".v" +
                           utostr(type->getNumElements()) + "i" + utostr(type->getScalarSizeInBits());
  auto *function = cast<Function>(
      builder.GetInsertBlock()->getModule()->getOrInsertFunction(name, type, type, type, maskType).getCallee());
  function->setDoesNotAccessMemory(); // and not speculatable: it may divide by zero
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(Attribute::NoFree);
  function->addFnAttr(Attribute::NoSync);
  return builder.CreateCall(function, {left, right, mask ? mask : ConstantInt::getTrue(maskType)});
}

PreservedAnalyses LaneDivisionsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<CallInst *, 8> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && operationOf(*call))
      calls.push_back(call);
  for (CallInst *call : calls) {
    IRBuilder<> builder(call);
    Value *result =
        expand(builder, *operationOf(*call), call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2));
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
  return preservedControlFlow(!calls.empty());
}

} // namespace hiplz::cpu
