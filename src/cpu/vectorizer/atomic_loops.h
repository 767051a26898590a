// SPDX-License-Identifier: MIT
// Loops that add to a floating-point number in memory by comparing and exchanging.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// Replaces such loops by `atomicrmw fadd`: as a loop of a warp, in which of all lanes with one address one wins a round, they
/// would take as many rounds as there are lanes. Returns whether something changed.
bool recognizeAtomicAdditions(llvm::Function &body);

} // namespace hiplz::cpu
