// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/row_access.h"

#include <llvm/IR/Module.h>

#include <numeric>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr uint64_t kNowhereBytes = 16; // no element is larger

SmallVector<int, 32> ascending(unsigned first, unsigned count) {
  SmallVector<int, 32> order(count);
  std::iota(order.begin(), order.end(), static_cast<int>(first));
  return order;
}

} // namespace

// Up to so many vectors are less than a gather.
bool RowAccess::hasFewRows() const {
  constexpr unsigned kMostRows = 4;
  return width_ / options_.rowLanes <= kMostRows;
}

bool RowAccess::liesInRows(const LaneAddress &at, int64_t size) const {
  const Shape shape = values_.shapeOf(at.pointer);
  return shape.isInRows() && shape.stride() == size && hasFewRows();
}

bool RowAccess::isSameInRows(const LaneAddress &at) const {
  return values_.shapeOf(at.pointer).isSameInRows() && hasFewRows();
}

// The value of the first lane of a row, which need not be there, as a scalar: the arithmetic behind an address is done once
// for each row beside the vectors, which LLVM drops where nobody else wants them.
Value *RowAccess::rowValue(const Value *value, unsigned row) {
  const Shape shape = values_.shapeOf(value);
  if (shape.isUniform())
    return values_.scalar(value);
  if (shape.isStrided())
    return values_.atLane(value, b_.getInt32(row * options_.rowLanes));
  if (Value *known = rowValues_.lookup({value, row}))
    return known;
  IRBuilder<>::InsertPointGuard guard(b_);
  Value *all = values_.vector(value);
  if (auto *definition = dyn_cast<Instruction>(all)) {
    if (isa<PHINode>(definition))
      b_.SetInsertPoint(definition->getParent(), definition->getParent()->getFirstInsertionPt());
    else
      b_.SetInsertPoint(definition->getParent(), std::next(definition->getIterator()));
  } else {
    b_.SetInsertPoint(context_.prologue->getTerminator());
  }
  auto *instruction = cast<Instruction>(value);
  if (!isa<BinaryOperator>(instruction) && !isa<CastInst>(instruction) && !isa<GetElementPtrInst>(instruction))
    return rowValues_[{value, row}] = b_.CreateExtractElement(all, uint64_t(row) * options_.rowLanes);
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

Value *RowAccess::rowAddress(const LaneAddress &at, unsigned row) {
  Value *address = rowValue(at.pointer, row);
  return at.offset ? b_.CreateGEP(b_.getInt8Ty(), address, b_.getInt64(static_cast<uint64_t>(at.offset))) : address;
}

Value *RowAccess::rowMask(unsigned row) {
  return mask_ ? b_.CreateShuffleVector(mask_, ascending(row * options_.rowLanes, options_.rowLanes)) : nullptr;
}

// A row without lanes reads a constant instead.
Value *RowAccess::loadSame(Type *type, const LaneAddress &from) {
  Value *result = nullptr;
  for (unsigned row = 0; row * options_.rowLanes < width_; ++row) {
    Value *address = rowAddress(from, row);
    if (Value *mask = rowMask(row)) {
      Value *bits = b_.CreateBitCast(mask, b_.getIntNTy(options_.rowLanes));
      address = b_.CreateSelect(b_.CreateIsNotNull(bits), address, nowhere());
    }
    Value *wide =
        b_.CreateVectorSplat(width_, b_.CreateAlignedLoad(type, address, std::min(from.align, Align(kNowhereBytes))));
    result = result ? mergeRow(result, wide, row) : wide;
  }
  return result;
}

// Memory that any load may read.
Constant *RowAccess::nowhere() {
  constexpr char kName[] = "hiplz.nowhere";
  Module &module = *body_.getParent();
  if (GlobalVariable *present = module.getNamedGlobal(kName))
    return present;
  Type *type = ArrayType::get(b_.getInt8Ty(), kNowhereBytes);
  auto *made = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, Constant::getNullValue(type), kName);
  made->setAlignment(Align(kNowhereBytes));
  return made;
}

Value *RowAccess::mergeRow(Value *rows, Value *wide, unsigned row) {
  SmallVector<int, 32> merge = ascending(0, width_);
  for (unsigned lane = row * options_.rowLanes; lane < (row + 1) * options_.rowLanes; ++lane)
    merge[lane] = static_cast<int>(width_ + lane);
  return b_.CreateShuffleVector(rows, wide, merge);
}

Value *RowAccess::load(Type *type, const LaneAddress &from) {
  Type *rowType = FixedVectorType::get(type, options_.rowLanes);
  Value *result = nullptr;
  for (unsigned row = 0; row * options_.rowLanes < width_; ++row) {
    Value *address = rowAddress(from, row), *mask = rowMask(row);
    Value *loaded =
        mask ? maskedLoad(b_, rowType, address, from.align, mask) : b_.CreateAlignedLoad(rowType, address, from.align);
    SmallVector<int, 32> widen = ascending(0, width_);
    for (unsigned lane = 0; lane < width_; ++lane)
      widen[lane] = lane / options_.rowLanes == row ? static_cast<int>(lane % options_.rowLanes) : -1;
    Value *wide = b_.CreateShuffleVector(loaded, widen);
    result = result ? mergeRow(result, wide, row) : wide;
  }
  return result;
}

void RowAccess::store(Value *value, const LaneAddress &to) {
  for (unsigned row = 0; row * options_.rowLanes < width_; ++row) {
    Value *address = rowAddress(to, row), *mask = rowMask(row);
    Value *part = b_.CreateShuffleVector(value, ascending(row * options_.rowLanes, options_.rowLanes));
    if (mask)
      maskedStore(b_, part, address, to.align, mask);
    else
      b_.CreateAlignedStore(part, address, to.align);
  }
}

} // namespace hiplz::cpu
