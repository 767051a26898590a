// SPDX-License-Identifier: MIT
// Calls: intrinsics with a vector form, the runtime's barrier, and everything else lane by lane.
#include "base/llvm_compat.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/warp_builder.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

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

Argument *WarpBuilder::itemArgument() const { return itemOf(body_); }

void WarpBuilder::emitCall(const CallInst &call) {
  if (isBarrier(call) || isYield(call)) {
    const auto function = isYield(call) ? runtime::warpYield : runtime::warpBarrier;
    CallInst *wait = b_.CreateCall(declareRuntime(*warp_.getParent(), function), {itemOf(warp_)});
    wait->getCalledFunction()->setConvergent();
    wait->addFnAttr(Attribute::NoMerge);
    wait->setDoesNotThrow();
    return;
  }
  if (isCollective(call))
    return emitCollective(call);
  if (emitIntrinsic(call))
    return;
  if (call.hasOperandBundles())
    return decline(call, "a call with operand bundles");
  for (const Value *argument : call.args())
    if (argument != itemArgument() && isItemAddress(argument, body_))
      return decline(call, "the address of the work-item's state is taken");
  if (shapeOf(&call).isUniform() && isPureCall(call))
    return emitScalar(call);
  if (!call.getType()->isVoidTy() && !isVarying(&call))
    return decline(call, "a call whose result is thought to be uniform");
  replicate(call);
}

bool WarpBuilder::emitIntrinsic(const CallInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic)
    return false;
  bool uniform = all_of(call.args(), [&](const Use &argument) {
    return isa<MetadataAsValue>(argument) || shapeOf(argument).isUniform();
  });
  // Once for all lanes: also a trap, a copy from one place to one place, and the clock.
  if (uniform && (isPureCall(call) || call.getType()->isVoidTy() || id == Intrinsic::readcyclecounter)) {
    emitScalar(call);
    return true;
  }
  if (id == Intrinsic::prefetch && shapeOf(call.getArgOperand(0)).isStrided()) {
    prefetchLanes(call);
    return true;
  }
  if ((id == Intrinsic::fptosi_sat || id == Intrinsic::fptoui_sat) && !call.getType()->isVectorTy()) {
    vectors_[&call] = saturated(call, id == Intrinsic::fptosi_sat);
    return true;
  }
  if (!hasVectorForm(id) || call.getType()->isVectorTy() || call.getType()->isAggregateType())
    return false;
  SmallVector<Value *, 4> arguments;
  SmallVector<Type *, 2> types{laneType(call.getType())};
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const Value *argument = call.getArgOperand(i);
    bool isScalar = hasScalarArgument(id, i);
    if (isScalar && !shapeOf(argument).isUniform())
      return false;
    arguments.push_back(isScalar ? scalar(argument) : vector(argument));
    if (isOverloadedOnArgument(id, i))
      types.push_back(arguments.back()->getType());
  }
  Function *vectorForm = intrinsic(*warp_.getParent(), id, types);
  CallInst *made = b_.CreateCall(vectorForm, arguments);
  if (isa<FPMathOperator>(made))
    made->copyFastMathFlags(&call);
  vectors_[&call] = made;
  return true;
}

// The lines that the lanes' elements lie in, if they are few.
void WarpBuilder::prefetchLanes(const CallInst &call) {
  constexpr int64_t kLine = 64, kMost = 4 * kLine;
  const Value *pointer = call.getArgOperand(0);
  const int64_t stride = shapeOf(pointer).stride();
  if (stride <= 0 || stride * width_ > kMost)
    return;
  for (int64_t distance = 0; distance < stride * width_; distance += kLine) {
    auto *copy = cast<CallInst>(call.clone());
    copy->setArgOperand(0, address({pointer, distance, Align(1)}));
    b_.Insert(copy);
  }
}

// A conversion to an integer that stops at the ends of its range. The intrinsic on vectors is not to be trusted: LLVM 15
// compiles that of halfs to code that knows no NaN.
Value *WarpBuilder::saturated(const CallInst &call, bool isSigned) {
  Value *number = vector(call.getArgOperand(0));
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

// What a function gets that is called for one lane. It has no fiber: a body with a function that waits is declined.
Value *WarpBuilder::workItemOf(Value *lane) {
  IRBuilder<> prologue(prologue_->getTerminator());
  AllocaInst *item = prologue.CreateAlloca(ArrayType::get(prologue.getInt64Ty(), sizeof(WorkItem) / 8));
  auto put = [&](Value *value, uint64_t offset) {
    b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), item, offset));
  };
  put(itemField(b_.getPtrTy(), offsetof(WarpState, launch)), offsetof(WorkItem, launch));
  put(itemField(b_.getPtrTy(), offsetof(WarpState, worker)), offsetof(WorkItem, worker));
  put(ConstantPointerNull::get(b_.getPtrTy()), offsetof(WorkItem, fiber));
  auto first = [&](uint64_t offset) { return itemField(b_.getInt32Ty(), offset); };
  auto ascending = [&](uint64_t offset) { return b_.CreateAdd(first(offset), lane); };
  auto ofTable = [&](uint64_t offset) -> Value * {
    Value *table = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), itemOf(warp_), offset);
    return b_.CreateLoad(b_.getInt32Ty(),
                         b_.CreateInBoundsGEP(b_.getInt32Ty(), table, {b_.CreateZExt(lane, b_.getInt64Ty())}));
  };
  const bool singles = laneLayout_ == LaneLayout::singles, blocks = laneLayout_ == LaneLayout::blocks;
  put(singles  ? b_.getInt32(0)
      : blocks ? ofTable(offsetof(WarpState, linearId))
               : ascending(offsetof(WarpState, firstLinear)),
      offsetof(WorkItem, linearId));
  for (unsigned d = 0; d < 3; ++d) {
    const uint64_t group = offsetof(WarpState, groupId) + 4 * d, id = offsetof(WarpState, firstId) + 4 * d;
    put(d > 0 || !mixesGroups(laneLayout_) ? first(group)
        : singles                          ? ascending(group)
                                           : ofTable(offsetof(WarpState, groupX)),
        offsetof(WorkItem, groupId) + 4 * d);
    put(singles ? b_.getInt32(0)
        : blocks || laneLayout_ == LaneLayout::table || laneLayout_ == LaneLayout::folded
            ? ofTable(offsetof(WarpState, localId) + 4 * kSubgroupSize * d)
        : d == 0 ? ascending(id)
                 : first(id),
        offsetof(WorkItem, localId) + 4 * d);
  }
  return item;
}

} // namespace hiplz::cpu
