// SPDX-License-Identifier: MIT
// See loop_starts.h.
#include "cpu/compiler/loop_starts.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace hiplz::cpu {

PreservedAnalyses LoopStartsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (const Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    for (PHINode &phi : loop->getHeader()->phis())
      for (Use &value : phi.incoming_values())
        if (isa<UndefValue>(value)) {
          value = Constant::getNullValue(phi.getType());
          changed = true;
        }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace hiplz::cpu
