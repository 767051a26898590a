// SPDX-License-Identifier: MIT
// The origin of a pointer, as far as the checks can follow it: through variables, the rounds of a loop and the parameters of functions. Code
// that is not optimised keeps pointers in variables, and a function does not know how long the array is that it gets.
#pragma once
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Makes registers of the variables of a function that hold pointers.
void promotePointers(llvm::Function &function);

/// The one value that a pointer was made of by casts, offsets, choices and loops; the choice itself if there are several.
llvm::Value *rootOf(llvm::Value *pointer);

/// Gives the two sides of a choice stores of their own where they store into different variables or parameters. Clang makes one of
/// the last stores of two branches.
void separateStores(llvm::Function &function);

/// Inlines functions that get addresses of variables, those that call themselves excepted. `isProgram` tells which may be inlined.
void inlineUsersOfVariables(llvm::Module &module, llvm::function_ref<bool(const llvm::Function &)> isProgram);

} // namespace hiplz::cpu
