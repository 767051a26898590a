// SPDX-License-Identifier: MIT
// See machine_passes.h.
#include "cpu/compiler/machine_passes.h"
#include "amdgcn/translator/access_paths.h"
#include "amdgcn/translator/counted_loops.h"
#include "amdgcn/translator/known_addresses.h"
#include "amdgcn/translator/lane_functions.h"
#include "amdgcn/translator/lane_masks.h"
#include "amdgcn/translator/lane_walks.h"
#include "amdgcn/translator/late_values.h"
#include "amdgcn/translator/shared_turns.h"
#include "amdgcn/translator/unused_lanes.h"
#include "amdgcn/translator/wide_phis.h"
#include "base/llvm_compat.h"
#include "cpu/vectorizer/barrier_crossings.h"
#include "cpu/vectorizer/pass_analyses.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr const char *kLarge = "hiplz.large_wave";
constexpr unsigned kLargeInstructions = 6000; ///< of LLVM, some 1,500 of the GPU

void runOn(Function &function, TargetMachine &machine, function_ref<void(FunctionPassManager &, PassBuilder &)> add) {
  PassAnalyses analyses(&machine);
  FunctionPassManager passes;
  add(passes, analyses.builder);
  passes.run(function, analyses.functions);
}

} // namespace

void simplifyWave(Function &wave, Value &live, const Value &arguments, unsigned rowLanes, TargetMachine &machine) {
  runOn(wave, machine, [](FunctionPassManager &passes, PassBuilder &) { passes.addPass(PromotePass()); });
  amdgcn::usePointers(wave, arguments);
  amdgcn::simplifyMasks(wave, live);
  runOn(wave, machine, [](FunctionPassManager &passes, PassBuilder &) {
    passes.addPass(EarlyCSEPass());
    passes.addPass(ADCEPass());
  });
  amdgcn::walkLaneByLane(wave, rowLanes);
  amdgcn::dropUnusedLanes(wave, live);
  amdgcn::joinHalvesOfPhis(wave);
  runOn(wave, machine, [](FunctionPassManager &passes, PassBuilder &) { passes.addPass(ADCEPass()); });
  amdgcn::dropNeedlessPauses(wave, isWarpYield);
  const bool isLarge = wave.getInstructionCount() > kLargeInstructions;
  amdgcn::inlineLaneFunctions(*wave.getParent(), !isLarge);
  if (isLarge) {
    wave.getParent()->getOrInsertNamedMetadata(kLarge);
    return;
  }
  amdgcn::turnAtOnePlace(wave, isWarpTurn, isWarpBarrier);
  if (amdgcn::inlineAccessPaths(wave, rowLanes))
    wave.addFnAttr(kSideBySide);
  runOn(wave, machine, [](FunctionPassManager &passes, PassBuilder &builder) {
    passes = builder.buildFunctionSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None);
  });
  amdgcn::computeAddressesLate(wave);
  amdgcn::loadLate(wave);
}

bool isWarpYield(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && callsRuntime(*call, runtime::warpYield);
}

bool isLargeWave(const Module &module) { return module.getNamedMetadata(kLarge) != nullptr; }

ModulePassManager shortPipeline() {
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(GlobalDCEPass());
  FunctionPassManager functions;
  functions.addPass(scalarReplacement());
  functions.addPass(EarlyCSEPass());
  functions.addPass(InstCombinePass());
  functions.addPass(SimplifyCFGPass());
  functions.addPass(NarrowMasksPass());
  functions.addPass(LaneDivisionsPass());
  functions.addPass(MaskedLoopsPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  return passes;
}

} // namespace hiplz::cpu
