// SPDX-License-Identifier: MIT
// See unchecked_choices.h.
#include "cpu/compiler/unchecked_choices.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/compiler/prepare.h"
#include "cpu/vectorizer/check_calls.h"
#include "cpu/vectorizer/row_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

void removeChecks(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *branch = dyn_cast<BranchInst>(&instruction);
          branch && branch->isConditional() && branch->getMetadata(kOfChecks))
        branch->setCondition(ConstantInt::getFalse(module.getContext()));
      else if (auto *call = dyn_cast<CallInst>(&instruction); call && call->getType()->isVoidTy() && isAnyCheck(*call))
        call->eraseFromParent();
}

} // namespace

void noteUncheckedChoices(Function &kernel, TargetMachine &machine, const CompileOptions &options) {
  ValueToValueMapTy map;
  const std::unique_ptr<Module> plain = CloneModule(*kernel.getParent(), map);
  removeChecks(*plain);
  CompileOptions withoutChecks = options;
  withoutChecks.checks = {};
  std::string error;
  if (prepareCode(*plain, machine, withoutChecks, error) && walksRows(*cast<Function>(map[&kernel])))
    kernel.addFnAttr(kWalksRowsUnchecked);
}

} // namespace hiplz::cpu
