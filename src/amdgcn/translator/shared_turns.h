// SPDX-License-Identifier: MIT
// Turns (wave_turns.h) in code that some waves skip. Waves that all come to the same turns go in step, which is faster than rounds.
#pragma once
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>

namespace hiplz::amdgcn {

/// Lets waves that skip a block with a turn turn as well: `if (c) { a; turn; b; }` becomes `if (c) a; turn; if (c) b;`.
void turnAtOnePlace(llvm::Function &wave, llvm::function_ref<bool(const llvm::Instruction &)> isTurn,
                    llvm::function_ref<bool(const llvm::Instruction &)> isBarrier);

} // namespace hiplz::amdgcn
