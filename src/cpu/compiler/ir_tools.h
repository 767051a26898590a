// SPDX-License-Identifier: MIT
// Small helpers on LLVM IR that several stages use.
#pragma once
#include "base/llvm_compat.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <optional>

namespace hiplz::cpu {

/// A load of `type` at `base` + `offset` bytes. Constant: the memory never changes while the program can see it.
llvm::Value *loadField(llvm::IRBuilder<> &builder, llvm::Type *type, llvm::Value *base, uint64_t offset, bool constant);

/// The same for an unsigned 32-bit field whose value lies in [low, high).
llvm::Value *loadRanged(llvm::IRBuilder<> &builder, llvm::Value *base, uint64_t offset, uint32_t low, uint64_t high);

/// Stores at `base` + `offset` bytes.
void storeField(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Value *base, uint64_t offset);

/// Bytes between two addresses.
struct Distance {
  OffsetVariables factors; ///< of the numbers that only the running code knows
  int64_t constant = 0;
};

/// The distance from an address to one that has been made of it by offsets alone. Nothing if it has been made in another way.
std::optional<Distance> distanceTo(const llvm::Value *pointer, const llvm::Value *base, const llvm::DataLayout &layout);

/// Forgets what is said about the memory effects of a function and of its calls of defined functions, for one that gets new effects.
void forgetEffects(llvm::Function &function);

/// Replaces the constant expressions among the operands of all instructions by instructions.
void expandConstantExpressions(llvm::Module &module);

} // namespace hiplz::cpu
