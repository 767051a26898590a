// SPDX-License-Identifier: MIT
// hiplz-vectorize: reads LLVM IR, runs passes of the vectoriser, verifies the result and prints it.
//
//   hiplz-vectorize PASS[,PASS...] [-width=N] [-layout=rows|line|folded|singles|blocks|table] [-global-ids] [-apart=X,Y,Z[,X]] [file]
//
// Function passes run on bodies alone. The options go into attributes of these (warpOptionsOf()).
#include "cpu/vectorizer/ir_file.h"
#include "cpu/vectorizer/pass_analyses.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/CommandLine.h>

using namespace llvm;
using namespace hiplz::cpu;

namespace {

cl::opt<std::string> passNames(cl::Positional, cl::Required, cl::desc("PASS[,PASS...]"));
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
cl::opt<bool> masksCost("masks-cost", cl::desc("WarpOptions::masksCost"));
cl::opt<bool> masksHide("masks-hide", cl::desc("WarpOptions::masksHide"));
cl::opt<bool> fetchesFar("fetches-far", cl::desc("WarpOptions::fetchesFar"));
cl::opt<bool> rollsUpdates("rolls-updates", cl::desc("WarpOptions::rollsUpdates"));
cl::opt<bool> globalIds("global-ids", cl::desc("WarpOptions::globalIds"));
cl::opt<std::string> apart("apart", cl::desc("WarpExtent::apart, and mostX if there is a fourth number"));

void listPasses(raw_ostream &out) {
#define HIPLZ_LISTED(CLASS, NAME, DESCRIPTION) out << "  " NAME ": " DESCRIPTION "\n";
#define HIPLZ_BODY_PASS HIPLZ_LISTED
#define HIPLZ_MODULE_PASS HIPLZ_LISTED
#define HIPLZ_CODE_PASS HIPLZ_LISTED
#define HIPLZ_PRINTER HIPLZ_LISTED
#include "cpu/vectorizer/passes.def"
#undef HIPLZ_LISTED
}

WarpOptions options() {
  WarpOptions options;
  options.width = width;
  options.layout = rows ? LaneLayout::rows : layout;
  options.globalIds = globalIds;
  options.masksCost = masksCost;
  options.masksHide = masksHide;
  options.fetchesFar = fetchesFar;
  options.rollsUpdates = rollsUpdates;
  options.rowLanes = options.layout == LaneLayout::folded ? rowLanes : 0;
  return options;
}

} // namespace

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "passes of HIPLZ's vectoriser\n");
  LLVMContext context;
  const auto module = readIr(input, argv[0], context);
  if (!module)
    return 1;
  SmallVector<StringRef, 4> names;
  StringRef(passNames).split(names, ',');
  const std::string pipeline = "hiplz-" + join(names, ",hiplz-");
  PassAnalyses analyses;
  FunctionPassManager onBodies;
  ModulePassManager onModule;
  const bool areFunctionPasses = !errorToBool(analyses.builder.parsePassPipeline(onBodies, pipeline));
  if (!areFunctionPasses && errorToBool(analyses.builder.parsePassPipeline(onModule, pipeline))) {
    errs() << "no such pass: " << passNames << ". Passes:\n";
    listPasses(errs());
    return 1;
  }
  for (Function *body : bodiesIn(*module)) {
    setWarpOptions(*body, options());
    if (!apart.empty())
      body->addFnAttr("hiplz-warp-extent", apart);
    if (areFunctionPasses)
      onBodies.run(*body, analyses.functions);
  }
  if (!areFunctionPasses)
    onModule.run(*module, analyses.modules);
  if (verifyModule(*module, &errs()))
    return 1;
  if (!all_of(names, [](StringRef name) { return hiplz::startsWith(name, "print-"); }))
    module->print(outs(), nullptr);
  return 0;
}
