// SPDX-License-Identifier: MIT
// Some choices of the compiler look at what a kernel does with memory, which checks hide. They are made for the kernel without its checks.
#pragma once
#include "cpu/compiler/options.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace hiplz::cpu {

/// Gives a kernel with checks, which has not been prepared yet (prepare.h), the attributes of its choices.
void noteUncheckedChoices(llvm::Function &kernel, llvm::TargetMachine &machine, const CompileOptions &options);

} // namespace hiplz::cpu
