// SPDX-License-Identifier: MIT
// The last stages: optimisation of the work-group functions, and machine code.
#pragma once
#include "cpu/compiler/options.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace hiplz {
class ModuleDump;
}

namespace hiplz::cpu {

/// A machine for the processor that this runs on. Null with a sentence in `error`.
std::unique_ptr<llvm::TargetMachine> createHostMachine(const CompileOptions &options, std::string &error);

/// `dump` gets the module after each pass of the vectoriser that changes it (passes.def).
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine, const CompileOptions &options,
                    ModuleDump &dump);

/// The module as a relocatable ELF object. False with a sentence in `error`.
bool emitObject(llvm::Module &module, llvm::TargetMachine &machine, const CompileOptions &options,
                llvm::SmallVectorImpl<char> &object, std::string &error);

/// The sum of the frames of an object's functions, if its machine's EmitStackSizeSection was set.
uint32_t frameBytesOf(llvm::StringRef object);

} // namespace hiplz::cpu
