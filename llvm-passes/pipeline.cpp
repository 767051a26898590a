// The pipeline that clang runs on the linked device code (`opt -passes=hip-post-link-passes`), and the registration of
// its passes under their own names for tests.
#include "compat.h"
#include "passes.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"

using namespace llvm;

namespace hiplz::passes {

void addPostLinkPasses(ModulePassManager &MPM) {
  MPM.addPass(PrepareModulePass());
  MPM.addPass(LinkagePass());
  MPM.addPass(GlobalDCEPass());
  MPM.addPass(AlwaysInlinerPass());
  MPM.addPass(DynamicSharedPass());
  MPM.addPass(ZeroLengthArraysPass());
  MPM.addPass(PrintfPass());
  FunctionPassManager Simplify;
  Simplify.addPass(scalarReplacement());
  Simplify.addPass(InferAddressSpacesPass(4));
  Simplify.addPass(EarlyCSEPass());
  Simplify.addPass(InstSimplifyPass());
  Simplify.addPass(DCEPass());
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(Simplify)));
  MPM.addPass(FunctionAttributesPass());
  MPM.addPass(GlobalDCEPass());
}

static bool addPass(StringRef Name, ModulePassManager &MPM) {
  if (Name == "hip-post-link-passes") {
    addPostLinkPasses(MPM);
    return true;
  }
#define HIPLZ_PASS(CLASS, NAME)                                                                    \
  if (Name == NAME) {                                                                              \
    MPM.addPass(CLASS());                                                                          \
    return true;                                                                                   \
  }
#include "pass_registry.def"
#undef HIPLZ_PASS
  return false;
}

} // namespace hiplz::passes

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "HipSpvPasses", "1", [](PassBuilder &PB) {
            PB.registerPipelineParsingCallback(
                [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
                  return hiplz::passes::addPass(Name, MPM);
                });
          }};
}
