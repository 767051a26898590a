// SPDX-License-Identifier: MIT
// Address spaces of SPIR-V as the translator numbers them, and how they end: on a processor there is one.
#pragma once
#include "cpu/compiler/kernel_table.h"

namespace hiplz::cpu {

constexpr unsigned kGlobalSpace = 1;
constexpr unsigned kConstantSpace = 2;
constexpr unsigned kLocalSpace = 3;
constexpr unsigned kGenericSpace = 4;

/// Puts every pointer into address space 0 and gives every defined function the WorkItem as a first parameter, which all
/// calls pass on. Local variables become addresses in WorkerState::local. Constant expressions must have been expanded.
/// The functions in `table` are replaced by the new ones.
void flattenAddressSpaces(llvm::Module &module, ModuleTable &table);

} // namespace hiplz::cpu
