// SPDX-License-Identifier: MIT
// A managed variable lives in memory that the runtime allocates for the host and all devices: under its name kernels find a
// pointer to it, which the runtime fills; what the program declared stays beside it, under the name with ".managed" behind,
// and holds the initial value. clang makes this form of __attribute__((managed)) too, but dies if the variable has an
// annotation, and so the headers mark managed variables by one.
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include <hip/spirv/runtime_variables.h>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace hiplz::passes {

static void replaceByPointer(Module &M, GlobalVariable &Variable, Diagnostics &Errors) {
  auto *Pointer = new GlobalVariable(M, Variable.getType(), false, GlobalValue::ExternalLinkage,
                                     Constant::getNullValue(Variable.getType()), "", nullptr,
                                     GlobalValue::NotThreadLocal, kGlobal, true);
  Pointer->takeName(&Variable);
  Variable.setName(Pointer->getName() + __hiplz::managedSuffix);

  DenseMap<Function *, Value *> Addresses;
  auto addressIn = [&](Function &F) -> Value * {
    Value *&Address = Addresses[&F];
    if (!Address) {
      IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
      Address = B.CreateLoad(Variable.getType(), Pointer);
    }
    return Address;
  };
  Variable.removeDeadConstantUsers();
  if (!replaceConstantUses(Variable, addressIn))
    Errors.error("the address of the managed variable '" + demangled(Pointer->getName()) +
                 "' is not known before the program runs, and cannot initialize another device variable");
}

PreservedAnalyses ManagedVariablesPass::run(Module &M, ModuleAnalysisManager &) {
  Diagnostics Errors;
  SmallVector<GlobalVariable *, 8> Managed;
  for (GlobalVariable &G : M.globals())
    if (G.hasAttribute(kManagedAttribute) && !G.isDeclaration())
      Managed.push_back(&G);
  for (GlobalVariable *Variable : Managed)
    replaceByPointer(M, *Variable, Errors);
  return Managed.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace hiplz::passes
