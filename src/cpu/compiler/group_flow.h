// SPDX-License-Identifier: MIT
// Control flow that all work-items of a group have in common, before they become lanes of warps: synccheck need not watch a barrier or an
// operation of a warp there. The vector path has a finer answer later (vectorizer/group_uniformity.h), but the checks are compiled in before.
#pragma once
#include "cpu/compiler/kernel_table.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

class GroupFlow {
public:
  /// `info`: of the kernel, whose built-in functions have been lowered.
  GroupFlow(llvm::Function &kernel, const KernelInfo &info);

  /// True if all work-items of a group execute the block equally often, and in the same order as other blocks of which that is true.
  bool isCommon(const llvm::BasicBlock &block) const { return divided_.count(&block) == 0; }

private:
  bool isUniform(const llvm::Value *value) const { return differing_.count(value) == 0; }
  bool differs(const llvm::Instruction &instruction) const;
  bool loadDiffers(const llvm::LoadInst &load) const;
  bool variableDiffers(const llvm::AllocaInst &variable) const;
  bool writesDifferently(const llvm::Instruction &user, const llvm::Use &address) const;
  bool isByValue(const llvm::Value *object) const;
  void divide(const llvm::Instruction &terminator);

  const KernelInfo &info_;
  llvm::PostDominatorTree joins_;
  llvm::SmallPtrSet<const llvm::Value *, 32> differing_;
  llvm::SmallPtrSet<const llvm::AllocaInst *, 16> varying_;  // variables of work-items with different contents
  llvm::SmallPtrSet<const llvm::Instruction *, 8> branches_; // that work-items take differently
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> mixing_;   // blocks whose phis depend on such a branch
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> divided_;
};

} // namespace hiplz::cpu
