// SPDX-License-Identifier: MIT
// Accesses of whole warps under masks that the processor has no instructions for become loops over the lanes. LLVM would make code
// for each lane, in which loads copy the whole vector: half a megabyte for a kernel with a hundred of them, and seconds to compile it.
#pragma once
#include <llvm/IR/PassManager.h>

namespace llvm {
class TargetTransformInfo;
}

namespace hiplz::cpu {

/// Whether anything has changed.
bool loopThroughMaskedLanes(llvm::Function &function, const llvm::TargetTransformInfo &target);

/// Runs last: nothing has to understand the loops, or to unroll them.
struct MaskedLoopsPass : llvm::PassInfoMixin<MaskedLoopsPass> {
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace hiplz::cpu
