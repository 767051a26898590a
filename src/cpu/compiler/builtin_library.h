// SPDX-License-Identifier: MIT
// The part of the built-in functions that is written in C (src/cpu/builtins), carried in the compiler as bitcode.
#pragma once
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

#include <string>

namespace hiplz::cpu {

/// Links the functions of the library that the module declares, as internal functions.
bool linkBuiltinLibrary(llvm::Module &module, std::string &error);

/// True if the loader will find a function of this name (program/runtime_symbols.cpp).
bool isRuntimeFunction(llvm::StringRef name);

} // namespace hiplz::cpu
