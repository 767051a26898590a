// SPDX-License-Identifier: MIT
// Values of a block behind which control may also come from another one, for passes that add such a way.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::amdgcn {

/// Where a value is used outside of its block, that becomes a phi, made by `b`: the value itself, and `other` for who comes from `way`.
inline void joinUses(llvm::IRBuilder<> &b, llvm::Instruction &made, llvm::Value &other, llvm::BasicBlock &way) {
  llvm::BasicBlock *block = made.getParent();
  llvm::SmallVector<llvm::Use *, 8> outside;
  for (llvm::Use &use : made.uses())
    if (llvm::cast<llvm::Instruction>(use.getUser())->getParent() != block)
      outside.push_back(&use);
  if (outside.empty())
    return;
  llvm::PHINode *both = b.CreatePHI(made.getType(), 2);
  both->addIncoming(&made, block);
  both->addIncoming(&other, &way);
  for (llvm::Use *use : outside)
    use->set(both);
}

} // namespace hiplz::amdgcn
