// SPDX-License-Identifier: MIT
#pragma once
#include "cpu/vectorizer/shape_analysis.h"

namespace hiplz::cpu {

/// Whether this is what indices are computed with, multiplications aside: whoever prefetches looks at their factors.
bool isIndexArithmetic(const llvm::Instruction &instruction);

/// Makes loops whose loads advance by a step that is not known before they run fetch what they will load some rounds later:
/// grid-stride loops, and walks along the columns of a matrix, leap from page to page, where processors do not look ahead by
/// themselves. `shapes` are those of the body; they know nothing of what is added. Returns whether anything was.
bool prefetchLeaps(const ShapeAnalysis &shapes);

} // namespace hiplz::cpu
