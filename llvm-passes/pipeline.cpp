// SPDX-License-Identifier: MIT
// The pipeline that clang runs on the linked device code (`opt -passes=hip-post-link-passes`), and the registration of
// its passes under their own names for tests. Two passes run where clang loads this plug-in itself.
#include "base/llvm_compat.h"
#include "base/module_dump.h"
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

#include <memory>

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

namespace {

/// The name of a pass of ours, without "hiplz-".
template <class Pass> constexpr StringLiteral kPassName = "";
#define HIPLZ_PASS(CLASS, NAME) template <> constexpr StringLiteral kPassName<CLASS> = NAME;
#include "pass_registry.def"
#undef HIPLZ_PASS

struct DumpPass : PassInfoMixin<DumpPass> {
  std::shared_ptr<ModuleDump> Dump;
  StringRef After;

  DumpPass(std::shared_ptr<ModuleDump> Dump, StringRef After) : Dump(std::move(Dump)), After(After) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    Dump->module((After + ".ll").str(), M);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// Adds passes to a manager, and behind each one that writes the module if HIPLZ_DUMP names a folder.
class Pipeline {
public:
  explicit Pipeline(ModulePassManager &MPM) : MPM(MPM), Dump(std::make_shared<ModuleDump>("link", 2)) {
    dumpAfter("linked");
  }

  template <class Pass> void add(Pass &&P, StringRef Name = kPassName<Pass>) {
    MPM.addPass(std::forward<Pass>(P));
    Name.consume_front("hiplz-");
    dumpAfter(Name);
  }

private:
  void dumpAfter(StringRef Name) {
    if (Dump->wanted())
      MPM.addPass(DumpPass(Dump, Name));
  }

  ModulePassManager &MPM;
  std::shared_ptr<ModuleDump> Dump;
};

} // namespace

void addPostLinkPasses(ModulePassManager &MPM) {
  Pipeline Passes(MPM);
  // The whole program is known from here on.
  Passes.add(PrepareModulePass());
  Passes.add(InlinePtxPass());
  Passes.add(ManagedVariablesPass());
  Passes.add(LinkagePass());
  Passes.add(GlobalDCEPass(), "global-dce");
  Passes.add(WarpOffsetsPass());
  Passes.add(AtomicsPass());
  Passes.add(FunctionPointersPass());
  Passes.add(VirtualTablesPass());
  Passes.add(GroupCallsPass());
  Passes.add(AlwaysInlinerPass(), "always-inline");
  Passes.add(ModuleInlinerWrapperPass(llvm::getInlineParams(kInlineThreshold)), "inline");
  Passes.add(GlobalDCEPass(), "global-dce");
  Passes.add(RecursionPass());
  Passes.add(SubgroupSizePass());

  // Features of HIP that SPIR-V lacks.
  Passes.add(RuntimeVariablesPass());
  Passes.add(AbortPass());
  Passes.add(DynamicSharedPass());
  Passes.add(KernelParametersPass());
  Passes.add(LargeParametersPass());
  Passes.add(PrintfPass());
  Passes.add(createModuleToFunctionPassAdaptor(simplification()), "simplify");
  Passes.add(AtomicAddressesPass());
  Passes.add(GridSizePass());
  Passes.add(PackedIntegersPass());
  Passes.add(CallTablesPass());
  Passes.add(RoundingPass());

  // Features of LLVM that SPIR-V lacks. No optimisation may come after this, as it could bring some of it back.
  Passes.add(LegalVectorsPass());
  Passes.add(LowerIntrinsicsPass());
  Passes.add(LowerInstructionsPass());
  Passes.add(LargeArraysPass());
  Passes.add(LegalAddressesPass());
  Passes.add(LegalIntegersPass());
  Passes.add(LegalTypesPass());
  Passes.add(FunctionAttributesPass());
  Passes.add(UniqueEdgesPass());
  // The translator does this itself where it is missing, and leaves the new blocks in places that SPIR-V forbids.
  Passes.add(createModuleToFunctionPassAdaptor(LoopSimplifyPass()), "loop-simplify");
  Passes.add(LoopCountersPass());
  Passes.add(LoopHintsPass());
  Passes.add(BlockOrderPass());
  Passes.add(GlobalDCEPass(), "global-dce");
  Passes.add(CyclicValuesPass());
  Passes.add(UnsupportedPass());
  Passes.add(DeviceNamesPass());
  Passes.add(DebugInfoPass());
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
            PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) {
              MPM.addPass(hiplz::passes::MemberPointersPass());
              MPM.addPass(hiplz::passes::GroupCallsPass());
            });
          }};
}
