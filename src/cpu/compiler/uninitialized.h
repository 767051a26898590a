// SPDX-License-Identifier: MIT
// Initcheck: follows values that nobody has written (docs/checking.md). Each value of a function gets a shadow with a bit for each of its
// bits, which is set if that bit comes from memory that nobody has written. Shadows are ordinary values, so both paths of the compiler
// treat them like the program's own, and memory has one that copies, fills and other kernels keep up to date (cpu/check/uninitialized.h).
#pragma once
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Attribute of a kernel whose shared memory is uninitialized again when a work-group begins.
constexpr llvm::StringRef kForgetsLocal = "hiplz-forgets-local";

/// Instruments the functions of a module of one kernel, or of what kernels share. Inlines the program's functions first; those of the
/// built-in library stay calls, whose results are as uninitialized as their arguments.
void checkInitialization(llvm::Module &module);

} // namespace hiplz::cpu
