// SPIR-V has no arrays of length zero. They stand in the types of pointers (dynamic shared memory, members without a
// bound at the end of a structure) where they only help to compute addresses, so the addresses are computed without
// them: an element of `[0 x T]` is an element of T, and a member of a structure with such a member is an offset in bytes.
#include "compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

bool containsZeroLengthArray(Type *T) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return Array->getNumElements() == 0 || containsZeroLengthArray(Array->getElementType());
  if (auto *Struct = dyn_cast<StructType>(T))
    return any_of(Struct->elements(), containsZeroLengthArray);
  return false;
}

/// The same address as \p GEP, in steps of the element or of bytes.
Value *plainAddress(GetElementPtrInst &GEP, const DataLayout &Layout) {
  IRBuilder<> B(&GEP);
  unsigned AddressSpace = GEP.getPointerAddressSpace();
  Value *Base = GEP.getPointerOperand();
  auto *Array = dyn_cast<ArrayType>(GEP.getSourceElementType());
  if (Array && GEP.getNumIndices() >= 2 && !containsZeroLengthArray(Array->getElementType())) {
    Type *Element = Array->getElementType();
    SmallVector<Value *, 4> Indices(std::next(GEP.idx_begin()), GEP.idx_end());
    return B.CreateGEP(Element, castPointer(B, Base, pointerTo(Element, AddressSpace)), Indices);
  }
  Type *Index = Layout.getIndexType(GEP.getType());
  Value *Offset = ConstantInt::get(Index, 0);
  for (auto I = gep_type_begin(GEP), E = gep_type_end(GEP); I != E; ++I) {
    Value *Step;
    if (StructType *Struct = I.getStructTypeOrNull())
      Step = ConstantInt::get(Index, Layout.getStructLayout(Struct)->getElementOffset(
                                         cast<ConstantInt>(I.getOperand())->getZExtValue()));
    else
      Step = B.CreateMul(B.CreateSExtOrTrunc(I.getOperand(), Index),
                         ConstantInt::get(Index, Layout.getTypeAllocSize(I.getIndexedType())));
    Offset = B.CreateAdd(Offset, Step);
  }
  return B.CreateGEP(B.getInt8Ty(), castPointer(B, Base, pointerTo(B.getInt8Ty(), AddressSpace)), Offset);
}

bool lower(Function &F) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
  SmallVector<GetElementPtrInst *, 16> Addresses;
  for (Instruction &I : instructions(F))
    if (auto *GEP = dyn_cast<GetElementPtrInst>(&I);
        GEP && containsZeroLengthArray(GEP->getSourceElementType()) && !GEP->getType()->isVectorTy())
      Addresses.push_back(GEP);
  for (GetElementPtrInst *GEP : Addresses) {
    Value *Plain = plainAddress(*GEP, Layout);
    IRBuilder<> B(GEP);
    GEP->replaceAllUsesWith(castPointer(B, Plain, GEP->getType()));
    GEP->eraseFromParent();
  }
  // The casts that only these addresses needed would keep their types in the module.
  for (BasicBlock &Block : F)
    for (Instruction &I : make_early_inc_range(reverse(Block)))
      if (isa<CastInst>(I) && I.getType()->isPointerTy() && I.use_empty())
        I.eraseFromParent();
  return !Addresses.empty();
}

} // namespace

PreservedAnalyses ZeroLengthArraysPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    Changed |= lower(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
