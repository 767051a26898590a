// SPDX-License-Identifier: MIT
// SPIR-V wants a block to stand after the blocks that dominate it; LLVM does not care. Reverse post-order has that
// property. Blocks that cannot be reached are removed. The variables of a function must be its first instructions.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace hiplz::passes {

PreservedAnalyses BlockOrderPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    removeUnreachableBlocks(F);
    moveVariablesToStart(F);
    ReversePostOrderTraversal<Function *> Order(&F);
    BasicBlock *Last = nullptr;
    for (BasicBlock *Block : Order) {
      if (Last)
        Block->moveAfter(Last);
      Last = Block;
    }
  }
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
