// SPDX-License-Identifier: MIT
// Shared by the passes that prefetch (prefetch.cpp, next_group.cpp) and the packetizer.
#pragma once
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// Caches in the words of the prefetch intrinsic. A processor waits for few lines at a time on their way to the first cache: 24 on
/// Zen 4, which is 15 GB/s. On their way to the second one it waits for more, so WarpOptions::fetchesFar asks for that one.
inline constexpr unsigned kFirstCache = 3, kSecondCache = 2;

/// True for the operations that indices are computed with, except for multiplications: a pass that prefetches looks at their factors.
bool isIndexArithmetic(const llvm::Instruction &instruction);

/// Bytes of a lane's element if this is a prefetch in which some lanes may fetch for all; 0 for others.
uint64_t someLanesBytes(const llvm::CallInst &prefetch);

} // namespace hiplz::cpu
