// SPDX-License-Identifier: MIT
// Searches that follow operands alone, before anything is known of shapes and of control flow.
#pragma once
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

using Dependents = llvm::SmallPtrSet<const llvm::Value *, 32>;

/// The instructions of a body for which `isSource` is true, and all that are computed from them.
Dependents dependentsOf(llvm::Function &body, llvm::function_ref<bool(const llvm::Instruction &)> isSource);

/// The address of a load, a store or an atomic operation; null for other instructions.
inline const llvm::Value *accessedPointer(const llvm::Instruction &instruction) {
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&instruction);
}

} // namespace hiplz::cpu
