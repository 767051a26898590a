// SPDX-License-Identifier: MIT
// Kernel parameters that exceed what a device takes. Intel's compiler keeps the parameters of a kernel in registers,
// where an element has at least four bytes, and ends with an error when they do not fit there. The largest aggregates
// of such a kernel become pointers to constant memory, where the runtime puts the values (docs/design/modules.md).
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

/// Registers for all parameters of a kernel, in bytes. It is what all of Intel's GPUs take (maxArgumentsSize).
constexpr uint64_t kRegisterBytes = 2048;

uint64_t registerBytes(const DataLayout &DL, Type *T) {
  if (auto *S = dyn_cast<StructType>(T)) {
    uint64_t Sum = 0;
    for (Type *Member : S->elements())
      Sum += registerBytes(DL, Member);
    return Sum;
  }
  if (auto *A = dyn_cast<ArrayType>(T))
    return A->getNumElements() * registerBytes(DL, A->getElementType());
  return std::max<uint64_t>(DL.getTypeAllocSize(T).getFixedValue(), 4);
}

/// The aggregates to be passed in memory, so that the rest fits.
SmallVector<Argument *, 4> choose(Function &Kernel, const DataLayout &DL) {
  SmallVector<Argument *, 4> Aggregates;
  uint64_t Sum = 0;
  auto size = [&](const Argument *A) {
    return registerBytes(DL, A->hasByValAttr() ? A->getParamByValType() : A->getType());
  };
  for (Argument &A : Kernel.args()) {
    Sum += size(&A);
    if (A.hasByValAttr())
      Aggregates.push_back(&A);
  }
  llvm::stable_sort(Aggregates, [&](const Argument *A, const Argument *B) { return size(A) > size(B); });
  size_t Count = 0;
  for (; Count < Aggregates.size() && Sum > kRegisterBytes; ++Count)
    Sum -= size(Aggregates[Count]);
  Aggregates.truncate(Count);
  return Aggregates;
}

/// True if the memory at \p Place is only read, by instructions that readFrom() can rewrite.
bool isOnlyRead(const Value &Place) {
  for (const Use &U : Place.uses()) {
    const User *I = U.getUser();
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      if (Load->isVolatile() || Load->isAtomic())
        return false;
    } else if (auto *Copy = dyn_cast<MemCpyInst>(I)) {
      if (&U != &Copy->getRawSourceUse() || Copy->isVolatile())
        return false;
    } else if (!(isa<GetElementPtrInst>(I) || isa<BitCastInst>(I) || isa<AddrSpaceCastInst>(I)) || !isOnlyRead(*I)) {
      return false;
    }
  }
  return true;
}

/// Makes the instructions that read the memory at \p Place read it at \p Constant, and erases what is left without use.
void readFrom(Value &Place, Value *Constant) {
  for (User *U : make_early_inc_range(Place.users())) {
    auto *I = cast<Instruction>(U);
    IRBuilder<> B(I);
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      Load->setOperand(0, castPointer(B, Constant, inAddressSpace(cast<PointerType>(Place.getType()), kConstant)));
      continue;
    }
    if (auto *Copy = dyn_cast<MemCpyInst>(I)) {
      Type *Bytes = inAddressSpace(cast<PointerType>(Copy->getRawSource()->getType()), kConstant);
      B.CreateMemCpy(Copy->getRawDest(), Copy->getDestAlign(), castPointer(B, Constant, Bytes), Copy->getSourceAlign(),
                     Copy->getLength());
    } else if (auto *Element = dyn_cast<GetElementPtrInst>(I)) {
      Value *Base = castPointer(B, Constant, inAddressSpace(cast<PointerType>(Place.getType()), kConstant));
      SmallVector<Value *, 4> Indices(Element->indices());
      auto *New =
          cast<Instruction>(B.Insert(GetElementPtrInst::Create(Element->getSourceElementType(), Base, Indices)));
      cast<GetElementPtrInst>(New)->setIsInBounds(Element->isInBounds());
      readFrom(*I, New);
    } else {
      readFrom(*I, castPointer(B, Constant, inAddressSpace(cast<PointerType>(I->getType()), kConstant)));
    }
    I->eraseFromParent();
  }
}

void passInMemory(Function &Kernel, ArrayRef<Argument *> Chosen, const DataLayout &DL) {
  SmallVector<Type *, 8> Types;
  for (Argument &A : Kernel.args())
    Types.push_back(is_contained(Chosen, &A) ? inAddressSpace(cast<PointerType>(A.getType()), kConstant) : A.getType());
  Function *New = recreate(Kernel, Types);
  for (auto [Old, Parameter] : zip(Kernel.args(), New->args())) {
    if (!is_contained(Chosen, &Old)) {
      Old.replaceAllUsesWith(&Parameter);
      continue;
    }
    Type *Aggregate = Old.getParamByValType();
    uint64_t Bytes = DL.getTypeAllocSize(Aggregate).getFixedValue();
    Align Alignment = std::max(Old.getParamAlign().valueOrOne(), DL.getABITypeAlign(Aggregate));
    unsigned Index = Old.getArgNo();
    New->setAttributes(New->getAttributes().removeParamAttributes(Kernel.getContext(), Index));
    // The runtime knows the parameter, its size and its alignment by these.
    AttrBuilder Attributes(Kernel.getContext());
    Attributes.addDereferenceableAttr(Bytes)
        .addAlignmentAttr(Alignment)
        .addAttribute(Attribute::NoAlias)
        .addAttribute(Attribute::ReadOnly);
    addNoCapture(Attributes);
    New->addParamAttrs(Index, Attributes);
    if (isOnlyRead(Old)) {
      readFrom(Old, &Parameter);
      continue;
    }
    // The kernel's own copy, which it may write to.
    IRBuilder<> B(&*New->getEntryBlock().getFirstInsertionPt());
    AllocaInst *Own = B.CreateAlloca(Aggregate, nullptr, "own");
    Own->setAlignment(Alignment);
    B.CreateMemCpy(Own, Alignment, &Parameter, Alignment, Bytes);
    Old.replaceAllUsesWith(Own);
  }
  Kernel.eraseFromParent();
}

} // namespace

PreservedAnalyses LargeParametersPass::run(Module &M, ModuleAnalysisManager &) {
  const DataLayout &DL = M.getDataLayout();
  bool Changed = false;
  for (Function &F : make_early_inc_range(M)) {
    if (!isKernel(F) || F.isDeclaration())
      continue;
    SmallVector<Argument *, 4> Chosen = choose(F, DL);
    if (Chosen.empty())
      continue;
    passInMemory(F, Chosen, DL);
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
