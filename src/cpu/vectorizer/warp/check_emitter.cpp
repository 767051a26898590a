// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/check_emitter.h"
#include "cpu/abi/check_functions.h"
#include "cpu/abi/checked_group.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Arguments of runtime::checkAccess, and of runtime::checkShared, which has one more.
constexpr unsigned kAddress = 1, kBytes = 2, kBase = 3, kSite = 4, kSize = 5;
constexpr int64_t kLargestStride = 4096;
constexpr uint64_t kMostBytes = 64; // of a lane that need no call

} // namespace

bool CheckEmitter::emit(const CallInst &call) {
  if (mixesGroups(options_.layout))
    return false;
  const auto once = [&](auto function) {
    loops_.callOnce(call, declareRuntime(*warp_.getParent(), function));
    return true;
  };
  if (callsRuntime(call, runtime::checkBarrier))
    return once(runtime::checkBarrierOfLanes);
  if (callsRuntime(call, runtime::checkPassed))
    return once(runtime::checkPassedOfLanes);
  if (callsRuntime(call, runtime::checkMet))
    return once(runtime::checkMetOfLanes);
  const auto areUniform = [&](unsigned from) {
    return all_of(drop_begin(call.args(), from),
                  [&](const Use &argument) { return values_.shapeOf(argument).isUniform(); });
  };
  if (callsRuntime(call, runtime::checkAllPassed) && areUniform(1))
    return once(runtime::checkAllPassedOfLanes);
  const bool isShared = callsRuntime(call, runtime::checkShared);
  if ((!isShared && !callsRuntime(call, runtime::checkAccess)) || !areUniform(kAddress + 1))
    return false;
  const Shape shape = values_.shapeOf(call.getArgOperand(kAddress));
  auto *bytes = dyn_cast<ConstantInt>(call.getArgOperand(kBytes));
  if (isShared && shape.isRegular() && shape.stride() >= 0 && shape.stride() <= kLargestStride && bytes &&
      !bytes->isZero() && bytes->getZExtValue() <= kMostBytes)
    emitWaiting(call);
  else
    emitAccess(call);
  return true;
}

void CheckEmitter::emitAccess(const CallInst &call) {
  const bool isRow = values_.shapeOf(call.getArgOperand(kAddress)).isRegular();
  const auto once = [&](auto ofRow, auto ofLanes) {
    Module &module = *warp_.getParent();
    loops_.callOnce(call, isRow ? declareRuntime(module, ofRow) : declareRuntime(module, ofLanes), kAddress);
  };
  if (callsRuntime(call, runtime::checkShared))
    once(runtime::checkSharedOfRow, runtime::checkSharedOfLanes);
  else
    once(runtime::checkAccessOfRow, runtime::checkAccessOfLanes);
}

Value *CheckEmitter::load(Type *type, Value *base, uint64_t offset, bool isConstant) {
  LoadInst *loaded = b_.CreateAlignedLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, offset),
                                          Align(type->isPointerTy() ? 8 : 4));
  if (isConstant)
    loaded->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b_.getContext(), {}));
  return loaded;
}

// The driver is called if a lane might access something else than the object, whether or not it is there, and if there is no more room.
void CheckEmitter::emitWaiting(const CallInst &call) {
  Type *const word = b_.getInt64Ty(), *const half = b_.getInt32Ty();
  for (unsigned i = kAddress; i <= kSize; ++i) // in front of the branch, for what comes behind it
    values_.scalar(call.getArgOperand(i));
  const auto argument = [&](unsigned i) { return values_.scalar(call.getArgOperand(i)); };
  Value *lanes = b_.CreateZExtOrTrunc(masks_.bits(mask_), half);
  const auto stride = static_cast<uint64_t>(values_.shapeOf(call.getArgOperand(kAddress)).stride());
  const uint64_t bytes = cast<ConstantInt>(call.getArgOperand(kBytes))->getZExtValue(),
                 span = stride * (width_ - 1) + bytes;
  Value *worker = load(b_.getPtrTy(), itemOf(warp_), offsetof(WarpState, worker), true);
  Value *group = load(b_.getPtrTy(), worker, offsetof(WorkerState, check), true);
  Value *local = load(b_.getPtrTy(), worker, offsetof(WorkerState, local), true);
  Value *count = load(half, group, offsetof(CheckedGroup, waitingCount), false);
  Value *address = b_.CreatePtrToInt(argument(kAddress), word);
  Value *offset = b_.CreateSub(address, b_.CreatePtrToInt(argument(kBase), word));
  Value *size = argument(kSize);
  Value *isInside = b_.CreateAnd(b_.CreateICmpULT(offset, size),
                                 b_.CreateICmpULE(b_.CreateAdd(offset, ConstantInt::get(word, span)), size));
  Value *mayWait = b_.CreateAnd(b_.CreateAnd(isInside, b_.CreateICmpNE(lanes, ConstantInt::get(half, 0))),
                                b_.CreateICmpULT(count, ConstantInt::get(half, CheckedGroup::kMostWaiting)));
  BasicBlock *waits = context_.newBlock("waits"), *called = context_.newBlock("called"),
             *done = context_.newBlock("checked");
  b_.CreateCondBr(mayWait, waits, called);
  b_.SetInsertPoint(called);
  emitAccess(call);
  b_.CreateBr(done);
  b_.SetInsertPoint(waits);
  Value *entry = b_.CreateAdd(b_.CreateMul(b_.CreateZExt(count, word), ConstantInt::get(word, sizeof(WaitingAccess))),
                              ConstantInt::get(word, offsetof(CheckedGroup, waiting)));
  entry = b_.CreateInBoundsGEP(b_.getInt8Ty(), group, {entry});
  const auto put = [&](Value *value, Value *base, uint64_t at) {
    b_.CreateAlignedStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, at),
                          Align(value->getType()->isPointerTy() ? 8 : 4));
  };
  put(argument(kSite), entry, offsetof(WaitingAccess, site));
  put(b_.CreateTrunc(b_.CreateSub(address, b_.CreatePtrToInt(local, word)), half), entry, offsetof(WaitingAccess, at));
  put(ConstantInt::get(half, stride), entry, offsetof(WaitingAccess, stride));
  put(lanes, entry, offsetof(WaitingAccess, lanes));
  static_assert(offsetof(WaitingAccess, bytes) == offsetof(WaitingAccess, item) + 2);
  Value *item = load(half, itemOf(warp_), offsetof(WarpState, firstLinear), true);
  put(b_.CreateOr(item, ConstantInt::get(half, bytes << 16)), entry, offsetof(WaitingAccess, item));
  put(b_.CreateAdd(count, ConstantInt::get(half, 1)), group, offsetof(CheckedGroup, waitingCount));
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

} // namespace hiplz::cpu
