// SPDX-License-Identifier: MIT
#pragma once
#include "cpu/vectorizer/shape_analysis.h"

namespace hiplz::cpu {

/// Makes stores whose place leaps from one work-group to the next, those of a transposition, fetch the lines that the
/// next group in x will write: a store waits for its line, processors do not look ahead there, and one thread runs the
/// groups in this order. `shapes` are those of `body`; they know nothing of what is added. Returns whether anything
/// was.
bool prefetchForNextGroup(llvm::Function &body, const ShapeAnalysis &shapes, const WarpOptions &options);

} // namespace hiplz::cpu
