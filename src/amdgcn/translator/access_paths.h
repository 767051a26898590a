// SPDX-License-Identifier: MIT
// Ways of loads and stores for lanes whose addresses follow each other, or are the same, in the place of a call.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::amdgcn {

/// Puts these ways in front of the calls that loadLanes and storeLanes have made, unless there are so many that it would make the code too large.
/// `rowLanes`: of the lanes, which are that many work-items in a row of the work-group each, or 32 if nothing is known of rows.
/// Returns whether work-groups may be executed side by side, and gain (rows_only.h).
bool inlineAccessPaths(llvm::Function &wave, unsigned rowLanes);

} // namespace hiplz::amdgcn
