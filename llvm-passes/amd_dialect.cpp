// SPDX-License-Identifier: MIT
// Code of AMD's compiler in the form that the pipeline knows from ours (docs/design/amd-spirv.md). It comes as SPIR-V, so what
// only LLVM can say is lost: that calls must not be moved between the branches of a condition, that the host writes a variable,
// where the program ends in a trap. All of it is assumed wherever it may be so.
#include "amd_hidden_arguments.h"
#include "amd_printf.h"
#include "base/llvm_compat.h"
#include "base/spirv_builtins.h"
#include "base/spirv_marks.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

constexpr uint64_t kOrders = 0x1e, kMemories = 0x300; // bits of SPIR-V's memory semantics

/// The host finds device variables by name, and writes constants as well.
void exportVariables(Module &M) {
  for (GlobalVariable &G : M.globals()) {
    if (G.hasLocalLinkage() || startsWith(G.getName(), "__hip_cuid") || startsWith(G.getName(), "__hiplz_"))
      continue;
    if (G.getAddressSpace() == kLocal) {
      G.setInitializer(nullptr); // dynamic shared memory
    } else if (!G.isDeclaration()) {
      G.setConstant(false);
      G.setExternallyInitialized(true);
    }
  }
}

/// Stores of a structure become copies of its memory, and members are loaded from there: the whole as one value would be in registers.
void useInMemory(Argument &Whole, Argument &Memory) {
  const DataLayout &Layout = Memory.getParent()->getParent()->getDataLayout();
  for (User *U : make_early_inc_range(Whole.users())) {
    IRBuilder<> B(cast<Instruction>(U));
    if (auto *Store = dyn_cast<StoreInst>(U)) {
      B.CreateMemCpy(Store->getPointerOperand(), Store->getAlign(), &Memory, Layout.getABITypeAlign(Whole.getType()),
                     Layout.getTypeStoreSize(Whole.getType()).getFixedValue());
      Store->eraseFromParent();
    } else if (auto *Extract = dyn_cast<ExtractValueInst>(U)) {
      SmallVector<Value *, 4> Indices{B.getInt32(0)};
      for (const unsigned Index : Extract->indices())
        Indices.push_back(B.getInt32(Index));
      Value *Member = B.CreateInBoundsGEP(Whole.getType(), &Memory, Indices);
      Extract->replaceAllUsesWith(B.CreateLoad(Extract->getType(), Member));
      Extract->eraseFromParent();
    }
  }
}

/// AMD passes structures by value; a kernel of ours gets the address of one.
void passAddresses(Function &Kernel) {
  const auto isStructure = [](const Argument &A) { return A.getType()->isAggregateType(); };
  if (none_of(Kernel.args(), isStructure))
    return;
  SmallVector<Type *, 8> Types;
  for (const Argument &A : Kernel.args())
    Types.push_back(isStructure(A) ? pointerTo(A.getType(), kPrivate) : A.getType());
  Function *New = recreate(Kernel, Types);
  IRBuilder<> B(&*New->getEntryBlock().getFirstInsertionPt());
  for (auto [Old, Parameter] : zip(Kernel.args(), New->args())) {
    if (isStructure(Old)) {
      Parameter.addAttr(Attribute::getWithByValType(New->getContext(), Old.getType()));
      useInMemory(Old, Parameter);
    }
    if (!Old.use_empty())
      Old.replaceAllUsesWith(isStructure(Old) ? B.CreateLoad(Old.getType(), &Parameter) : cast<Value>(&Parameter));
  }
  Kernel.eraseFromParent();
}

/// The orders of AMD's fences and atomic operations name no kind of memory; they mean both.
void orderAllMemory(CallInst &Call) {
  const StringRef Name = Call.getCalledFunction()->getName();
  const bool Fence = Name.contains("__spirv_MemoryBarrier");
  if (!Fence && !Name.contains("__spirv_Atomic") && !Name.contains("__spirv_ControlBarrier"))
    return;
  const unsigned First = Fence ? 1 : 2, Count = Name.contains("__spirv_AtomicCompareExchange") ? 2 : 1;
  for (unsigned N = First; N < First + Count && N < Call.arg_size(); ++N)
    if (auto *Order = dyn_cast<ConstantInt>(Call.getArgOperand(N)); Order && (Order->getZExtValue() & kOrders))
      Call.setArgOperand(N, ConstantInt::get(Order->getType(), Order->getZExtValue() | kMemories));
}

/// The order of a whole operation, at its strongest where it has one.
AtomicOrdering orderOf(Value *Semantics) {
  auto *Bits = dyn_cast<ConstantInt>(Semantics);
  return Bits && (Bits->getZExtValue() & kOrders) == 0 ? AtomicOrdering::Monotonic
                                                       : AtomicOrdering::SequentiallyConsistent;
}

/// Atomic operations on 8 and 16 bits, which need an extension in SPIR-V, become LLVM's instructions, which AtomicsPass lowers. True if it
/// was one.
bool restoreSmallAtomic(CallInst &Call) {
  StringRef Name = Call.getCalledFunction()->getName();
  const size_t Prefix = Name.find("__spirv_Atomic");
  if (Prefix == StringRef::npos)
    return false;
  Name = Name.substr(Prefix + StringRef("__spirv_Atomic").size());
  const bool Store = startsWith(Name, "Store");
  Type *T = Store ? Call.getArgOperand(3)->getType() : Call.getType();
  if (!T->isIntegerTy(8) && !T->isIntegerTy(16))
    return false;
  IRBuilder<> B(&Call);
  Value *Pointer = Call.getArgOperand(0);
  Pointer = castPointer(B, Pointer, pointerTo(T, Pointer->getType()->getPointerAddressSpace()));
  const AtomicOrdering Order = orderOf(Call.getArgOperand(2));
  const Align Size(T->getIntegerBitWidth() / 8);
  Value *Result = nullptr;
  if (startsWith(Name, "Load")) {
    LoadInst *Load = B.CreateAlignedLoad(T, Pointer, Size);
    Load->setAtomic(Order);
    Result = Load;
  } else if (Store) {
    B.CreateAlignedStore(Call.getArgOperand(3), Pointer, Size)->setAtomic(Order);
  } else if (startsWith(Name, "CompareExchange")) {
    Value *Pair = B.CreateAtomicCmpXchg(Pointer, Call.getArgOperand(5), Call.getArgOperand(4), Size, Order,
                                        orderOf(Call.getArgOperand(3)));
    Result = B.CreateExtractValue(Pair, 0);
  } else {
    constexpr std::pair<const char *, AtomicRMWInst::BinOp> kUpdates[] = {
        {"Exchange", AtomicRMWInst::Xchg}, {"IAdd", AtomicRMWInst::Add},       {"ISub", AtomicRMWInst::Sub},
        {"SMin", AtomicRMWInst::Min},      {"UMin", AtomicRMWInst::UMin},      {"SMax", AtomicRMWInst::Max},
        {"UMax", AtomicRMWInst::UMax},     {"And", AtomicRMWInst::And},        {"Or", AtomicRMWInst::Or},
        {"Xor", AtomicRMWInst::Xor},       {"IIncrement", AtomicRMWInst::Add}, {"IDecrement", AtomicRMWInst::Sub}};
    const auto *Update = find_if(kUpdates, [&](const auto &U) { return startsWith(Name, U.first); });
    if (Update == std::end(kUpdates))
      return false;
    Value *Operand = Call.arg_size() > 3 ? Call.getArgOperand(3) : ConstantInt::get(T, 1);
    Result = B.CreateAtomicRMW(Update->second, Pointer, Operand, Size, Order);
  }
  if (Result)
    Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
  return true;
}

/// Sums and extrema of floating-point numbers by compare-and-exchange, which every device has, as in our own headers.
void expandRealAtomic(CallInst &Call) {
  const StringRef Name = Call.getCalledFunction()->getName();
  const bool Add = Name.contains("__spirv_AtomicFAddEXT"), Least = Name.contains("__spirv_AtomicFMinEXT");
  if (!Add && !Least && !Name.contains("__spirv_AtomicFMaxEXT"))
    return;
  Type *Real = Call.getType();
  BasicBlock *Before = Call.getParent(), *After = SplitBlock(Before, &Call);
  BasicBlock *Loop = BasicBlock::Create(Call.getContext(), "", Before->getParent(), After);
  IRBuilder<> B(Before->getTerminator());
  Type *Word = B.getIntNTy(Real->getScalarSizeInBits());
  Value *Place = castPointer(B, Call.getArgOperand(0),
                             pointerTo(Word, Call.getArgOperand(0)->getType()->getPointerAddressSpace()));
  const Align Size(Real->getScalarSizeInBits() / 8);
  LoadInst *First = B.CreateAlignedLoad(Word, Place, Size);
  First->setAtomic(AtomicOrdering::Monotonic);
  Before->getTerminator()->setSuccessor(0, Loop);
  B.SetInsertPoint(Loop);
  PHINode *Expected = B.CreatePHI(Word, 2);
  Value *Old = B.CreateBitCast(Expected, Real), *Value = Call.getArgOperand(3);
  llvm::Value *New = Add ? B.CreateFAdd(Old, Value) : Least ? B.CreateMinNum(Old, Value) : B.CreateMaxNum(Old, Value);
  const AtomicOrdering Order = orderOf(Call.getArgOperand(2));
  llvm::Value *Exchange = B.CreateAtomicCmpXchg(Place, Expected, B.CreateBitCast(New, Word), Size, Order, Order);
  Expected->addIncoming(First, Before);
  Expected->addIncoming(B.CreateExtractValue(Exchange, 0), Loop);
  B.CreateCondBr(B.CreateExtractValue(Exchange, 1), After, Loop);
  Call.replaceAllUsesWith(Old);
  Call.eraseFromParent();
}

/// Pointers from the host come as global ones and become generic ones by way of a number, which hides where they point.
void keepMemoryKind(IntToPtrInst &Cast) {
  auto *Number = dyn_cast<PtrToIntInst>(Cast.getOperand(0));
  if (!Number || Cast.getAddressSpace() != kGeneric || Number->getPointerAddressSpace() == kConstant ||
      !Number->getType()->isIntegerTy(64))
    return;
  IRBuilder<> B(&Cast);
  Cast.replaceAllUsesWith(castPointer(B, Number->getPointerOperand(), Cast.getType()));
}

/// AMD's processors shift by as many bits as the lower bits of the number say, and AMD's headers rely on it (__bitextract_u64).
void limitShift(BinaryOperator &Shift) {
  Value *Bits = Shift.getOperand(1);
  if (!Shift.isShift() || !(Shift.getType()->isIntegerTy(32) || Shift.getType()->isIntegerTy(64)) ||
      isa<Constant>(Bits))
    return;
  Shift.setOperand(1, IRBuilder<>(&Shift).CreateAnd(Bits, Shift.getType()->getIntegerBitWidth() - 1));
  Shift.dropPoisonGeneratingFlags();
}

void rewriteFunction(Function &F) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getCalledFunction())
      Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    if (restoreSmallAtomic(*Call))
      continue;
    orderAllMemory(*Call);
    expandRealAtomic(*Call);
  }
  for (BasicBlock &Block : F)
    for (Instruction &I : make_early_inc_range(Block)) {
      if (auto *Cast = dyn_cast<IntToPtrInst>(&I))
        keepMemoryKind(*Cast);
      else if (auto *Operation = dyn_cast<BinaryOperator>(&I))
        limitShift(*Operation);
      else if (isa<UnreachableInst>(I)) // maybe a trap
        IRBuilder<>(&I).CreateIntrinsic(Intrinsic::trap, ArrayRef<Type *>(), {});
    }
}

/// Sums, differences and products with a bit that says if they overflowed. SPIR-V gives the structure a name, which LLVM's intrinsics do
/// not have, so they came as functions: the calls become those of LLVM's intrinsics.
void restoreOverflows(Module &M) {
  constexpr std::pair<const char *, Intrinsic::ID> kNames[] = {
      {"__llvm_sadd_with_overflow_", Intrinsic::sadd_with_overflow},
      {"__llvm_ssub_with_overflow_", Intrinsic::ssub_with_overflow},
      {"__llvm_smul_with_overflow_", Intrinsic::smul_with_overflow},
      {"__llvm_uadd_with_overflow_", Intrinsic::uadd_with_overflow},
      {"__llvm_usub_with_overflow_", Intrinsic::usub_with_overflow},
      {"__llvm_umul_with_overflow_", Intrinsic::umul_with_overflow}};
  for (Function &F : M)
    for (const auto &[Name, Id] : kNames) {
      if (!startsWith(F.getName(), Name))
        continue;
      for (User *U : make_early_inc_range(F.users()))
        if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledFunction() == &F) {
          IRBuilder<> B(Call);
          Value *Pair = B.CreateBinaryIntrinsic(Id, Call->getArgOperand(0), Call->getArgOperand(1));
          Value *Both = PoisonValue::get(Call->getType());
          for (unsigned N : {0u, 1u})
            Both = B.CreateInsertValue(Both, B.CreateExtractValue(Pair, N), N);
          Call->replaceAllUsesWith(Both);
          Call->eraseFromParent();
        }
    }
}

/// Intrinsics with two results come as functions that return a structure. Those of the device library return the first one and write
/// the second one where their last argument says.
void passSecondResults(Module &M) {
  for (Function &F : M) {
    if (!startsWith(F.getName(), "__llvm_") || F.isDeclaration() || F.getReturnType()->isStructTy())
      continue;
    // Their types differ, so typed pointers have a cast between them.
    SmallVector<CallInst *, 4> Calls;
    for (User *U : F.users())
      if (isa<CallInst>(U))
        Calls.push_back(cast<CallInst>(U));
      else if (isa<ConstantExpr>(U))
        for (User *OfCast : U->users())
          if (isa<CallInst>(OfCast))
            Calls.push_back(cast<CallInst>(OfCast));
    for (CallInst *Call : Calls) {
      auto *Results = dyn_cast<StructType>(Call->getType());
      if (Call->getCalledOperand()->stripPointerCasts() != &F || !Results || Results->getNumElements() != 2)
        continue;
      IRBuilder<> B(&*Call->getFunction()->getEntryBlock().getFirstInsertionPt());
      Value *Place = B.CreateAlloca(Results->getElementType(1));
      B.SetInsertPoint(Call);
      SmallVector<Value *, 2> Arguments(Call->args());
      Arguments.push_back(castPointer(B, Place, F.getArg(F.arg_size() - 1)->getType()));
      Value *Both = B.CreateInsertValue(PoisonValue::get(Results), createCall(B, &F, Arguments), 0);
      Both = B.CreateInsertValue(Both, B.CreateLoad(Results->getElementType(1), Place), 1);
      Call->replaceAllUsesWith(Both);
      Call->eraseFromParent();
    }
  }
}

/// Variables whose size is known only at run time become calls of a function that no device has.
void refuseDynamicVariables(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      IRBuilder<> B(&I);
      if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && !Variable->isStaticAlloca()) {
        Type *Pointer = pointerTo(B.getInt8Ty(), Variable->getType()->getPointerAddressSpace());
        FunctionCallee Alloca = M.getOrInsertFunction("alloca", FunctionType::get(Pointer, false));
        I.replaceAllUsesWith(castPointer(B, B.CreateCall(Alloca), Variable->getType()));
        I.eraseFromParent();
      } else if (auto *Call = dyn_cast<IntrinsicInst>(&I);
                 Call && (Call->getIntrinsicID() == Intrinsic::stacksave ||
                          Call->getIntrinsicID() == Intrinsic::stackrestore)) {
        if (!I.use_empty())
          I.replaceAllUsesWith(Constant::getNullValue(I.getType()));
        I.eraseFromParent();
      }
    }
}

/// AMD's intrinsics take a generic pointer as a private one, which hides where it points.
void askGenericPointers(Module &M) {
  constexpr std::pair<const char *, const char *> kNames[] = {{"__amd_is_shared", "__amd_generic_is_shared"},
                                                              {"__amd_is_private", "__amd_generic_is_private"}};
  for (const auto &[Name, GenericName] : kNames) {
    Function *Asked = M.getFunction(Name), *Generic = M.getFunction(GenericName);
    if (!Asked || !Generic)
      continue;
    Generic->removeFnAttr(Attribute::NoInline);
    Generic->addFnAttr(Attribute::AlwaysInline);
    for (User *U : make_early_inc_range(Asked->users()))
      if (auto *Call = dyn_cast<CallInst>(U)) {
        IRBuilder<> B(Call);
        Value *Pointer = Call->getArgOperand(0)->stripPointerCasts();
        Call->replaceAllUsesWith(createCall(B, Generic, {castPointer(B, Pointer, Generic->getArg(0)->getType())}));
        Call->eraseFromParent();
      }
  }
}

std::string nameOfMissing(const Function &F) {
  std::string Name = demangled(F.getName());
  return startsWith(Name, "__amd_")    ? "llvm.amdgcn." + Name.substr(6)
         : startsWith(Name, "__llvm_") ? "llvm." + Name.substr(7)
                                       : Name;
}

/// The runtime refuses kernels that reach a function which the device library does not have.
void markKernels(Module &M, ArrayRef<Function *> Missing) {
  // Functions that are used in a function's instructions, called or not.
  DenseMap<const Function *, SmallVector<const Function *, 4>> Users;
  for (Function &F : M)
    collectUsingFunctions(F, [&](const Function &User) { Users[&F].push_back(&User); });
  DenseSet<const Function *> Marked;
  for (const Function *Absent : Missing) {
    const std::string Name = nameOfMissing(*Absent);
    SmallVector<const Function *, 8> Ways{Absent};
    DenseSet<const Function *> Seen{Absent};
    while (!Ways.empty())
      for (const Function *User : Users.lookup(Ways.pop_back_val())) {
        if (!Seen.insert(User).second)
          continue;
        Ways.push_back(User);
        if (isKernel(*User) && Marked.insert(User).second)
          M.getOrInsertNamedMetadata("opencl.used.extensions")
              ->addOperand(MDNode::get(
                  M.getContext(), MDString::get(M.getContext(), spirv::kMissing + User->getName().str() + " " + Name)));
      }
  }
}

/// Functions that the device library does not have end the kernel that gets to them in a way that markKernels does not see.
void defineAsMissing(Function &F) {
  Module &M = *F.getParent();
  LLVMContext &C = M.getContext();
  const std::string Name = nameOfMissing(F);
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  PointerType *Text = pointerTo(B.getInt8Ty(), kGeneric);
  FunctionCallee Print = M.getOrInsertFunction("__hiplz_print_error", FunctionType::get(B.getInt32Ty(), {Text}, true));
  auto string = [&](StringRef Characters) {
    return castPointer(B, B.CreateGlobalString(Characters, "", kGlobal), Text);
  };
  auto *Call = B.CreateCall(Print, {string("HIPLZ: a kernel calls '%s', which only AMD's GPUs have\n"), string(Name)});
  Call->setCallingConv(CallingConv::SPIR_FUNC);
  B.CreateIntrinsic(Intrinsic::trap, ArrayRef<Type *>(), {});
  B.CreateUnreachable();
  F.setLinkage(GlobalValue::InternalLinkage);
  F.addFnAttr(Attribute::NoInline);
}

bool isMissing(const Function &F) {
  return F.isDeclaration() && !F.isIntrinsic() && !F.use_empty() && !spirv::isBuiltin(F.getName()) &&
         !startsWith(F.getName(), "__hiplz_") && F.getName() != "printf";
}

} // namespace

PreservedAnalyses AmdDialectPass::run(Module &M, ModuleAnalysisManager &) {
  exportVariables(M);
  restoreOverflows(M);
  passSecondResults(M);
  restorePrintf(M);
  replaceHiddenArguments(M);
  askGenericPointers(M);
  refuseDynamicVariables(M);
  SmallVector<Function *, 4> Missing;
  for (Function &F : M)
    if (isMissing(F))
      Missing.push_back(&F);
  markKernels(M, Missing);
  for (Function *F : Missing)
    defineAsMissing(*F);
  for (Function &F : make_early_inc_range(M)) {
    if (F.isIntrinsic())
      continue;
    F.addFnAttr(Attribute::Convergent);
    if (F.isDeclaration())
      continue;
    rewriteFunction(F);
    if (isKernel(F))
      passAddresses(F);
  }
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
