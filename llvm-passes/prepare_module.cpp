// Brings the linked module into the form that the other passes expect: what clang adds for the host (lists of used
// symbols, identifiers of the compilation unit), aliases, and the version records that linking has multiplied.
#include "compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace hiplz::passes {

/// Variables that mean something to the host's linker and loader only.
static bool isHostOnly(const GlobalVariable &G) {
  StringRef Name = G.getName();
  return Name == "llvm.used" || Name == "llvm.compiler.used" || Name == "llvm.global.annotations" ||
         startsWith(Name, "__hip_cuid") || startsWith(Name, "__hip_fatbin") || startsWith(Name, "__hip_gpubin");
}

static void removeHostOnlyVariables(Module &M) {
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (!isHostOnly(G))
      continue;
    G.removeDeadConstantUsers();
    if (!G.use_empty())
      G.replaceAllUsesWith(Constant::getNullValue(G.getType()));
    G.eraseFromParent();
  }
}

static void resolveAliases(Module &M, Diagnostics &Errors) {
  for (GlobalAlias &A : make_early_inc_range(M.aliases())) {
    A.replaceAllUsesWith(ConstantExpr::getPointerBitCastOrAddrSpaceCast(A.getAliasee(), A.getType()));
    A.eraseFromParent();
  }
  for (GlobalIFunc &I : M.ifuncs())
    Errors.error("the indirect function '" + demangled(I.getName()) + "' cannot be used on the device");
}

/// Each linked file brings its own record; the translator takes one. OpenCL 2.0 is what generic pointers need.
static void setLanguageVersion(Module &M) {
  if (NamedMDNode *Old = M.getNamedMetadata("opencl.ocl.version"))
    M.eraseNamedMetadata(Old);
  auto number = [&](unsigned N) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(M.getContext()), N));
  };
  M.getOrInsertNamedMetadata("opencl.ocl.version")
      ->addOperand(MDNode::get(M.getContext(), {number(2), number(0)}));
  for (const char *Name : {"llvm.ident", "llvm.commandline"})
    if (NamedMDNode *Node = M.getNamedMetadata(Name))
      M.eraseNamedMetadata(Node);
}

PreservedAnalyses PrepareModulePass::run(Module &M, ModuleAnalysisManager &) {
  Diagnostics Errors;
  removeHostOnlyVariables(M);
  resolveAliases(M, Errors);
  setLanguageVersion(M);
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
