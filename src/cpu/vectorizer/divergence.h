// SPDX-License-Identifier: MIT
// Control dependence: where control flow parts those who execute a function, and what that decides about values. Whoever asks what is the same
// for all and what is not asks here: the shapes of a warp (shape_analysis.h), and the plain answers for other scopes (uniformity.h).
//
// Those who part at a branch take different ways to its join, the block that all ways lead through. What a phi on the way chooses, and in
// which round of a loop a value was made, depends on the way. How much depends on whether they keep step:
//
// - The lanes of a warp do. A phi chooses where ways meet that have come apart: at the join, and in front of it where control flow has no
//   structure. Of a loop that lanes leave one after the other, the values differ outside alone: those still in it are in one round.
// - The warps of a work-group do not, nor do its work-items, nor lanes of which some wait for others. They are in different rounds
//   of a loop that they leave differently, so every phi on the way differs, and all that is made on the way and used behind it.
#pragma once
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// The block where all are together again that part at the end of this one; null if that is the end of the function.
llvm::BasicBlock *joinOf(const llvm::BasicBlock &block, const llvm::PostDominatorTree &postDominators);

/// Of those who do not keep step.
class Divergence {
public:
  /// Notes that they part at the end of the block. False if that is known.
  bool part(const llvm::BasicBlock &block, const llvm::PostDominatorTree &postDominators);

  /// The blocks at whose end they part, in the order in which they were noted.
  const llvm::SetVector<const llvm::BasicBlock *> &branches() const { return branches_; }

  /// True if all execute the block equally often, and in the same order as other blocks of which that is true.
  bool isCommon(const llvm::BasicBlock &block) const { return !between_.contains(&block); }

  /// True if an instruction whose operands are the same for all has another result for some.
  bool decidesAbout(const llvm::Instruction &instruction) const {
    return leaving_.contains(&instruction) ||
           (llvm::isa<llvm::PHINode>(instruction) && mixing_.contains(instruction.getParent()));
  }

private:
  llvm::SetVector<const llvm::BasicBlock *> branches_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> between_; // a branch and its join
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> mixing_;  // these, and the joins
  llvm::DenseSet<const llvm::Instruction *> leaving_;       // made between a branch and its join, and used elsewhere
};

/// Of the lanes of a warp, which keep step.
class LaneDivergence {
public:
  /// Notes that they part at the end of the block. False if that is known.
  bool part(const llvm::BasicBlock &block, const llvm::PostDominatorTree &postDominators, const llvm::LoopInfo &loops);

  /// True if lanes come to the block in different ways, of which phis choose.
  bool meetAt(const llvm::BasicBlock &block) const { return meetings_.contains(&block); }

  /// True if lanes leave the loop in different rounds, or stay in it when others leave.
  bool isLeftApart(const llvm::Loop &loop) const { return leftApart_.contains(&loop); }

private:
  llvm::DenseSet<const llvm::BasicBlock *> branches_, meetings_;
  llvm::SmallPtrSet<const llvm::Loop *, 8> leftApart_;
};

} // namespace hiplz::cpu
