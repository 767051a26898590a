// SPDX-License-Identifier: MIT
// Indices that are narrower than addresses.
#pragma once
#include "cpu/vectorizer/shape_analysis.h"

namespace hiplz::cpu {

/// Computes in 64 bits what is extended to 64 bits afterwards, if that shows that the lanes have neighbouring values: the
/// extension of `i + 1` is strided only if it is known that no lane wraps, which the flags of the addition say of the lanes
/// that are there; in 64 bits nothing needs to be known. Returns whether something changed.
bool widenIndices(llvm::Function &body, const ShapeAnalysis &shapes);

} // namespace hiplz::cpu
