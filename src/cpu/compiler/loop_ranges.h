// SPDX-License-Identifier: MIT
// Loops in which a work-item walks through neighbouring elements, for racecheck: what an access touches in all rounds is one range, which is
// known before the loop. Where only other launches are left to be compared with, one check of the range says as much as one in each round.
#pragma once
#include "cpu/compiler/accesses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

namespace hiplz::cpu {

struct LoopRange {
  llvm::Instruction *before; ///< where to check it
  llvm::Value *begin, *bytes;
};

/// Finds the ranges of the accesses that `isWanted` allows, and adds the code that computes them. Each round of the loop makes the access, and
/// nothing in the loop orders work-items.
llvm::DenseMap<const llvm::Instruction *, LoopRange> findLoopRanges(llvm::Function &function,
                                                                    llvm::ArrayRef<Access> accesses,
                                                                    llvm::function_ref<bool(const Access &)> isWanted);

} // namespace hiplz::cpu
