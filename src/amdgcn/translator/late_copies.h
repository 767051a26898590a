// SPDX-License-Identifier: MIT
// Copies of operations in front of the one instruction that needs them, so that nothing else keeps their values.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::amdgcn {

class LateCopies {
public:
  /// In front of `place`, at most so many.
  LateCopies(llvm::Instruction &place, size_t most) : place_(place), most_(most) {}

  /// The value as the copies compute it, as far as it consists of operations for which `isCopied` is true.
  llvm::Value *of(llvm::Value *value, llvm::function_ref<bool(llvm::Instruction &)> isCopied) {
    auto *operation = llvm::dyn_cast<llvm::Instruction>(value);
    if (!operation)
      return value;
    if (llvm::Value *known = copies_.lookup(operation))
      return known;
    if (!isCopied(*operation) || copies_.size() >= most_)
      return value;
    copies_[operation] = operation; // counts while its operands are copied
    llvm::SmallVector<llvm::Value *, 3> operands;
    for (llvm::Value *operand : operation->operands())
      operands.push_back(of(operand, isCopied));
    llvm::Instruction *copy = operation->clone();
    for (unsigned n = 0; n < operands.size(); ++n)
      copy->setOperand(n, operands[n]);
    copy->insertBefore(&place_);
    copies_[operation] = copy;
    return copy;
  }

  size_t size() const { return copies_.size(); }

private:
  llvm::Instruction &place_;
  const size_t most_;
  llvm::DenseMap<llvm::Instruction *, llvm::Value *> copies_;
};

} // namespace hiplz::amdgcn
