// SPDX-License-Identifier: MIT
// LLVM's analyses of a function's loops, for code that is called outside of a pass manager.
#pragma once
#include "base/llvm_compat.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

namespace hiplz::cpu {

/// They hold as long as the function's blocks stay as they are. No function of the C library is known.
class LoopAnalyses {
  llvm::TargetLibraryInfoImpl libraryOf_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;

public:
  explicit LoopAnalyses(llvm::Function &function)
      : libraryOf_(llvm::Triple()), library_(libraryOf_), assumptions_(function), tree(function), loops(tree),
        evolution(function, library_, assumptions_, tree, loops) {}

  llvm::DominatorTree tree;
  llvm::LoopInfo loops;
  llvm::ScalarEvolution evolution;
};

} // namespace hiplz::cpu
