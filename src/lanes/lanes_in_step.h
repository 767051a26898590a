// SPDX-License-Identifier: MIT
// Programs that rely on the lanes of a warp going together: those that exchange values in memory without a barrier from step to step.
// docs/design/vectorizer.md has the rule as a table. Both paths of the CPU
// device and the pass that chooses the size of sub-groups on GPUs ask here.
//
// A kernel is executed in whole warps of 32 lanes unless it is shown that no lane sees what another one of its warp has written, or
// overwrites what another one has yet to read, between two barriers.
#pragma once
#include "lanes/lane_facts.h"
#include "lanes/warp_extent.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <utility>

namespace hiplz {

/// Where memory begins: a parameter, or what a parameter or variable has at an offset (plus one). Both null: a pointer from memory.
using Origin = std::pair<const llvm::Value *, uint64_t>;
/// A parameter of a function that is not a kernel: it may be a pointer to any memory.
constexpr Origin kAnywhere{nullptr, 1};

/// The origins of a pointer; none if it is to the work-item's own memory.
llvm::SmallVector<Origin, 4> originsOf(const llvm::Value *pointer, const llvm::DataLayout &layout,
                                       const LaneFacts &facts);

/// True if the pointer may be to local memory, also dynamic.
bool isLocalMemory(const llvm::Value *pointer, const LaneFacts &facts);

/// True if lanes of a warp may exchange values without a barrier: what LaneExchanges::any() says, in less time.
/// Of two writes, only those by lanes within `extentOfWrites` are looked at.
bool lanesExchange(llvm::Function &body, const LaneFacts &facts, const WarpExtent &extent,
                   const WarpExtent &extentOfWrites);

/// The pairs of accesses of a body by which lanes of a warp may exchange values without a barrier.
class LaneExchanges {
public:
  LaneExchanges() = default;
  LaneExchanges(llvm::Function &body, const LaneFacts &facts, const WarpExtent &extent);

  bool any() const { return !pairs_.empty(); }
  /// True if `second` may come behind `first`, with no barrier between, and touch what `first` has touched in another lane.
  bool between(const llvm::Instruction *first, const llvm::Instruction *second) const {
    return pairs_.contains({first, second});
  }
  /// The accesses that are in some pair, in the order of the code.
  llvm::ArrayRef<llvm::Instruction *> accesses() const { return accesses_; }

private:
  llvm::DenseSet<std::pair<const llvm::Instruction *, const llvm::Instruction *>> pairs_;
  llvm::SmallVector<llvm::Instruction *, 16> accesses_;
};

} // namespace hiplz
