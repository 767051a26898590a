// SPDX-License-Identifier: MIT
// See barrier_checks.h.
#include "cpu/compiler/barrier_checks.h"
#include "cpu/abi/check_functions.h"
#include "cpu/abi/checked_group.h"
#include "cpu/compiler/bypasses.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/group_uniformity.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

template <class Signature> FunctionCallee declared(Module &module, RuntimeFunction<Signature> function) {
  FunctionCallee callee = declareRuntime(module, function);
  cast<Function>(callee.getCallee())->addFnAttr(Attribute::NoUnwind);
  return callee;
}

} // namespace

BarrierChecks::BarrierChecks(Module &module, const ModuleTable &table) : module_(module), b_(module.getContext()) {
  for (const Kernel &kernel : table.kernels)
    kernels_[kernel.function] = &kernel.info;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && isGroupBarrier(*call))
        areAllInKernels_ = areAllInKernels_ && kernels_.count(&function) && function.use_empty();
}

bool BarrierChecks::areCommon(Function &function, ArrayRef<CallInst *> barriers) const {
  const KernelInfo *kernel = kernels_.lookup(&function);
  if (!kernel || !areAllInKernels_ || !function.use_empty())
    return false;
  if (barriers.empty())
    return true;
  const ItemsOfGroup items(function, [&](const Argument &argument) { return isByValue(*kernel, argument); });
  return all_of(barriers, [&](const CallInst *barrier) { return items.isCommon(*barrier->getParent()); });
}

// Operations of warps are an order as well, and synccheck asks at barriers who has not come to them.
bool BarrierChecks::isAllOrder(Function &kernel) const {
  SetVector<const Function *> work;
  work.insert(&kernel);
  for (size_t index = 0; index < work.size(); ++index)
    for (const Instruction &instruction : instructions(*work[index]))
      if (auto *call = dyn_cast<CallBase>(&instruction)) {
        if (isCollective(*call) || call->isIndirectCall())
          return false;
        if (const Function *called = call->getCalledFunction())
          work.insert(called);
      }
  return true;
}

void BarrierChecks::watch(ArrayRef<CallInst *> barriers, ArrayRef<const Instruction *> past) {
  for (const auto &[barrier, further] : zip(barriers, past)) {
    Value *item = barrier->getFunction()->getArg(0);
    GlobalVariable *site = checkSite(*barrier, further ? checkMayBePassed : 0, Align(1), 0,
                                     further ? placeOf(*further, "code") : std::string(), "a barrier");
    b_.SetInsertPoint(barrier);
    b_.SetCurrentDebugLocation(barrier->getDebugLoc());
    b_.CreateCall(declared(module_, runtime::checkBarrier), {item, site});
    b_.SetInsertPoint(barrier->getNextNode());
    b_.CreateCall(declared(module_, runtime::checkPassed), {item});
  }
}

void BarrierChecks::mark(Value *value) {
  cast<Instruction>(value)->setMetadata(kOfChecks, MDNode::get(module_.getContext(), {}));
}

Value *BarrierChecks::loadOf(Type *type, Value *base, uint64_t offset) {
  Value *loaded = loadField(b_, type, base, offset, false);
  mark(loaded);
  return loaded;
}

void BarrierChecks::callIf(Value *condition, Instruction &before, Value *item, Value *count) {
  Instruction *then = SplitBlockAndInsertIfThen(condition, &before, false);
  mark(then->getParent()->getSinglePredecessor()->getTerminator());
  b_.SetInsertPoint(then);
  b_.CreateCall(declared(module_, runtime::checkAllPassed), {item, count});
}

// The driver may still have the number of the worker's last block.
void BarrierChecks::beginBlock(Function &kernel) {
  Instruction *first = behindVariables(kernel);
  b_.SetInsertPoint(first);
  b_.SetCurrentDebugLocation({});
  Value *item = kernel.getArg(0);
  Value *worker = loadField(b_, b_.getPtrTy(), item, offsetof(WorkItem, worker), true);
  Value *group = loadField(b_, b_.getPtrTy(), worker, offsetof(WorkerState, check), true);
  Value *launch = loadField(b_, b_.getPtrTy(), item, offsetof(WorkItem, launch), true);
  Value *isOther = b_.CreateICmpNE(loadOf(b_.getPtrTy(), group, offsetof(CheckedGroup, launch)), launch);
  for (unsigned d = 0; d < 3; ++d) {
    Value *id = loadField(b_, b_.getInt32Ty(), item, offsetof(WorkItem, groupId) + 4 * d, true);
    Value *known = loadOf(b_.getInt32Ty(), group, offsetof(CheckedGroup, id) + 4 * d);
    isOther = b_.CreateOr(isOther, b_.CreateICmpNE(known, id));
  }
  callIf(isOther, *first, item, b_.getInt32(0));
}

// A variable of the work-item counts. The first one finds that the block's number is another one.
void BarrierChecks::count(Function &kernel, ArrayRef<CallInst *> barriers, bool waits) {
  if (waits || !barriers.empty())
    beginBlock(kernel);
  if (barriers.empty())
    return;
  Value *item = kernel.getArg(0);
  b_.SetInsertPoint(&kernel.getEntryBlock().front());
  b_.SetCurrentDebugLocation({});
  AllocaInst *passed = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "passed");
  b_.SetInsertPoint(behindVariables(kernel));
  mark(b_.CreateStore(b_.getInt32(0), passed));
  for (CallInst *barrier : barriers) {
    Instruction *next = barrier->getNextNode();
    b_.SetInsertPoint(next);
    b_.SetCurrentDebugLocation(barrier->getDebugLoc());
    Value *before = loadOf(b_.getInt32Ty(), passed, 0);
    Value *now = b_.CreateAdd(before, b_.getInt32(1));
    mark(b_.CreateStore(now, passed));
    Value *worker = loadField(b_, b_.getPtrTy(), item, offsetof(WorkItem, worker), true);
    Value *group = loadField(b_, b_.getPtrTy(), worker, offsetof(WorkerState, check), true);
    Value *ofBlock = loadOf(b_.getInt32Ty(), group, offsetof(CheckedGroup, passedByAll));
    callIf(b_.CreateICmpNE(ofBlock, now), *next, item, now);
  }
}

} // namespace hiplz::cpu
