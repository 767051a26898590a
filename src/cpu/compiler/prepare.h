// SPDX-License-Identifier: MIT
// Between import and the halves: kernels become functions without address spaces and without callees.
#pragma once
#include "cpu/compiler/kernel_table.h"
#include "cpu/compiler/options.h"

#include <llvm/Target/TargetMachine.h>

#include <string>

namespace hiplz::cpu {

/// Fills the table and brings the module into the form that WorkGroupLowering expects. False with a sentence in `error`.
bool prepareModule(llvm::Module &module, llvm::TargetMachine &machine, const CompileOptions &options,
                   ModuleTable &table, std::string &error);

} // namespace hiplz::cpu
