// SPDX-License-Identifier: MIT
// Vectors in memory under a mask, and the address of what lanes access.
#pragma once
#include <llvm/IR/IRBuilder.h>

namespace hiplz::cpu {

struct LaneAddress {
  const llvm::Value *pointer; ///< in the body
  int64_t offset;             ///< bytes from it
  llvm::Align align;
};

/// Masked accesses are always of integers: EarlyCSE of LLVM 15 puts what a masked store has written in the place of a masked load
/// from the same address under the same mask, whatever the types are.
llvm::Value *maskedLoad(llvm::IRBuilder<> &builder, llvm::Type *lanes, llvm::Value *address, llvm::Align align,
                        llvm::Value *mask);
void maskedStore(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Value *address, llvm::Align align,
                 llvm::Value *mask);

} // namespace hiplz::cpu
