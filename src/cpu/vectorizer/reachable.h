// SPDX-License-Identifier: MIT
// The functions that a function may call, directly or not. The vectoriser and the compiler around it ask this.
#pragma once
#include <llvm/IR/Function.h>

#include <vector>

namespace hiplz::cpu {

/// The functions that can run when `function` is called: itself, what it calls, and whatever has its address taken if
/// something is called through a pointer.
std::vector<llvm::Function *> reachableFunctions(llvm::Function &function);

} // namespace hiplz::cpu
