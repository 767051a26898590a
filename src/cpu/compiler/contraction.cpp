// SPDX-License-Identifier: MIT
// See contraction.h.
#include "cpu/compiler/contraction.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Operator.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

/// A product in the same block that nobody else needs, or null.
BinaryOperator *productFor(const BinaryOperator &sum, unsigned operand) {
  auto *product = dyn_cast<BinaryOperator>(sum.getOperand(operand));
  const bool fits = product && product->getOpcode() == Instruction::FMul && product->hasOneUse() &&
                    product->getParent() == sum.getParent();
  return fits ? product : nullptr;
}

void fuse(BinaryOperator &sum) {
  for (const unsigned operand : {0u, 1u}) {
    BinaryOperator *product = productFor(sum, operand);
    if (!product)
      continue;
    IRBuilder<> b(&sum);
    Value *factor = product->getOperand(0), *other = sum.getOperand(1 - operand);
    if (sum.getOpcode() == Instruction::FSub)
      (operand == 0 ? other : factor) = b.CreateFNeg(operand == 0 ? other : factor);
    sum.replaceAllUsesWith(b.CreateIntrinsic(Intrinsic::fma, {sum.getType()}, {factor, product->getOperand(1), other}));
    sum.eraseFromParent();
    product->eraseFromParent();
    return;
  }
}

} // namespace

void contractProducts(Module &module, const TargetMachine &machine) {
  const MCSubtargetInfo &processor = *machine.getMCSubtargetInfo();
  if (!processor.checkFeatures("+fma") && !processor.checkFeatures("+avx512f"))
    return;
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : make_early_inc_range(block)) {
        if (isa<FPMathOperator>(instruction) && !instruction.isFast())
          instruction.setHasAllowContract(false);
        auto *sum = dyn_cast<BinaryOperator>(&instruction);
        const bool isSum = sum && (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub);
        Type *number = instruction.getType()->getScalarType();
        if (isSum && (number->isFloatTy() || number->isDoubleTy()))
          fuse(*sum);
      }
}

bool mayChooseResults(const Module &module) {
  return any_of(module, [](const Function &function) {
    return any_of(instructions(function), [](const Instruction &instruction) {
      return isa<FPMathOperator>(instruction) &&
             (instruction.hasAllowReassoc() || instruction.hasAllowReciprocal() || instruction.hasApproxFunc());
    });
  });
}

} // namespace hiplz::cpu
