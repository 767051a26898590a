// SPDX-License-Identifier: MIT
// HIPLZ_DUMP: what goes through the stages of the compiler, as files.
#pragma once
#include <llvm/IR/Module.h>

#include <string>

namespace hiplz::cpu {

/// Writes "<folder>/cpu-<process>.<stage>-<name>" for each stage if HIPLZ_DUMP names a folder; each request has a process of
/// its own, but for the only kernel of a module.
class Dump {
public:
  Dump();
  void bytes(const char *name, llvm::StringRef content);
  void module(const char *name, const llvm::Module &module);

private:
  std::string folder_; // empty: nothing is wanted
  std::string prefix_;
  unsigned stage_ = 0;
};

} // namespace hiplz::cpu
