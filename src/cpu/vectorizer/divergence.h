// SPDX-License-Identifier: MIT
// Which branches of a body may send the lanes of a warp different ways, whatever its control flow. The shapes know that of structured
// control flow only (shape_analysis.h); before that is made, phis that join divergent branches without structure have the shape of
// what comes in. This takes all phis and all that leaves a region between a divergent branch and its join for varying, which is
// more than need be, but enough for questions about who may wait for whom.
#pragma once
#include "cpu/vectorizer/shape_analysis.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>

namespace hiplz::cpu {

class Divergence {
public:
  /// Both must stay as they are while this is used.
  Divergence(llvm::Function &body, const ShapeInfo &shapes);

  /// The blocks that end in divergent branches.
  const llvm::SetVector<const llvm::BasicBlock *> &branches() const { return branches_; }

  /// Where all lanes are together again that part at the end of the block; null if that is the end of the kernel.
  const llvm::BasicBlock *joinOf(const llvm::BasicBlock &block) const;

  /// True if lanes may have different values for which the shape does not show it.
  bool isTainted(const llvm::Value *value) const { return tainted_.contains(value); }

private:
  bool isVarying(const llvm::Value *value) const { return isTainted(value) || !shapes_.shapeOf(value).isUniform(); }
  void part(const llvm::BasicBlock &block);

  const ShapeInfo &shapes_;
  llvm::PostDominatorTree postDominators_;
  llvm::SetVector<const llvm::BasicBlock *> branches_;
  llvm::DenseSet<const llvm::Value *> tainted_;
};

} // namespace hiplz::cpu
