// SPDX-License-Identifier: MIT
// The constants that instrumented code hands to the driver (abi/check_site.h), and the mark of what instrumentation has added.
#pragma once
#include <llvm/ADT/Twine.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <string>

namespace hiplz::cpu {

/// Metadata of loads and branches of one check that others leave alone.
constexpr llvm::StringRef kOfChecks = "hiplz.of.checks";

/// "file.hip:12, inlined at file.hip:30"; `otherwise` and the function's name if there is no line.
std::string placeOf(const llvm::Instruction &instruction, const llvm::Twine &otherwise);

/// The first instruction behind the variables of a function, which come together then: branches may be added in front of it.
llvm::Instruction *behindVariables(llvm::Function &function);

/// The constant for an instruction. `otherwise` tells it from others of its function if it has no line. `accessBytes` is 0 unless it is an
/// access that always has as many, and `number` that of an access of a kernel.
llvm::GlobalVariable *checkSite(const llvm::Instruction &instruction, uint32_t flags, llvm::Align align,
                                uint64_t objectBytes, llvm::StringRef objectName, const llvm::Twine &otherwise,
                                uint32_t accessBytes = 0, uint32_t number = 0);

} // namespace hiplz::cpu
