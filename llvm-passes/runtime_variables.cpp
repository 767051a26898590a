// SPDX-License-Identifier: MIT
// The variables that kernels share with the runtime. The headers only declare them, so that all files of a program have one
// of each; those that are still used here, when unused functions are gone, are defined. A module that does not have such a
// variable costs the runtime nothing.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace hiplz::passes {

PreservedAnalyses RuntimeVariablesPass::run(Module &M, ModuleAnalysisManager &) {
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (!G.isDeclaration() || !startsWith(G.getName(), "__hiplz_") || G.getAddressSpace() == kLocal)
      continue;
    G.removeDeadConstantUsers();
    if (G.use_empty()) {
      G.eraseFromParent();
      continue;
    }
    G.setVisibility(GlobalValue::DefaultVisibility);
    G.setLinkage(GlobalValue::ExternalLinkage);
    G.setInitializer(Constant::getNullValue(G.getValueType()));
    G.setExternallyInitialized(true);
    G.setDSOLocal(false);
  }
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
