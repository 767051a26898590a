// SPDX-License-Identifier: MIT
// Calls of functions that reach an operation of a warp or a block. Which threads take part depends on the place of the call, so calls in
// the two arms of a branch must not become one. The operations themselves are declared so in the headers, and this pass passes it on to
// their callers. It runs in clang before all optimisations, and again when the program is linked.
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace hiplz::passes {

/// True if nothing is known of the code that the call reaches: assembly, a pointer, or a function of another file. SPIR-V's functions
/// are declared in our headers.
static bool reachesUnknownCode(const CallBase &Call) {
  if (!Call.isConvergent())
    return false;
  const Function *Callee = Call.getCalledFunction();
  return !Callee || (Callee->isDeclaration() && !Callee->isIntrinsic() && !Callee->getName().contains("__spirv_"));
}

PreservedAnalyses GroupCallsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  SmallVector<Function *, 16> Work;
  SmallPtrSet<Function *, 16> Seen;
  auto reaches = [&](Function &F) {
    if (Seen.insert(&F).second)
      Work.push_back(&F);
  };
  auto mark = [&](CallBase &Call) {
    if (!Call.cannotMerge()) {
      Call.addFnAttr(Attribute::NoMerge);
      Changed = true;
    }
    reaches(*Call.getFunction());
  };
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && (Call->cannotMerge() || reachesUnknownCode(*Call)))
        mark(*Call);
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == F)
        mark(*Call);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
