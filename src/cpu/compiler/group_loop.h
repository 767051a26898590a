// SPDX-License-Identifier: MIT
// The frame that both paths of the compiler put around a kernel's body: a function of KernelFunction's type that loads the
// arguments once and goes through the work-groups of its range. What happens in a work-group is up to the path.
#pragma once
#include "cpu/compiler/work_group.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// Bytes of the allocas of a function.
uint64_t allocatedBytes(llvm::Function &function);

/// The same for all functions that can run when `function` is called; recursion and calls through pointers get a fixed sum.
uint64_t stackBytes(llvm::Function &function);

/// To the function of one warp its state is constant memory, and the vectoriser says so. For code around it in which
/// the same memory serves one warp after the other.
void allowReuseOfState(llvm::Function &warp);

/// True if a copy of the warp function for whole warps is worth what it costs to compile: plain memory accesses instead
/// of masked ones show in small kernels alone.
bool paysTwice(llvm::Function &warp);

/// True if private memory of a warp may be more than the stack of a thread that runs kernels is sure to hold. Host
/// threads may have small ones.
bool needsOwnStack(llvm::Function &warp);

/// Makes functions that belong to a kernel.
class KernelFunctionBuilder {
public:
  explicit KernelFunctionBuilder(Kernel &kernel);
  KernelFunctionBuilder(const KernelFunctionBuilder &) = delete;
  KernelFunctionBuilder &operator=(const KernelFunctionBuilder &) = delete;

protected:
  /// A function of the module with the kernel's place in the debug information; the builder does not move.
  llvm::Function *createFunction(const llvm::Twine &name, llvm::Type *result, llvm::ArrayRef<llvm::Type *> parameters,
                                 llvm::GlobalValue::LinkageTypes linkage);

  /// An empty function of KernelFunction's type, with what is known of its parameters.
  llvm::Function *createKernelFunction(const llvm::Twine &name, llvm::GlobalValue::LinkageTypes linkage);

  /// Puts the builder into a fresh block at the end of the function.
  void startBlock(llvm::Function &function, const char *name);

  /// The arguments of the body behind the first, read from the argument block.
  llvm::SmallVector<llvm::Value *, 16> loadArguments(llvm::Value *launch, llvm::Value *worker);

  /// Begins a function of KernelFunction's type: loads what is the same for all work-groups.
  void enterKernel(llvm::Function &function);

  /// Code for one size of work-groups only: the function of work-items or warps reads that size no longer.
  void fixSizeIn(llvm::Function &function);

  /// Emits a loop that counts from 0 while below `size`, both 32 bits, in steps of `step`; it is entered at least once.
  /// Calls `body` with the counter, which returns null or a condition that ends the loop. Returns the branch back.
  llvm::BranchInst *emitLoop(llvm::Value *size, uint32_t step, const char *name,
                             llvm::function_ref<llvm::Value *(llvm::Value *)> body);

  /// Forbids LLVM to unroll the loop.
  void keepRolled(llvm::BranchInst &back);

  /// Stores into the worker's state, for messages about faults: the store stays where it is.
  void tell(llvm::Value *value, uint64_t offset);

  llvm::Value *launch_ = nullptr; ///< of the function that enterKernel() has begun, like what follows
  llvm::Value *worker_ = nullptr;
  llvm::Value *groupSize_[3] = {};
  llvm::Value *groupCount_[3] = {};

  Kernel &kernel_;
  llvm::Function &body_;
  llvm::Module &module_;
  llvm::LLVMContext &context_;
  llvm::IRBuilder<> b_;

private:
  void attachSubprogram(llvm::Function &function, llvm::DISubprogram &original);
};

/// Makes the loop over work-groups around what a path does with each.
class GroupLoopBuilder : public KernelFunctionBuilder {
protected:
  using KernelFunctionBuilder::KernelFunctionBuilder;
  virtual ~GroupLoopBuilder() = default;

  /// Fills an empty function of KernelFunction's type with the loop over work-groups.
  void buildLoop(llvm::Function &function);

  /// Emits what comes once before the loop. May set most_.
  virtual void enter() = 0;

  /// Emits the work of `many` work-groups, neighbours in x, of which `group` is the first. May leave the builder in another block. It
  /// is one unless most_ is set.
  virtual void runGroups(llvm::Value *const group[3], llvm::Value *many) = 0;

  /// How many work-groups may be executed side by side, 32 bits; null: one after the other.
  llvm::Value *most_ = nullptr;

private:
  void advance(llvm::PHINode *const group[3], llvm::Value *many, llvm::Value *next[3]);
};

} // namespace hiplz::cpu
