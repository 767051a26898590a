// SPDX-License-Identifier: MIT
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// True if a kernel gains from warps of twice as many lanes as a register has 32-bit numbers: it mostly computes with such numbers,
/// and little enough is alive at a time for two registers each. Then the latency of one half is hidden by the other half, as in
/// a loop that is unrolled. Where accesses to memory or doubles prevail, more lanes only cost registers.
bool gainsFromWideWarps(llvm::Function &body);

/// True if the loops of a kernel make products of rows and columns, as those of matrices do: they read one word for all work-items of a
/// row of the work-group, and words side by side that all rows have in common. A warp with several short rows reads the latter
/// once for all of them. With long rows, its halves are two sums that do not wait for each other.
bool sharesColumns(llvm::Function &body);

} // namespace hiplz::cpu
