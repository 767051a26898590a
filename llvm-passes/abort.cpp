// SPDX-License-Identifier: MIT
// The end of a grid: assert, abort, __trap. SPIR-V can neither stop a work-item from within a call nor the others, so the
// work-item notes the reason in the state that the runtime reads (docs/design/kernel-services.md) and returns from the
// kernel: at once where the call is in the kernel itself, as nearly all are after inlining, else by way of its callers,
// which return when the state says that somebody gave up. Work-items that begin afterwards return at once, unless their
// kernel has barriers, at which others of their group may be waiting for them. A call through a pointer that means no function
// is noted in the same place, and ends nothing.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include <hip/spirv/abort_state.h>
#include <hip/spirv/runtime_variables.h>

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

constexpr const char *kEndGrid = "__hiplz_end_grid"; // what the headers call, with the reason

class AbortLowering {
public:
  explicit AbortLowering(Module &M)
      : M(M), I32(Type::getInt32Ty(M.getContext())), I64(Type::getInt64Ty(M.getContext())) {}

  bool run() {
    Function *WildCall = M.getFunction(kWildCall);
    if (WildCall)
      defineWildCall(*WildCall);
    for (Function &F : M)
      if (any_of(instructions(F), [this](Instruction &I) { return reasonOf(I) != nullptr; }))
        Ending.insert(&F);
    if (Ending.empty())
      return WildCall;
    for (size_t N = 0; N < Ending.size(); ++N) // and their callers
      for (User *U : Ending[N]->users())
        if (auto *Call = dyn_cast<CallInst>(U))
          Ending.insert(Call->getFunction());
    for (Function *F : Ending)
      if (none_of(*F, [](BasicBlock &Block) { return isa<ReturnInst>(Block.getTerminator()); }))
        NeverReturning.insert(F);
    for (Function *F : Ending)
      rewrite(*F);
    for (Function *F : Ending)
      if (isKernel(*F) && !reachesBarrier(*F))
        checkAtEntry(*F);
    if (Function *EndGrid = M.getFunction(kEndGrid))
      if (EndGrid->use_empty())
        EndGrid->eraseFromParent();
    return true;
  }

private:
  /// The reason for which \p I ends the grid, or null if it does not.
  Value *reasonOf(Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      return nullptr;
    if (Callee->getIntrinsicID() == Intrinsic::trap || Callee->getIntrinsicID() == Intrinsic::ubsantrap)
      return ConstantInt::get(I32, __hiplz_end_abort);
    return Callee->getName() == kEndGrid && Call->arg_size() == 1 ? Call->getArgOperand(0) : nullptr;
  }

  static void returnFrom(Function &F, IRBuilderBase &B) {
    if (F.getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Constant::getNullValue(F.getReturnType()));
  }

  /// The function returns in the place of \p I and all that follows.
  static void returnAt(Instruction *I) {
    Function &F = *I->getFunction();
    BasicBlock *Block = I->getParent();
    changeToUnreachable(I);
    Instruction *End = Block->getTerminator();
    IRBuilder<> B(End);
    returnFrom(F, B);
    End->eraseFromParent();
  }

  /// Inserts in front of \p I: if the grid has ended, return.
  void returnIfRaised(Instruction *I) {
    Function &F = *I->getFunction();
    BasicBlock *Before = I->getParent();
    BasicBlock *Rest = SplitBlock(Before, I);
    BasicBlock *Leave = BasicBlock::Create(M.getContext(), "ended", &F, Rest);
    IRBuilder<> B(Leave);
    returnFrom(F, B);
    Instruction *Branch = Before->getTerminator();
    B.SetInsertPoint(Branch);
    B.SetCurrentDebugLocation(I->getDebugLoc());
    // Without a runtime that fills the variable, its own zero is read.
    GlobalVariable *Variable = state();
    Value *Address = B.CreateLoad(I64, Variable);
    Value *Place = B.CreateSelect(B.CreateIsNull(Address), castPointer(B, Variable, pointerTo(I32, kGlobal)),
                                  B.CreateIntToPtr(Address, pointerTo(I32, kGlobal)));
    Value *Raised = B.CreateICmpNE(B.CreateAlignedLoad(I32, Place, Align(4)), B.getInt32(0));
    B.CreateCondBr(Raised, Leave, Rest);
    Branch->eraseFromParent();
  }

  void rewrite(Function &F) {
    moveVariablesToStart(F); // the first block may be split
    F.removeFnAttr(Attribute::NoReturn);
    for (auto Block = F.begin(); Block != F.end(); ++Block)
      for (Instruction &I : *Block) {
        if (Value *Reason = reasonOf(I)) {
          IRBuilder<> B(&I);
          createCall(B, raise(), {Reason});
          returnAt(&I);
          break;
        }
        auto *Call = dyn_cast<CallInst>(&I);
        if (!Call || !Ending.count(Call->getCalledFunction()))
          continue;
        Call->removeFnAttr(Attribute::NoReturn);
        if (NeverReturning.count(Call->getCalledFunction()))
          returnAt(Call->getNextNode());
        else
          returnIfRaised(Call->getNextNode()); // the rest is the next block
        break;
      }
  }

  void checkAtEntry(Function &F) {
    Instruction *First = &*F.getEntryBlock().begin();
    while (isa<AllocaInst>(First))
      First = First->getNextNode();
    returnIfRaised(First);
  }

  /// True if a function that \p Root reaches meets other work-items.
  static bool reachesBarrier(Function &Root) {
    SmallSetVector<Function *, 16> Reached;
    Reached.insert(&Root);
    for (size_t N = 0; N < Reached.size(); ++N)
      for (Instruction &I : instructions(*Reached[N])) {
        auto *Call = dyn_cast<CallInst>(&I);
        Function *Callee = Call ? Call->getCalledFunction() : nullptr;
        if (!Callee)
          continue;
        if (!Callee->isDeclaration())
          Reached.insert(Callee);
        else if (Callee->getName().contains("__spirv_ControlBarrier") || Callee->getName().contains("__spirv_Group"))
          return true;
      }
    return false;
  }

  GlobalVariable *state() { return runtimeVariable(M, __hiplz::abortVariable); }

  /// void (i32 reason): the first one to come stores it, for the device and for the host.
  Function *raise() {
    if (Raise)
      return Raise;
    LLVMContext &C = M.getContext();
    Raise = Function::Create(FunctionType::get(Type::getVoidTy(C), {I32}, false), GlobalValue::InternalLinkage,
                             "hiplz.abort.raise", M);
    Raise->setCallingConv(CallingConv::SPIR_FUNC);
    Raise->addFnAttr(Attribute::NoUnwind);
    auto block = [&](const char *Name) { return BasicBlock::Create(C, Name, Raise); };
    BasicBlock *Entry = block("entry"), *Present = block("present"), *First = block("first"), *Done = block("done");
    Value *Reason = Raise->getArg(0);
    IRBuilder<> B(Entry);
    Value *Address = B.CreateLoad(I64, state());
    B.CreateCondBr(B.CreateIsNull(Address), Done, Present);
    B.SetInsertPoint(Present);
    static_assert(offsetof(__hiplz::AbortState, raised) == 0);
    Value *Raised = B.CreateIntToPtr(Address, pointerTo(I32, kGlobal));
    Value *Exchange = B.CreateAtomicCmpXchg(Raised, B.getInt32(0), Reason, Align(4), AtomicOrdering::Monotonic,
                                            AtomicOrdering::Monotonic);
    B.CreateCondBr(B.CreateExtractValue(Exchange, 1), First, Done);
    B.SetInsertPoint(First);
    tellHost(B, Address, Reason)->setAtomic(AtomicOrdering::Release);
    B.CreateBr(Done);
    B.SetInsertPoint(Done);
    B.CreateRetVoid();
    return Raise;
  }

  /// Stores the reason where the host reads it; \p State is the address of the state.
  StoreInst *tellHost(IRBuilderBase &B, Value *State, Value *Reason) {
    Value *Place = B.CreateAdd(State, B.getInt64(offsetof(__hiplz::AbortState, reason)));
    Value *Host = B.CreateLoad(I64, B.CreateIntToPtr(Place, pointerTo(I64, kGlobal)));
    return B.CreateAlignedStore(Reason, B.CreateIntToPtr(Host, pointerTo(I32, kGlobal)), Align(4));
  }

  /// Gives the function of a wild call its body. As it is in every loop with virtual calls, it is as short as can be: without a
  /// runtime that fills the variable, it is a wild access.
  void defineWildCall(Function &F) {
    F.setLinkage(GlobalValue::InternalLinkage);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", &F));
    tellHost(B, B.CreateLoad(I64, state()), B.getInt32(__hiplz_end_wild_call))->setAtomic(AtomicOrdering::Monotonic);
    B.CreateRetVoid();
  }

  Module &M;
  Type *I32, *I64;
  SmallSetVector<Function *, 16> Ending; // from which a call may not go on as usual
  SmallPtrSet<Function *, 16> NeverReturning;
  Function *Raise = nullptr;
};

} // namespace

PreservedAnalyses AbortPass::run(Module &M, ModuleAnalysisManager &) {
  return AbortLowering(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
