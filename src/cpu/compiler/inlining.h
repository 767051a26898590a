// SPDX-License-Identifier: MIT
// Inlining for checks, before anything is optimised: code of a function that is called twice becomes two places.
#pragma once
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Inlines all calls of the functions that are wanted, whatever their attributes say. Those that call themselves stay functions.
void inlineFunctions(llvm::Module &module, llvm::function_ref<bool(const llvm::Function &)> isWanted);

} // namespace hiplz::cpu
