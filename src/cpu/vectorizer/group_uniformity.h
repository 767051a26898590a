// SPDX-License-Identifier: MIT
// Which values of a warp function are the same in all warps of a work-group, and whether all warps come to the same barriers.
// A value is if it is computed from the arguments, the ids of the work-group and constants alone, and if no branch that warps
// take differently decides about it.
#pragma once
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

class GroupUniformity {
public:
  explicit GroupUniformity(llvm::Function &warp);

  /// True if all warps that get there have the same value.
  bool isUniform(const llvm::Value *value) const { return differing_.count(value) == 0; }

  /// True if every warp passes the same barriers and turns in the same order, and ends.
  bool inStep() const { return inStep_; }

private:
  bool differs(const llvm::Instruction &instruction) const;
  bool loadDiffers(const llvm::LoadInst &load) const;
  void branchDiffers(const llvm::Instruction &terminator);

  llvm::Function &warp_;
  llvm::PostDominatorTree postDominators_;
  llvm::SmallPtrSet<const llvm::Value *, 32> differing_;
  llvm::SmallPtrSet<const llvm::Instruction *, 8> branches_; // that differ, and have been followed
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> mixing_;   // blocks whose phis depend on such a branch
  bool inStep_ = true;
};

} // namespace hiplz::cpu
