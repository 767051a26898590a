// SPDX-License-Identifier: MIT
// Large functions, and the stages of LLVM that they are spared: those that take more than twice as long for a function of twice
// the size, and gain little or lose there. Kernels that programs have generated are like this, with thousands of instructions in a row.
#pragma once
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Gives each loop of one block a block of its own for the way back: LLVM's allocation of registers for quick code goes through a block that
/// follows itself once more for each value in it.
void separateBackEdges(llvm::Module &module);

/// True if a function of the module is so large that it is compiled without these stages.
bool hasLargeFunctions(const llvm::Module &module);

/// While it exists, LLVM generates code for large functions:
/// - without sinking: of registers as wide as a row of lanes there are few, and computing a value as late as possible makes its operands
///   live longer. A kernel of 160 exponentials took five times as long to compile, and became twice as large for the registers spilled;
/// - without giving stack slots to several registers, a comparison of each spilled one with all others;
/// - with an end to the search for the part of a function in which a register is worth keeping.
///
/// Quick code (CompileOptions::quick) gets its registers block by block instead, each value in memory when the block ends. It takes a third of the
/// time or less, however large the function is.
///
/// LLVM has these as options of its command line alone, which belong to the process: there may be one such object at a time. Options
/// that another LLVM does not have are left out.
class LargeFunctionCodegen {
public:
  explicit LargeFunctionCodegen(bool quick);
  ~LargeFunctionCodegen();
  LargeFunctionCodegen(const LargeFunctionCodegen &) = delete;
  LargeFunctionCodegen &operator=(const LargeFunctionCodegen &) = delete;

private:
  bool quick_;
};

} // namespace hiplz::cpu
