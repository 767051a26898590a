// SPDX-License-Identifier: MIT
// The linked module is the whole program: only kernels and the variables that the host looks up by name remain visible.
// Everything else becomes internal, so that what nobody uses can be dropped.
#include "base/llvm_compat.h"
#include "base/spirv_builtins.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

using namespace llvm;

namespace hiplz::passes {

/// clang marks the variables that it registers with the runtime as initialized from outside.
static bool isVisibleToHost(const GlobalVariable &G) {
  return (G.isExternallyInitialized() && !G.hasLocalLinkage()) || startsWith(G.getName(), "__hiplz_");
}

static void expose(GlobalObject &G, bool Visible) {
  G.setComdat(nullptr);
  G.setVisibility(GlobalValue::DefaultVisibility);
  G.setDSOLocal(false);
  G.setUnnamedAddr(GlobalValue::UnnamedAddr::None);
  G.setLinkage(Visible ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
}

PreservedAnalyses LinkagePass::run(Module &M, ModuleAnalysisManager &) {
  Diagnostics Errors;
  for (Function &F : M) {
    if (F.hasAvailableExternallyLinkage())
      F.deleteBody();
    if (F.hasLinkOnceODRLinkage() || F.hasWeakODRLinkage())
      F.addFnAttr(kSameEverywhere);
    if (!F.isDeclaration())
      expose(F, isKernel(F));
    else if (!F.isIntrinsic())
      F.addFnAttr(spirv::kDeclaredByProgram);
  }
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    G.removeDeadConstantUsers();
    if (G.isDeclaration() && G.getAddressSpace() == kLocal)
      continue; // dynamic shared memory, the next pass
    if (G.isDeclaration() && startsWith(G.getName(), "__hiplz_"))
      continue; // what the runtime fills: RuntimeVariablesPass
    if (G.isDeclaration() || G.hasAvailableExternallyLinkage()) {
      if (G.use_empty())
        G.eraseFromParent();
      else
        Errors.error("the device variable '" + demangled(G.getName()) + "' is used but not defined");
      continue;
    }
    bool Visible = isVisibleToHost(G);
    if (G.use_empty() && (!Visible || startsWith(G.getName(), "__hiplz_"))) {
      G.eraseFromParent();
      continue;
    }
    expose(G, Visible);
  }
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
