// SPDX-License-Identifier: MIT
// Addresses in scalar registers that are a constant more than one which the wave began with: its arguments, its dispatch packet. To LLVM
// they are numbers until they are made pointers again, and it then takes the memory for some that everybody may have written. With the
// pointer that the number came from it sees what is stored there.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::amdgcn {

/// Reads such memory through those pointers. `arguments` leads to some that never changes while the wave runs.
void usePointers(llvm::Function &wave, const llvm::Value &arguments);

} // namespace hiplz::amdgcn
