// SPDX-License-Identifier: MIT
// The control flow that the vectoriser understands: ifs without else whose join is the other successor, and loops that
// are left at their only latch. Everything else must first be turned into these (structure.cpp), or be uniform.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// The structured branches of a function, whose control flow must stay as it is while this is used.
class ControlStructure {
public:
  explicit ControlStructure(llvm::Function &function);

  /// Of a block that ends in an if without else: the index of the successor that only some lanes go to; the other is the
  /// join. -1 for other blocks.
  int guardedSuccessor(const llvm::BasicBlock &block) const;
  /// The guarded successor itself, or null.
  const llvm::BasicBlock *guardedBlock(const llvm::BasicBlock &block) const;
  /// The blocks whose ifs join at the beginning of `join`.
  llvm::ArrayRef<const llvm::BasicBlock *> branchesJoining(const llvm::BasicBlock &join) const;
  /// The loop whose only exit the branch at the end of `block` is, its only latch; else null.
  llvm::Loop *exitedLoop(const llvm::BasicBlock &block) const;

  using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 16>;
  /// Adds the blocks that any of `blocks` dominates, themselves included.
  void addDominated(const Blocks &blocks, Blocks &to) const;

  const llvm::DominatorTree &dominators() const { return dominators_; }
  const llvm::PostDominatorTree &postDominators() const { return postDominators_; }
  const llvm::LoopInfo &loops() const { return loops_; }

  /// Gives every join of an if two predecessors, the if's block and one other. Returns whether something changed, after
  /// which this object is no longer valid.
  bool separateJoins();

private:
  void findGuard(llvm::BasicBlock &block);

  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postDominators_;
  llvm::LoopInfo loops_;
  llvm::DenseMap<const llvm::BasicBlock *, int> guards_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<const llvm::BasicBlock *, 2>> joins_;
};

} // namespace hiplz::cpu
