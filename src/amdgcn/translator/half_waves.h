// SPDX-License-Identifier: MIT
// Accesses by the halves of a wave. In work-groups of 16 x 16 each half is a row: neighbours, or lanes that all read one element. For the paths
// that are made in place (access_paths.cpp) and for the functions behind them (memory_access.cpp).
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace hiplz::amdgcn {

constexpr unsigned kLanesOfHalf = 16;

/// A value for each half of the lanes, as a vector.
inline llvm::Value *inHalves(llvm::IRBuilder<> &b, llvm::Value *low, llvm::Value *high) {
  llvm::SmallVector<int, 2 * kLanesOfHalf> from;
  for (unsigned lane = 0; lane < 2 * kLanesOfHalf; ++lane)
    from.push_back(lane < kLanesOfHalf ? 0 : 1);
  llvm::Value *pair = llvm::PoisonValue::get(llvm::FixedVectorType::get(low->getType(), 2));
  pair = b.CreateInsertElement(b.CreateInsertElement(pair, low, uint64_t{0}), high, uint64_t{1});
  return b.CreateShuffleVector(pair, from);
}

/// A constant for each lane: how far it is behind the first of its half, in steps of so many bytes.
inline llvm::Constant *stepsInHalves(llvm::Type *type, uint64_t bytes) {
  llvm::SmallVector<llvm::Constant *, 2 * kLanesOfHalf> steps;
  for (unsigned lane = 0; lane < 2 * kLanesOfHalf; ++lane)
    steps.push_back(llvm::ConstantInt::get(type, lane % kLanesOfHalf * bytes));
  return llvm::ConstantVector::get(steps);
}

/// Loads the active lanes of both halves from two places, or stores `stored` if there is any. Returns what was loaded.
inline llvm::Value *accessRows(llvm::IRBuilder<> &b, llvm::FixedVectorType *elements, llvm::Value *const (&places)[2],
                               llvm::Value *mask, llvm::Value *stored) {
  auto *type = llvm::FixedVectorType::get(elements->getElementType(), kLanesOfHalf);
  llvm::SmallVector<int, 2 * kLanesOfHalf> all;
  for (unsigned lane = 0; lane < 2 * kLanesOfHalf; ++lane)
    all.push_back(static_cast<int>(lane));
  llvm::Value *loaded[2] = {};
  for (const unsigned n : {0u, 1u}) {
    const llvm::ArrayRef<int> own = llvm::ArrayRef<int>(all).slice(n * kLanesOfHalf, kLanesOfHalf);
    llvm::Value *lanes = b.CreateShuffleVector(mask, own);
    if (stored)
      b.CreateMaskedStore(b.CreateShuffleVector(stored, own), places[n], llvm::Align(1), lanes);
    else
      loaded[n] = b.CreateMaskedLoad(type, places[n], llvm::Align(1), lanes, llvm::Constant::getNullValue(type));
  }
  return stored ? nullptr : b.CreateShuffleVector(loaded[0], loaded[1], all);
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
