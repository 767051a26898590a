// SPDX-License-Identifier: MIT
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// True if the loops of a kernel walk along rows of memory, one for each work-item, and do little else: a sparse matrix with a work-item
/// for each row, the edges of a vertex; or if it has no loops, and copies or moves a structure for each work-item. As a warp they would gather each word and miss the cache for each row at once, and lanes with short
/// rows would wait for the longest; one work-item after the other reads memory in order.
bool walksRows(llvm::Function &body);

/// An attribute of kernels of which that is true without their checks, which hide it.
inline constexpr char kWalksRowsUnchecked[] = "hiplz-walks-rows-unchecked";

/// An attribute of bodies that are executed one work-item after the other because walksRows() is true.
inline constexpr char kWalksRows[] = "hiplz-walks-rows";

} // namespace hiplz::cpu
