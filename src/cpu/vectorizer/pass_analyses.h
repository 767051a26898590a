// SPDX-License-Identifier: MIT
// The analyses that passes of LLVM's new pass manager ask for. Each run of passes needs all four managers, and each of them
// needs to know the others.
#pragma once
#include "cpu/vectorizer/passes.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Passes/PassBuilder.h>

namespace hiplz::cpu {

/// The managers, with all of LLVM's analyses and ours, and the builder of pipelines that run with them. Not thread-safe.
struct PassAnalyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;

  /// `machine` tells costs, `libraries` which functions exist as vectors, `callbacks` are called around passes; each may be null, and
  /// must outlive the run.
  explicit PassAnalyses(llvm::TargetMachine *machine = nullptr, llvm::PipelineTuningOptions tuning = {},
                        const llvm::TargetLibraryInfoImpl *libraries = nullptr,
                        llvm::PassInstrumentationCallbacks *callbacks = nullptr)
      : builder(machine, tuning, {}, callbacks) {
    registerPasses(builder);
    if (libraries) // what is registered first stays
      functions.registerPass([libraries] { return llvm::TargetLibraryAnalysis(*libraries); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
};

} // namespace hiplz::cpu
