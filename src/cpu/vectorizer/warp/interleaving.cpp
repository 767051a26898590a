// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/interleaving.h"

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Vectors of so many elements are transposed in steps that deal with two vectors of lanes each, like a fast Fourier transform: count *
// log2(count) shuffles. One shuffle of all of it for each element, which LLVM makes count shuffles of, is for few or odd numbers.
bool isTransposedInSteps(unsigned count) { return count > 4 && isPowerOf2_32(count); }

SmallVector<int, 64> everySecond(unsigned first, unsigned count) {
  SmallVector<int, 64> order;
  for (unsigned i = 0; i < count; ++i)
    order.push_back(static_cast<int>(first + 2 * i));
  return order;
}

// As many streams as there are vectors, whose elements take turns; each stream as one vector.
SmallVector<Value *, 16> separated(IRBuilder<> &b, ArrayRef<Value *> vectors, unsigned width) {
  if (vectors.size() == 1)
    return {vectors[0]};
  SmallVector<Value *, 16> streams(vectors.size());
  for (unsigned odd : {0u, 1u}) {
    SmallVector<Value *, 16> half;
    for (size_t i = 0; i < vectors.size(); i += 2)
      half.push_back(b.CreateShuffleVector(vectors[i], vectors[i + 1], everySecond(odd, width)));
    const auto whole = separated(b, half, width);
    for (size_t i = 0; i < whole.size(); ++i)
      streams[2 * i + odd] = whole[i];
  }
  return streams;
}

// The reverse.
SmallVector<Value *, 16> takingTurns(IRBuilder<> &b, ArrayRef<Value *> streams, unsigned width) {
  if (streams.size() == 1)
    return {streams[0]};
  SmallVector<Value *, 16> halves[2], vectors;
  for (unsigned odd : {0u, 1u}) {
    SmallVector<Value *, 16> half;
    for (size_t i = odd; i < streams.size(); i += 2)
      half.push_back(streams[i]);
    halves[odd] = takingTurns(b, half, width);
  }
  for (size_t i = 0; i < halves[0].size(); ++i)
    for (unsigned first : {0u, width / 2}) {
      SmallVector<int, 64> order;
      for (unsigned lane = first; lane < first + width / 2; ++lane)
        order.append({static_cast<int>(lane), static_cast<int>(width + lane)});
      vectors.push_back(b.CreateShuffleVector(halves[0][i], halves[1][i], order));
    }
  return vectors;
}

// Elements of 16 bits are moved as integers: LLVM takes vectors of halfs apart to shuffle them, unless the processor computes with these.
Value *asMovable(IRBuilder<> &b, Value *vector) {
  Type *element = vector->getType()->getScalarType();
  const bool isHalf = element->isHalfTy() || element->isBFloatTy();
  return isHalf ? b.CreateBitCast(vector, vector->getType()->getWithNewType(b.getInt16Ty())) : vector;
}

} // namespace

SmallVector<Value *, 16> separate(IRBuilder<> &b, Value *all, unsigned count) {
  const unsigned width = cast<FixedVectorType>(all->getType())->getNumElements() / count;
  Type *type = FixedVectorType::get(all->getType()->getScalarType(), width);
  all = asMovable(b, all);
  SmallVector<Value *, 16> parts;
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<int, 64> pick;
    for (unsigned lane = 0; lane < width; ++lane)
      pick.push_back(static_cast<int>(isTransposedInSteps(count) ? i * width + lane : lane * count + i));
    parts.push_back(b.CreateShuffleVector(all, pick));
  }
  if (isTransposedInSteps(count))
    parts = separated(b, parts, width);
  for (Value *&part : parts)
    part = b.CreateBitCast(part, type);
  return parts;
}

Value *interleaved(IRBuilder<> &b, ArrayRef<Value *> elements) {
  const unsigned width = cast<FixedVectorType>(elements[0]->getType())->getNumElements();
  const auto count = static_cast<unsigned>(elements.size());
  SmallVector<Value *, 16> vectors;
  for (Value *element : elements)
    vectors.push_back(asMovable(b, element));
  Type *type = FixedVectorType::get(elements[0]->getType()->getScalarType(), count * width);
  if (isTransposedInSteps(count)) {
    SmallVector<Value *, 16> parts = takingTurns(b, vectors, width);
    for (unsigned length = width; parts.size() > 1; length *= 2) {
      SmallVector<int, 64> both;
      for (unsigned i = 0; i < 2 * length; ++i)
        both.push_back(static_cast<int>(i));
      SmallVector<Value *, 16> longer;
      for (size_t i = 0; i < parts.size(); i += 2)
        longer.push_back(b.CreateShuffleVector(parts[i], parts[i + 1], both));
      parts = std::move(longer);
    }
    return b.CreateBitCast(parts[0], type);
  }
  Value *all = PoisonValue::get(FixedVectorType::get(vectors[0]->getType()->getScalarType(), count * width));
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<int, 64> widen, merge;
    for (unsigned k = 0; k < count * width; ++k) {
      widen.push_back(k < width ? static_cast<int>(k) : -1);
      merge.push_back(static_cast<int>(k % count == i ? count * width + k / count : k));
    }
    all = b.CreateShuffleVector(all, b.CreateShuffleVector(vectors[i], widen), merge);
  }
  return b.CreateBitCast(all, type);
}

} // namespace hiplz::cpu
