// SPDX-License-Identifier: MIT
// The passes on the lanes of a wave for LLVM's opt: opt -load-pass-plugin=hiplz-amdgcn.so -passes=hiplz-lane-masks,hiplz-unused-lanes (and
// hiplz-wide-phis, hiplz-lane-walks, hiplz-access-paths, hiplz-late-loads, hiplz-late-addresses, hiplz-known-addresses, hiplz-counted-loops, hiplz-shared-turns). A wave is a function whose first argument is the mask of
// its live lanes; its last one points to the kernel's arguments. It lets others run by calls of `pause` and `turn`.
#include "amdgcn/translator/access_paths.h"
#include "amdgcn/translator/counted_loops.h"
#include "amdgcn/translator/known_addresses.h"
#include "amdgcn/translator/lane_masks.h"
#include "amdgcn/translator/lane_walks.h"
#include "amdgcn/translator/late_values.h"
#include "amdgcn/translator/shared_turns.h"
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

void makePaths(Function &wave, Value & /*live*/) {
  if (inlineAccessPaths(wave, 32))
    wave.addFnAttr("rows-only");
}

void moveLoads(Function &wave, Value & /*live*/) { loadLate(wave); }

void moveAddresses(Function &wave, Value & /*live*/) { computeAddressesLate(wave); }

void walkLanes(Function &wave, Value & /*live*/) { walkLaneByLane(wave, 32); }

void readArguments(Function &wave, Value & /*live*/) { usePointers(wave, *std::prev(wave.arg_end())); }

auto callsOf(StringRef name) {
  return [name](const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
  };
}

void dropPauses(Function &wave, Value & /*live*/) { dropNeedlessPauses(wave, callsOf("pause")); }

void shareTurns(Function &wave, Value & /*live*/) { turnAtOnePlace(wave, callsOf("turn"), callsOf("barrier")); }

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
                                              {"hiplz-lane-walks", walkLanes},
                                              {"hiplz-access-paths", makePaths},
                                              {"hiplz-late-loads", moveLoads},
                                              {"hiplz-late-addresses", moveAddresses},
                                              {"hiplz-known-addresses", readArguments},
                                              {"hiplz-counted-loops", dropPauses},
                                              {"hiplz-shared-turns", shareTurns}})
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
