// SPDX-License-Identifier: MIT
// Modules of machine code for AMD's GPUs (src/amdgcn) instead of SPIR-V. Such a module is prepared as it came; what its kernels share is
// its image in memory, and a kernel is translated when it is compiled, into a function of a warp that goes through the same loops around
// warps and work-groups, optimisation and code generation as vectorised kernels.
#pragma once
#include "amdgcn/object/code_object.h"
#include "cpu/compiler/kernel_table.h"
#include "cpu/compiler/options.h"

#include <optional>

namespace llvm {
class TargetMachine;
}

namespace hiplz::cpu {

/// The code object of a link set, if that is what it consists of. Points into the bytes.
std::optional<std::span<const std::byte>> machineCodeOf(std::span<const std::byte> linkSet);

/// Its kernels and variables. False with a sentence in `error` for what a launch could not provide.
bool describeMachineCode(const amdgcn::CodeObject &object, ModuleTable &table, std::string &error);

/// The symbol of the image.
inline constexpr const char *kImageSymbol = "hiplz.variable.image";

/// A module with the image as one variable, and the symbols of the exported variables in it (machine_image.cpp).
std::unique_ptr<llvm::Module> makeImage(const amdgcn::CodeObject &object, const ModuleTable &table,
                                        llvm::TargetMachine &machine, llvm::LLVMContext &context);

/// A module with the function kernelSymbol(name) for work-groups of a shape, and of others if they have the same layout. Fills `code` of the
/// kernel, whose `info` is given. Null with a sentence in `error` if there is an operation that the translator does not have.
std::unique_ptr<llvm::Module> lowerMachineKernel(const amdgcn::CodeObject &object, Kernel &kernel, GroupShape shape,
                                                 const CompileOptions &options, llvm::TargetMachine &machine,
                                                 llvm::LLVMContext &context, std::string &error);

} // namespace hiplz::cpu
