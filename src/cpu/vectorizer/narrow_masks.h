// SPDX-License-Identifier: MIT
// Masked accesses of the first two, four or eight lanes become plain ones of shorter vectors, and those of the first lane scalar
// ones. The steps of a tree in shared memory end with them, and processors forward what a masked store has written to no load.
#pragma once
#include <llvm/IR/PassManager.h>

namespace hiplz::cpu {

/// Runs where constants have been propagated into the masks.
struct NarrowMasksPass : llvm::PassInfoMixin<NarrowMasksPass> {
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace hiplz::cpu
