// SPDX-License-Identifier: MIT
// hiplz-add-checks: reads LLVM IR as it is imported from SPIR-V, prepares it with the checks of these tools, verifies the result and prints it.
//
//   hiplz-add-checks TOOL[,TOOL] [file]
//
// It is for tests of single passes (tests/check/passes), which need neither SPIR-V nor a driver.
#include "cpu/compiler/codegen.h"
#include "cpu/compiler/prepare.h"
#include "cpu/compiler/uninitialized.h"
#include "cpu/vectorizer/ir_file.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/CommandLine.h>

using namespace llvm;
using namespace hiplz::cpu;

namespace {

cl::opt<std::string> tools(cl::Positional, cl::Required, cl::desc("TOOL[,TOOL]"));
cl::opt<std::string> input(cl::Positional, cl::init("-"), cl::desc("[file]"));

} // namespace

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "checks of HIPLZ's CPU device\n");
  LLVMContext context;
  const auto module = readIr(input, argv[0], context);
  if (!module)
    return 1;
  CompileOptions options;
  options.checks = parseChecks(tools);
  options.debugInfo = true; // lines of the source are a part of what passes look at
  std::string error;
  ModuleTable table;
  const auto machine = createHostMachine(options, error);
  if (!machine || !describeModule(*module, table, error) || !prepareModule(*module, *machine, options, table, error)) {
    errs() << error << '\n';
    return 1;
  }
  if (options.checks.initialization)
    checkInitialization(*module);
  if (verifyModule(*module, &errs()))
    return 1;
  module->print(outs(), nullptr);
  return 0;
}
