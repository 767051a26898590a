// SPDX-License-Identifier: MIT
// See group_flow.h. Everything is the same until something shows that it is not: a fixed point. Memory that others can write counts as
// different, because a program with a defect may read it at different times.
#include "cpu/compiler/group_flow.h"
#include "cpu/abi/collective.h"
#include "cpu/vectorizer/influence_region.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

/// An operation of the work-group that gives all of it one result.
bool isCommonResult(const CallBase &call) {
  if (!isCollective(call) || collectiveScope(collectiveCodeOf(call)) != CollectiveScope::workgroup)
    return false;
  switch (collectiveKind(collectiveCodeOf(call))) {
  case CollectiveKind::sync:
  case CollectiveKind::all:
  case CollectiveKind::any:
  case CollectiveKind::allEqual:
  case CollectiveKind::broadcastFirst:
  case CollectiveKind::reduce: return true;
  default: return false;
  }
}

} // namespace

GroupFlow::GroupFlow(Function &kernel, const KernelInfo &info) : info_(info), joins_(kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction &instruction : instructions(kernel)) {
      if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
        if (!varying_.count(variable) && variableDiffers(*variable))
          changed = varying_.insert(variable).second;
      } else if (instruction.isTerminator()) {
        if (instruction.getNumSuccessors() > 1 && !isUniform(instruction.getOperand(0)) &&
            branches_.insert(&instruction).second) {
          divide(instruction);
          changed = true;
        }
      } else if (isUniform(&instruction) && differs(instruction)) {
        differing_.insert(&instruction);
        changed = true;
      }
    }
  }
}

bool GroupFlow::differs(const Instruction &instruction) const {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return loadDiffers(*load);
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    if (isCommonResult(*call))
      return false;
    if (call->isInlineAsm() || call->isConvergent() || !call->doesNotAccessMemory())
      return true;
  } else if (instruction.mayReadOrWriteMemory()) {
    return true;
  }
  return any_of(instruction.operands(), [&](const Use &operand) { return !isUniform(operand); }) ||
         (isa<PHINode>(instruction) && mixing_.count(instruction.getParent()));
}

// The facts of the launch, parameters by value, and variables that hold the same.
bool GroupFlow::loadDiffers(const LoadInst &load) const {
  if (const auto read = itemReadBy(load))
    return isLaneId(read->field);
  const Value *pointer = load.getPointerOperand();
  if (!load.isSimple() || !isUniform(pointer))
    return true;
  const Value *object = getUnderlyingObject(pointer, 0);
  if (auto *variable = dyn_cast<AllocaInst>(object))
    return varying_.count(variable) != 0;
  auto *global = dyn_cast<GlobalVariable>(object);
  return !load.hasMetadata(LLVMContext::MD_invariant_load) && !(global && global->isConstant()) && !isByValue(object);
}

// True unless every work-item writes the same into its variable, and at the same times.
bool GroupFlow::variableDiffers(const AllocaInst &variable) const {
  SmallVector<const Value *, 16> work{&variable};
  SmallPtrSet<const Value *, 16> seen{&variable};
  while (!work.empty())
    for (const Use &use : work.pop_back_val()->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (isa<LoadInst>(user) || user->isLifetimeStartOrEnd() || user->isDebugOrPseudoInst())
        continue;
      if (isa<GetElementPtrInst>(user) || (isa<CastInst>(user) && user->getType()->isPointerTy())) {
        if (seen.insert(user).second)
          work.push_back(user);
      } else if (!isCommon(*user->getParent()) || writesDifferently(*user, use)) {
        return true;
      }
    }
  return false;
}

// Also true if the address may go elsewhere.
bool GroupFlow::writesDifferently(const Instruction &user, const Use &address) const {
  if (auto *store = dyn_cast<StoreInst>(&user))
    return !store->isSimple() || address.getOperandNo() != StoreInst::getPointerOperandIndex() ||
           !isUniform(store->getPointerOperand()) || !isUniform(store->getValueOperand());
  auto *memory = dyn_cast<MemIntrinsic>(&user);
  if (!memory)
    return true;
  if (any_of(memory->args(), [&](const Use &each) { return !isUniform(each); }))
    return true;
  auto *transfer = dyn_cast<MemTransferInst>(memory);
  if (!transfer || address.getOperandNo() == 1) // what is written there is looked at when it comes to that variable
    return false;
  const Value *source = getUnderlyingObject(transfer->getRawSource(), 0);
  auto *other = dyn_cast<AllocaInst>(source);
  auto *global = dyn_cast<GlobalVariable>(source);
  return other ? varying_.count(other) != 0 : !(global && global->isConstant()) && !isByValue(source);
}

bool GroupFlow::isByValue(const Value *object) const {
  auto *argument = dyn_cast<Argument>(object);
  return argument && argument->getArgNo() > 0 && info_.args[argument->getArgNo() - 1].kind == ArgKind::byValue;
}

void GroupFlow::divide(const Instruction &terminator) {
  const InfluenceRegion region = influenceRegion(terminator, joins_);
  divided_.insert(region.between.begin(), region.between.end());
  mixing_.insert(region.between.begin(), region.between.end());
  if (region.join)
    mixing_.insert(region.join);
}

} // namespace hiplz::cpu
