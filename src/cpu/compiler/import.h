// SPDX-License-Identifier: MIT
// SPIR-V into LLVM IR.
#pragma once
#include "cpu/program/spec_constants.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hiplz::cpu {

/// The type of a kernel's parameter in SPIR-V, where LLVM shows a pointer or a type of its own.
enum class SpirvObject { none, image, sampler, other };

/// The metadata of a kernel that says it, a number for each parameter; not there if none of them is an object.
constexpr const char *kObjectParameters = "hiplz.object_parameters";

/// The module in `context`, with opaque pointers and the built-in functions of SPIR-V as calls ("__spirv_..."). Null with
/// a sentence in `error` if the translator does not accept it. For many kinds of invalid modules the translator ends the
/// process instead of returning, so this may only be called in a child process (compiler.cpp).
std::unique_ptr<llvm::Module> importSpirv(std::span<const std::byte> spirv, const SpecConstants &constants,
                                          llvm::LLVMContext &context, std::string &error);

} // namespace hiplz::cpu
