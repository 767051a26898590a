// SPDX-License-Identifier: MIT
// See group_uniformity.h. Everything is the same until something shows that it is not: a fixed point.
#include "cpu/vectorizer/group_uniformity.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/barrier_crossings.h"
#include "cpu/vectorizer/influence_region.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {

GroupUniformity::GroupUniformity(Function &warp) : warp_(warp), postDominators_(warp) {
  differing_.insert(warp.getArg(0));
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction &instruction : instructions(warp)) {
      if (instruction.isTerminator()) {
        if (instruction.getNumSuccessors() > 1 && !isUniform(instruction.getOperand(0)) &&
            branches_.insert(&instruction).second) {
          branchDiffers(instruction);
          changed = true;
        }
        continue;
      }
      if (isUniform(&instruction) && differs(instruction)) {
        differing_.insert(&instruction);
        changed = true;
      }
    }
  }
}

bool GroupUniformity::differs(const Instruction &instruction) const {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return loadDiffers(*load);
  if (any_of(instruction.operands(), [&](const Use &operand) { return !isUniform(operand); }))
    return true;
  if (isa<PHINode>(instruction))
    return mixing_.contains(instruction.getParent());
  if (isa<FreezeInst>(instruction)) // of poison, it may be another number in each warp
    return !isGuaranteedNotToBeUndefOrPoison(instruction.getOperand(0));
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return !call->doesNotAccessMemory() || call->isConvergent() || !isa<IntrinsicInst>(call);
  return isa<AllocaInst>(instruction) || instruction.mayReadOrWriteMemory();
}

// Warps may read what another one has just written, unless memory never changes.
bool GroupUniformity::loadDiffers(const LoadInst &load) const {
  APInt offset(64, 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(warp_.getParent()->getDataLayout(), offset, true);
  if (base == warp_.getArg(0)) {
    uint64_t at = offset.getZExtValue();
    return at >= offsetof(WarpState, firstId); // launch, worker and groupId are in front of it
  }
  return !load.isSimple() || !load.hasMetadata(LLVMContext::MD_invariant_load) || !isUniform(load.getPointerOperand());
}

void GroupUniformity::branchDiffers(const Instruction &terminator) {
  const InfluenceRegion region = influenceRegion(terminator, postDominators_);
  mixing_.insert(region.between.begin(), region.between.end());
  if (region.join)
    mixing_.insert(region.join);
  inStep_ = inStep_ && none_of(region.between, [](const BasicBlock *block) { return any_of(*block, endsRegion); });
}

} // namespace hiplz::cpu
