// SPDX-License-Identifier: MIT
// The passes for translated machine code. AMD's compiler has optimised it already, so there is less to do than with other kernels, and large
// ones have to be there soon after their first launch.
#pragma once
#include <llvm/IR/Function.h>
#include <llvm/Passes/PassBuilder.h>

namespace llvm {
class TargetMachine;
}

namespace hiplz::cpu {

/// Makes values of the registers of a wave and simplifies it. `live` are the lanes with a work-item, `arguments` points to what the kernel was
/// given, and `rowLanes` of them are in a row of the
/// work-group each (32 if that is not known).
void simplifyWave(llvm::Function &wave, llvm::Value &live, const llvm::Value &arguments, unsigned rowLanes,
                  llvm::TargetMachine &machine);

/// An optimisation whose time grows with the size of the module alone: of a kernel whose wave simplifyWave() has found large, and of quick code.
llvm::ModulePassManager shortPipeline();

/// True if it has.
bool isLargeWave(const llvm::Module &module);

/// True if the instruction lets others run, what they write the wave may wait for. simplifyWave() finds out that some are needless.
bool isWarpYield(const llvm::Instruction &instruction);

} // namespace hiplz::cpu
