// SPDX-License-Identifier: MIT
// HIP rounds divisions and square roots of float correctly unless -fno-hip-fp32-correctly-rounded-divide-sqrt or fast math
// says otherwise; the SPIR-V that drivers get leaves them 2.5 and 3 units in the last place. An option of the driver's compiler
// decides, for a whole module. A module that needs it says so, and the runtime passes the option (src/base/spirv_marks.h).
#include "base/llvm_compat.h"
#include "base/spirv_marks.h"
#include "passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

bool isSquareRoot(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && (Callee->getIntrinsicID() == Intrinsic::sqrt || Callee->getName().contains("__spirv_ocl_sqrt"));
}

/// True if clang has said that the result may be inaccurate.
bool mayBeInaccurate(const Instruction &I) {
  auto *Operation = cast<FPMathOperator>(&I);
  return Operation->hasApproxFunc() || Operation->getFPAccuracy() > 0.5f ||
         (I.getOpcode() == Instruction::FDiv && Operation->hasAllowReciprocal());
}

/// Before version 18, clang says of divisions alone whether they may be inaccurate; roots are then as the divisions are.
bool needsCorrectRounding(const Module &M) {
  bool Roots = false, InaccurateDivisions = false;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (!I.getType()->getScalarType()->isFloatTy())
        continue;
      if (I.getOpcode() == Instruction::FDiv) {
        if (!mayBeInaccurate(I))
          return true;
        InaccurateDivisions |= cast<FPMathOperator>(&I)->getFPAccuracy() > 0.5f;
      }
      Roots |= isSquareRoot(I) && !mayBeInaccurate(I);
    }
  return Roots && !InaccurateDivisions;
}

} // namespace

PreservedAnalyses RoundingPass::run(Module &M, ModuleAnalysisManager &) {
  if (!needsCorrectRounding(M))
    return PreservedAnalyses::all();
  // The translator makes an OpSourceExtension of it, which no consumer understands or minds.
  M.getOrInsertNamedMetadata("opencl.used.extensions")
      ->addOperand(MDNode::get(M.getContext(), MDString::get(M.getContext(), spirv::kCorrectlyRounded)));
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
