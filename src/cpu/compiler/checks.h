// SPDX-License-Identifier: MIT
// Checks of memory, races and barriers (HIPLZ_CHECK): puts a call of the driver's runtime in front of each access and behind each barrier.
// That is done before anything is inlined or optimised, while every access of the program is still there and variables can be told from
// each other, and before vectorisation, so that both paths get the checks. The vector path calls them lane by lane.
#pragma once
#include "cpu/compiler/kernel_table.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Metadata of the address of a local variable (address_spaces.cpp): its name and size.
constexpr llvm::StringRef kLocalObject = "hiplz.local.object";

/// Metadata of atomic operations and fences that concern only the work-group or less (builtins_atomic.cpp).
constexpr llvm::StringRef kOfBlock = "hiplz.of.block";

/// Which checks to compile in.
struct CheckKinds {
  bool memory = false; ///< accesses outside of what they may touch
  bool shadow = false; ///< memory has a shadow (abi/check_shadow.h), so that most accesses need no call
  bool races = false;  ///< all accesses to memory that others see
  bool barriers = false;
  bool initialization = false; ///< uninitialized.h
  bool any() const { return memory || races || barriers || initialization; }
  bool ofAccesses() const { return memory || races || initialization; }
};

/// The names of tools in a flag, with commas between them.
CheckKinds parseChecks(std::string_view names);

/// Instruments all functions of a module whose address spaces and built-in functions have been lowered.
void addChecks(llvm::Module &module, const ModuleTable &table, const CheckKinds &kinds);

} // namespace hiplz::cpu
