// SPDX-License-Identifier: MIT
// SPIR-V has no arrays of length zero and no integers of odd widths. In memory they stand in types that only help to
// compute addresses (dynamic shared memory, members without a bound at the end of a structure, a _BitInt member), so the
// addresses are computed without them: an element of `[0 x T]` is an element of T, and everything else is an offset in
// bytes. Variables of such types become arrays of bytes.
#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

/// The same address as \p GEP, in steps of the element or of bytes.
Value *legalAddress(GetElementPtrInst &GEP, const DataLayout &Layout) {
  IRBuilder<> B(&GEP);
  unsigned AddressSpace = GEP.getPointerAddressSpace();
  Value *Base = GEP.getPointerOperand();
  auto *Array = dyn_cast<ArrayType>(GEP.getSourceElementType());
  if (Array && GEP.getNumIndices() >= 2 && !isUnrepresentable(Array->getElementType())) {
    Type *Element = Array->getElementType();
    SmallVector<Value *, 4> Indices(std::next(GEP.idx_begin()), GEP.idx_end());
    return B.CreateGEP(Element, castPointer(B, Base, pointerTo(Element, AddressSpace)), Indices);
  }
  Type *Index = Layout.getIndexType(GEP.getType());
  Value *Offset = ConstantInt::get(Index, 0);
  for (auto I = gep_type_begin(GEP), E = gep_type_end(GEP); I != E; ++I) {
    Value *Step;
    if (StructType *Struct = I.getStructTypeOrNull())
      Step = ConstantInt::get(
          Index, Layout.getStructLayout(Struct)->getElementOffset(cast<ConstantInt>(I.getOperand())->getZExtValue()));
    else
      Step = B.CreateMul(B.CreateSExtOrTrunc(I.getOperand(), Index),
                         ConstantInt::get(Index, Layout.getTypeAllocSize(I.getIndexedType())));
    Offset = B.CreateAdd(Offset, Step);
  }
  return B.CreateGEP(B.getInt8Ty(), castPointer(B, Base, pointerTo(B.getInt8Ty(), AddressSpace)), Offset);
}

void lowerAddress(GetElementPtrInst &GEP, const DataLayout &Layout) {
  Value *Plain = legalAddress(GEP, Layout);
  IRBuilder<> B(&GEP);
  GEP.replaceAllUsesWith(castPointer(B, Plain, GEP.getType()));
  GEP.eraseFromParent();
}

void lowerVariable(AllocaInst &Variable, const DataLayout &Layout) {
  IRBuilder<> B(&Variable);
  Type *Bytes =
      ArrayType::get(B.getInt8Ty(), std::max<uint64_t>(1, Layout.getTypeAllocSize(Variable.getAllocatedType())));
  AllocaInst *Plain = B.CreateAlloca(Bytes, Variable.getType()->getPointerAddressSpace(), Variable.getArraySize());
  Plain->setAlignment(Variable.getAlign());
  Plain->takeName(&Variable);
  Variable.replaceAllUsesWith(castPointer(B, Plain, Variable.getType()));
  Variable.eraseFromParent();
}

bool lower(Function &F) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
  SmallVector<Instruction *, 16> Found;
  for (Instruction &I : instructions(F)) {
    auto *GEP = dyn_cast<GetElementPtrInst>(&I);
    auto *Variable = dyn_cast<AllocaInst>(&I);
    if ((GEP && isUnrepresentable(GEP->getSourceElementType()) && !GEP->getType()->isVectorTy()) ||
        (Variable && isUnrepresentable(Variable->getAllocatedType())))
      Found.push_back(&I);
  }
  for (Instruction *I : Found) {
    if (auto *GEP = dyn_cast<GetElementPtrInst>(I))
      lowerAddress(*GEP, Layout);
    else
      lowerVariable(*cast<AllocaInst>(I), Layout);
  }
  removeUnusedCasts(F);
  return !Found.empty();
}

} // namespace

PreservedAnalyses LegalAddressesPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= lower(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
