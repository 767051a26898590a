// SPDX-License-Identifier: MIT
// Operations that take many LLVM instructions, as functions of their own: a kernel with hundreds of such operations takes too long to compile if each
// one is expanded in place. The functions have no side effects, and all but exchanges work lane by lane. In small kernels they are inlined.
#pragma once
#include "amdgcn/translator/wave.h"

namespace hiplz::amdgcn {

/// Calls the function for operations of this name, and makes it with `compute` at the first call. `compute` must depend on its operands
/// alone, and its result has the type `result`.
llvm::Value *byLaneFunction(Wave &wave, const char *name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> in,
                            llvm::function_ref<llvm::Value *(llvm::Value *const *)> compute);

/// The values of the lanes that `lanes` names (each below 32).
llvm::Value *pullLanes(Wave &wave, llvm::Value *values, llvm::Value *lanes);

/// Decides for all these functions of the module if they are inlined or called, apart from those that are marked to be inlined.
void inlineLaneFunctions(llvm::Module &module, bool areInlined);

} // namespace hiplz::amdgcn
