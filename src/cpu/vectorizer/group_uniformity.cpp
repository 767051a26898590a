// SPDX-License-Identifier: MIT
// See group_uniformity.h.
#include "cpu/vectorizer/group_uniformity.h"
#include "cpu/abi/collective.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/barrier_crossings.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstddef>

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

ItemsOfGroup::ItemsOfGroup(Function &body, IsByValue isByValue) : Uniformity(body), isByValue_(isByValue) {
  settle(itemOf(body));
}

Uniformity::Rule ItemsOfGroup::ruleOf(const Instruction &instruction) const {
  if (auto *variable = dyn_cast<AllocaInst>(&instruction))
    return variableDiffers(*variable) ? Rule::differs : Rule::same;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return loadDiffers(*load) ? Rule::differs : Rule::same;
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    if (isCommonResult(*call))
      return Rule::same;
    return call->isInlineAsm() || call->isConvergent() || !call->doesNotAccessMemory() ? Rule::differs
                                                                                       : Rule::asOperands;
  }
  return instruction.mayReadOrWriteMemory() ? Rule::differs : Rule::asOperands;
}

// The facts of the launch, parameters by value, and variables that hold the same.
bool ItemsOfGroup::loadDiffers(const LoadInst &load) const {
  if (const auto read = itemReadBy(load))
    return isLaneId(read->field);
  const Value *pointer = load.getPointerOperand();
  if (!load.isSimple() || !isUniform(pointer))
    return true;
  return !load.hasMetadata(LLVMContext::MD_invariant_load) && !staysTheSame(getUnderlyingObject(pointer, 0));
}

bool ItemsOfGroup::staysTheSame(const Value *object) const {
  if (isa<AllocaInst>(object))
    return isUniform(object);
  if (auto *global = dyn_cast<GlobalVariable>(object))
    return global->isConstant();
  auto *argument = dyn_cast<Argument>(object);
  return argument && isByValue_(*argument);
}

// True unless every work-item writes the same into its variable, and at the same times.
bool ItemsOfGroup::variableDiffers(const AllocaInst &variable) const {
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
bool ItemsOfGroup::writesDifferently(const Instruction &user, const Use &address) const {
  if (auto *store = dyn_cast<StoreInst>(&user))
    return !store->isSimple() || address.getOperandNo() != StoreInst::getPointerOperandIndex() ||
           !isUniform(store->getPointerOperand()) || !isUniform(store->getValueOperand());
  auto *memory = dyn_cast<MemIntrinsic>(&user);
  if (!memory || any_of(memory->args(), [&](const Use &each) { return !isUniform(each); }))
    return true;
  auto *transfer = dyn_cast<MemTransferInst>(memory);
  if (!transfer || address.getOperandNo() == 1) // what is written there is looked at when it comes to that variable
    return false;
  return !staysTheSame(getUnderlyingObject(transfer->getRawSource(), 0));
}

WarpsOfGroup::WarpsOfGroup(Function &warp) : Uniformity(warp) {
  settle(itemOf(warp));
  inStep_ = none_of(warp, [&](const BasicBlock &block) { return !isCommon(block) && any_of(block, endsRegion); });
}

Uniformity::Rule WarpsOfGroup::ruleOf(const Instruction &instruction) const {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return loadDiffers(*load) ? Rule::differs : Rule::same;
  if (isa<FreezeInst>(instruction) && !isGuaranteedNotToBeUndefOrPoison(instruction.getOperand(0)))
    return Rule::differs; // of poison, it may be another number in each warp
  auto *call = dyn_cast<CallBase>(&instruction);
  const bool computes = call ? call->doesNotAccessMemory() && !call->isConvergent() && isa<IntrinsicInst>(call)
                             : !isa<AllocaInst>(instruction) && !instruction.mayReadOrWriteMemory();
  return computes ? Rule::asOperands : Rule::differs;
}

// Warps may read what another one has just written, unless memory never changes.
bool WarpsOfGroup::loadDiffers(const LoadInst &load) const {
  APInt offset(64, 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(function_.getParent()->getDataLayout(), offset, true);
  if (base == itemOf(function_)) {
    uint64_t at = offset.getZExtValue();
    return at >= offsetof(WarpState, firstId); // launch, worker and groupId are in front of it
  }
  return !load.isSimple() || !load.hasMetadata(LLVMContext::MD_invariant_load) || !isUniform(load.getPointerOperand());
}

} // namespace hiplz::cpu
