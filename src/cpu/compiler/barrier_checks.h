// SPDX-License-Identifier: MIT
// Checks of a block's barriers. Where work-items may come to different ones, the driver is called in front of each and behind it. Where all of them
// come to the same ones, as they mostly do, one number says how many the block has passed: each work-item counts for itself, and the
// first behind a barrier tells the driver.
#pragma once
#include "cpu/compiler/checks.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

namespace hiplz::cpu {

class BarrierChecks {
public:
  BarrierChecks(llvm::Module &module, const ModuleTable &table);

  /// True if the function is a kernel, and all work-items come to the same barriers in the same order, whatever the program reads. The
  /// barriers are all of the function.
  bool areCommon(llvm::Function &function, llvm::ArrayRef<llvm::CallInst *> barriers) const;

  /// True if barriers alone order the work-items of a kernel whose barriers are common, and they can be counted.
  bool isAllOrder(llvm::Function &kernel) const;

  /// Adds the calls to a function's barriers. `past`, of each: what work-items may do that go past it; null: return.
  void watch(llvm::ArrayRef<llvm::CallInst *> barriers, llvm::ArrayRef<const llvm::Instruction *> past);

  /// Counts common barriers. `waits`: accesses to shared memory wait for the next one.
  void count(llvm::Function &kernel, llvm::ArrayRef<llvm::CallInst *> barriers, bool waits);

private:
  void mark(llvm::Value *value);
  llvm::Value *loadOf(llvm::Type *type, llvm::Value *base, uint64_t offset);
  void callIf(llvm::Value *condition, llvm::Instruction &before, llvm::Value *item, llvm::Value *count);
  void beginBlock(llvm::Function &kernel);

  llvm::Module &module_;
  llvm::IRBuilder<> b_;
  llvm::DenseMap<const llvm::Function *, const KernelInfo *> kernels_;
  bool areAllInKernels_ = true; ///< barriers
};

} // namespace hiplz::cpu
