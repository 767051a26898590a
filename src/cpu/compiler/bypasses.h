// SPDX-License-Identifier: MIT
// Barriers that work-items may go past, for synccheck.
#pragma once
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// What work-items may still do that go past the barrier, which is in a kernel: the first instruction with an effect behind a branch whose
/// condition may differ between them and that leads past the barrier, or past its next round. Null if nothing is left to them but to return.
const llvm::Instruction *effectPast(const llvm::CallInst &barrier);

} // namespace hiplz::cpu
