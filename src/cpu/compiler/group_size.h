// SPDX-License-Identifier: MIT
// Code for one size of work-groups: the size becomes a constant, so that LLVM unrolls the loops over warps, knows which bits of ids are
// zero, and divides by shifting.
//
// It becomes one behind the vectoriser. In front of it, LLVM would make other things of products with the size (`blockIdx.x * 256` a
// shift, the sum with an id an "or"), in which neither grid-stride loops nor rows of memory are recognised.
#pragma once
#include "cpu/abi/group_shape.h"
#include "cpu/compiler/options.h"

#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// True if a kernel gains from that as much as compiling it for each size costs: its work-items wait for each other, so all warps of a
/// work-group go through the same code many times, and it is not large. `kernel` is one of a module that has been prepared.
bool gainsFromSize(llvm::Function &kernel, const CompileOptions &options);

/// Replaces what the function reads of LaunchState::groupSize. Its first parameter is a WorkItem or a WarpState.
void fixGroupSize(llvm::Function &function, const GroupSize &size);

} // namespace hiplz::cpu
