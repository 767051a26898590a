// SPDX-License-Identifier: MIT
// Between import and the two paths: kernels become functions without address spaces and without callees.
#pragma once
#include "cpu/compiler/kernel_table.h"
#include "cpu/compiler/options.h"

#include <llvm/Target/TargetMachine.h>

#include <string>

namespace hiplz::cpu {

/// Fills the table. False with a sentence in `error` for what the device does not have.
bool describeModule(llvm::Module &module, ModuleTable &table, std::string &error);

/// Brings a module that has been described and imports nothing into the form in which it can be split into pieces (split.h): one
/// address space, built-in functions lowered. False with a sentence in `error` for what the device does not have.
bool prepareModule(llvm::Module &module, llvm::TargetMachine &machine, const CompileOptions &options,
                   ModuleTable &table, std::string &error);

/// Brings a piece into the form that WorkGroupLowering expects: inlined, simplified, the places where work-items meet numbered. False
/// with a sentence in `error`.
bool prepareCode(llvm::Module &module, llvm::TargetMachine &machine, const CompileOptions &options, std::string &error);

/// Says of the functions that wait for other work-items, and of calls of them, that LLVM must not copy or move them: two copies of a
/// barrier would be two barriers, and equal operations in the two arms of a branch have different participants.
void markConvergent(llvm::Module &module);

/// LLVM's simplification of each function.
void simplifyFunctions(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace hiplz::cpu
