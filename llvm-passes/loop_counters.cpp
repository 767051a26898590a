// SPDX-License-Identifier: MIT
// Intel's compiler takes wide sub-groups only if no loop keeps work-items waiting for each other. A loop whose counter
// begins with the number of the work-item and advances by the same for all, as those that step by the size of the grid
// do, may diverge in its last round alone, and is accepted. But it is recognised in one form only: the first phi of the
// loop's header that an addition advances is the counter, and the addition has it on the left.
// `i += gridDim.x * blockDim.x` has it on the right, because LLVM orders operands by how complex they are. This pass
// gives loops that form.
#include "base/llvm_compat.h"
#include "passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

struct Counter {
  PHINode *Phi = nullptr;
  BinaryOperator *Advance = nullptr;
};

/// The counter that \p V is, before or after it advances; nothing if it is none of the loop's.
Counter counterIn(const Loop &L, Value *V) {
  if (auto *Extension = dyn_cast<SExtInst>(V))
    V = Extension->getOperand(0);
  for (PHINode &Phi : L.getHeader()->phis()) {
    auto *Advance = dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
    if (!Advance || Advance->getOpcode() != Instruction::Add || (V != &Phi && V != Advance))
      continue;
    if (Advance->getOperand(0) == &Phi || Advance->getOperand(1) == &Phi)
      return {&Phi, Advance};
  }
  return {};
}

/// The counter that ends the loop. One that begins with a constant is the same in all work-items, and matters only if
/// there is no other.
Counter counterOf(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exits;
  L.getExitingBlocks(Exits);
  Counter Found;
  for (const BasicBlock *Exit : Exits) {
    auto *Branch = dyn_cast<BranchInst>(Exit->getTerminator());
    auto *Comparison = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
    if (!Comparison)
      continue;
    for (Value *Operand : Comparison->operands()) {
      const Counter Candidate = counterIn(L, Operand);
      if (!Candidate.Phi)
        continue;
      if (!isa<Constant>(Candidate.Phi->getIncomingValueForBlock(L.getLoopPreheader())))
        return Candidate;
      if (!Found.Phi)
        Found = Candidate;
    }
  }
  return Found;
}

bool normalise(const Loop &L) {
  if (!L.getLoopLatch() || !L.getLoopPreheader())
    return false;
  const auto [Phi, Advance] = counterOf(L);
  if (!Phi)
    return false;
  bool Changed = false;
  if (Advance->getOperand(0) != Phi) {
    Advance->swapOperands();
    Changed = true;
  }
  if (PHINode &First = *L.getHeader()->phis().begin(); &First != Phi) {
    Phi->moveBefore(&First);
    Changed = true;
  }
  return Changed;
}

} // namespace

PreservedAnalyses LoopCountersPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    DominatorTree Tree(F);
    const LoopInfo Loops(Tree);
    for (const Loop *L : Loops.getLoopsInPreorder())
      Changed |= normalise(*L);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
