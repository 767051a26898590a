// SPDX-License-Identifier: MIT
// Finds out whether the warps that follow have anything to do. Trees in shared memory leave more and more warps idle from one
// barrier to the next:
//
//     if (threadIdx.x < width)          a region returns what is next, with kNoWarpFollows if no warp with larger x will come
//       part[threadIdx.x] += ...        into the branch
//     __syncthreads();
//
// A branch is a guard if warps with larger x stay out as soon as one does. A warp that finds that all guards on its way
// keep out the warps with larger x, and finds outside the guarded code no effects and no branch that warps take
// differently, has seen the path that all of these take: nothing happens on it.
#pragma once
#include "cpu/vectorizer/group_uniformity.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

class IdleWarps {
public:
  /// Adds to each guarded block of the warp function, of so many lanes, what tells whether others come in. That is code of the block
  /// like any other: what it needs from before a barrier is kept.
  IdleWarps(llvm::Function &warp, const WarpsOfGroup &uniformity, unsigned width);

  /// True if there is a guard.
  bool possible() const { return !guards_.empty(); }

  /// A guard: warps come to the block if an x of their lanes is below a limit that all warps have in common, or not above it.
  struct Guard {
    llvm::BasicBlock *block;
    llvm::Value
        *othersComeIn; ///< in the block, or a constant: the warp with the next larger x comes to it as this one has
  };

  /// The guard at the end of the block; null if there is none.
  const Guard *guardOf(const llvm::BasicBlock *block) const {
    auto guard = guards_.find(block);
    return guard == guards_.end() ? nullptr : &guard->second;
  }

  /// True if the block does something, or warps leave it differently; blocks that are guarded do not count.
  bool works(const llvm::BasicBlock *block) const { return working_.contains(block); }

private:
  llvm::DenseMap<const llvm::BasicBlock *, Guard> guards_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> working_;
};

} // namespace hiplz::cpu
