// SPDX-License-Identifier: MIT
// What every function asks of the driver. A warp has 32 threads on every device, so each kernel asks for sub-groups of
// that size. And no function insists on being called: clang says so of every function at -O0, where drivers then build
// a stack, and warp functions inside a real call are not reliable on Intel's GPUs.
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace hiplz::passes {

PreservedAnalyses FunctionAttributesPass::run(Module &M, ModuleAnalysisManager &) {
  constexpr unsigned kWarpSize = 32;
  auto *Size = MDNode::get(M.getContext(),
                           ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(M.getContext()), kWarpSize)));
  for (Function &F : M) {
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::NoInline);
    if (isKernel(F) && !F.isDeclaration())
      F.setMetadata("intel_reqd_sub_group_size", Size);
  }
  return PreservedAnalyses::all();
}

} // namespace hiplz::passes
