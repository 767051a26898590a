// SPDX-License-Identifier: MIT
// Kernels whose work-groups gain from being executed side by side, as those of vectorised kernels (docs/design/vectorizer.md).
#pragma once
#include "amdgcn/translator/known_access.h"

namespace hiplz::amdgcn {

/// True if the lanes of each row access neighbouring elements, or the same, wherever the wave touches memory, and nothing else could tell in which
/// order the waves of several work-groups run: there are no loops, no local memory and no atomic operations.
bool accessesRowsOnly(const llvm::Function &wave, const KnownAccesses &known);

} // namespace hiplz::amdgcn
