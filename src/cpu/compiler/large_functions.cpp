// SPDX-License-Identifier: MIT
// See large_functions.h.
#include "cpu/compiler/large_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// The largest kernel of tests/bench has 1,411 instructions when code is generated for it.
constexpr unsigned kLargeFunction = 4000;

struct Setting {
  const char *option, *value;
};
// The last is LLVM's own limit of 10,000 divided by twenty: a kernel of 12,700 instructions and many branches takes 0.7 of the time.
constexpr Setting kSettings[] = {
    {"disable-machine-sink", "true"}, {"disable-ssc", "true"}, {"grow-region-complexity-budget", "500"}};
constexpr Setting kQuickSettings[] = {{"optimize-regalloc", "false"}, {"regalloc", "fast"}};

template <class Act> void forEachOption(bool quick, Act act) {
  StringMap<cl::Option *> &options = cl::getRegisteredOptions();
  for (const Setting &setting : quick ? ArrayRef<Setting>(kQuickSettings) : ArrayRef<Setting>(kSettings))
    if (const auto found = options.find(setting.option); found != options.end())
      act(*found->second, setting.value);
}

} // namespace

bool hasLargeFunctions(const Module &module) {
  return any_of(module, [](const Function &function) { return function.getInstructionCount() > kLargeFunction; });
}

void separateBackEdges(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : make_early_inc_range(function))
      if (is_contained(successors(&block), &block))
        SplitEdge(&block, &block);
}

LargeFunctionCodegen::LargeFunctionCodegen(bool quick) : quick_(quick) {
  forEachOption(quick_, [](cl::Option &option, const char *value) { option.addOccurrence(0, option.ArgStr, value); });
}

LargeFunctionCodegen::~LargeFunctionCodegen() {
  forEachOption(quick_, [](cl::Option &option, const char *) { option.reset(); });
}

} // namespace hiplz::cpu
