// SPDX-License-Identifier: MIT
// Calls through pointers to member functions. Clang adjusts `this`, a generic pointer, as a private one, between two casts that
// change the address space and may not: LLVM's optimisations make such code worse, and what they make cannot be written down. So this
// pass runs in clang, before all optimisations.
#include "base/llvm_compat.h"
#include "passes.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

bool changesAddressSpace(const Instruction &I) {
  return I.getOpcode() == Instruction::BitCast && I.getType()->isPointerTy() &&
         I.getOperand(0)->getType()->isPointerTy() &&
         I.getType()->getPointerAddressSpace() != I.getOperand(0)->getType()->getPointerAddressSpace();
}

/// `Pointer` cast to the type that `To` has in the address space of `Pointer`.
Value *castWithin(Value *Pointer, Type *To, IRBuilder<> &B) {
  return B.CreateBitCast(Pointer, inAddressSpace(cast<PointerType>(To), Pointer->getType()->getPointerAddressSpace()));
}

/// Lets the users of `Old` use `New`, which is the same address in another address space.
void replaceUses(Instruction &Old, Value *New) {
  for (Use &U : make_early_inc_range(Old.uses())) {
    auto *User = cast<Instruction>(U.getUser());
    IRBuilder<> B(User);
    if (auto *Address = dyn_cast<GetElementPtrInst>(User)) {
      replaceUses(*Address, B.CreateGEP(Address->getSourceElementType(), New,
                                        SmallVector<Value *, 2>(Address->indices()), "", Address->isInBounds()));
    } else if (isa<BitCastInst>(User) &&
               User->getType()->getPointerAddressSpace() == New->getType()->getPointerAddressSpace()) {
      User->replaceAllUsesWith(castWithin(New, User->getType(), B));
    } else {
      U.set(B.CreateIntToPtr(B.CreatePtrToInt(New, B.getInt64Ty()), Old.getType()));
      continue;
    }
    User->eraseFromParent();
  }
}

} // namespace

PreservedAnalyses MemberPointersPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F)
      for (auto I = Block.begin(); I != Block.end();) {
        Instruction &Cast = *I;
        if (changesAddressSpace(Cast)) {
          IRBuilder<> B(&Cast);
          replaceUses(Cast, castWithin(Cast.getOperand(0), Cast.getType(), B));
          I = Cast.eraseFromParent(); // what followed it may be gone, so no earlier
          Changed = true;
        } else {
          ++I;
        }
      }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
