// SPDX-License-Identifier: MIT
// Memcheck's tests in code: they find that accesses may be wrong, and the driver is asked only then (check/access.cpp). One test serves all
// accesses of a group.
#pragma once
#include "cpu/compiler/access_groups.h"

#include <llvm/IR/IRBuilder.h>

namespace hiplz::cpu {

class BoundsTests {
public:
  explicit BoundsTests(llvm::IRBuilder<> &b) : b_(b) {}

  /// Where control comes to in front of `before` if an access of the group is outside of the `size` bytes from `base` on, or misaligned there.
  llvm::Instruction *outsideObject(const AccessGroup &group, llvm::Value *base, llvm::Value *size,
                                   llvm::Instruction &before);
  /// If one is outside of the allocation that a parameter of the kernel points into, or of what may be used of it.
  llvm::Instruction *outsideParameter(const AccessGroup &group, uint32_t parameter, llvm::Instruction &before);
  /// If the shadow forbids one.
  llvm::Instruction *inForbidden(const AccessGroup &group, llvm::Instruction &before);

  llvm::Value *isMisaligned(llvm::Value *address, llvm::Align align);
  /// The end of a new block in front of `before` that control comes to where the condition is true, which is rare.
  llvm::Instruction *splitIf(llvm::Value *condition, llvm::Instruction &before);

private:
  llvm::Value *isSuspicious(llvm::Value *address, const AccessGroup &group);
  llvm::Value *isForbidden(llvm::Value *elsewhere, llvm::Value *address);
  llvm::Value *orMisaligned(llvm::Value *condition, llvm::Value *address, const AccessGroup &group);
  llvm::Value *add(llvm::Value *address, int64_t distance);

  llvm::IRBuilder<> &b_;
};

} // namespace hiplz::cpu
