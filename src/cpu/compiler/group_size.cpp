// SPDX-License-Identifier: MIT
// See group_size.h.
#include "cpu/compiler/group_size.h"
#include "cpu/vectorizer/reachable.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace hiplz::cpu {

bool gainsFromSize(Function &kernel, const CompileOptions &options) {
  // Compiling takes some 20 ms at that size, and a program may use a kernel with several sizes of work-groups.
  constexpr unsigned kMostInstructions = 1500;
  if (!options.optimize || options.counts || options.checks.any())
    return false;
  unsigned instructionCount = 0;
  bool waits = false;
  for (Function *function : reachableFunctions(kernel)) {
    instructionCount += function->getInstructionCount();
    waits = waits || any_of(instructions(*function), isBarrierCall);
  }
  return waits && instructionCount <= kMostInstructions;
}

void fixGroupSize(Function &function, const GroupSize &size) {
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (const auto dimension = groupSizeReadBy(*load))
        load->replaceAllUsesWith(ConstantInt::get(load->getType(), size[*dimension]));
}

} // namespace hiplz::cpu
