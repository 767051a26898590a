// SPDX-License-Identifier: MIT
// Private variables of a work-item that initcheck follows, because no other code has their addresses: each has a second one as shadow.
#pragma once
#include "cpu/compiler/bit_shadows.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// A private variable that no other code has the address of.
struct TrackedVariable {
  llvm::AllocaInst *shadow = nullptr;
  llvm::AllocaInst *origin = nullptr; ///< where its uninitialized bits come from; made when a report needs it
  llvm::SmallVector<llvm::Instruction *, 2> begins; ///< where its content becomes uninitialized
  llvm::SmallVector<llvm::StoreInst *, 4> stores;   ///< to it alone
};

/// Memory that a pointer may mean.
enum class PointerTarget {
  initialized, ///< always: variables of the module, the work-item's state, private variables that are known elsewhere
  ownVariable, ///< a tracked one
  any
};

class TrackedVariables {
public:
  explicit TrackedVariables(BitShadows &shadows) : s_(shadows) {}

  /// Finds the variables and adds their shadows.
  void addShadows();

  PointerTarget targetOf(const llvm::Value *pointer) const;
  bool isItem(const llvm::Value *value) const;

  /// The variable that a pointer points into, or null.
  TrackedVariable *variableOf(const llvm::Value *pointer);
  /// That of an alloca, or null.
  TrackedVariable *find(llvm::AllocaInst *variable);

private:
  static bool isFollowed(const llvm::AllocaInst &variable);
  static bool isOnlyCompared(const llvm::Instruction &number, unsigned depth = 0);
  void addShadow(llvm::AllocaInst &variable, TrackedVariable &known);

  BitShadows &s_;
  llvm::MapVector<llvm::AllocaInst *, TrackedVariable> variables_;
};

} // namespace hiplz::cpu
