// SPDX-License-Identifier: MIT
// Variables of a work-item that pointers may point to which nobody follows: another work-item may use such a pointer, or the function's
// caller. The driver is told when these variables begin and cease to exist (check/private_variables.h).
#pragma once
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace hiplz::cpu {

/// Where the variables of a function begin and cease to exist, as far as LLVM says so.
class Lifetimes {
public:
  explicit Lifetimes(llvm::Function &function);

  /// The marks of a variable.
  llvm::ArrayRef<llvm::IntrinsicInst *> of(const llvm::AllocaInst &variable) const;
  /// True if the variable may not exist any more when the instruction is executed: its scope or its function has ended.
  bool mayBeGone(const llvm::AllocaInst &variable, const llvm::Instruction &instruction) const;

private:
  llvm::DenseMap<const llvm::AllocaInst *, llvm::SmallVector<llvm::IntrinsicInst *, 2>> marks_;
};

/// Adds the calls. `isKernel`: variables of kernels exist as long as the work-item.
void watchPrivateVariables(llvm::Function &function, bool isKernel);

} // namespace hiplz::cpu
