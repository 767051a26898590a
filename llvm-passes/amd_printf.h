// SPDX-License-Identifier: MIT
// A part of AmdDialectPass.
#pragma once

#include "llvm/IR/Module.h"

namespace hiplz::passes {

/// Makes calls of printf of what AMD's compiler and headers have made of them.
void restorePrintf(llvm::Module &M);

} // namespace hiplz::passes
