// SPDX-License-Identifier: MIT
// SPIR-V has no function pointers without an extension that few drivers have. The linked module is the whole program,
// so a function pointer need only say which of its functions is meant: addresses become numbers, and a call through a
// pointer calls a function that switches over those whose address is taken anywhere and that could be called like this.
// A number is a hash, so that a pointer from another module means the same function here, or none (docs/design/passes.md).
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace llvm;

namespace hiplz::passes {

namespace {

bool isDirectCall(const Use &U) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  return Call && Call->isCallee(&U) && Call->getFunctionType() == cast<Function>(U.get())->getFunctionType();
}

/// A call whose parameters are not the function's is an error that a later pass reports.
bool isCalledWrongly(const Function &F) {
  return any_of(F.users(), [&](const User *U) {
    if (auto *Call = dyn_cast<CallBase>(U))
      return Call->getCalledOperand() == &F && Call->getFunctionType() != F.getFunctionType();
    return any_of(U->users(), [&](const User *V) {
      auto *Call = dyn_cast<CallBase>(V);
      return Call && Call->getCalledOperand() == U && isa<Constant>(U);
    });
  });
}

/// A mark that tells apart two modules with a function of the same name: a hash of all that is in them.
std::string identityOf(const Module &M) {
  SmallVector<char, 0> Bytes;
  raw_svector_ostream Stream(Bytes);
  WriteBitcodeToFile(M, Stream);
  return std::to_string(MD5Hash(StringRef(Bytes.data(), Bytes.size())));
}

/// True if a call of one type can mean a function of the other: pointers count by their address space alone.
bool fits(FunctionType *Call, FunctionType *Callee) {
  auto Same = [](Type *A, Type *B) {
    return A == B ||
           (A->isPointerTy() && B->isPointerTy() && A->getPointerAddressSpace() == B->getPointerAddressSpace());
  };
  return Same(Call->getReturnType(), Callee->getReturnType()) && Call->getNumParams() == Callee->getNumParams() &&
         !Callee->isVarArg() && all_of(zip(Call->params(), Callee->params()), [&](const auto &Pair) {
           return Same(std::get<0>(Pair), std::get<1>(Pair));
         });
}

class Lowering {
public:
  explicit Lowering(Module &M) : M(M), Word(Type::getInt64Ty(M.getContext())) {}

  bool run() {
    numberFunctions();
    for (GlobalVariable &G : make_early_inc_range(M.globals()))
      if (G.hasInitializer())
        replaceInitializer(G);
    for (auto &[F, Stand] : Stands)
      Stand->replaceAllUsesWith(ConstantExpr::getIntToPtr(Numbers[Stand], Stand->getType()));
    for (Function &F : make_early_inc_range(M))
      if (isKernel(F) && !F.isDeclaration())
        replaceParameters(F);
    SmallVector<CallInst *, 16> Calls;
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallInst>(&I); Call && isIndirect(*Call))
          Calls.push_back(Call);
    for (CallInst *Call : Calls)
      lower(*Call);
    for (auto &[F, Stand] : Stands)
      Stand->eraseFromParent();
    return !Stands.empty() || !Calls.empty();
  }

private:
  /// For each function whose address is used: its number, and a declaration that stands for it wherever it is not called.
  void numberFunctions() {
    SmallVector<Function *, 16> Used;
    for (Function &F : M) {
      F.removeDeadConstantUsers();
      if (!F.isIntrinsic() && !isKernel(F) && !isCalledWrongly(F) &&
          any_of(F.uses(), [](const Use &U) { return !isDirectCall(U); }))
        Used.push_back(&F);
    }
    DenseSet<uint32_t> Taken{0}; // the null pointer
    std::string Identity;
    for (Function *F : Used) {
      std::string Name = F->getName().str();
      if (!F->hasFnAttribute(kSameEverywhere)) {
        if (Identity.empty())
          Identity = identityOf(M);
        Name += '@' + Identity;
      }
      // The lower half, because most of Intel's GPUs compare 64 bits in several steps; an even number, because in pointers
      // to members the lowest bit has a meaning.
      uint32_t Number = MD5Hash(Name) & ~1u;
      while (!Taken.insert(Number).second)
        Number = MD5Hash(Name += '\'') & ~1u;
      auto *Stand = Function::Create(F->getFunctionType(), GlobalValue::ExternalLinkage, F->getAddressSpace(), "", &M);
      F->replaceUsesWithIf(Stand, [](Use &U) { return !isDirectCall(U); });
      Numbers[Stand] = ConstantInt::get(Word, Number);
      Stands.push_back({F, Stand});
    }
  }

  /// The number of the function that a constant means; null if it means none.
  Constant *numberOf(Constant *C) const { return Numbers.lookup(dyn_cast<Function>(C->stripPointerCasts())); }

  /// The same constant with numbers in the place of functions, which changes its type; the constant itself if there is
  /// none. Null if it mixes functions with other addresses in one array.
  Constant *withNumbers(Constant *C) {
    if (Constant *Number = numberOf(C))
      return Number;
    if (!isa<ConstantAggregate>(C))
      return C;
    SmallVector<Constant *, 16> Elements;
    bool Changed = false;
    for (Use &Operand : C->operands()) {
      Elements.push_back(withNumbers(cast<Constant>(Operand)));
      if (!Elements.back())
        return nullptr;
      Changed |= Elements.back() != Operand;
    }
    if (!Changed)
      return C;
    if (auto *Struct = dyn_cast<StructType>(C->getType()))
      return ConstantStruct::getAnon(M.getContext(), Elements, Struct->isPacked());
    for (Constant *&Element : Elements) {
      auto *Address = dyn_cast<ConstantExpr>(Element); // of an offset in a table of virtual functions
      if (Address && Address->getOpcode() == Instruction::IntToPtr && isa<ConstantInt>(Address->getOperand(0)))
        Element = ConstantInt::get(Word, cast<ConstantInt>(Address->getOperand(0))->getSExtValue());
      else if (Element->getType()->isPointerTy() && Element->isNullValue())
        Element = ConstantInt::get(Word, 0);
    }
    if (any_of(Elements, [&](Constant *Element) { return Element->getType() != Elements[0]->getType(); }))
      return nullptr;
    return ConstantArray::get(ArrayType::get(Elements[0]->getType(), Elements.size()), Elements);
  }

  void replaceInitializer(GlobalVariable &G) {
    Constant *New = withNumbers(G.getInitializer());
    if (!New || New == G.getInitializer())
      return;
    auto *Twin = new GlobalVariable(M, New->getType(), G.isConstant(), G.getLinkage(), New, "", &G,
                                    G.getThreadLocalMode(), G.getAddressSpace(), G.isExternallyInitialized());
    Twin->takeName(&G);
    Twin->copyAttributesFrom(&G);
    if (!G.getAlign())
      Twin->setAlignment(M.getDataLayout().getABITypeAlign(G.getValueType()));
    Twin->copyMetadata(&G, 0);
    G.replaceAllUsesWith(ConstantExpr::getBitCast(Twin, G.getType()));
    G.eraseFromParent();
  }

  /// A kernel parameter that is a pointer without an address space can only be a function pointer, as HIP kernels have
  /// no other parameters of that kind. The runtime passes it as what it is, a number.
  void replaceParameters(Function &Kernel) {
    auto IsNumber = [](const Argument &A) {
      return A.getType()->isPointerTy() && A.getType()->getPointerAddressSpace() == kPrivate && !A.hasByValAttr();
    };
    if (none_of(Kernel.args(), IsNumber))
      return;
    SmallVector<Type *, 8> Types;
    for (Argument &A : Kernel.args())
      Types.push_back(IsNumber(A) ? Word : A.getType());
    SmallVector<unsigned, 4> Changed;
    for (Argument &A : Kernel.args())
      if (IsNumber(A))
        Changed.push_back(A.getArgNo());
    Function *New = recreate(Kernel, Types);
    for (unsigned N : Changed)
      New->removeParamAttrs(N, AttributeMask(New->getAttributes().getParamAttrs(N)));
    IRBuilder<> B(&*New->getEntryBlock().getFirstInsertionPt());
    for (auto [Old, Parameter] : zip(Kernel.args(), New->args())) {
      Value *V = &Parameter;
      if (Old.getType() != V->getType())
        V = B.CreateIntToPtr(V, Old.getType());
      Old.replaceAllUsesWith(V);
    }
    Kernel.eraseFromParent();
  }

  static bool isIndirect(const CallInst &Call) {
    return !Call.isInlineAsm() && !isa<Function>(Call.getCalledOperand()->stripPointerCasts());
  }

  void lower(CallInst &Call) {
    IRBuilder<> B(&Call);
    SmallVector<Value *, 8> Arguments(Call.args());
    Arguments.push_back(B.CreatePtrToInt(Call.getCalledOperand(), Word));
    CallInst *New = createCall(B, dispatcher(Call.getFunctionType()), Arguments);
    New->setAttributes(Call.getAttributes());
    New->setDebugLoc(Call.getDebugLoc());
    if (isa<FPMathOperator>(New))
      New->copyFastMathFlags(&Call);
    Call.replaceAllUsesWith(New);
    Call.eraseFromParent();
  }

  /// The function that takes the arguments of a call and the number, and calls.
  Function *dispatcher(FunctionType *T) {
    Function *&Known = Dispatchers[T];
    if (Known)
      return Known;
    SmallVector<Type *, 8> Types(T->param_begin(), T->param_end());
    Types.push_back(Word);
    Known = Function::Create(FunctionType::get(T->getReturnType(), Types, false), GlobalValue::InternalLinkage,
                             kDispatcherPrefix + Twine(Dispatchers.size()), &M);
    Known->setCallingConv(CallingConv::SPIR_FUNC);
    Known->addFnAttr(Attribute::NoUnwind);
    Known->addFnAttr(Attribute::Convergent); // one of the functions may meet other work-items
    LLVMContext &Context = M.getContext();
    auto *Entry = BasicBlock::Create(Context, "entry", Known);
    auto *Wild = BasicBlock::Create(Context, "wild", Known);
    IRBuilder<> B(Entry);
    SwitchInst *Switch = B.CreateSwitch(B.CreateTrunc(Known->getArg(T->getNumParams()), B.getInt32Ty()), Wild);
    for (auto &[F, Stand] : Stands) {
      if (F->isDeclaration() || !fits(T, F->getFunctionType()))
        continue;
      auto *Block = BasicBlock::Create(Context, F->getName(), Known);
      Switch->addCase(B.getInt32(cast<ConstantInt>(Numbers[Stand])->getZExtValue()), Block);
      B.SetInsertPoint(Block);
      SmallVector<Value *, 8> Arguments;
      for (unsigned N = 0; N < T->getNumParams(); ++N)
        Arguments.push_back(B.CreateBitCast(Known->getArg(N), F->getFunctionType()->getParamType(N)));
      CallInst *Call = createCall(B, F, Arguments);
      Call->setAttributes(F->getAttributes().removeFnAttributes(Context));
      if (T->getReturnType()->isVoidTy())
        B.CreateRetVoid();
      else
        B.CreateRet(B.CreateBitCast(Call, T->getReturnType()));
    }
    // The null pointer, or a function that this module does not have. The kernel goes on, because a loop with one more way
    // out would be compiled for fewer work-items on Intel's GPUs.
    B.SetInsertPoint(Wild);
    createCall(B, wildCall(), {});
    if (T->getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Constant::getNullValue(T->getReturnType()));
    return Known;
  }

  /// The function that AbortPass defines: it tells the host.
  Function *wildCall() {
    Type *Void = Type::getVoidTy(M.getContext());
    auto *Known = cast<Function>(M.getOrInsertFunction(kWildCall, Void).getCallee());
    Known->setCallingConv(CallingConv::SPIR_FUNC);
    Known->addFnAttr(Attribute::NoUnwind);
    return Known;
  }

  Module &M;
  Type *Word;
  SmallVector<std::pair<Function *, Function *>, 16> Stands;
  DenseMap<Function *, Constant *> Numbers; // by the declaration that stands for the function
  MapVector<FunctionType *, Function *> Dispatchers;
};

} // namespace

PreservedAnalyses FunctionPointersPass::run(Module &M, ModuleAnalysisManager &) {
  return Lowering(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
