// SPDX-License-Identifier: MIT
// Debug information in the form that the translator takes. It ends the process over an operation in the location of a
// variable that it does not know; such a variable is shown as optimised out instead. Line directives without anything
// else serve the messages of these passes only, so they are dropped at the end.
#include "base/llvm_compat.h"
#include "passes.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"

using namespace llvm;

namespace hiplz::passes {

static bool isTranslatable(bool HasSeveralValues, const DIExpression &Location) {
  if (HasSeveralValues)
    return false;
  return all_of(Location.expr_ops(), [](const DIExpression::ExprOperand &Operation) {
    switch (Operation.getOp()) {
    case dwarf::DW_OP_constu:
    case dwarf::DW_OP_deref:
    case dwarf::DW_OP_LLVM_fragment:
    case dwarf::DW_OP_minus:
    case dwarf::DW_OP_plus:
    case dwarf::DW_OP_plus_uconst:
    case dwarf::DW_OP_stack_value:
    case dwarf::DW_OP_swap:
    case dwarf::DW_OP_xderef: return true;
    default: return false;
    }
  });
}

static bool hasOnlyLineDirectives(const Module &M) {
  return all_of(M.debug_compile_units(), [](const DICompileUnit *Unit) {
    return Unit->getEmissionKind() == DICompileUnit::DebugDirectivesOnly;
  });
}

PreservedAnalyses DebugInfoPass::run(Module &M, ModuleAnalysisManager &) {
  if (hasOnlyLineDirectives(M)) {
    StripDebugInfo(M);
    return PreservedAnalyses::all();
  }
  for (Function &F : M)
    keepVariableLocations(F, isTranslatable);
  return PreservedAnalyses::all();
}

} // namespace hiplz::passes
