// SPDX-License-Identifier: MIT
// The blocks that a branch decides about: those who take it differently execute them differently, up to the block where they are together
// again.
#pragma once
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// The block where all are together again that part at the end of this one; null if that is the end of the function.
llvm::BasicBlock *joinOf(const llvm::BasicBlock &block, const llvm::PostDominatorTree &postDominators);

struct InfluenceRegion {
  llvm::SmallSetVector<const llvm::BasicBlock *, 16> between;
  const llvm::BasicBlock *join; ///< joinOf
};

/// `branch` is a terminator of the function of `postDominators`.
InfluenceRegion influenceRegion(const llvm::Instruction &branch, const llvm::PostDominatorTree &postDominators);

} // namespace hiplz::cpu
