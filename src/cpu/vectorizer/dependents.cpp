// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/dependents.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace hiplz::cpu {

Dependents dependentsOf(Function &body, function_ref<bool(const Instruction &)> isSource) {
  Dependents all;
  SmallVector<const Instruction *, 64> work;
  auto add = [&](const Instruction &instruction) {
    if (all.insert(&instruction).second)
      work.push_back(&instruction);
  };
  for (const Instruction &instruction : instructions(body))
    if (isSource(instruction))
      add(instruction);
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users())
      if (auto *instruction = dyn_cast<Instruction>(user))
        add(*instruction);
  return all;
}

} // namespace hiplz::cpu
