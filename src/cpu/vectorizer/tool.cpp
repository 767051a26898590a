// SPDX-License-Identifier: MIT
// hiplz-vectorize: reads LLVM IR, applies one stage of the vectoriser or all of it to each kernel body, and prints the
// result. A body is a defined function that returns nothing and takes a pointer first. What is printed is verified.
//
//   hiplz-vectorize STAGE [-width=N] [-layout=rows|line|folded|singles|blocks|table] [-global-ids] [-apart=X,Y,Z[,X]] [file]
#include "base/llvm_compat.h"
#include "cpu/vectorizer/body_facts.h"
#include "cpu/vectorizer/control_structure.h"
#include "cpu/vectorizer/extensions.h"
#include "cpu/vectorizer/lane_divisions.h"
#include "cpu/vectorizer/loops_in_step.h"
#include "cpu/vectorizer/masked_loops.h"
#include "cpu/vectorizer/narrow_masks.h"
#include "cpu/vectorizer/neighbours.h"
#include "cpu/vectorizer/next_group.h"
#include "cpu/vectorizer/prefetch.h"
#include "cpu/vectorizer/private_memory.h"
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/split_barriers.h"
#include "cpu/vectorizer/structure.h"
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;
using namespace hiplz::cpu;

namespace {

cl::list<unsigned> apart("apart", cl::CommaSeparated, cl::desc("WarpExtent::apart, and mostX if there is a fourth"));

hiplz::WarpExtent extent() {
  hiplz::WarpExtent extent;
  for (unsigned i = 0; i < apart.size(); ++i)
    (i < extent.apart.size() ? extent.apart[i] : extent.mostX) = apart[i];
  return extent;
}

struct Stage {
  const char *name;
  const char *description;
  bool prints; // and leaves the module alone
  void (*apply)(Function &body, const WarpOptions &options);
};

void applyCanonicalize(Function &body, const WarpOptions &) { canonicalize(body); }
void applyStructurize(Function &body, const WarpOptions &) {
  canonicalize(body);
  structurize(body);
}
void applyInterleave(Function &body, const WarpOptions &options) { interleavePrivateMemory(body, options.width); }
void applyWiden(Function &body, const WarpOptions &options) { widenIndices(body, ShapeAnalysis(body, options)); }
void applyInStep(Function &body, const WarpOptions &) {
  canonicalize(body);
  stepThroughLoops(body);
}
void applyNeighbours(Function &body, const WarpOptions &options) { joinNeighbours(body, ShapeAnalysis(body, options)); }
void applyPrefetch(Function &body, const WarpOptions &options) { prefetchLeaps(ShapeAnalysis(body, options)); }
void applyNextGroup(Function &body, const WarpOptions &options) {
  prefetchForNextGroup(body, ShapeAnalysis(body, options), options);
}
void applyNarrow(Function &body, const WarpOptions &) {
  FunctionAnalysisManager none;
  NarrowMasksPass::run(body, none);
}
void applyMaskedLoops(Function &body, const WarpOptions &) {
  loopThroughMaskedLanes(body, TargetTransformInfo(body.getParent()->getDataLayout())); // of a processor without masks
}
void applyLaneDivisions(Function &body, const WarpOptions &) { expandLaneDivisions(body); }
void printShapes(Function &body, const WarpOptions &options) {
  ShapeAnalysis shapes(body, options);
  shapes.print(outs());
  if (const BasicBlock *block = shapes.unstructured())
    outs() << "not structured: " << block->getName() << '\n';
}
void printTraits(Function &body, const WarpOptions &) {
  KernelTraits traits = inspectKernel(body);
  outs() << body.getName() << ": barrier " << traits.hasBarrier << ", yields " << traits.yields << ", whole warps "
         << (traits.needsWholeWarp || exchangesIn(body, extent()).any()) << ", wide " << traits.gainsFromWideWarps
         << ", refusal '" << traits.refusal << "'\n";
}
void printExchanges(Function &body, const WarpOptions &) {
  const hiplz::LaneExchanges exchanges = exchangesIn(body, extent());
  outs() << body.getName() << ": " << (exchanges.any() ? "lanes in step\n" : "lanes on their own\n");
  for (const Instruction *first : exchanges.accesses())
    for (const Instruction *second : exchanges.accesses())
      if (exchanges.between(first, second))
        outs() << *first << " .." << *second << '\n';
}
void applyVectorize(Function &body, const WarpOptions &options) {
  std::string reason;
  std::string name = body.getName().str();
  if (!vectorize(body, options, reason))
    outs() << "; not vectorised: " << name << ": " << reason << '\n';
}
void applySplit(Function &warp, const WarpOptions &options) {
  std::string reason;
  std::string name = warp.getName().str();
  if (auto regions = splitAtBarriers(warp, options.width, reason))
    outs() << "; " << name << ": " << regions->functions.size() << " regions, frame of " << regions->frameBytes
           << " bytes" << (regions->inStep ? ", in step" : "") << '\n';
  else
    outs() << "; not split: " << name << ": " << reason << '\n';
}

constexpr Stage kStages[] = {
    {"canonicalize", "one return, no switch, simple loops, no hints", false, applyCanonicalize},
    {"structurize", "canonicalize, then only ifs without else and loops with one exit", false, applyStructurize},
    {"interleave-private-memory", "private arrays lane by lane", false, applyInterleave},
    {"widen-indices", "compute indices in 64 bits where that makes them strided", false, applyWiden},
    {"loops-in-step", "canonicalize, then all warps step together through loops that leap over other threads' items",
     false, applyInStep},
    {"join-neighbours", "accesses to two neighbouring words at any address become one", false, applyNeighbours},
    {"prefetch", "loops whose loads leap fetch what later rounds will load", false, applyPrefetch},
    {"next-group", "stores that leap from group to group fetch the next group's lines", false, applyNextGroup},
    {"narrow-masks", "plain accesses where a mask has the first lanes alone", false, applyNarrow},
    {"masked-loops", "loops over the lanes that a mask has, for a processor that cannot mask", false, applyMaskedLoops},
    {"lane-divisions", "a division for each lane where divisors differ", false, applyLaneDivisions},
    {"print-shapes", "the shape of every value", true, printShapes},
    {"print-traits", "what decides how a kernel may be vectorised", true, printTraits},
    {"print-exchanges", "accesses by which lanes of a warp may exchange values without a barrier", true,
     printExchanges},
    {"split-barriers", "takes warp functions apart at their barriers", false, applySplit},
    {"vectorize", "all of it: adds the warp functions", false, applyVectorize},
};

cl::opt<std::string> stageName(cl::Positional, cl::Required, cl::desc("STAGE"));
cl::opt<std::string> input(cl::Positional, cl::init("-"), cl::desc("[file]"));
cl::opt<unsigned> width("width", cl::init(32), cl::desc("lanes of a warp: 8, 16 or 32"));
cl::opt<LaneLayout> layout("layout", cl::init(LaneLayout::table), cl::desc("how the lanes relate to ids"),
                           cl::values(clEnumValN(LaneLayout::rows, "rows", "rows of whole warps"),
                                      clEnumValN(LaneLayout::line, "line", "one row"),
                                      clEnumValN(LaneLayout::folded, "folded", "several short rows"),
                                      clEnumValN(LaneLayout::singles, "singles", "groups of one"),
                                      clEnumValN(LaneLayout::blocks, "blocks", "small groups"),
                                      clEnumValN(LaneLayout::table, "table", "any shape")));
cl::opt<unsigned> rowLanes("row-lanes", cl::init(8), cl::desc("WarpOptions::rowLanes with -layout=folded"));
cl::opt<bool> rows("rows", cl::desc("-layout=rows"));
cl::opt<bool> rollsUpdates("rolls-updates", cl::desc("WarpOptions::rollsUpdates"));
cl::opt<bool> globalIds("global-ids", cl::desc("WarpOptions::globalIds"));

} // namespace

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "stages of HIPLZ's vectoriser\n");
  LLVMContext context;
  hiplz::useOpaquePointers(context);
  SMDiagnostic problem;
  auto module = parseIRFile(input, problem, context);
  if (!module) {
    problem.print(argv[0], errs());
    return 1;
  }
  const Stage *stage = nullptr;
  for (const Stage &candidate : kStages)
    if (stageName == candidate.name)
      stage = &candidate;
  if (!stage) {
    errs() << "no such stage: " << stageName << ". Stages:\n";
    for (const Stage &candidate : kStages)
      errs() << "  " << candidate.name << ": " << candidate.description << '\n';
    return 1;
  }
  SmallVector<Function *, 8> bodies;
  for (Function &function : *module)
    if (!function.isDeclaration() && function.getReturnType()->isVoidTy() && !function.arg_empty() &&
        function.getArg(0)->getType()->isPointerTy())
      bodies.push_back(&function);
  WarpOptions options;
  options.width = width;
  options.layout = rows ? LaneLayout::rows : layout;
  options.globalIds = globalIds;
  options.rollsUpdates = rollsUpdates;
  options.rowLanes = options.layout == LaneLayout::folded ? rowLanes : 0;
  for (Function *body : bodies)
    stage->apply(*body, options);
  if (verifyModule(*module, &errs()))
    return 1;
  if (!stage->prints)
    module->print(outs(), nullptr);
  return 0;
}
