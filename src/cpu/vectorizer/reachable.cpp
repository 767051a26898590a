// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/reachable.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {

std::vector<Function *> reachableFunctions(Function &function) {
  SetVector<Function *> reached;
  reached.insert(&function);
  bool indirect = false;
  for (size_t next = 0; next < reached.size(); ++next) {
    for (Instruction &instruction : instructions(*reached[next]))
      if (auto *call = dyn_cast<CallBase>(&instruction)) {
        Function *callee = call->getCalledFunction();
        if (callee && !callee->isDeclaration())
          reached.insert(callee);
        indirect = indirect || (!callee && !call->isInlineAsm());
      }
    if (indirect && next + 1 == reached.size())
      for (Function &other : *function.getParent())
        if (!other.isDeclaration() && other.hasAddressTaken())
          reached.insert(&other);
  }
  return {reached.begin(), reached.end()};
}

} // namespace hiplz::cpu
