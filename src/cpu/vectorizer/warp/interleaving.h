// SPDX-License-Identifier: MIT
// Several values of each lane side by side in one long vector, and back.
#pragma once
#include <llvm/IR/IRBuilder.h>

namespace hiplz::cpu {

/// The first elements of all vectors, which have the same type, then the second ones ...
llvm::Value *interleaved(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> vectors);

/// The reverse: of one long vector with `count` elements for each lane, a vector for each element.
llvm::SmallVector<llvm::Value *, 16> separate(llvm::IRBuilder<> &builder, llvm::Value *all, unsigned count);

} // namespace hiplz::cpu
