// SPDX-License-Identifier: MIT
// A switch or branch of LLVM may lead to the same block several times, with an entry in each phi for every edge. SPIR-V
// wants one entry for each predecessor, and drivers crash on more. All but one such edge get a block of their own.
#include "base/llvm_compat.h"
#include "passes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace hiplz::passes {

static bool splitRepeatedEdges(BasicBlock &From) {
  Instruction *Terminator = From.getTerminator();
  SmallPtrSet<BasicBlock *, 8> Seen;
  bool Changed = false;
  for (unsigned N = 0; N < Terminator->getNumSuccessors(); ++N) {
    BasicBlock *To = Terminator->getSuccessor(N);
    if (Seen.insert(To).second || To->phis().empty())
      continue;
    auto *Edge = BasicBlock::Create(From.getContext(), "edge", From.getParent(), To);
    auto *Jump = BranchInst::Create(To, Edge);
    Jump->setDebugLoc(Terminator->getDebugLoc());
    Terminator->setSuccessor(N, Edge);
    // The entries of a block are equal, so any one of them may move to the new block.
    for (PHINode &Phi : To->phis())
      Phi.setIncomingBlock(Phi.getBasicBlockIndex(&From), Edge);
    Changed = true;
  }
  return Changed;
}

PreservedAnalyses UniqueEdgesPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : make_early_inc_range(F))
      Changed |= splitRepeatedEdges(Block);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
