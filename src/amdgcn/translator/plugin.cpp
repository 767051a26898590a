// SPDX-License-Identifier: MIT
// The passes on the lanes of a wave for LLVM's opt: opt -load-pass-plugin=hiplz-amdgcn.so -passes=hiplz-lane-masks,hiplz-unused-lanes (and
// hiplz-wide-phis, hiplz-access-paths). A wave is a function whose first argument is the mask of its live lanes.
#include "amdgcn/translator/access_paths.h"
#include "amdgcn/translator/lane_masks.h"
#include "amdgcn/translator/unused_lanes.h"
#include "amdgcn/translator/wide_phis.h"
#include "base/llvm_compat.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using Simplification = void (*)(Function &wave, Value &live);

void joinPhis(Function &wave, Value & /*live*/) { joinHalvesOfPhis(wave); }

void makePaths(Function &wave, Value & /*live*/) { inlineAccessPaths(wave, 32); }

struct WavePass : PassInfoMixin<WavePass> {
  explicit WavePass(Simplification simplification) : simplify(simplification) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    if (function.arg_size() == 0 || !isMask(function.getArg(0)))
      return PreservedAnalyses::all();
    simplify(function, *function.getArg(0));
    return PreservedAnalyses::none();
  }
  Simplification simplify;
};

void registerPasses(PassBuilder &builder) {
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        for (const auto &[known, simplify] : {std::pair<StringRef, Simplification>{"hiplz-lane-masks", simplifyMasks},
                                              {"hiplz-unused-lanes", dropUnusedLanes},
                                              {"hiplz-wide-phis", joinPhis},
                                              {"hiplz-access-paths", makePaths}})
          if (name == known) {
            passes.addPass(WavePass(simplify));
            return true;
          }
        return false;
      });
}

} // namespace
} // namespace hiplz::amdgcn

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "HiplzAmdgcn", "1", hiplz::amdgcn::registerPasses};
}
