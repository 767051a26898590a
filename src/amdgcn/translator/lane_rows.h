// SPDX-License-Identifier: MIT
// Accesses by rows of lanes, which are rows of the work-group. In work-groups of 16 x 16 each half of a wave is one: neighbours, or lanes that all
// read one element. For the paths that are made in place (access_paths.cpp) and for the functions behind them (memory_access.cpp).
#pragma once
#include "amdgcn/translator/lanes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

namespace hiplz::amdgcn {

/// A value for each row of lanes, as a vector.
inline llvm::Value *inRows(llvm::IRBuilder<> &b, llvm::ArrayRef<llvm::Value *> values) {
  const unsigned rows = static_cast<unsigned>(values.size()), rowLanes = kLanes / rows;
  llvm::Value *all = llvm::PoisonValue::get(llvm::FixedVectorType::get(values[0]->getType(), rows));
  for (unsigned row = 0; row < rows; ++row)
    all = b.CreateInsertElement(all, values[row], uint64_t{row});
  llvm::SmallVector<int, kLanes> from;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    from.push_back(static_cast<int>(lane / rowLanes));
  return b.CreateShuffleVector(all, from);
}

/// A value for each half of the lanes.
inline llvm::Value *inHalves(llvm::IRBuilder<> &b, llvm::Value *low, llvm::Value *high) {
  return inRows(b, {low, high});
}

/// A constant for each lane: how far it is behind the first of its half, in steps of so many bytes.
inline llvm::Constant *stepsInHalves(llvm::Type *type, uint64_t bytes) {
  llvm::SmallVector<llvm::Constant *, kLanes> steps;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    steps.push_back(llvm::ConstantInt::get(type, lane % kLanesOfHalf * bytes));
  return llvm::ConstantVector::get(steps);
}

/// Loads the active lanes of each row from a place of its own, or stores `stored` if there is any. Returns what was loaded.
inline llvm::Value *accessRows(llvm::IRBuilder<> &b, llvm::FixedVectorType *elements,
                               llvm::ArrayRef<llvm::Value *> places, llvm::Value *mask, llvm::Value *stored) {
  const unsigned rows = static_cast<unsigned>(places.size()), rowLanes = kLanes / rows;
  auto *type = llvm::FixedVectorType::get(elements->getElementType(), rowLanes);
  const bool isFull = llvm::PatternMatch::match(mask, llvm::PatternMatch::m_AllOnes());
  llvm::SmallVector<llvm::Value *, 4> loaded;
  for (unsigned row = 0; row < rows; ++row) {
    llvm::SmallVector<int, kLanes> own;
    for (unsigned lane = 0; lane < rowLanes; ++lane)
      own.push_back(static_cast<int>(row * rowLanes + lane));
    const auto part = [&](llvm::Value *all) { return rows > 1 ? b.CreateShuffleVector(all, own) : all; };
    if (stored && isFull)
      b.CreateAlignedStore(part(stored), places[row], llvm::Align(1));
    else if (stored)
      b.CreateMaskedStore(part(stored), places[row], llvm::Align(1), part(mask));
    else if (isFull && row > 0 && places[row] == places[0])
      loaded.push_back(loaded[0]);
    else if (isFull)
      loaded.push_back(b.CreateAlignedLoad(type, places[row], llvm::Align(1)));
    else
      loaded.push_back(
          b.CreateMaskedLoad(type, places[row], llvm::Align(1), part(mask), llvm::Constant::getNullValue(type)));
  }
  return stored ? nullptr : llvm::concatenateVectors(b, loaded);
}

/// True if the first lanes of both halves are active: only then their addresses may be read.
inline llvm::Value *areFirstActive(llvm::IRBuilder<> &b, llvm::Value *bits) {
  constexpr uint32_t kFirst = 1 | 1 << kLanesOfHalf;
  return b.CreateICmpEQ(b.CreateAnd(bits, kFirst), b.getInt32(kFirst));
}

/// Loads one element for each half.
inline llvm::Value *loadForHalves(llvm::IRBuilder<> &b, llvm::Type *element, llvm::Value *const (&places)[2]) {
  llvm::Value *low = b.CreateAlignedLoad(element, places[0], llvm::Align(1));
  return inHalves(b, low, b.CreateAlignedLoad(element, places[1], llvm::Align(1)));
}

} // namespace hiplz::amdgcn
