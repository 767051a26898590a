// SPDX-License-Identifier: MIT
// Which kernels gain from work-groups that are executed side by side (compiler/group_loop.h).
#pragma once
#include "cpu/vectorizer/shape_analysis.h"

namespace hiplz::cpu {

/// True if lanes that are neighbours in x access neighbouring elements, or the same, wherever the kernel touches memory. Then a row of
/// the work-groups next to each other is one long row in memory; with any other stride each of them would bring lines of its own into
/// the cache, and throw out those that the next row needs.
bool accessesRows(const llvm::Function &body, const ShapeInfo &shapes);

} // namespace hiplz::cpu
