// SPDX-License-Identifier: MIT
// A call of functions[i], where the table is constant, has become a switch over the number that the table has at i
// (FunctionPointersPass). This makes it a switch over i itself: the load goes, and often the case of no function does.
#include "base/llvm_compat.h"
#include "passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

struct Lookup {
  const ConstantDataSequential *Numbers = nullptr;
  Value *Index = nullptr;
};

bool isZero(const Value *V) {
  auto *Number = dyn_cast<ConstantInt>(V);
  return Number && Number->isZero();
}

/// The table and the index that \p Condition was loaded with; nothing if it was not, or if the table may change.
Lookup lookupOf(Value *Condition) {
  while (isa<TruncInst>(Condition) || isa<PtrToIntInst>(Condition))
    Condition = cast<Instruction>(Condition)->getOperand(0);
  auto *Load = dyn_cast<LoadInst>(Condition);
  auto *Element = Load && Load->isSimple() ? dyn_cast<GEPOperator>(Load->getPointerOperand()) : nullptr;
  if (!Element || Element->getNumIndices() != 2 || !isZero(Element->getOperand(1)))
    return {};
  auto *Table = dyn_cast<GlobalVariable>(Element->getPointerOperand()->stripPointerCasts());
  if (!Table || !Table->isConstant() || !Table->hasDefinitiveInitializer())
    return {};
  auto *Numbers = dyn_cast<ConstantDataSequential>(Table->getInitializer());
  auto *Seen = dyn_cast<ArrayType>(Element->getSourceElementType());
  const DataLayout &Layout = Load->getModule()->getDataLayout();
  if (!Numbers || !Seen || !Numbers->getElementType()->isIntegerTy(64) ||
      Layout.getTypeSizeInBits(Load->getType()) != 64 || Layout.getTypeAllocSizeInBits(Seen->getElementType()) != 64)
    return {};
  return {Numbers, Element->getOperand(2)};
}

void switchOverIndex(SwitchInst &Old, const Lookup &From) {
  BasicBlock *Block = Old.getParent();
  SmallVector<std::pair<PHINode *, Value *>, 8> Entries;
  SmallPtrSet<BasicBlock *, 16> Seen;
  for (BasicBlock *Target : successors(Block))
    if (Seen.insert(Target).second)
      for (PHINode &Phi : Target->phis())
        Entries.push_back({&Phi, Phi.getIncomingValueForBlock(Block)});

  // An index outside of the table has no meaning, so its lower half is enough.
  IRBuilder<> B(&Old);
  Value *Index = From.Index;
  if (isa<SExtInst>(Index) || isa<ZExtInst>(Index))
    Index = cast<CastInst>(Index)->getOperand(0);
  Index = B.CreateZExtOrTrunc(Index, B.getInt32Ty());
  const unsigned Count = From.Numbers->getNumElements();
  const bool Always = computeKnownBits(Index, Old.getModule()->getDataLayout()).getMaxValue().ult(Count);
  SwitchInst *New = B.CreateSwitch(Index, Old.getDefaultDest(), Count);
  const unsigned Bits = Old.getCondition()->getType()->getIntegerBitWidth();
  for (unsigned N = 0; N < Count; ++N) {
    const APInt Number = APInt(64, From.Numbers->getElementAsInteger(N)).zextOrTrunc(Bits);
    BasicBlock *Target = Old.findCaseValue(ConstantInt::get(Block->getContext(), Number))->getCaseSuccessor();
    if (Target != Old.getDefaultDest())
      New->addCase(B.getInt32(N), Target);
  }
  // What is never the default need not be asked for.
  if (Always && New->getNumCases() == Count) {
    New->setDefaultDest((New->case_begin() + (Count - 1))->getCaseSuccessor());
    New->removeCase(New->case_begin() + (Count - 1));
  }
  for (auto [Phi, V] : Entries) {
    while (Phi->getBasicBlockIndex(Block) >= 0)
      Phi->removeIncomingValue(Block, /*DeletePHIIfEmpty=*/false);
    for (BasicBlock *Target : successors(New))
      if (Target == Phi->getParent())
        Phi->addIncoming(V, Block);
  }
  Value *Condition = Old.getCondition();
  Old.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Condition);
}

} // namespace

PreservedAnalyses CallTablesPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F)
      if (auto *Switch = dyn_cast<SwitchInst>(Block.getTerminator()))
        if (const Lookup From = lookupOf(Switch->getCondition()); From.Numbers) {
          switchOverIndex(*Switch, From);
          Changed = true;
        }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
