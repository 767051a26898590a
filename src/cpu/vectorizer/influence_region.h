// SPDX-License-Identifier: MIT
// What a branch decides about: the blocks that those who take it differently execute differently, up to the one where they are together
// again.
#pragma once
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

struct InfluenceRegion {
  llvm::SmallSetVector<const llvm::BasicBlock *, 16> between;
  const llvm::BasicBlock *join; ///< null if there is none
};

/// `branch` is a terminator of the function of `postDominators`.
InfluenceRegion influenceRegion(const llvm::Instruction &branch, const llvm::PostDominatorTree &postDominators);

} // namespace hiplz::cpu
