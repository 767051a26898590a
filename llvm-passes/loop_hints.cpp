// SPDX-License-Identifier: MIT
// Loops that a program wants unrolled or not, with `#pragma unroll` or `#pragma nounroll`, and clang has not done at -O0 or for a loop whose
// number of rounds it does not know, is for the driver's compiler to do, or to leave. Clang's own answer is kept as
// well: a loop that it has unrolled is not to be unrolled again.
//
// The translator turns the hint at the branch back to the header into OpLoopMerge in the header. For that it takes the
// branch's second target, or that of the header if the branch has one target only, for the block behind the loop.
// Branches are turned round where that helps. Elsewhere, and if the header ends in a switch, SPIR-V would not be valid
// and the hint is dropped. So is everything else that LLVM knows about loops: the translator would ask for extensions.
#include "base/llvm_compat.h"
#include "passes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

/// The name of the hint, in the form that has no number; empty if there is none. To unroll once is not to unroll.
StringRef hintOf(const MDNode &Loop) {
  for (const MDOperand &Operand : drop_begin(Loop.operands())) {
    auto *Hint = dyn_cast_or_null<MDNode>(Operand.get());
    auto *Name = Hint && Hint->getNumOperands() ? dyn_cast<MDString>(Hint->getOperand(0)) : nullptr;
    if (Name && Name->getString() == "llvm.loop.unroll.count" && Hint->getNumOperands() == 2)
      if (auto *Count = mdconst::dyn_extract<ConstantInt>(Hint->getOperand(1)); Count && Count->isOne())
        return "llvm.loop.unroll.disable";
    for (StringRef Known : {"llvm.loop.unroll.disable", "llvm.loop.unroll.full", "llvm.loop.unroll.enable"})
      if (Name && Name->getString() == Known)
        return Known;
  }
  return {};
}

/// Makes the second target of \p Branch the one outside of \p L; false if neither is, or the condition is no
/// comparison of its own.
bool leavesAtSecond(BranchInst &Branch, const Loop &L) {
  if (!Branch.isConditional() || L.contains(Branch.getSuccessor(0)) == L.contains(Branch.getSuccessor(1)))
    return false;
  if (!L.contains(Branch.getSuccessor(1)))
    return true;
  auto *Comparison = dyn_cast<CmpInst>(Branch.getCondition());
  if (!Comparison || !Comparison->hasOneUse())
    return false;
  Comparison->setPredicate(Comparison->getInversePredicate());
  Branch.swapSuccessors();
  return true;
}

/// True if OpLoopMerge can stand in the header of \p L and name the block behind the loop.
bool canHaveHint(const Loop &L) {
  auto *Back = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
  auto *Header = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  return Back && Header && leavesAtSecond(Back->isConditional() ? *Back : *Header, L);
}

} // namespace

PreservedAnalyses LoopHintsPass::run(Module &M, ModuleAnalysisManager &) {
  LLVMContext &Context = M.getContext();
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    DominatorTree Tree(F);
    const LoopInfo Loops(Tree);
    DenseMap<Instruction *, StringRef> Hints;
    for (const Loop *L : Loops.getLoopsInPreorder()) {
      const BasicBlock *Latch = L->getLoopLatch();
      const MDNode *Node = Latch ? Latch->getTerminator()->getMetadata(LLVMContext::MD_loop) : nullptr;
      const StringRef Hint = Node ? hintOf(*Node) : StringRef();
      if (!Hint.empty() && canHaveHint(*L))
        Hints[L->getLoopLatch()->getTerminator()] = Hint;
    }
    for (BasicBlock &Block : F)
      Block.getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
    for (auto [Branch, Hint] : Hints) {
      MDNode *Node = MDNode::getDistinct(Context, {nullptr, MDNode::get(Context, MDString::get(Context, Hint))});
      Node->replaceOperandWith(0, Node);
      Branch->setMetadata(LLVMContext::MD_loop, Node);
    }
  }
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
