// SPDX-License-Identifier: MIT
// Divisions of integers that have more than one word.
#pragma once

#include "llvm/IR/Function.h"

namespace hiplz::passes {

/// Puts loops in the place of quotients and remainders of more than 64 bits.
void expandWideDivisions(llvm::Function &F);

} // namespace hiplz::passes
