// SPDX-License-Identifier: MIT
// Masked accesses of the first two, four or eight lanes become plain ones of shorter vectors, and those of the first lane scalar
// ones. The steps of a tree in shared memory end with them, and processors forward what a masked store has written to no load.
// Runs where constants have been propagated into the masks.
#include "cpu/vectorizer/passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <bit>
#include <numeric>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// How many lanes a constant mask has if these are the first ones and a power of two, but not all; else 0.
unsigned firstLanes(const Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  if (!constant || !type)
    return 0;
  unsigned count = 0;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    const Constant *here = constant->getAggregateElement(lane);
    if (!here || isa<UndefValue>(here) || !(here->isOneValue() || here->isNullValue()))
      return 0;
    if (here->isNullValue())
      continue;
    if (count != lane)
      return 0;
    ++count;
  }
  return count < type->getNumElements() && std::has_single_bit(count) ? count : 0;
}

SmallVector<int, 32> ascending(unsigned count, unsigned total, int beyond) {
  SmallVector<int, 32> order(total, beyond);
  std::iota(order.begin(), order.begin() + count, 0);
  return order;
}

bool narrowLoad(IntrinsicInst &load) {
  const unsigned count = firstLanes(load.getArgOperand(2));
  if (count == 0)
    return false;
  IRBuilder<> b(&load);
  auto *type = cast<FixedVectorType>(load.getType());
  Type *element = type->getElementType();
  const Align align = cast<ConstantInt>(load.getArgOperand(1))->getAlignValue();
  Value *others = load.getArgOperand(3), *result = nullptr;
  if (count == 1) {
    result = b.CreateInsertElement(others, b.CreateAlignedLoad(element, load.getArgOperand(0), align), uint64_t(0));
  } else {
    const unsigned lanes = type->getNumElements();
    Value *loaded = b.CreateAlignedLoad(FixedVectorType::get(element, count), load.getArgOperand(0), align);
    result = b.CreateShuffleVector(loaded, ascending(count, lanes, -1));
    if (!isa<UndefValue>(others)) {
      SmallVector<int, 32> order(lanes);
      for (unsigned lane = 0; lane < lanes; ++lane)
        order[lane] = static_cast<int>(lane < count ? lane : lanes + lane);
      result = b.CreateShuffleVector(result, others, order);
    }
  }
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
  return true;
}

bool narrowStore(IntrinsicInst &store) {
  const unsigned count = firstLanes(store.getArgOperand(3));
  if (count == 0)
    return false;
  IRBuilder<> b(&store);
  const Align align = cast<ConstantInt>(store.getArgOperand(2))->getAlignValue();
  Value *value = store.getArgOperand(0);
  Value *stored = count == 1 ? b.CreateExtractElement(value, uint64_t(0))
                             : b.CreateShuffleVector(value, ascending(count, count, -1));
  b.CreateAlignedStore(stored, store.getArgOperand(1), align);
  store.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses NarrowMasksPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      if (call->getIntrinsicID() == Intrinsic::masked_load)
        changed = narrowLoad(*call) || changed;
      else if (call->getIntrinsicID() == Intrinsic::masked_store)
        changed = narrowStore(*call) || changed;
    }
  return preservedControlFlow(changed);
}

} // namespace hiplz::cpu
