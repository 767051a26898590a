// SPDX-License-Identifier: MIT
// The registry of passes.def, and what its passes share.
#include "cpu/vectorizer/passes.h"
#include "base/module_dump.h"
#include "cpu/vectorizer/shape_analysis.h"

#include <llvm/ADT/Any.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/PassInstrumentation.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr const char *kDeclined = "hiplz-declined"; // an attribute of bodies; its value is the reason

/// The names of our passes, by the names of their classes.
const StringMap<StringRef> &passNames() {
#define HIPLZ_NAME(CLASS, NAME, DESCRIPTION) {CLASS::name(), NAME},
#define HIPLZ_BODY_PASS HIPLZ_NAME
#define HIPLZ_MODULE_PASS HIPLZ_NAME
#define HIPLZ_CODE_PASS HIPLZ_NAME
  static const StringMap<StringRef> names{
#include "cpu/vectorizer/passes.def"
  };
#undef HIPLZ_NAME
  return names;
}

const Module *moduleOf(Any unit) {
  if (const auto *function = any_cast<const Function *>(&unit))
    return (*function)->getParent();
  const auto *module = any_cast<const Module *>(&unit);
  return module ? *module : nullptr;
}

bool addFunctionPass(StringRef name, FunctionPassManager &passes) {
#define HIPLZ_FUNCTION_PASS(CLASS, NAME, DESCRIPTION)                                                                  \
  if (name == "hiplz-" NAME) {                                                                                         \
    passes.addPass(CLASS());                                                                                           \
    return true;                                                                                                       \
  }
#define HIPLZ_BODY_PASS HIPLZ_FUNCTION_PASS
#define HIPLZ_CODE_PASS HIPLZ_FUNCTION_PASS
#define HIPLZ_PRINTER HIPLZ_FUNCTION_PASS
#include "cpu/vectorizer/passes.def"
#undef HIPLZ_FUNCTION_PASS
  return false;
}

bool addModulePass(StringRef name, ModulePassManager &passes) {
#define HIPLZ_MODULE_PASS(CLASS, NAME, DESCRIPTION)                                                                    \
  if (name == "hiplz-" NAME) {                                                                                         \
    passes.addPass(CLASS());                                                                                           \
    return true;                                                                                                       \
  }
#include "cpu/vectorizer/passes.def"
  return false;
}

} // namespace

std::vector<Function *> bodiesIn(Module &module) {
  std::vector<Function *> bodies;
  for (Function &function : module)
    if (!function.isDeclaration() && function.getReturnType()->isVoidTy() && !function.arg_empty() &&
        function.getArg(0)->getType()->isPointerTy())
      bodies.push_back(&function);
  return bodies;
}

FunctionPassManager bodyPipeline() {
  FunctionPassManager passes;
#define HIPLZ_BODY_PASS(CLASS, NAME, DESCRIPTION) passes.addPass(CLASS());
#include "cpu/vectorizer/passes.def"
  return passes;
}

void registerPasses(PassBuilder &builder) {
  builder.registerAnalysisRegistrationCallback(
      [](FunctionAnalysisManager &analyses) { analyses.registerPass([] { return ShapeAnalysis(); }); });
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        return addFunctionPass(name, passes);
      });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        return addModulePass(name, passes);
      });
}

void declineBody(Function &body, const Twine &reason) {
  if (!body.hasFnAttribute(kDeclined))
    body.addFnAttr(kDeclined, reason.str());
}

std::optional<std::string> declinedBecause(const Function &body) {
  if (!body.hasFnAttribute(kDeclined))
    return std::nullopt;
  return body.getFnAttribute(kDeclined).getValueAsString().str();
}

std::string sourcePlace(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc().get();
  return location ? " (" + location->getFilename().str() + ":" + std::to_string(location->getLine()) + ")" : "";
}

void instrumentPasses(PassInstrumentationCallbacks &callbacks, ModuleDump *dump) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef, Any unit) {
    const auto *function = any_cast<const Function *>(&unit);
    return !function || !(*function)->hasFnAttribute(kDeclined);
  });
  if (dump && dump->wanted())
    callbacks.registerAfterPassCallback([dump](StringRef pass, Any unit, const PreservedAnalyses &preserved) {
      const auto name = passNames().find(pass);
      const Module *module = name == passNames().end() ? nullptr : moduleOf(unit);
      if (module && !preserved.areAllPreserved())
        dump->module((name->second + ".ll").str(), *module);
    });
}

PreservedAnalyses preservedControlFlow(bool changed) {
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

PreservedAnalyses preservedIfUnchanged(bool changed) {
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::cpu
