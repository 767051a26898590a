// SPDX-License-Identifier: MIT
// Two accesses of a work-item to neighbouring words, the two halves of a complex number or of a float2, become one
// access to both where the lanes' addresses are anywhere: a gather or scatter takes its time for each element, not for
// its size.
#pragma once
#include "cpu/vectorizer/shape_analysis.h"

namespace hiplz::cpu {

/// Joins what it finds in `body`, to which `shapes` belongs; they do not hold any longer if it returns true.
bool joinNeighbours(llvm::Function &body, const ShapeAnalysis &shapes);

} // namespace hiplz::cpu
