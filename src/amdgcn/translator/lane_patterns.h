// SPDX-License-Identifier: MIT
// Vectors whose lanes follow a pattern: in each row of lanes, lane i has the number of the row's first lane and a constant. Addresses that are
// made of work-item ids are such vectors in most code, and then an access is one load instead of tests of 32 addresses.
//
//     value[lane] = first(value, lane / rowLanes) + steps[lane]      wherever holds(value) is true
//
// The steps are constants that are found once. The first numbers and the conditions are scalars that are computed beside the vector: sums
// must not begin again at 0 on the way from lane to lane where that would be seen, which only the running program knows.
#pragma once
#include "amdgcn/translator/lanes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <optional>
#include <set>

namespace hiplz::amdgcn {

class LanePatterns {
public:
  using Steps = std::array<int64_t, kLanes>; ///< 0 for the first lane of each row

  /// `rowLanes` divides the lanes.
  LanePatterns(llvm::Function &wave, unsigned rowLanes);

  unsigned rows() const { return kLanes / rowLanes_; }
  unsigned rowLanes() const { return rowLanes_; }

  /// Null if the lanes of the vector follow no pattern.
  const Steps *stepsOf(llvm::Value *vector);
  /// True if lane i of each row is i times so much more than the row's first lane.
  bool hasStep(llvm::Value *vector, int64_t step);
  bool isUniform(llvm::Value *vector) { return hasStep(vector, 0); }

  /// The first lane of a row.
  llvm::Value *first(llvm::Value *vector, unsigned row);
  /// The condition of the pattern, an i1.
  llvm::Value *holds(llvm::Value *vector);

private:
  using Operation = llvm::Instruction;

  std::optional<Steps> constantSteps(const llvm::Constant &constant) const;
  std::optional<Steps> shuffleSteps(const llvm::ShuffleVectorInst &shuffle) const;
  std::optional<Steps> computed(Operation &operation);
  std::optional<Steps> combined(Operation &operation, llvm::ArrayRef<const Steps *> in);
  const Steps *intern(const Steps &steps) { return &*known_.insert(steps).first; }
  void solve(llvm::Function &wave);
  void findConditional(llvm::Function &wave);
  bool isConditional(llvm::Value *vector) const { return conditional_.contains(vector); }
  llvm::Value *makeFirst(Operation &operation, unsigned row);
  llvm::Value *makeHolds(Operation &operation);
  void addOwnCondition(llvm::IRBuilder<> &b, Operation &operation, llvm::SmallVectorImpl<llvm::Value *> &all);

  const unsigned rowLanes_;
  std::set<Steps> known_;
  const Steps *uniform_;
  llvm::DenseMap<llvm::Value *, const Steps *> steps_; // of operations; null: no pattern
  llvm::DenseSet<llvm::Value *> conditional_;
  llvm::DenseMap<std::pair<llvm::Value *, unsigned>, llvm::Value *> firsts_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> holds_;
};

} // namespace hiplz::amdgcn
