// SPDX-License-Identifier: MIT
// Which masks of lanes lie in which others. A mask is a value of 32 bits, as scalar registers hold it, or <32 x i1>. How the code computes
// masks (and, or, xor, selections, phis) tells it, whatever the values are that it starts from.
//
// A mask computed in a loop has another value in each round. `whole` is known to contain `mask` only if it dominates it. So whenever both
// are used, the last value of `mask` was computed behind the last one of `whole`, and lies in it.
#pragma once
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace hiplz::amdgcn {

/// True for bits of lanes: i32 and <32 x i1>.
bool isMask(const llvm::Value *value);

/// The mask without changes of its type.
llvm::Value *plainMask(llvm::Value *mask);

class LaneMasks {
public:
  /// `live` is the mask with which the wave begins. The function must not change as long as the object is used.
  LaneMasks(llvm::Function &wave, llvm::Value &live);

  /// True if each lane of the mask is known to be one of `whole`.
  bool isPart(llvm::Value *mask, llvm::Value *whole) const;

  /// A mask with the lanes of both; all lanes if none is known.
  llvm::Value *united(llvm::Value *a, llvm::Value *b) const;

  /// A mask with all lanes that this one will have in block `to`, if the block is entered from `from`. It is known at the end of `from`. All
  /// lanes if none is known.
  llvm::Value *onEdge(const llvm::BasicBlock &from, const llvm::BasicBlock &to, llvm::Value *mask);

  llvm::Value *all() const { return all_; }

private:
  void collect(llvm::Function &wave);
  void solve();
  llvm::BitVector containersOf(llvm::Value *mask) const;
  llvm::BitVector computed(llvm::Instruction &mask);
  const llvm::BitVector &dominatorsOf(const llvm::BasicBlock &block);
  llvm::Value *smallest(const llvm::BitVector &containers) const;

  llvm::Value *live_, *all_;
  llvm::DominatorTree dominators_;
  llvm::DenseMap<const llvm::Value *, unsigned> numbers_; // of masks
  std::vector<llvm::Instruction *> masks_;
  std::vector<llvm::BitVector> containers_; // of each mask, by number; itself as well
  unsigned containerCount_ = 0;             // masks with higher numbers contain only themselves
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> blockDominators_;
};

/// Replaces masks by others that are known to be the same: EXEC behind a branch or a loop is what it was in front of it. Registers must be values already
/// (mem2reg).
void simplifyMasks(llvm::Function &wave, llvm::Value &live);

} // namespace hiplz::amdgcn
