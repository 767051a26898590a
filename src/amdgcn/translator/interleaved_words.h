// SPDX-License-Identifier: MIT
// Accesses of lanes that have several words each, which follow those of the lane before: structures, vectors, rows of a few words. Each access takes
// some words of every lane, and together they take all of a piece of memory. That piece is loaded or stored as a whole, and its words are sorted
// by registers, which is faster than to go by lane.
#pragma once
#include "amdgcn/translator/known_access.h"

namespace hiplz::amdgcn {

/// Replaces copies of such accesses in a block that runs only where all of their conditions hold. `copies` maps the calls, and what the copied code
/// computes. Returns the calls whose copies are gone.
llvm::SmallPtrSet<llvm::CallInst *, 16> joinInterleaved(llvm::ArrayRef<llvm::CallInst *> calls, KnownAccesses &known,
                                                        const llvm::ValueToValueMapTy &copies);

} // namespace hiplz::amdgcn
