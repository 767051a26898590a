// SPDX-License-Identifier: MIT
// Code for warps of 64 lanes moves values by 32, where every lane gets its own value back and sums are wrong without a word. The
// headers' shuffles call a function that nobody defines if clang's optimisation shows that the offset is such a number, also in the
// first round of a loop that was unrolled; each place of such a call is a warning.
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace hiplz::passes {

PreservedAnalyses WarpOffsetsPass::run(Module &M, ModuleAnalysisManager &) {
  Function *Mark = M.getFunction("__hiplz_beyond_warp");
  if (!Mark)
    return PreservedAnalyses::all();
  Diagnostics Warnings;
  DenseSet<std::pair<const DILocation *, const Value *>> Known; // loops leave copies
  for (User *U : make_early_inc_range(Mark->users()))
    if (auto *Call = dyn_cast<CallInst>(U)) {
      auto *Offset = dyn_cast<ConstantInt>(Call->getArgOperand(0));
      if (Offset && (!Call->getDebugLoc() || Known.insert({Call->getDebugLoc().get(), Offset}).second))
        Warnings.warning(*Call,
                         "a shuffle by " + Twine(Offset->getZExtValue()) +
                             " lanes gives each lane its own value: warps have 32 lanes on every device; begin with "
                             "warpSize / 2, or define HIPLZ_NO_SHUFFLE_WARNINGS");
      Call->eraseFromParent();
    }
  if (Mark->use_empty())
    Mark->eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
