// SPDX-License-Identifier: MIT
// Shared by the passes that prefetch (prefetch.cpp, next_group.cpp).
#pragma once
#include <llvm/IR/Instruction.h>

namespace hiplz::cpu {

/// True for the operations that indices are computed with, except for multiplications: a pass that prefetches looks at their factors.
bool isIndexArithmetic(const llvm::Instruction &instruction);

} // namespace hiplz::cpu
