// SPDX-License-Identifier: MIT
// The pipeline that clang runs on the linked device code (`opt -passes=hip-post-link-passes`), and the registration of
// its passes under their own names for tests.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/Analysis/InlineCost.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace hiplz::passes {

/// A call costs a GPU far more than a processor: LLVM's limit for -O3 (250), doubled.
constexpr int kInlineThreshold = 500;

/// Resolves generic pointers and tidies up. LLVM skips all of it for functions that were compiled with -O0.
static FunctionPassManager simplification() {
  FunctionPassManager Passes;
  Passes.addPass(scalarReplacement());
  Passes.addPass(InferAddressSpacesPass(kGeneric));
  Passes.addPass(EarlyCSEPass(true));
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(ADCEPass());
  return Passes;
}

void addPostLinkPasses(ModulePassManager &MPM) {
  // The whole program is known from here on.
  MPM.addPass(PrepareModulePass());
  MPM.addPass(ManagedVariablesPass());
  MPM.addPass(LinkagePass());
  MPM.addPass(GlobalDCEPass());
  MPM.addPass(AtomicsPass());
  MPM.addPass(FunctionPointersPass());
  MPM.addPass(VirtualTablesPass());
  MPM.addPass(AlwaysInlinerPass());
  MPM.addPass(ModuleInlinerWrapperPass(llvm::getInlineParams(kInlineThreshold)));
  MPM.addPass(GlobalDCEPass());

  // What HIP has and SPIR-V has not.
  MPM.addPass(RuntimeVariablesPass());
  MPM.addPass(AbortPass());
  MPM.addPass(DynamicSharedPass());
  MPM.addPass(KernelParametersPass());
  MPM.addPass(LargeParametersPass());
  MPM.addPass(PrintfPass());
  MPM.addPass(createModuleToFunctionPassAdaptor(simplification()));

  // What LLVM has and SPIR-V has not. No optimisation may come after this, it could bring some of it back.
  MPM.addPass(LowerIntrinsicsPass());
  MPM.addPass(LowerInstructionsPass());
  MPM.addPass(LegalAddressesPass());
  MPM.addPass(LegalIntegersPass());
  MPM.addPass(LegalTypesPass());
  MPM.addPass(FunctionAttributesPass());
  MPM.addPass(UniqueEdgesPass());
  // The translator does this itself where it is missing, and leaves the new blocks in places that SPIR-V forbids.
  MPM.addPass(createModuleToFunctionPassAdaptor(LoopSimplifyPass()));
  MPM.addPass(BlockOrderPass());
  MPM.addPass(GlobalDCEPass());
  MPM.addPass(UnsupportedPass());
  MPM.addPass(DeviceNamesPass());
  MPM.addPass(DebugInfoPass());
}

static bool addPass(StringRef Name, ModulePassManager &MPM) {
  if (Name == "hip-post-link-passes") {
    addPostLinkPasses(MPM);
    return true;
  }
#define HIPLZ_PASS(CLASS, NAME)                                                                                        \
  if (Name == NAME) {                                                                                                  \
    MPM.addPass(CLASS());                                                                                              \
    return true;                                                                                                       \
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
