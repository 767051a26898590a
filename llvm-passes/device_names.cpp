// SPDX-License-Identifier: MIT
// Names of device functions. The translator takes a call for an OpenCL built-in by its (mangled) name alone, even where
// the module defines the function, and HIP programs have functions of their own that are called dot, clamp or select.
// Only kernels call the device functions of the linked program, so all get names that no built-in has. Debug
// information keeps the names of the source.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

using namespace llvm;

namespace hiplz::passes {

PreservedAnalyses DeviceNamesPass::run(Module &M, ModuleAnalysisManager &) {
  constexpr std::string_view kPrefix = "hip.";
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F) && !startsWith(F.getName(), kPrefix))
      F.setName(StringRef(kPrefix.data(), kPrefix.size()) + F.getName());
  return PreservedAnalyses::all();
}

} // namespace hiplz::passes
