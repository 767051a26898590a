// SPDX-License-Identifier: MIT
// Loops over the grid step by gridDim.x * blockDim.x. Drivers know this product, which SPIR-V has as the global size, so that
// kernels need not multiply.
#include "base/llvm_compat.h"
#include "passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

constexpr StringLiteral kGroupCount = "_Z28__spirv_BuiltInNumWorkgroupsi";
constexpr StringLiteral kGroupSize = "_Z28__spirv_BuiltInWorkgroupSizei";
constexpr StringLiteral kGlobalSize = "_Z25__spirv_BuiltInGlobalSizei";

/// The call of a built-in that \p V is, as it is or cut off.
CallInst *builtinCall(Value *V, StringRef Name) {
  if (auto *Cut = dyn_cast<TruncInst>(V))
    V = Cut->getOperand(0);
  auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name ? Call : nullptr;
}

bool replaceProduct(BinaryOperator &Product) {
  for (unsigned Left : {0, 1}) {
    CallInst *Count = builtinCall(Product.getOperand(Left), kGroupCount);
    CallInst *Size = builtinCall(Product.getOperand(1 - Left), kGroupSize);
    if (!Count || !Size || !isa<ConstantInt>(Count->getArgOperand(0)) ||
        Count->getArgOperand(0) != Size->getArgOperand(0))
      continue;
    Function *Like = Count->getCalledFunction();
    auto *Builtin =
        cast<Function>(Product.getModule()
                           ->getOrInsertFunction(kGlobalSize, Like->getFunctionType(), Like->getAttributes())
                           .getCallee());
    Builtin->setCallingConv(Like->getCallingConv());
    IRBuilder<> B(&Product);
    CallInst *Call = B.CreateCall(Builtin, Count->getArgOperand(0));
    Call->setCallingConv(Like->getCallingConv());
    Product.replaceAllUsesWith(B.CreateZExtOrTrunc(Call, Product.getType()));
    return true;
  }
  return false;
}

} // namespace

PreservedAnalyses GridSizePass::run(Module &M, ModuleAnalysisManager &) {
  if (!M.getFunction(kGroupCount) || !M.getFunction(kGroupSize))
    return PreservedAnalyses::all();
  SmallVector<WeakTrackingVH, 8> Replaced;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.getOpcode() == Instruction::Mul && replaceProduct(cast<BinaryOperator>(I)))
        Replaced.push_back(&I);
  if (Replaced.empty())
    return PreservedAnalyses::all();
  RecursivelyDeleteTriviallyDeadInstructions(Replaced);
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
