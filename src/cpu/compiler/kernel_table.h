// SPDX-License-Identifier: MIT
// The table of kernels and variables for the driver, read from the module before address spaces disappear.
#pragma once
#include "cpu/program/binary_format.h"

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace hiplz::cpu {

/// A kernel during compilation. The function pointer follows the function through the stages.
struct Kernel {
  KernelInfo info;
  KernelCode code; ///< without addresses; filled in by the path that compiles it
  llvm::Function *function = nullptr;
};

/// True if the parameter is a structure that is passed by value; of a kernel whose first parameter is the WorkItem.
inline bool isByValue(const KernelInfo &info, const llvm::Argument &parameter) {
  return parameter.getArgNo() > 0 && info.args[parameter.getArgNo() - 1].kind == ArgKind::byValue;
}

/// A variable in local memory and its place, the same in all kernels that use it.
struct LocalVariable {
  llvm::GlobalVariable *variable = nullptr;
  uint32_t offset = 0;
};

struct ModuleTable {
  std::vector<Kernel> kernels;
  std::vector<GlobalInfo> globals;
  std::vector<LocalVariable> locals;
  std::vector<LinkSymbol> imports, exports;
  bool callsPointers = false; ///< there are calls through pointers
  bool contraction = true;    ///< no kernel forbids fused multiply-add
};

/// Fills the table. False with a sentence in `error` for what cannot be run: image parameters, too much local memory.
bool collectTable(llvm::Module &module, ModuleTable &table, std::string &error);

} // namespace hiplz::cpu
