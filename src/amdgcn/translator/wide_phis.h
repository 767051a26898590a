// SPDX-License-Identifier: MIT
// Numbers of 64 bits live in pairs of registers, so where ways of the code meet there are two phis of 32 bits for each, and a loop over doubles
// takes every number apart at its end and puts it together again at its beginning. The pair becomes one phi of 64 bits.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::amdgcn {

/// Replaces pairs of phis that hold the halves of a number that some operation has as a whole. Registers must be values already (mem2reg).
void joinHalvesOfPhis(llvm::Function &wave);

} // namespace hiplz::amdgcn
