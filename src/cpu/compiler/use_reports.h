// SPDX-License-Identifier: MIT
// Calls of the driver where an uninitialized value has an effect. The origin of the value is filled in when the whole function is known.
#pragma once
#include "cpu/abi/runtime_functions.h"
#include "cpu/compiler/bit_shadows.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

#include <utility>

namespace hiplz::cpu {

class UseReports {
public:
  explicit UseReports(BitShadows &shadows) : s_(shadows) {}

  /// The block that an instruction of the program is in before any is split: one report for each is enough.
  void knowBlock(const llvm::Instruction &instruction, const llvm::BasicBlock &block) {
    blocks_[&instruction] = &block;
  }

  /// Reports a value that `at` uses for what the flag of CheckFlags says. The builder is in front of `at` afterwards.
  void check(llvm::Value *value, llvm::Instruction &at, uint32_t flags);

  /// A store whose shadow may not be zero.
  struct Stored {
    llvm::StoreInst *store;
    llvm::Value *shadow;
  };
  /// Behind the stores of the shadows, the driver is told of values that are not initialized: they may have been written where the host can
  /// see them, or where nothing is tracked. One branch for all of them; the builder is behind it afterwards.
  void noteStores(llvm::ArrayRef<Stored> all);

  /// The reports, with the values whose origins they need as last argument.
  using Pending = llvm::SmallVector<std::pair<llvm::CallInst *, llvm::Value *>, 32>;
  const Pending &pending() const { return pending_; }

private:
  template <class Signature>
  llvm::CallInst *report(RuntimeFunction<Signature> function, const llvm::Instruction &at, uint32_t flags,
                         llvm::ArrayRef<llvm::Value *> arguments);
  void noteStore(const Stored &stored);
  llvm::Value *anyOf(llvm::ArrayRef<Stored> all);

  BitShadows &s_;
  Pending pending_;
  llvm::DenseSet<std::pair<std::pair<llvm::Value *, uint32_t>, const llvm::BasicBlock *>> reported_;
  llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *> blocks_;
  unsigned number_ = 0;
};

} // namespace hiplz::cpu
