// SPDX-License-Identifier: MIT
// Results that are rounded in the direction of the mode register. Only kernels that set another direction than to the nearest pay for it.
#pragma once
#include "amdgcn/translator/wave.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace hiplz::amdgcn {

/// True if the result of an operation with this name depends on the direction.
bool dependsOnRounding(llvm::StringRef name);

/// Calls `compute`, with the mode's direction for results of so many bits. In kernels that round otherwise it becomes a function, which `name`
/// and the types of the operands tell from others.
llvm::Value *rounded(Wave &wave, const std::string &name, unsigned width, llvm::ArrayRef<llvm::Value *> in,
                     llvm::function_ref<llvm::Value *(llvm::Value *const *)> compute);

/// A number as f16, rounded in the mode's direction.
llvm::Value *roundedHalf(Wave &wave, llvm::Value *number);

/// The half next to `half` if that lies on the wrong side of the number. `direction` is i32, as the mode has it: 0 for the nearest, 1 for
/// up, 2 for down, 3 for toward zero.
llvm::Value *directedHalf(Wave &wave, llvm::Value *half, llvm::Value *number, llvm::Value *direction);

} // namespace hiplz::amdgcn
