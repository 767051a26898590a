// SPDX-License-Identifier: MIT
// For AmdDialectPass.
#pragma once

#include "llvm/IR/Module.h"

namespace hiplz::passes {

/// Replaces what kernels read from their hidden arguments and from the packet of their launch. Fields that HIPLZ does not have
/// become calls of functions by their names, which nobody defines.
void replaceHiddenArguments(llvm::Module &M);

} // namespace hiplz::passes
