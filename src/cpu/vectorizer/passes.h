// SPDX-License-Identifier: MIT
// The classes of passes.def. Each is defined in a file of its own, or with the printers. The function passes read the options of
// the warp function from attributes of the body (warpOptionsOf()) and the shapes of values from the analysis manager.
#pragma once
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/Twine.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

#include <optional>
#include <string>
#include <vector>

namespace hiplz {
class ModuleDump;
}

namespace hiplz::cpu {

#define HIPLZ_FUNCTION_PASS(CLASS, NAME, DESCRIPTION)                                                                  \
  struct CLASS : llvm::PassInfoMixin<CLASS> {                                                                          \
    static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);             \
  };
#define HIPLZ_BODY_PASS HIPLZ_FUNCTION_PASS
#define HIPLZ_CODE_PASS HIPLZ_FUNCTION_PASS
#define HIPLZ_PRINTER HIPLZ_FUNCTION_PASS
#define HIPLZ_MODULE_PASS(CLASS, NAME, DESCRIPTION)                                                                    \
  struct CLASS : llvm::PassInfoMixin<CLASS> {                                                                          \
    static llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);                   \
  };
#include "cpu/vectorizer/passes.def"
#undef HIPLZ_FUNCTION_PASS

/// The functions of a module that may be bodies or warp functions: defined, without a result, with a pointer as their first parameter.
std::vector<llvm::Function *> bodiesIn(llvm::Module &module);

/// All passes on a body, in their order.
llvm::FunctionPassManager bodyPipeline();

/// Makes passes and analyses known to a builder: the passes under "hiplz-" and their names in passes.def, the shapes to the
/// function analysis manager.
void registerPasses(llvm::PassBuilder &builder);

/// Gives up on a body: it is not vectorised. The first reason counts. No further pass runs on it where instrumentPasses() has been called.
void declineBody(llvm::Function &body, const llvm::Twine &reason);

/// The reason, if a pass has declined the body.
std::optional<std::string> declinedBecause(const llvm::Function &body);

/// File and line of an instruction, in parentheses behind a space; empty without debug information.
std::string sourcePlace(const llvm::Instruction &instruction);

/// Skips passes on declined bodies, and writes the module to `dump`, unless that is null, after each of our passes that has changed it. Both must outlive
/// the run.
void instrumentPasses(llvm::PassInstrumentationCallbacks &callbacks, ModuleDump *dump);

/// Preserved analyses of a pass that has changed instructions, but no control flow; all if nothing is `changed`.
llvm::PreservedAnalyses preservedControlFlow(bool changed);

/// None, or all if nothing is `changed`.
llvm::PreservedAnalyses preservedIfUnchanged(bool changed);

} // namespace hiplz::cpu
