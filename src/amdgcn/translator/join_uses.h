// SPDX-License-Identifier: MIT
// Values of a block behind which control may also come from another one, for passes that add such a way.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::amdgcn {

/// Where a value is used outside of its block, that becomes a phi, made by `b`: the value itself, and for who comes from another block, the one
/// that `others` name.
inline void joinUses(llvm::IRBuilder<> &b, llvm::Instruction &made,
                     llvm::ArrayRef<std::pair<llvm::Value *, llvm::BasicBlock *>> others) {
  llvm::BasicBlock *block = made.getParent();
  llvm::SmallVector<llvm::Use *, 8> outside;
  for (llvm::Use &use : made.uses())
    if (llvm::cast<llvm::Instruction>(use.getUser())->getParent() != block)
      outside.push_back(&use);
  if (outside.empty())
    return;
  llvm::PHINode *joint = b.CreatePHI(made.getType(), static_cast<unsigned>(others.size()) + 1);
  joint->addIncoming(&made, block);
  for (const auto &[value, way] : others)
    joint->addIncoming(value, way);
  for (llvm::Use *use : outside)
    use->set(joint);
}

} // namespace hiplz::amdgcn
