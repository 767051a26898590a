// SPDX-License-Identifier: MIT
// Removes noinline, which clang puts on every function at -O0: drivers then build a stack, and warp functions inside a
// real call are not reliable on Intel's GPUs.
#include "passes.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace hiplz::passes {

PreservedAnalyses FunctionAttributesPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M) {
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::NoInline);
  }
  return PreservedAnalyses::all();
}

} // namespace hiplz::passes
