// SPDX-License-Identifier: MIT
// Kernel parameters as the runtime passes them. A bool has no size in SPIR-V and must not be a parameter of a kernel: it
// becomes a byte. And a pointer inside a structure that is passed by value comes from the host, so it points to global
// memory, which drivers cannot see from its generic type: accesses through generic pointers are several times slower.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

bool hasBool(const Function &Kernel) {
  return any_of(Kernel.args(), [](const Argument &A) { return A.getType()->isIntegerTy(1); });
}

void replaceBools(Function &Kernel) {
  SmallVector<Type *, 8> Types;
  for (Argument &A : Kernel.args())
    Types.push_back(A.getType()->isIntegerTy(1) ? Type::getInt8Ty(Kernel.getContext()) : A.getType());
  Function *New = recreate(Kernel, Types);
  IRBuilder<> B(&*New->getEntryBlock().getFirstInsertionPt());
  for (auto [Old, Parameter] : zip(Kernel.args(), New->args())) {
    Value *V = &Parameter;
    if (Old.getType() != V->getType())
      V = B.CreateICmpNE(V, B.getInt8(0), "bool");
    Old.replaceAllUsesWith(V);
  }
  Kernel.eraseFromParent();
}

/// Tells the users of a pointer loaded from the parameter that it is global.
void markLoadedPointers(Value &Place, SmallVectorImpl<LoadInst *> &Loads) {
  for (User *U : Place.users()) {
    if (auto *Load = dyn_cast<LoadInst>(U)) {
      if (Load->getType()->isPointerTy() && Load->getType()->getPointerAddressSpace() == kGeneric)
        Loads.push_back(Load);
    } else if (isa<GetElementPtrInst>(U) || isa<BitCastInst>(U) || isa<AddrSpaceCastInst>(U)) {
      markLoadedPointers(*U, Loads);
    }
  }
}

bool isOnlyRead(const Value &Place) {
  for (const User *U : Place.users()) {
    if (isa<LoadInst>(U))
      continue;
    bool Derived = isa<GetElementPtrInst>(U) || isa<BitCastInst>(U) || isa<AddrSpaceCastInst>(U);
    if (!Derived || !isOnlyRead(*U))
      return false;
  }
  return true;
}

bool assumeGlobalPointers(Function &Kernel) {
  SmallVector<LoadInst *, 8> Loads;
  for (Argument &A : Kernel.args())
    if (A.hasByValAttr() && isOnlyRead(A))
      markLoadedPointers(A, Loads);
  for (LoadInst *Load : Loads) {
    IRBuilder<> B(Load->getNextNode());
    auto *Type = cast<PointerType>(Load->getType());
    PointerType *Global = inAddressSpace(Type, kGlobal);
    auto *Narrow = cast<Instruction>(B.CreateAddrSpaceCast(Load, Global));
    Value *Wide = B.CreateAddrSpaceCast(Narrow, Type);
    Load->replaceUsesWithIf(Wide, [&](Use &U) { return U.getUser() != Narrow; });
  }
  return !Loads.empty();
}

} // namespace

PreservedAnalyses KernelParametersPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : make_early_inc_range(M)) {
    if (!isKernel(F) || F.isDeclaration())
      continue;
    Changed |= assumeGlobalPointers(F);
    if (hasBool(F)) {
      replaceBools(F);
      Changed = true;
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
