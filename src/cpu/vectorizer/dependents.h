// SPDX-License-Identifier: MIT
// Searches that follow operands alone, before anything is known of shapes, and control flow aside: estimates ask what an id is part of.
#pragma once
#include "cpu/vectorizer/uniformity.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// The instructions of a body for which `isSource` is true, and all that are computed from them.
class Dependents final : public Uniformity {
public:
  using IsSource = llvm::function_ref<bool(const llvm::Instruction &)>;
  Dependents(llvm::Function &body, IsSource isSource) : Uniformity(body), isSource_(isSource) { settle(); }

  bool contains(const llvm::Value *value) const { return !isUniform(value); }

private:
  Rule ruleOf(const llvm::Instruction &instruction) const override {
    return isSource_(instruction) ? Rule::differs : Rule::asOperands;
  }
  bool parts(const llvm::Value *) const override { return false; }

  IsSource isSource_; // while it settles
};

/// The address of a load, a store or an atomic operation; null for other instructions.
inline const llvm::Value *accessedPointer(const llvm::Instruction &instruction) {
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&instruction);
}

} // namespace hiplz::cpu
