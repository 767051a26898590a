// SPDX-License-Identifier: MIT
// Where uninitialized bits come from: the address of the memory that a value was loaded from, or of a constant that names a private variable.
// Followed backwards, by a second value beside the shadow, only from values that some report needs, and computed where it is known that bits
// are uninitialized, as far as that is possible.
#pragma once
#include "cpu/compiler/tracked_variables.h"

namespace hiplz::cpu {

class ValueOrigins {
public:
  ValueOrigins(BitShadows &shadows, TrackedVariables &variables) : s_(shadows), variables_(variables) {}

  /// In front of `before`, which is executed only if bits of the value are uninitialized.
  llvm::Value *originAt(const llvm::Value &value, llvm::Instruction &before);

  /// Gives the phis of origins their values, those that it makes meanwhile too.
  void fillPhis();

private:
  using Known = llvm::DenseMap<const llvm::Value *, llvm::Value *>;
  llvm::Value *originAt(const llvm::Value &value, llvm::Instruction &before, Known &known);
  bool isReady(const llvm::Instruction &instruction);
  /// Where the value is computed.
  llvm::Value *originOf(const llvm::Value &value);
  llvm::Value *makeOrigin(llvm::Instruction &instruction);
  llvm::Value *ofCollective(llvm::CallInst &call);
  llvm::Value *originVariable(TrackedVariable &variable, const llvm::Value *pointer);

  BitShadows &s_;
  TrackedVariables &variables_;
  Known origins_;
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 16> phis_; ///< with their twins, to be filled
  unsigned depth_ = 0;
};

} // namespace hiplz::cpu
