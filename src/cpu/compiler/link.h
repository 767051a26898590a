// SPDX-License-Identifier: MIT
// Several SPIR-V modules become one, in which symbols that belong to other modules than the program's own say so.
#pragma once
#include "cpu/compiler/kernel_table.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace hiplz::cpu {

/// Translates the parts of a link set (program/link_set.h) and links them. Imports that are bound to another module are what
/// that module defines, imports without a binding stay declarations, and kernels of other modules become functions. Null with a
/// sentence in `error`, which names the symbol if two modules disagree about it. As importSpirv(), only for a child process.
std::unique_ptr<llvm::Module> importLinkSet(std::span<const std::byte> linkSet, llvm::LLVMContext &context,
                                            std::string &error);

/// Fills the lists of what the program imports and exports. Call before anything is lowered.
void collectLinkage(llvm::Module &module, ModuleTable &table);

/// True if it belongs to another module than the program's own.
bool isForeign(const llvm::GlobalValue &value);

} // namespace hiplz::cpu
