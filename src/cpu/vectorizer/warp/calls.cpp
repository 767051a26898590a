// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/calls.h"
#include "base/llvm_compat.h"
#include "cpu/vectorizer/prefetch.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Intrinsics that processors have instructions for. Of the others (sine, logarithm ...) code generation would call a
// function for every lane, also for those that are not there.
bool hasVectorForm(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow: return false;
  default: return isTriviallyVectorizable(id) && openClInstruction(id).empty();
  }
}

} // namespace

void Calls::emit(const CallInst &call) {
  if (isBarrier(call) || isYield(call)) {
    const auto function = isYield(call) ? runtime::warpYield : runtime::warpBarrier;
    CallInst *wait = b_.CreateCall(declareRuntime(*warp_.getParent(), function), {itemOf(warp_)});
    wait->getCalledFunction()->setConvergent();
    wait->addFnAttr(Attribute::NoMerge);
    wait->setDoesNotThrow();
    return;
  }
  if (isCollective(call))
    return collectives_.emit(call);
  if (checks_.emit(call))
    return;
  if (emitIntrinsic(call))
    return;
  if (call.hasOperandBundles())
    return decline(call, "a call with operand bundles");
  for (const Value *argument : call.args())
    if (argument != itemOf(body_) && isItemAddress(argument, body_))
      return decline(call, "the address of the work-item's state is taken");
  if (values_.shapeOf(&call).isUniform() && isPureCall(call))
    return arithmetic_.emitScalar(call);
  if (!call.getType()->isVoidTy() && !values_.isVarying(&call))
    return decline(call, "a call whose result is thought to be uniform");
  loops_.replicate(call);
}

bool Calls::emitIntrinsic(const CallInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic)
    return false;
  bool uniform = all_of(call.args(), [&](const Use &argument) {
    return isa<MetadataAsValue>(argument) || values_.shapeOf(argument).isUniform();
  });
  // Once for all lanes: also a trap, a copy from one place to one place, and the clock.
  if (uniform && (isPureCall(call) || call.getType()->isVoidTy() || id == Intrinsic::readcyclecounter)) {
    arithmetic_.emitScalar(call);
    return true;
  }
  if (id == Intrinsic::prefetch && values_.shapeOf(call.getArgOperand(0)).isStrided()) {
    prefetchLanes(call);
    return true;
  }
  if (const uint64_t bytes = id == Intrinsic::prefetch ? someLanesBytes(call) : 0) {
    prefetchSome(call, bytes);
    return true;
  }
  if ((id == Intrinsic::fptosi_sat || id == Intrinsic::fptoui_sat) && !call.getType()->isVectorTy()) {
    values_.setVector(call, saturated(call, id == Intrinsic::fptosi_sat));
    return true;
  }
  if (!hasVectorForm(id) || call.getType()->isVectorTy() || call.getType()->isAggregateType())
    return false;
  SmallVector<Value *, 4> arguments;
  SmallVector<Type *, 2> types{laneType(call.getType())};
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const Value *argument = call.getArgOperand(i);
    bool isScalar = hasScalarArgument(id, i);
    if (isScalar && !values_.shapeOf(argument).isUniform())
      return false;
    arguments.push_back(isScalar ? values_.scalar(argument) : values_.vector(argument));
    if (isOverloadedOnArgument(id, i))
      types.push_back(arguments.back()->getType());
  }
  Function *vectorForm = intrinsic(*warp_.getParent(), id, types);
  CallInst *made = b_.CreateCall(vectorForm, arguments);
  if (isa<FPMathOperator>(made))
    made->copyFastMathFlags(&call);
  values_.setVector(call, made);
  return true;
}

// The lines that the lanes' elements lie in, if they are few.
void Calls::prefetchLanes(const CallInst &call) {
  constexpr int64_t kLine = 64, kMost = 4 * kLine;
  const Value *pointer = call.getArgOperand(0);
  const int64_t stride = values_.shapeOf(pointer).stride();
  if (stride <= 0 || stride * width_ > kMost)
    return;
  for (int64_t distance = 0; distance < stride * width_; distance += kLine) {
    auto *copy = cast<CallInst>(call.clone());
    copy->setArgOperand(0, memory_.address({pointer, distance, Align(1)}));
    b_.Insert(copy);
  }
}

// The lines that the lanes' elements lie in if they lie side by side. Any of these lanes will load what it fetches, if it goes on.
void Calls::prefetchSome(const CallInst &call, uint64_t bytes) {
  constexpr uint64_t kLine = 64;
  const auto apart = static_cast<unsigned>(std::max<uint64_t>(kLine / bytes, 4));
  for (unsigned lane = 0; lane < width_; lane += apart) {
    Value *address = ofLane(call.getArgOperand(0), lane);
    auto *copy = cast<CallInst>(call.clone());
    copy->setArgOperand(0, address);
    b_.Insert(copy);
  }
}

// A value of one lane, computed for this lane alone from the values that it does not share with others.
Value *Calls::ofLane(const Value *value, unsigned lane) {
  auto *instruction = dyn_cast<Instruction>(value);
  const bool isAddress = instruction && (isa<GetElementPtrInst>(instruction) || isIndexArithmetic(*instruction) ||
                                         instruction->getOpcode() == Instruction::Mul);
  if (!isAddress || !instruction->hasOneUse())
    return values_.atLane(value, b_.getInt32(lane));
  Instruction *made = instruction->clone();
  made->dropPoisonGeneratingFlags();
  for (Use &operand : made->operands())
    operand.set(ofLane(operand, lane));
  return b_.Insert(made);
}

// A conversion to an integer that stops at the ends of its range. The intrinsic on vectors is not to be trusted: LLVM 15
// compiles that of halfs to code that knows no NaN.
Value *Calls::saturated(const CallInst &call, bool isSigned) {
  Value *number = values_.vector(call.getArgOperand(0));
  if (number->getType()->getScalarType()->isHalfTy())
    number = b_.CreateFPExt(number, laneType(b_.getFloatTy()));
  Type *type = laneType(call.getType());
  unsigned bits = call.getType()->getScalarSizeInBits();
  APInt least = isSigned ? APInt::getSignedMinValue(bits) : APInt::getZero(bits);
  APInt most = isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  auto bound = [&](double value) { return ConstantFP::get(number->getType(), value); };
  Value *converted = isSigned ? b_.CreateFPToSI(number, type) : b_.CreateFPToUI(number, type);
  Value *below = b_.CreateFCmpOLT(number, bound(isSigned ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0));
  Value *above = b_.CreateFCmpOGE(number, bound(std::ldexp(1.0, static_cast<int>(isSigned ? bits - 1 : bits))));
  converted = b_.CreateSelect(below, ConstantInt::get(type, least), converted);
  converted = b_.CreateSelect(above, ConstantInt::get(type, most), converted);
  return b_.CreateSelect(b_.CreateFCmpUNO(number, number), Constant::getNullValue(type), converted);
}

} // namespace hiplz::cpu
