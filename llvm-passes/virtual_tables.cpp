// SPDX-License-Identifier: MIT
// Clang puts the tables of virtual functions, and the addresses of these tables in objects, into the private address
// space, which has no variables of modules. The tables move to global memory, and what is read through such an address is
// read from there.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

bool isTable(const GlobalVariable &G) {
  return G.getAddressSpace() == kPrivate && G.isConstant() && G.hasInitializer() && !startsWith(G.getName(), "llvm.");
}

void moveToGlobal(GlobalVariable &G) {
  Module &M = *G.getParent();
  auto *Twin = new GlobalVariable(M, G.getValueType(), true, G.getLinkage(), G.getInitializer(), "", &G,
                                  GlobalValue::NotThreadLocal, kGlobal);
  Twin->takeName(&G);
  Twin->copyAttributesFrom(&G);
  Type *Word = Type::getInt64Ty(M.getContext());
  G.replaceAllUsesWith(ConstantExpr::getIntToPtr(ConstantExpr::getPtrToInt(Twin, Word), G.getType()));
  G.eraseFromParent();
}

/// True if a private address is not the address of a local variable or parameter.
bool isOfTable(const Value *Address) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, nullptr, 0); // however far away
  return none_of(Objects, [](const Value *Object) { return isa<AllocaInst>(Object) || isa<Argument>(Object); });
}

bool readFromGlobal(Function &F) {
  SmallVector<LoadInst *, 16> Loads;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->getPointerAddressSpace() == kPrivate)
      if (isOfTable(Load->getPointerOperand()))
        Loads.push_back(Load);
  for (LoadInst *Load : Loads) {
    IRBuilder<> B(Load);
    Value *Address = Load->getPointerOperand();
    Type *Global = inAddressSpace(cast<PointerType>(Address->getType()), kGlobal);
    Load->setOperand(LoadInst::getPointerOperandIndex(),
                     B.CreateIntToPtr(B.CreatePtrToInt(Address, B.getInt64Ty()), Global));
  }
  return !Loads.empty();
}

} // namespace

PreservedAnalyses VirtualTablesPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (GlobalVariable &G : make_early_inc_range(M.globals()))
    if (isTable(G)) {
      moveToGlobal(G);
      Changed = true;
    }
  for (Function &F : M)
    Changed |= readFromGlobal(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
