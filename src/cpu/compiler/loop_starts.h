// SPDX-License-Identifier: MIT
// Loop variables that have no value before the loop: `int last; for (...) if (matches(i)) last = me;`. The loop vectoriser of LLVM 15 takes such
// a loop for a search ("was any round's value another than the first one?"), compares with the value that is not there, and makes
// undef of the result, whatever the rounds have set. Clang does the same to code of the host. So each such variable begins with zero.
#pragma once
#include <llvm/IR/PassManager.h>

namespace hiplz::cpu {

/// To be run before LLVM's loop vectoriser, behind all passes that make values of variables in memory.
struct LoopStartsPass : llvm::PassInfoMixin<LoopStartsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace hiplz::cpu
