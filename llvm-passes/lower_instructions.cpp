// SPDX-License-Identifier: MIT
// Instructions that SPIR-V does not have: freeze, atomic operations other than those of integers, a choice between
// aggregates, a switch over a boolean, and variables declared later than at the start of a function.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

/// Makes \p V a value that is the same for all its users, by taking from the computation behind it what may make it
/// poison: the promises about overflow, shifts by too much, undefined constants. Arguments, loads and calls have some
/// value on the device.
void makeDefined(Value *V) {
  SmallPtrSet<Value *, 16> Seen;
  SmallVector<Value *, 16> Work{V};
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second || isa<LoadInst>(I) || isa<CallBase>(I))
      continue;
    if (isGuaranteedNotToBeUndefOrPoison(I))
      continue;
    I->dropPoisonGeneratingFlags();
    if (I->isShift() && !isa<Constant>(I->getOperand(1))) {
      IRBuilder<> B(I);
      Value *Amount = I->getOperand(1);
      I->setOperand(
          1, B.CreateAnd(Amount, ConstantInt::get(Amount->getType(), Amount->getType()->getScalarSizeInBits() - 1)));
    }
    for (Use &Operand : I->operands()) {
      if (isa<UndefValue>(Operand.get()) && !Operand->getType()->isAggregateType())
        Operand.set(Constant::getNullValue(Operand->getType()));
      else if (isa<Instruction>(Operand.get()))
        Work.push_back(Operand.get());
    }
  }
}

void lowerFreeze(FreezeInst &I) {
  Value *V = I.getOperand(0);
  if (isa<UndefValue>(V))
    V = Constant::getNullValue(V->getType());
  else
    makeDefined(V);
  I.replaceAllUsesWith(V);
  I.eraseFromParent();
}

/// The fields one by one.
Value *selectFields(IRBuilderBase &B, Value *Condition, Value *True, Value *False) {
  Type *T = True->getType();
  if (!T->isAggregateType())
    return B.CreateSelect(Condition, True, False);
  Value *Result = UndefValue::get(T);
  unsigned Count = T->isStructTy() ? T->getStructNumElements() : T->getArrayNumElements();
  for (unsigned N = 0; N < Count; ++N)
    Result = B.CreateInsertValue(
        Result, selectFields(B, Condition, B.CreateExtractValue(True, N), B.CreateExtractValue(False, N)), N);
  return Result;
}

Value *combine(IRBuilderBase &B, AtomicRMWInst::BinOp Op, Value *Old, Value *Operand) {
  switch (Op) {
  case AtomicRMWInst::FAdd: return B.CreateFAdd(Old, Operand);
  case AtomicRMWInst::FSub: return B.CreateFSub(Old, Operand);
  case AtomicRMWInst::FMax: return B.CreateMaxNum(Old, Operand);
  case AtomicRMWInst::FMin: return B.CreateMinNum(Old, Operand);
  default: return B.CreateNot(B.CreateAnd(Old, Operand)); // nand
  }
}

bool needsExchangeLoop(const AtomicRMWInst &I) {
  return I.isFloatingPointOperation() || I.getOperation() == AtomicRMWInst::Nand;
}

/// An atomic operation as a loop around compare-and-exchange.
void lowerAtomic(AtomicRMWInst &I) {
  Type *T = I.getType();
  BasicBlock *Before = I.getParent();
  BasicBlock *After = SplitBlock(Before, &I);
  Before->getTerminator()->eraseFromParent();
  BasicBlock *Loop = BasicBlock::Create(I.getContext(), "atomic", I.getFunction(), After);
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  Type *Word = B.getIntNTy(T->getPrimitiveSizeInBits());
  Value *Place = castPointer(B, I.getPointerOperand(), pointerTo(Word, I.getPointerAddressSpace()));
  LoadInst *First = B.CreateAlignedLoad(Word, Place, I.getAlign());
  First->setAtomic(AtomicOrdering::Monotonic, I.getSyncScopeID());
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(Word, 2);
  Value *OldValue = B.CreateBitCast(Old, T);
  Value *New = B.CreateBitCast(combine(B, I.getOperation(), OldValue, I.getValOperand()), Word);
  AtomicCmpXchgInst *Exchange =
      B.CreateAtomicCmpXchg(Place, Old, New, I.getAlign(), I.getOrdering(),
                            AtomicCmpXchgInst::getStrongestFailureOrdering(I.getOrdering()), I.getSyncScopeID());
  Old->addIncoming(First, Before);
  Old->addIncoming(B.CreateExtractValue(Exchange, 0), Loop);
  B.CreateCondBr(B.CreateExtractValue(Exchange, 1), After, Loop);
  I.replaceAllUsesWith(OldValue);
  I.eraseFromParent();
}

/// Instructions of AMD's processors that programs write as assembly and that mean nothing elsewhere: whoever uses a
/// value waits for it, and nothing has to be padded or prioritised.
bool isAdvice(StringRef Instruction) {
  static const char *const Names[] = {"s_waitcnt", "s_waitcnt_vscnt", "s_nop", "v_nop", "s_setprio", "s_sleep"};
  return is_contained(Names, Instruction.take_until([](char C) { return C == ' ' || C == '\t'; }));
}

/// Assembly without instructions, or with advice only, orders memory accesses or hides a value from the optimiser;
/// neither is needed any longer.
bool isWithoutEffect(const CallInst &Call) {
  auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Assembly)
    return false;
  SmallVector<StringRef, 4> Lines;
  StringRef(Assembly->getAsmString()).split(Lines, '\n');
  for (StringRef Line : Lines) {
    SmallVector<StringRef, 4> Instructions;
    Line.split(Instructions, ';');
    for (StringRef Instruction : Instructions)
      if (!Instruction.trim().empty() && !isAdvice(Instruction.trim()))
        return false;
  }
  return Call.getType()->isVoidTy() || (Call.arg_size() == 1 && Call.getArgOperand(0)->getType() == Call.getType());
}

/// A thread that sleeps waits for others: the CPU device runs them at a prefetch of nothing (hip/spirv/grid.h).
void removeAssembly(CallInst &Call) {
  if (StringRef(cast<InlineAsm>(Call.getCalledOperand())->getAsmString()).contains("s_sleep")) {
    IRBuilder<> B(&Call);
    PointerType *Bytes = pointerTo(B.getInt8Ty(), 1);
    FunctionCallee Prefetch = Call.getModule()->getOrInsertFunction("_Z20__spirv_ocl_prefetchPU3AS1Kcm", B.getVoidTy(),
                                                                    Bytes, B.getInt64Ty());
    cast<Function>(Prefetch.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
    B.CreateCall(Prefetch, {ConstantPointerNull::get(Bytes), B.getInt64(0)})->setCallingConv(CallingConv::SPIR_FUNC);
  }
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Call.getArgOperand(0));
  Call.eraseFromParent();
}

/// A branch. LLVM makes switches over booleans out of other switches, with every destination at a case or the default.
void lowerSwitch(SwitchInst &Switch) {
  BasicBlock *Block = Switch.getParent();
  LLVMContext &Context = Switch.getContext();
  BasicBlock *Yes = Switch.findCaseValue(ConstantInt::getTrue(Context))->getCaseSuccessor();
  BasicBlock *No = Switch.findCaseValue(ConstantInt::getFalse(Context))->getCaseSuccessor();
  bool NeedsYes = true, NeedsNo = true; // one edge each remains
  for (BasicBlock *Successor : successors(Block)) {
    bool &Needed = Successor == Yes && NeedsYes ? NeedsYes : NeedsNo;
    if ((Successor == Yes && NeedsYes) || (Successor == No && NeedsNo))
      Needed = false;
    else
      Successor->removePredecessor(Block, /*KeepOneInputPHIs=*/true);
  }
  BranchInst::Create(Yes, No, Switch.getCondition(), &Switch)->setDebugLoc(Switch.getDebugLoc());
  Switch.eraseFromParent();
}

bool lower(Function &F) {
  SmallVector<Instruction *, 16> Found;
  SmallVector<AllocaInst *, 16> Variables;
  bool Late = false, Other = false;
  for (Instruction &I : F.getEntryBlock()) {
    auto *Variable = dyn_cast<AllocaInst>(&I);
    Late |= Variable && Variable->isStaticAlloca() && Other;
    Other |= !Variable;
    if (Variable && Variable->isStaticAlloca())
      Variables.push_back(Variable);
  }
  if (Late)
    for (AllocaInst *Variable : reverse(Variables))
      Variable->moveBefore(&F.getEntryBlock().front());
  for (Instruction &I : instructions(F)) {
    auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
    bool Aggregate = isa<SelectInst>(I) && I.getType()->isAggregateType();
    auto *Call = dyn_cast<CallInst>(&I);
    auto *Switch = dyn_cast<SwitchInst>(&I);
    if (isa<FreezeInst>(I) || (Switch && Switch->getCondition()->getType()->isIntegerTy(1)) ||
        (Call && isWithoutEffect(*Call)) || Aggregate || (Atomic && needsExchangeLoop(*Atomic)))
      Found.push_back(&I);
  }
  for (Instruction *I : Found) {
    if (auto *Freeze = dyn_cast<FreezeInst>(I)) {
      lowerFreeze(*Freeze);
    } else if (auto *Atomic = dyn_cast<AtomicRMWInst>(I)) {
      lowerAtomic(*Atomic);
    } else if (auto *Switch = dyn_cast<SwitchInst>(I)) {
      lowerSwitch(*Switch);
    } else if (auto *Call = dyn_cast<CallInst>(I)) {
      removeAssembly(*Call);
    } else {
      auto *Select = cast<SelectInst>(I);
      IRBuilder<> B(Select);
      Select->replaceAllUsesWith(
          selectFields(B, Select->getCondition(), Select->getTrueValue(), Select->getFalseValue()));
      Select->eraseFromParent();
    }
  }
  return Late || !Found.empty();
}

} // namespace

PreservedAnalyses LowerInstructionsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= lower(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
