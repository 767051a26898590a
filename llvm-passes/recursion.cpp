// SPDX-License-Identifier: MIT
// Recursion for compilers that have no stack: Intel's compiler ends without a word on many recursive functions. A kernel that
// reaches a cycle of calls is there twice (docs/design/passes.md). In its second form, whose name ends in kFramesSuffix, each cycle is one
// function with a loop: a call puts a frame (arguments, variables, values that are needed after it, and where to go on) on a stack in
// private memory and branches to the function's first block; a return branches to where the last frame says. A full stack ends the grid.
#include "base/env.h"
#include "base/llvm_compat.h"
#include "base/spirv_marks.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"
#include "recursion_parts.h"

#include <hip/spirv/abort_state.h>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

#include <cstdlib>

using namespace llvm;

namespace hiplz::passes {

namespace {

using Functions = SmallSetVector<Function *, 8>;

const Align kFrameAlign(16);
constexpr uint64_t kDefaultStackBytes = 8192;
constexpr uint64_t kCaller = 4; // offset in a frame of where the caller's begins, if lanes wait for each other

/// Bytes of the stack of a work-item.
uint64_t stackBytes() {
  const std::string Text = envString(EnvVar::HIPLZ_RECURSION_STACK);
  const uint64_t Bytes = std::strtoull(Text.c_str(), nullptr, 10);
  return Bytes ? alignTo(Bytes, kFrameAlign) : kDefaultStackBytes;
}

/// One function of a cycle, and its frame.
struct Member {
  Function *F = nullptr;
  BasicBlock *Entry = nullptr;
  uint64_t FrameBytes = 0;
  SmallVector<uint64_t, 8> Arguments; // offsets in the frame
  AllocaInst *Result = nullptr;       // of the last call; null if there is none

  uint64_t allocate(uint64_t Bytes, Align Alignment) {
    const uint64_t Offset = alignTo(FrameBytes, Alignment);
    FrameBytes = Offset + Bytes;
    return Offset;
  }
};

/// A call inside the cycle.
struct Recursion {
  CallInst *Call;
  Member *From, *To;
  uint32_t Number; // of the place to go on at
  BasicBlock *After;
};

/// Makes one function of a cycle, for calls of one of its functions from outside.
class Machine {
public:
  Machine(ArrayRef<Function *> Cycle, Function &First)
      : M(*First.getParent()), C(M.getContext()), Layout(M.getDataLayout()), I8(Type::getInt8Ty(C)),
        I32(Type::getInt32Ty(C)) {
    ValueToValueMapTy Copies;
    for (Function *F : Cycle) {
      ValueToValueMapTy Values;
      Function *Copy = CloneFunction(F, Values);
      Copy->setLinkage(GlobalValue::InternalLinkage);
      Members.push_back(std::make_unique<Member>());
      Members.back()->F = Copy;
      MemberOf[F] = MemberOf[Copy] = Members.back().get();
    }
    Start = MemberOf[&First];
    for (auto &Each : Members)
      for (Instruction &I : instructions(*Each->F))
        if (auto *Call = dyn_cast<CallBase>(&I))
          InStep |= !MemberOf.count(Call->getCalledFunction()) && isWarpOperation(*Call);
  }

  Function *make(ModuleAnalysisManager &AM) {
    createFunction();
    for (auto &Each : Members)
      layOutArguments(*Each);
    for (auto &Each : Members)
      prepare(*Each, AM);
    for (auto &Each : Members)
      Each->FrameBytes = alignTo(Each->FrameBytes, kFrameAlign);
    for (const Stop &Each : Stops)
      lowerStop(Each);
    for (const Recursion &Each : Calls)
      lowerCall(Each);
    begin();
    for (auto &Each : Members) {
      if (Each->F != Start->F || !Result->getSubprogram())
        inlineLines(*Each->F, Result->getSubprogram());
      moveBody(*Result, *Each->F);
    }
    for (auto &Each : Members)
      Each->F->eraseFromParent();
    // The dispatcher enters loops of the functions in their middle.
    auto &Manager = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    Manager.clear(*Result, Result->getName());
    Manager.invalidate(*Result, LowerSwitchPass().run(*Result, Manager));
    Manager.invalidate(*Result, FixIrreduciblePass().run(*Result, Manager));
    return Result;
  }

private:
  /// The new function with its variables, and the blocks that functions of the cycle leave to.
  void createFunction() {
    Function &First = *Start->F;
    Result = Function::Create(First.getFunctionType(), GlobalValue::InternalLinkage, First.getName() + ".loop", &M);
    Result->setCallingConv(First.getCallingConv());
    Result->addFnAttr(Attribute::NoUnwind);
    if (any_of(Members, [](auto &Each) { return Each->F->hasFnAttribute(Attribute::Convergent); }))
      Result->addFnAttr(Attribute::Convergent);
    for (unsigned N = 0; N < First.arg_size(); ++N)
      if (Type *Pointee = First.getParamByValType(N)) {
        Result->addParamAttr(N, Attribute::getWithByValType(C, Pointee));
        if (MaybeAlign Alignment = First.getParamAlign(N))
          Result->addParamAttr(N, Attribute::getWithAlignment(C, *Alignment));
      }
    Result->setSubprogram(First.getSubprogram());
    First.setSubprogram(nullptr);
    EntryBlock = BasicBlock::Create(C, "entry", Result);
    Returned = BasicBlock::Create(C, "returned", Result);
    Leave = BasicBlock::Create(C, "leave", Result);
    Full = BasicBlock::Create(C, "full", Result);
    Bytes = stackBytes();

    IRBuilder<> B(EntryBlock);
    AllocaInst *Memory = B.CreateAlloca(ArrayType::get(I8, Bytes), nullptr, "frames");
    Memory->setAlignment(kFrameAlign);
    Depth = B.CreateAlloca(I32, nullptr, "depth");
    if (InStep)
      Place = B.CreateAlloca(I32, nullptr, "place");
    for (auto &Each : Members)
      if (Type *T = Each->F->getReturnType(); !T->isVoidTy())
        Each->Result = B.CreateAlloca(memoryType(T), nullptr, "result");
    Stack = B.CreatePointerCast(Memory, pointerTo(I8, kPrivate));

    B.SetInsertPoint(Returned);
    Value *Frame = B.CreateLoad(I32, Depth);
    Value *Next = B.CreateAlignedLoad(I32, place(B, Frame, 0, I32), kFrameAlign);
    if (InStep) {
      B.CreateStore(Next, Place);
      B.CreateStore(B.CreateAlignedLoad(I32, place(B, Frame, kCaller, I32), Align(4)), Depth);
      Choice = chooseLanes(B, Place, Depth);
      Next = Choice.Next;
    }
    Dispatch = B.CreateSwitch(Next, Leave);
    B.SetInsertPoint(Leave);
    if (Start->Result)
      B.CreateRet(
          fromMemory(B, B.CreateLoad(Start->Result->getAllocatedType(), Start->Result), Result->getReturnType()));
    else
      B.CreateRetVoid();
    B.SetInsertPoint(Full);
    FunctionCallee End = M.getOrInsertFunction("__hiplz_end_grid", Type::getVoidTy(C), I32);
    auto *EndGrid = cast<Function>(End.getCallee());
    if (EndGrid->use_empty())
      EndGrid->setCallingConv(CallingConv::SPIR_FUNC);
    createCall(B, EndGrid, {B.getInt32(__hiplz_end_stack)});
    B.CreateUnreachable();
  }

  /// The address of \p Offset in the frame at \p Frame, for a value of type \p T.
  Value *place(IRBuilderBase &B, Value *Frame, uint64_t Offset, Type *T) {
    Value *Byte = B.CreateInBoundsGEP(I8, Stack, Offset ? B.CreateAdd(Frame, B.getInt32(Offset)) : Frame);
    return B.CreatePointerCast(Byte, pointerTo(T, kPrivate));
  }
  static Align alignmentAt(uint64_t Offset) { return commonAlignment(kFrameAlign, Offset); }

  Value *toMemory(IRBuilderBase &B, Value *V) {
    Type *T = memoryType(V->getType());
    return T == V->getType() ? V : B.CreateZExt(V, T);
  }
  Value *fromMemory(IRBuilderBase &B, Value *V, Type *T) { return T == V->getType() ? V : B.CreateTrunc(V, T); }

  void layOutArguments(Member &In) {
    In.Entry = &In.F->getEntryBlock();
    In.allocate(sizeof(uint32_t), Align(4)); // where to go on
    if (InStep)
      In.allocate(sizeof(uint32_t), Align(4)); // kCaller
    for (Argument &A : In.F->args()) {
      Type *T = A.hasByValAttr() ? A.getParamByValType() : memoryType(A.getType());
      const Align Natural = Layout.getABITypeAlign(T);
      In.Arguments.push_back(In.allocate(Layout.getTypeAllocSize(T),
                                         std::min(kFrameAlign, std::max(Natural, A.getParamAlign().valueOrOne()))));
    }
  }

  /// Stores the arguments \p Values of a call from the frame at \p Caller into the one at \p Frame, which goes on at \p Next.
  void fill(IRBuilderBase &B, Value *Caller, Value *Frame, const Member &To, ArrayRef<Value *> Values, uint32_t Next) {
    for (auto [A, Offset, V] : zip(To.F->args(), To.Arguments, Values)) {
      if (A.hasByValAttr()) {
        Type *T = A.getParamByValType();
        B.CreateMemCpy(place(B, Frame, Offset, I8), alignmentAt(Offset), V, A.getParamAlign(),
                       Layout.getTypeAllocSize(T));
      } else {
        Value *Stored = toMemory(B, V);
        B.CreateAlignedStore(Stored, place(B, Frame, Offset, Stored->getType()), alignmentAt(Offset));
      }
    }
    B.CreateAlignedStore(B.getInt32(Next), place(B, Frame, 0, I32), kFrameAlign);
    if (InStep)
      B.CreateAlignedStore(Caller, place(B, Frame, kCaller, I32), Align(4));
    B.CreateStore(Frame, Depth);
  }

  void begin() {
    IRBuilder<> B(EntryBlock);
    SmallVector<Value *, 8> Arguments;
    for (Argument &A : Result->args())
      Arguments.push_back(&A);
    fill(B, B.getInt32(0), B.getInt32(0), *Start, Arguments, 0);
    if (!InStep) {
      B.CreateBr(Start->Entry);
      return;
    }
    // The loop has one entry.
    B.CreateStore(B.getInt32(++Places), Place);
    Choice.Active->addIncoming(activeLanes(B), EntryBlock);
    B.CreateBr(Choice.Active->getParent());
    Dispatch->addCase(B.getInt32(Places), Start->Entry);
  }

  /// Everything in \p In but the calls themselves: arguments, variables and values move into the frame, returns leave.
  void prepare(Member &In, ModuleAnalysisManager &AM) {
    Function &F = *In.F;
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
          Intrinsic && (isa<DbgInfoIntrinsic>(Intrinsic) || Intrinsic->isLifetimeStartOrEnd()))
        I.eraseFromParent();
    // Frames of different functions use the same memory, where types told variables apart before.
    for (Instruction &I : instructions(F))
      if (I.mayReadOrWriteMemory())
        I.setAAMetadata(AAMDNodes());
    moveVariablesToStart(F);
    SmallVector<AllocaInst *, 8> Variables;
    for (Instruction &I : F.getEntryBlock())
      if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && isa<ConstantInt>(Variable->getArraySize()))
        Variables.push_back(Variable);

    // The arguments are read where the function begins.
    DenseMap<Instruction *, uint64_t> Slots;
    IRBuilder<> B(&F.getEntryBlock(), Variables.empty() ? F.getEntryBlock().getFirstInsertionPt()
                                                        : std::next(Variables.back()->getIterator()));
    SmallVector<std::pair<Value *, uint64_t>, 8> Addresses; // what is the address of an offset in the frame
    for (auto [A, Offset] : zip(F.args(), In.Arguments)) {
      if (A.hasByValAttr()) {
        Addresses.push_back({&A, Offset});
      } else if (!A.use_empty()) {
        Value *Frame = B.CreateLoad(I32, Depth);
        Value *Read = B.CreateAlignedLoad(memoryType(A.getType()), place(B, Frame, Offset, memoryType(A.getType())),
                                          alignmentAt(Offset));
        Read = fromMemory(B, Read, A.getType());
        A.replaceAllUsesWith(Read);
        Slots[cast<Instruction>(Read)] = Offset;
      }
    }
    for (AllocaInst *Variable : Variables) {
      const uint64_t Size = *Variable->getAllocationSizeInBits(Layout) / 8;
      Addresses.push_back({Variable, In.allocate(Size, std::min(kFrameAlign, Variable->getAlign()))});
    }

    // The results are read where the functions go on after the calls.
    const size_t FirstCall = Calls.size();
    SmallPtrSet<BasicBlock *, 8> Resumed;
    DenseMap<Instruction *, uint32_t> Numbers;
    if (InStep)
      for (const Stop &Each : splitAtStops(
               F, [&](auto &Call) { return MemberOf.count(Call.getCalledFunction()); },
               AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager())) {
        Stops.push_back({Each.After, Places + Each.Number});
        Numbers[&Each.After->front()] = Places + Each.Number;
        Resumed.insert(Each.After);
      }
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (auto To = MemberOf.find(Call->getCalledFunction()); To != MemberOf.end())
          Calls.push_back({Call, &In, To->second, InStep ? Numbers.lookup(Call) + 1 : ++Places, nullptr});
    if (!Stops.empty())
      Places = Stops.back().Number + 1;
    for (Recursion &Each : MutableArrayRef<Recursion>(Calls).drop_front(FirstCall)) {
      Each.After = SplitBlock(Each.Call->getParent(), Each.Call->getNextNode());
      Resumed.insert(Each.After);
      if (Each.Call->use_empty())
        continue;
      IRBuilder<> AtStart(&*Each.After->begin());
      AllocaInst *From = Each.To->Result;
      Each.Call->replaceAllUsesWith(
          fromMemory(AtStart, AtStart.CreateLoad(From->getAllocatedType(), From), Each.Call->getType()));
    }

    for (Instruction *Value : liveAt(F, Resumed))
      keep(*Value, In, Slots);
    for (auto [Address, Offset] : Addresses)
      replaceByPlace(*Address, Offset);
    for (AllocaInst *Variable : Variables)
      Variable->eraseFromParent();
    for (BasicBlock &Block : F)
      if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
        IRBuilder<> AtEnd(Return);
        if (Value *V = Return->getReturnValue())
          AtEnd.CreateStore(toMemory(AtEnd, V), In.Result);
        AtEnd.CreateBr(Returned);
        Return->eraseFromParent();
      }
  }

  /// Keeps \p V in the frame. It is written where it is made and read at the beginning of blocks that use it.
  void keep(Instruction &V, Member &In, const DenseMap<Instruction *, uint64_t> &Slots) {
    Type *T = V.getType(), *Stored = memoryType(T);
    auto Known = Slots.find(&V);
    const bool IsArgument = Known != Slots.end(); // it is there already
    const uint64_t Offset = IsArgument ? Known->second
                                       : In.allocate(Layout.getTypeAllocSize(Stored),
                                                     std::min(kFrameAlign, Layout.getABITypeAlign(Stored)));
    replaceOutside(V, V.getParent(), [&](BasicBlock &Block) {
      IRBuilder<> B(&Block, Block.getFirstInsertionPt());
      Value *Read =
          B.CreateAlignedLoad(Stored, place(B, B.CreateLoad(I32, Depth), Offset, Stored), alignmentAt(Offset));
      return fromMemory(B, Read, T);
    });
    if (IsArgument)
      return;
    BasicBlock &Own = *V.getParent();
    IRBuilder<> B(&Own, isa<PHINode>(V) ? Own.getFirstInsertionPt() : std::next(V.getIterator()));
    B.CreateAlignedStore(toMemory(B, &V), place(B, B.CreateLoad(I32, Depth), Offset, Stored), alignmentAt(Offset));
  }

  /// \p Address is that of \p Offset in the frame.
  void replaceByPlace(Value &Address, uint64_t Offset) {
    replaceOutside(Address, nullptr, [&](BasicBlock &Block) {
      IRBuilder<> B(&Block, Block.getFirstInsertionPt());
      return B.CreatePointerCast(place(B, B.CreateLoad(I32, Depth), Offset, I8), Address.getType());
    });
  }

  void lowerStop(const Stop &At) {
    Instruction *Old = At.After->getSinglePredecessor()->getTerminator();
    IRBuilder<> B(Old);
    B.CreateStore(B.getInt32(At.Number), Place);
    B.CreateBr(Choice.Again);
    Old->eraseFromParent();
    Dispatch->addCase(B.getInt32(At.Number), At.After);
  }

  void lowerCall(const Recursion &R) {
    CallInst *Call = R.Call;
    BasicBlock *Block = Call->getParent();
    BasicBlock *Push = SplitBlock(Block, Call);
    IRBuilder<> B(Block->getTerminator());
    Value *Caller = B.CreateLoad(I32, Depth);
    Value *Frame = B.CreateAdd(Caller, B.getInt32(R.From->FrameBytes));
    const uint64_t Last = Bytes >= R.To->FrameBytes ? Bytes - R.To->FrameBytes : 0;
    B.CreateCondBr(B.CreateICmpUGT(Frame, B.getInt32(Last)), Full, Push);
    Block->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Call);
    SmallVector<Value *, 8> Arguments(Call->args());
    fill(B, Caller, Frame, *R.To, Arguments, R.Number);
    B.CreateBr(R.To->Entry);
    Push->getTerminator()->eraseFromParent();
    Call->eraseFromParent();
    if (InStep) { // the return has gone back to the frame
      Dispatch->addCase(B.getInt32(R.Number), R.After);
      return;
    }
    BasicBlock *Resume = BasicBlock::Create(C, "resume", Result);
    IRBuilder<> Behind(Resume); // without the call's line, which may be another function's
    Behind.CreateStore(Behind.CreateSub(Behind.CreateLoad(I32, Depth), B.getInt32(R.From->FrameBytes)), Depth);
    Behind.CreateBr(R.After);
    Dispatch->addCase(B.getInt32(R.Number), Resume);
  }

  Module &M;
  LLVMContext &C;
  const DataLayout &Layout;
  Type *I8, *I32;
  std::vector<std::unique_ptr<Member>> Members;
  DenseMap<Function *, Member *> MemberOf; // of the functions and of their copies
  Member *Start = nullptr;
  std::vector<Recursion> Calls;
  std::vector<Stop> Stops;
  uint32_t Places = 0;
  bool InStep = false; // lanes wait for each other, because there are warp operations
  uint64_t Bytes = 0;

  Function *Result = nullptr;
  BasicBlock *EntryBlock = nullptr, *Returned = nullptr, *Leave = nullptr, *Full = nullptr;
  AllocaInst *Depth = nullptr; // where the frame of the function that is running begins, in bytes
  AllocaInst *Place = nullptr; // where a lane that waits goes on
  LaneChoice Choice;
  Value *Stack = nullptr;
  SwitchInst *Dispatch = nullptr;
};

class RecursionLowering {
public:
  RecursionLowering(Module &M, ModuleAnalysisManager &AM) : M(M), AM(AM) {}

  bool run() {
    CallGraph Graph(M);
    for (auto Cycle = scc_begin(&Graph); !Cycle.isAtEnd(); ++Cycle)
      if (Cycle.hasCycle()) {
        Cycles.emplace_back();
        for (CallGraphNode *Node : *Cycle)
          Cycles.back().insert(Node->getFunction());
      }
    if (Cycles.empty())
      return false;
    copyKernels();
    for (Functions &Cycle : Cycles)
      replace(Cycle);
    return true;
  }

private:
  /// Copies the kernels that reach a cycle, and all functions on the way.
  void copyKernels() {
    Functions Reaching;
    for (Functions &Cycle : Cycles)
      Reaching.insert(Cycle.begin(), Cycle.end());
    for (size_t N = 0; N < Reaching.size(); ++N)
      for (User *U : Reaching[N]->users())
        if (auto *Call = dyn_cast<CallInst>(U))
          Reaching.insert(Call->getFunction());
    DenseMap<Function *, Function *> CopyOf;
    for (Function *F : Reaching) {
      ValueToValueMapTy Values;
      Function *Copy = CloneFunction(F, Values);
      Copy->setName(F->getName() + spirv::kFramesSuffix);
      CopyOf[F] = Copy;
    }
    for (auto [F, Copy] : CopyOf)
      for (Instruction &I : instructions(*Copy))
        if (auto *Call = dyn_cast<CallInst>(&I))
          if (auto To = CopyOf.find(Call->getCalledFunction()); To != CopyOf.end())
            Call->setCalledFunction(To->second);
    for (Functions &Cycle : Cycles) {
      Functions Copies;
      for (Function *F : Cycle)
        Copies.insert(CopyOf[F]);
      Cycle = Copies;
    }
  }

  /// Replaces the calls of functions of a cycle from outside.
  void replace(const Functions &Cycle) {
    for (Function *First : Cycle) {
      SmallVector<CallInst *, 8> Outside;
      for (User *U : First->users())
        if (auto *Call = dyn_cast<CallInst>(U); Call && !Cycle.contains(Call->getFunction()))
          Outside.push_back(Call);
      if (Outside.empty())
        continue;
      Function *One = Machine(Cycle.getArrayRef(), *First).make(AM);
      for (CallInst *Call : Outside) {
        Call->setCalledFunction(One);
        Call->setAttributes(One->getAttributes()); // it may end the grid, whatever is known of the cycle
      }
    }
    for (Function *F : Cycle)
      F->dropAllReferences();
    for (Function *F : Cycle)
      F->eraseFromParent();
  }

  Module &M;
  ModuleAnalysisManager &AM;
  SmallVector<Functions, 2> Cycles; // those that are called come first
};

} // namespace

PreservedAnalyses RecursionPass::run(Module &M, ModuleAnalysisManager &AM) {
  return RecursionLowering(M, AM).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
