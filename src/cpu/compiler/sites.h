// SPDX-License-Identifier: MIT
// Numbers for the places of a kernel where work-items meet.
#pragma once
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// The pieces of a module (split.h) begin at different numbers. Functions that are called through pointers have the lower ones:
/// work-items within them go first, so that the others meet them behind the call.
constexpr uint32_t kFirstSharedSite = 1, kFirstKernelSite = 1u << 30;

/// Gives every call of a collective operation a number from `first` on: a place that comes first in control flow gets the lower one, and a
/// loop's places lie below those behind the loop. To be done after inlining, so that every inlined copy of a function is a
/// place of its own, and before optimisation, whose copies of a call stay one place.
void numberSites(llvm::Module &module, uint32_t first);

/// Gives the calls of a kernel's body that have come since, with the number 0, numbers between those of the others, which change but
/// stay in order.
void numberAddedSites(llvm::Function &body);

} // namespace hiplz::cpu
