// SPDX-License-Identifier: MIT
// See large_functions.h.
#include "cpu/compiler/large_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/CommandLine.h>

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

template <class Act> void forEachOption(Act act) {
  StringMap<cl::Option *> &options = cl::getRegisteredOptions();
  for (const Setting &setting : kSettings)
    if (const auto found = options.find(setting.option); found != options.end())
      act(*found->second, setting.value);
}

} // namespace

bool hasLargeFunctions(const Module &module) {
  return any_of(module, [](const Function &function) { return function.getInstructionCount() > kLargeFunction; });
}

LargeFunctionCodegen::LargeFunctionCodegen() {
  forEachOption([](cl::Option &option, const char *value) { option.addOccurrence(0, option.ArgStr, value); });
}

LargeFunctionCodegen::~LargeFunctionCodegen() {
  forEachOption([](cl::Option &option, const char *) { option.reset(); });
}

} // namespace hiplz::cpu
