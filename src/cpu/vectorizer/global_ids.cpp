// SPDX-License-Identifier: MIT
// The id that most kernels begin with is computed from three numbers modulo 2^32. If blocks are no multiple of the
// warp, nothing in these shows that the sum grows by one from lane to lane without wrapping, which an index has to do
// that is extended to the 64 bits of an address. As a number of its own (ItemField::globalX) it does. The caller of the warp function
// sees to it that it does not wrap within a warp.
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/vectorizer.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

bool reads(const Value *value, ItemField field) {
  const auto read = itemReadBy(value);
  return read && read->field == field && read->dimension == 0;
}

bool isGroupBase(const Value *value) {
  auto *product = dyn_cast<BinaryOperator>(value);
  if (!product || product->getOpcode() != Instruction::Mul)
    return false;
  for (unsigned size : {0u, 1u}) {
    auto *load = dyn_cast<LoadInst>(product->getOperand(size));
    if (load && groupSizeReadBy(*load) == 0u && reads(product->getOperand(1 - size), ItemField::groupId))
      return true;
  }
  return false;
}

bool isGlobalX(const Instruction &instruction) {
  return instruction.getOpcode() == Instruction::Add && instruction.getType()->isIntegerTy(32) &&
         ((isGroupBase(instruction.getOperand(0)) && reads(instruction.getOperand(1), ItemField::localId)) ||
          (isGroupBase(instruction.getOperand(1)) && reads(instruction.getOperand(0), ItemField::localId)));
}

} // namespace

PreservedAnalyses GlobalIdsPass::run(Function &body, FunctionAnalysisManager &) {
  if (!warpOptionsOf(body).globalIds)
    return PreservedAnalyses::all();
  SmallVector<Instruction *, 4> sums;
  for (Instruction &instruction : instructions(body))
    if (isGlobalX(instruction))
      sums.push_back(&instruction);
  for (Instruction *sum : sums) {
    IRBuilder<> b(sum);
    Value *address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), itemOf(body), offsetof(WorkItem, globalX));
    sum->replaceAllUsesWith(b.CreateAlignedLoad(b.getInt32Ty(), address, Align(4), "global.x"));
    sum->eraseFromParent();
  }
  return preservedControlFlow(!sums.empty());
}

} // namespace hiplz::cpu
