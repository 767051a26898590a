// SPDX-License-Identifier: MIT
// Private arrays: one copy for each lane. If all accesses have one size and no address leaves the function, the copies are
// interleaved, so that what all lanes read at the same index is one vector; else each lane has its copy in one piece.
#pragma once
#include <llvm/IR/Function.h>

#include <cstdint>

namespace hiplz::cpu {

/// Interleaves the private variables of `body` for `width` lanes where that is possible. Their addresses count bytes of all
/// lanes then, and laneBytes() of them is the size of an element.
void interleavePrivateMemory(llvm::Function &body, unsigned width);

/// Bytes that the private variables of `width` lanes take.
uint64_t privateBytes(const llvm::Function &body, unsigned width);

} // namespace hiplz::cpu
