// SPDX-License-Identifier: MIT
// The loop over the work-groups of a launch whose work-groups are so small that a warp has room for several:
// kernel<<<n, 1>>>, kernel<<<n, 4>>>. For kernels whose work-items have nothing to do with each other.
//
//     work-groups begin ... end of the range      └ g ┴ g ┴ g ┴ g ┴ g ┴ g ┴ g ┘  those of one row of the grid (y and z are the same)
//     work-items in the lanes of a warp           |0 1 2 0 1 2 0 1 2 0 1 2 0 1 2 -|0 1 2 0 1 2 - ...
//
// A warp has as many whole work-groups as it holds, so what a lane's work-item is within its group is the same in every
// warp, and only the number of the first group is each warp's own.
#pragma once
#include "cpu/compiler/group_loop.h"
#include "cpu/vectorizer/vectorizer.h"

namespace hiplz::cpu {

class BlockWarpBuilder final : public KernelFunctionBuilder {
public:
  /// The layout is `singles` or `blocks`.
  BlockWarpBuilder(Kernel &kernel, const WarpOptions &options) : KernelFunctionBuilder(kernel), options_(options) {}

  /// Makes a function of KernelFunction's type that runs the warp function, which has no barriers.
  llvm::Function *build(llvm::Function &warp);

private:
  void enter();
  void runRow(llvm::Value *const group[3], llvm::Value *count);
  void runGroups(llvm::Value *const group[3], llvm::Value *count);
  void runOneByOne(llvm::Value *const group[3], llvm::Value *count);
  void runWarp(llvm::Value *x, llvm::Value *live);
  llvm::Value *lanesBelow(llvm::Value *count);
  llvm::Value *wide(llvm::Value *value) { return b_.CreateZExt(value, b_.getInt64Ty()); }
  llvm::BasicBlock *block(const char *name);
  void runIf(llvm::Value *condition, llvm::function_ref<void()> run);

  const WarpOptions options_;
  llvm::Function *warp_ = nullptr;
  llvm::Function *oneByOneFunction_ = nullptr; // of work-groups in which global ids wrap
  llvm::Value *itemCount_ = nullptr;           // work-items of a work-group
  llvm::Value *groupsPerWarp_ = nullptr;
  llvm::Value *state_ = nullptr;
  llvm::Value *groupOfLane_ = nullptr; // from the first of the warp on
  llvm::SmallVector<llvm::Value *, 16> arguments_;
};

} // namespace hiplz::cpu
