// SPDX-License-Identifier: MIT
// LLVM IR for the tools that run single passes for tests.
#pragma once
#include "base/llvm_compat.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>

namespace hiplz::cpu {

/// The module in a file, or from standard input for "-". Null, with a message of `program` on standard error, if it is none.
inline std::unique_ptr<llvm::Module> readIr(const std::string &path, const char *program, llvm::LLVMContext &context) {
  useOpaquePointers(context);
  llvm::SMDiagnostic problem;
  auto module = llvm::parseIRFile(path, problem, context);
  if (!module)
    problem.print(program, llvm::errs());
  return module;
}

} // namespace hiplz::cpu
