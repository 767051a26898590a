// SPDX-License-Identifier: MIT
// Values and branches that a whole work-group has in common (uniformity.h), in the two forms of its code: a body, which each work-item
// executes, and a warp function, which each warp does. They do not keep step, so memory that somebody may write counts as different.
#pragma once
#include "cpu/vectorizer/uniformity.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// The same in all work-items: what comes from arguments, the launch, the ids of the work-group and constants. Variables are followed as
/// long as every work-item writes the same into its own, since code without optimisation passes everything through them.
class ItemsOfGroup final : public Uniformity {
public:
  using IsByValue = llvm::function_ref<bool(const llvm::Argument &)>;

  /// `isByValue` is true for arguments that point to what nobody writes.
  explicit ItemsOfGroup(
      llvm::Function &body, IsByValue isByValue = [](const llvm::Argument &) { return false; });

private:
  Rule ruleOf(const llvm::Instruction &instruction) const override;
  bool loadDiffers(const llvm::LoadInst &load) const;
  bool variableDiffers(const llvm::AllocaInst &variable) const;
  bool writesDifferently(const llvm::Instruction &user, const llvm::Use &address) const;
  bool staysTheSame(const llvm::Value *object) const;

  IsByValue isByValue_; // while it settles
};

/// The same in all warps: what comes from arguments, the ids of the work-group and constants.
class WarpsOfGroup final : public Uniformity {
public:
  explicit WarpsOfGroup(llvm::Function &warp);

  /// True if every warp passes the same barriers and turns in the same order, and ends.
  bool inStep() const { return inStep_; }

private:
  Rule ruleOf(const llvm::Instruction &instruction) const override;
  bool loadDiffers(const llvm::LoadInst &load) const;

  bool inStep_ = true;
};

} // namespace hiplz::cpu
