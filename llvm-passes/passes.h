// SPDX-License-Identifier: MIT
// The passes of the pipeline `hip-post-link-passes`. They run on the fully linked device module, in the order that
// pipeline.cpp gives, and each can be run by itself under the name in pass_registry.def.
#pragma once

#include "llvm/IR/PassManager.h"

namespace hiplz::passes {

#define HIPLZ_PASS(CLASS, NAME)                                                                                        \
  struct CLASS : llvm::PassInfoMixin<CLASS> {                                                                          \
    llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);                                     \
    static bool isRequired() { return true; }                                                                          \
  };
#include "pass_registry.def"
#undef HIPLZ_PASS

/// Adds the whole pipeline to \p MPM.
void addPostLinkPasses(llvm::ModulePassManager &MPM);

} // namespace hiplz::passes
