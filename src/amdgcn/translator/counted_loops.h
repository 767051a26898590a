// SPDX-License-Identifier: MIT
// Loops that waiting_waves.h takes for some that may wait, and that only count: the barriers of a tiled product read like those of a wave
// that looks again and again for what another one writes, but nothing that comes from memory decides how often such a loop is gone through.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::amdgcn {

/// Removes the calls that let other waves run from loops that end by themselves. Registers are values.
void dropNeedlessPauses(llvm::Function &wave, llvm::function_ref<bool(const llvm::Instruction &)> isPause);

} // namespace hiplz::amdgcn
