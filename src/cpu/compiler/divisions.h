// SPDX-License-Identifier: MIT
// x86 traps where the smallest number is divided by minus one, as it does for a division by zero. GPUs give the smallest number and the
// remainder 0.
#pragma once
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Makes signed divisions wrap. Divisions of vectors become one for each element unless the divisor is a constant that is safe to divide
/// by: see vectorizer/lane_divisions.h for what LLVM does to them.
void wrapDivisions(llvm::Module &module);

} // namespace hiplz::cpu
