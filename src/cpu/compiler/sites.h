// SPDX-License-Identifier: MIT
// Numbers for the places of a kernel where work-items meet.
#pragma once
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Gives every call of a collective operation a number: a place that comes first in control flow gets the lower one, and a
/// loop's places lie below those behind the loop. To be done after inlining, so that every inlined copy of a function is a
/// place of its own, and before optimisation, whose copies of a call stay one place.
void numberSites(llvm::Module &module);

} // namespace hiplz::cpu
