// SPDX-License-Identifier: MIT
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// True if the loops of a kernel walk along rows of memory, one for each work-item, and do little else: a sparse matrix with a work-item
/// for each row, the edges of a vertex. As a warp they would gather each word and miss the cache for each row at once, and lanes with short
/// rows would wait for the longest; one work-item after the other reads memory in order.
bool walksRows(llvm::Function &body);

} // namespace hiplz::cpu
