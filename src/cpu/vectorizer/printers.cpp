// SPDX-License-Identifier: MIT
// Passes that print analyses to the standard output, for tests and for those who work on the vectoriser.
#include "cpu/vectorizer/body_facts.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

/// "hiplz-warp-extent"="15,1,31,15" on a body: WarpExtent::apart, and mostX if there is a fourth number.
WarpExtent extentOf(const Function &body) {
  WarpExtent extent;
  SmallVector<StringRef, 4> numbers;
  body.getFnAttribute("hiplz-warp-extent").getValueAsString().split(numbers, ',', -1, false);
  for (unsigned i = 0; i < numbers.size() && i <= extent.apart.size(); ++i)
    numbers[i].getAsInteger(10, i < extent.apart.size() ? extent.apart[i] : extent.mostX);
  return extent;
}

} // namespace

PreservedAnalyses PrintShapesPass::run(Function &body, FunctionAnalysisManager &analyses) {
  const ShapeInfo &shapes = analyses.getResult<ShapeAnalysis>(body);
  shapes.print(outs());
  if (const BasicBlock *block = shapes.unstructured())
    outs() << "not structured: " << block->getName() << '\n';
  return PreservedAnalyses::all();
}

PreservedAnalyses PrintTraitsPass::run(Function &body, FunctionAnalysisManager &) {
  const KernelTraits traits = inspectKernel(body);
  outs() << body.getName() << ": barrier " << traits.hasBarrier << ", yields " << traits.yields << ", whole warps "
         << (traits.needsWholeWarp || hasExchanges(body, CalledFunctions(body), extentOf(body))) << ", wide "
         << traits.gainsFromWideWarps << ", columns " << traits.sharesColumns << ", rows " << traits.walksRows
         << ", refusal '" << traits.refusal << "'\n";
  return PreservedAnalyses::none(); // ids are read once from now on
}

PreservedAnalyses PrintExchangesPass::run(Function &body, FunctionAnalysisManager &) {
  const LaneExchanges exchanges = exchangesIn(body, CalledFunctions(body), extentOf(body));
  outs() << body.getName() << ": " << (exchanges.any() ? "lanes in step\n" : "lanes on their own\n");
  for (const Instruction *first : exchanges.accesses())
    for (const Instruction *second : exchanges.accesses())
      if (exchanges.between(first, second))
        outs() << *first << " .." << *second << '\n';
  return PreservedAnalyses::none();
}

} // namespace hiplz::cpu
