// SPDX-License-Identifier: MIT
// Loops in which each lane walks along memory of its own: the rows of a matrix, the edges of a vertex. A gather reads one word of each lane's
// row, so as many cache lines are on their way as there are lanes, and all lanes wait for the longest row. One lane after the other is faster.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::amdgcn {

/// Gives such loops a copy that executes one lane after the other, which is taken where the lanes' rows are not neighbours. The selections
/// of lanes must still be there (unused_lanes.h). `rowLanes` as in lane_patterns.h.
void walkLaneByLane(llvm::Function &wave, unsigned rowLanes);

} // namespace hiplz::amdgcn
