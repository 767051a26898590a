// SPDX-License-Identifier: MIT
// Which values are the same for all of those who execute a function, and which branches part them: a fixed point over data and control
// dependence (divergence.h). Everything is the same until something shows that it is not. Who "all" are and where differences come
// from is the scope's, a class of its own: the work-items of a work-group and its warps (group_uniformity.h), lanes of which some
// wait for others (polling.cpp), and what an id is part of, control flow aside (dependents.h).
//
// Lanes that keep step know more than same or different: their lattice is that of the shapes (shape_analysis.h).
#pragma once
#include "cpu/vectorizer/divergence.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

#include <cstdint>
#include <optional>

namespace hiplz::cpu {

class Uniformity {
public:
  virtual ~Uniformity() = default;

  /// True if all that get there have the same value.
  bool isUniform(const llvm::Value *value) const { return !differing_.contains(value); }

  /// True if all execute the block equally often, and in the same order as other blocks of which that is true.
  bool isCommon(const llvm::BasicBlock &block) const { return divergence_.isCommon(block); }

  /// The blocks at whose end they part, in the order in which that was found.
  const llvm::SetVector<const llvm::BasicBlock *> &branches() const { return divergence_.branches(); }
  /// Where all are together again that part at the end of one of these blocks; null if that is the end of the function.
  const llvm::BasicBlock *joinOf(const llvm::BasicBlock &branch) const;

protected:
  /// The function must stay as it is while this is used.
  explicit Uniformity(llvm::Function &function) : function_(function) {}

  /// To be called when a scope is complete. `source` differs from the beginning.
  void settle(const llvm::Value *source = nullptr);

  enum class Rule : uint8_t { same, differs, asOperands };
  /// Of an instruction that is no terminator. May ask for what is known so far.
  virtual Rule ruleOf(const llvm::Instruction &instruction) const = 0;
  /// True if a branch on the value parts them.
  virtual bool parts(const llvm::Value *decision) const { return !isUniform(decision); }

  bool anyOperandDiffers(const llvm::Instruction &instruction) const;

  llvm::Function &function_;

private:
  bool differs(const llvm::Instruction &instruction) const;
  bool notePart(const llvm::BasicBlock &block);

  Divergence divergence_;
  std::optional<llvm::PostDominatorTree> postDominators_; // from the first branch on
  llvm::DenseSet<const llvm::Value *> differing_;
};

} // namespace hiplz::cpu
