// SPDX-License-Identifier: MIT
// Loads and stores of elements that lie side by side within each row of a warp (LaneLayout::folded): a shorter vector
// for each row.
#include "cpu/vectorizer/warp_builder.h"

#include <llvm/IR/Module.h>

#include <numeric>

using namespace llvm;

namespace hiplz::cpu {
namespace {

SmallVector<int, 32> ascending(unsigned first, unsigned count) {
  SmallVector<int, 32> order(count);
  std::iota(order.begin(), order.end(), static_cast<int>(first));
  return order;
}

} // namespace

// Up to so many vectors are less than a gather.
bool WarpBuilder::liesInRows(const Address &at, int64_t size) const {
  constexpr unsigned kMostRows = 4;
  const Shape shape = shapeOf(at.pointer);
  return shape.isInRows() && shape.stride() == size && width_ / rowLanes_ <= kMostRows;
}

// What the first lane of a row has, which need not be there, as a scalar: the arithmetic behind an address is done once
// for each row beside the vectors, which LLVM drops where nobody else wants them.
Value *WarpBuilder::rowValue(const Value *value, unsigned row) {
  const Shape shape = shapeOf(value);
  if (shape.isUniform())
    return scalar(value);
  if (shape.isStrided())
    return atLane(value, b_.getInt32(row * rowLanes_));
  if (Value *known = rowValues_.lookup({value, row}))
    return known;
  IRBuilder<>::InsertPointGuard guard(b_);
  Value *all = vector(value);
  if (auto *definition = dyn_cast<Instruction>(all)) {
    if (isa<PHINode>(definition))
      b_.SetInsertPoint(definition->getParent(), definition->getParent()->getFirstInsertionPt());
    else
      b_.SetInsertPoint(definition->getParent(), std::next(definition->getIterator()));
  } else {
    b_.SetInsertPoint(prologue_->getTerminator());
  }
  auto *instruction = cast<Instruction>(value);
  if (!isa<BinaryOperator>(instruction) && !isa<CastInst>(instruction) && !isa<GetElementPtrInst>(instruction))
    return rowValues_[{value, row}] = b_.CreateExtractElement(all, uint64_t(row) * rowLanes_);
  Instruction *copy = instruction->clone();
  copy->dropPoisonGeneratingFlags();
  SmallVector<Value *, 4> operands;
  for (const Use &operand : instruction->operands())
    operands.push_back(rowValue(operand, row));
  for (unsigned i = 0; i < operands.size(); ++i)
    copy->setOperand(i, operands[i]);
  b_.Insert(copy);
  return rowValues_[{value, row}] = copy;
}

Value *WarpBuilder::rowAddress(const Address &at, unsigned row) {
  Value *address = rowValue(at.pointer, row);
  return at.offset ? b_.CreateGEP(b_.getInt8Ty(), address, b_.getInt64(static_cast<uint64_t>(at.offset))) : address;
}

Value *WarpBuilder::rowMask(unsigned row) {
  return mask_ ? b_.CreateShuffleVector(mask_, ascending(row * rowLanes_, rowLanes_)) : nullptr;
}

Value *WarpBuilder::loadRows(Type *type, const Address &from) {
  Type *rowType = FixedVectorType::get(type, rowLanes_);
  Value *result = nullptr;
  for (unsigned row = 0; row * rowLanes_ < width_; ++row) {
    Value *address = rowAddress(from, row), *mask = rowMask(row);
    Value *loaded =
        mask ? maskedLoad(rowType, address, from.align, mask) : b_.CreateAlignedLoad(rowType, address, from.align);
    SmallVector<int, 32> widen = ascending(0, width_);
    for (unsigned lane = 0; lane < width_; ++lane)
      widen[lane] = lane / rowLanes_ == row ? static_cast<int>(lane % rowLanes_) : -1;
    Value *wide = b_.CreateShuffleVector(loaded, widen);
    if (!result) {
      result = wide;
      continue;
    }
    SmallVector<int, 32> merge = ascending(0, width_);
    for (unsigned lane = row * rowLanes_; lane < (row + 1) * rowLanes_; ++lane)
      merge[lane] = static_cast<int>(width_ + lane);
    result = b_.CreateShuffleVector(result, wide, merge);
  }
  return result;
}

void WarpBuilder::storeRows(Value *value, const Address &to) {
  for (unsigned row = 0; row * rowLanes_ < width_; ++row) {
    Value *address = rowAddress(to, row), *mask = rowMask(row);
    Value *part = b_.CreateShuffleVector(value, ascending(row * rowLanes_, rowLanes_));
    if (mask)
      maskedStore(part, address, to.align, mask);
    else
      b_.CreateAlignedStore(part, address, to.align);
  }
}

} // namespace hiplz::cpu
