// SPDX-License-Identifier: MIT
// A call of functions[i], where the table is constant, has become a switch over the number that the table has at i
// (FunctionPointersPass). This makes it a switch over i itself: the load goes, and often the case of no function does. Where the
// function with the switch was too large to be inlined, the table gets a copy of it that takes i.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include <hip/spirv/runtime_variables.h>

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Cloning.h"
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

/// True if the index is always one of the table's.
bool staysInside(const Lookup &From, const DataLayout &Layout) {
  return computeKnownBits(From.Index, Layout).getMaxValue().ult(From.Numbers->getNumElements());
}

void switchOverIndex(SwitchInst &Old, const Lookup &From, bool Always) {
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
  SwitchInst *New = B.CreateSwitch(Index, Old.getDefaultDest(), Count);
  const unsigned Bits = Old.getCondition()->getType()->getIntegerBitWidth();
  for (unsigned N = 0; N < Count; ++N) {
    const APInt Number = APInt(64, From.Numbers->getElementAsInteger(N)).zextOrTrunc(Bits);
    BasicBlock *Target = Old.findCaseValue(ConstantInt::get(Block->getContext(), Number))->getCaseSuccessor();
    if (Target != Old.getDefaultDest())
      New->addCase(B.getInt32(N), Target);
  }
  // A case that is never the default need not be asked for.
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

/// The switch of a function that FunctionPointersPass has made for calls through pointers; null in others.
SwitchInst *dispatch(Function &F) {
  if (F.isDeclaration() || !startsWith(F.getName(), kDispatcherPrefix))
    return nullptr;
  auto *Switch = dyn_cast<SwitchInst>(F.getEntryBlock().getTerminator());
  Value *Number = Switch ? Switch->getCondition() : nullptr;
  if (auto *Low = dyn_cast_or_null<TruncInst>(Number))
    Number = Low->getOperand(0);
  return Number && Number == F.getArg(F.arg_size() - 1) ? Switch : nullptr;
}

/// Calls of \p Dispatcher with a number from a table become calls of a copy for that table.
bool copyForTables(Function &Dispatcher) {
  MapVector<std::pair<const ConstantDataSequential *, unsigned>, Function *> Copies;
  const unsigned Last = Dispatcher.arg_size() - 1;
  for (User *U : make_early_inc_range(Dispatcher.users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledFunction() != &Dispatcher)
      continue;
    Value *Number = Call->getArgOperand(Last);
    const Lookup From = lookupOf(Number);
    if (!From.Numbers)
      continue;
    const bool Always = staysInside(From, Dispatcher.getParent()->getDataLayout());
    Function *&Copy = Copies[{From.Numbers, Always}];
    if (!Copy) {
      ValueToValueMapTy Values;
      Copy = CloneFunction(&Dispatcher, Values);
      Copy->setName(Dispatcher.getName() + ".table");
      switchOverIndex(*dispatch(*Copy), {From.Numbers, Copy->getArg(Last)}, Always);
    }
    Call->setCalledFunction(Copy);
    Call->setArgOperand(Last, IRBuilder<>(Call).CreateZExtOrTrunc(From.Index, Number->getType()));
    RecursivelyDeleteTriviallyDeadInstructions(Number);
  }
  for (auto &[Table, Copy] : Copies)
    removeUnreachableBlocks(*Copy);
  return !Copies.empty();
}

/// Without a call that may be wild, the module does not need the variable either.
void dropWildCall(Module &M) {
  Function *WildCall = M.getFunction(kWildCall);
  if (!WildCall || !WildCall->use_empty())
    return;
  WildCall->eraseFromParent();
  GlobalVariable *State = M.getNamedGlobal(__hiplz::abortVariable);
  if (State)
    State->removeDeadConstantUsers();
  if (State && State->use_empty())
    State->eraseFromParent();
}

} // namespace

PreservedAnalyses CallTablesPass::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<Function *, 8> Dispatchers;
  for (Function &F : M)
    if (dispatch(F))
      Dispatchers.push_back(&F);
  bool Changed = false;
  for (Function *F : Dispatchers)
    Changed |= copyForTables(*F);
  for (Function &F : M) {
    bool Here = false;
    for (BasicBlock &Block : F)
      if (auto *Switch = dyn_cast<SwitchInst>(Block.getTerminator()))
        if (const Lookup From = lookupOf(Switch->getCondition()); From.Numbers) {
          switchOverIndex(*Switch, From, staysInside(From, M.getDataLayout()));
          Here = true;
        }
    if (Here)
      removeUnreachableBlocks(F);
    Changed |= Here;
  }
  for (Function *F : Dispatchers)
    if (F->use_empty() && F->hasLocalLinkage())
      F->eraseFromParent();
  dropWildCall(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
