// SPDX-License-Identifier: MIT
// See inlining.h.
#include "cpu/compiler/inlining.h"
#include "cpu/vectorizer/pass_analyses.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>

using namespace llvm;

namespace hiplz::cpu {

void inlineFunctions(Module &module, function_ref<bool(const Function &)> isWanted) {
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    Function *function = component.hasCycle() ? nullptr : component->front()->getFunction();
    if (!function || function->isDeclaration() || !isWanted(*function) ||
        none_of(function->users(), [](const User *user) { return isa<CallBase>(user); }))
      continue;
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::AlwaysInline);
  }
  PassAnalyses analyses;
  ModulePassManager passes;
  passes.addPass(
      AlwaysInlinerPass(true)); // lifetimes: a variable is uninitialized again when its function is called once more
  passes.run(module, analyses.modules);
}

} // namespace hiplz::cpu
