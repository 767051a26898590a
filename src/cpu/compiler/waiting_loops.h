// SPDX-License-Identifier: MIT
// Loops in which a kernel waits for memory to change.
#pragma once
#include "cpu/vectorizer/body_facts.h"

#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Adds a call of hiplz_cpu_yield() to every loop that goes round until an atomic operation, or a load of volatile memory,
/// which does the same thing each time, has another result: a spin lock, a barrier of the grid made by hand, a list of which
/// the next element may not be ready. Loops that compute what they exchange, and counters, make progress by themselves and are
/// left alone. To be done after inlining and simplification, when loops have their plain form; or else with `isOptimized` false.
void markWaitingLoops(llvm::Module &module, bool isOptimized);

} // namespace hiplz::cpu
