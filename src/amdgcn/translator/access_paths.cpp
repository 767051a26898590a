// SPDX-License-Identifier: MIT
// See access_paths.h. A call lets no vector register live, so it is left to lanes whose addresses have no order. The order is looked for in the
// registers of 32 bits that addresses are made of. Lane 0 need not be active: if the others go by its address, it is right for them, and no
// lane that is not active is read or written.
#include "amdgcn/translator/access_paths.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/access_ways.h"
#include "amdgcn/translator/known_access.h"
#include "amdgcn/translator/lane_patterns.h"
#include "amdgcn/translator/lane_rows.h"
#include "amdgcn/translator/rows_only.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr size_t kMostCopiesInAll = 1500; ///< of a function
constexpr size_t kMostAccesses = 160;     ///< of a function, for which code is made in place
constexpr size_t kMostStepped = 16;       ///< of a function, that go lane by lane in place
constexpr size_t kMostFetched = 24;       ///< of a function, that fetch the rows behind them
constexpr size_t kMostGathered = 16;      ///< of a function, that gather in place
constexpr size_t kMostHalves = 80;        ///< of a function, for which that code looks at halves of the lanes as well

class AccessPaths {
public:
  /// `gathers`: what has no order is gathered in place if several lanes take part, and the processor can.
  AccessPaths(CallInst &access, bool isStore, bool looksAtHalves, bool gathers)
      : b_(&access), access_(access), isStore_(isStore), looksAtHalves_(looksAtHalves),
        gathers_(gathers && !isStore && gathersLanes(*access.getCalledFunction())),
        bits_(access.getArgOperand(kAccessBits)),
        elements_(cast<FixedVectorType>(isStore ? access.getArgOperand(kAccessElements)->getType() : access.getType())),
        bytes_(elements_->getScalarSizeInBits() / 8) {}

  void build() {
    takeApart(access_.getArgOperand(kAccessAddresses));
    AccessWays ways(b_, access_);
    unordered_ = gathers_ ? ways.block("unordered") : ways.call();
    BasicBlock *ordered = ways.block("ordered");
    b_.CreateCondBr(mayBeOrdered(), ordered, unordered_);
    b_.SetInsertPoint(ordered);
    Value *isRow = follows(bytes_);
    Value *same = nullptr;
    if (!isStore_ && bytes_ >= 4)
      same = b_.CreateAnd(follows(0), b_.CreateICmpNE(bits_, b_.getInt32(0)));
    Value *first = firstAddress(), *isFull = b_.CreateICmpEQ(bits_, b_.getInt32(~0u));
    BasicBlock *row = ways.block("row"), *full = ways.block("full"), *part = ways.block("part"),
               *other = ways.block("other");
    b_.CreateCondBr(isRow, row, other, ways.likely());
    b_.SetInsertPoint(row);
    Value *place = b_.CreateIntToPtr(first, b_.getPtrTy());
    b_.CreateCondBr(isFull, full, part, ways.likely());
    b_.SetInsertPoint(full);
    ways.leave(
        isStore_ ? static_cast<Value *>(b_.CreateAlignedStore(access_.getArgOperand(kAccessElements), place, Align(1)))
                 : b_.CreateAlignedLoad(elements_, place, Align(1)));
    b_.SetInsertPoint(part);
    Value *mask = b_.CreateBitCast(bits_, FixedVectorType::get(b_.getInt1Ty(), kLanes));
    ways.leave(isStore_ ? b_.CreateMaskedStore(access_.getArgOperand(kAccessElements), place, Align(1), mask)
                        : b_.CreateMaskedLoad(elements_, place, Align(1), mask, Constant::getNullValue(elements_)));
    b_.SetInsertPoint(other);
    if (same) {
      BasicBlock *one = ways.block("one"), *parted = looksAtHalves_ ? ways.block("parted") : unordered_;
      b_.CreateCondBr(same, one, parted);
      b_.SetInsertPoint(one);
      place = b_.CreateIntToPtr(first, b_.getPtrTy());
      Value *loaded = b_.CreateAlignedLoad(elements_->getElementType(), place, Align(1));
      ways.leave(b_.CreateVectorSplat(kLanes, loaded));
      b_.SetInsertPoint(parted);
    }
    if (looksAtHalves_)
      halves(ways);
    else if (!same)
      b_.CreateBr(unordered_);
    if (gathers_)
      gather(ways);
    ways.join();
  }

private:
  /// The addresses as a scalar and what differs by lane.
  void takeApart(Value *addresses) {
    base_ = b_.getInt64(0);
    for (Value *left, *right; match(addresses, m_Add(m_Value(left), m_Value(right)));) {
      Value *scalar = getSplatValue(right);
      if (!scalar) {
        scalar = getSplatValue(left);
        std::swap(left, right);
      }
      if (!scalar)
        break;
      base_ = b_.CreateAdd(base_, scalar);
      addresses = left;
    }
    Value *low, *high;
    if (match(addresses, m_ZExt(m_Value(low))) && low->getType()->getScalarType()->isIntegerTy(32)) {
      parts_ = {low};
    } else if (match(addresses, m_c_Or(m_ZExt(m_Value(low)), m_Shl(m_ZExt(m_Value(high)), m_SpecificInt(32)))) &&
               low->getType()->getScalarType()->isIntegerTy(32) && high->getType() == low->getType()) {
      parts_ = {low, high};
    } else {
      parts_ = {addresses};
    }
    for (Value *part : parts_)
      first_.push_back(b_.CreateExtractElement(part, uint64_t{0}));
  }

  /// False if the first two lanes are there and have no order that is looked for, which spares all tests of vectors.
  Value *mayBeOrdered() {
    Value *step = b_.CreateSub(b_.CreateExtractElement(parts_[0], uint64_t{1}), first_[0]);
    Value *isStep = b_.CreateOr(b_.CreateICmpEQ(step, ConstantInt::get(step->getType(), 0)),
                                b_.CreateICmpEQ(step, ConstantInt::get(step->getType(), bytes_)));
    constexpr uint32_t kFirstTwo = 3;
    return b_.CreateOr(isStep, b_.CreateICmpNE(b_.CreateAnd(bits_, kFirstTwo), b_.getInt32(kFirstTwo)));
  }

  /// True if the address of each active lane is so many bytes behind the one of the lane before.
  Value *follows(uint64_t bytes) {
    Type *type = parts_[0]->getType()->getScalarType();
    SmallVector<Constant *, kLanes> steps;
    for (uint64_t lane = 0; lane < kLanes; ++lane)
      steps.push_back(ConstantInt::get(type, lane * bytes));
    Value *expected = b_.CreateAdd(b_.CreateVectorSplat(kLanes, first_[0]), ConstantVector::get(steps));
    Value *differs = b_.CreateICmpNE(parts_[0], expected);
    if (parts_.size() > 1)
      differs = b_.CreateOr(differs, b_.CreateICmpNE(parts_[1], b_.CreateVectorSplat(kLanes, first_[1])));
    differs = b_.CreateAnd(b_.CreateBitCast(differs, b_.getInt32Ty()), bits_);
    Value *result = b_.CreateICmpEQ(differs, b_.getInt32(0));
    // The low half must not begin again at 0 on the way.
    const uint64_t way = (kLanes - 1) * bytes;
    if (type->isIntegerTy(32) && way > 0)
      result = b_.CreateAnd(result, b_.CreateICmpULE(first_[0], b_.getInt32(static_cast<uint32_t>(~way))));
    return result;
  }

  Value *firstAddress() { return addressOf(first_); }

  Value *addressOf(ArrayRef<Value *> parts) {
    Value *address = b_.CreateZExt(parts[0], b_.getInt64Ty());
    if (parts.size() > 1)
      address = b_.CreateOr(address, b_.CreateShl(b_.CreateZExt(parts[1], b_.getInt64Ty()), 32));
    return b_.CreateAdd(base_, address);
  }

  /// As follows(), for each half of the lanes by itself; `second` are the parts of the address of lane 16.
  Value *followsInHalves(uint64_t bytes, ArrayRef<Value *> second) {
    Type *type = parts_[0]->getType()->getScalarType();
    Value *expected = b_.CreateAdd(inHalves(b_, first_[0], second[0]), stepsInHalves(type, bytes));
    Value *differs = b_.CreateICmpNE(parts_[0], expected);
    if (parts_.size() > 1)
      differs = b_.CreateOr(differs, b_.CreateICmpNE(parts_[1], inHalves(b_, first_[1], second[1])));
    differs = b_.CreateAnd(b_.CreateBitCast(differs, b_.getInt32Ty()), bits_);
    Value *result = b_.CreateICmpEQ(differs, b_.getInt32(0));
    const uint64_t way = (kLanesOfHalf - 1) * bytes;
    if (type->isIntegerTy(32) && way > 0)
      for (Value *first : {first_[0], second[0]})
        result = b_.CreateAnd(result, b_.CreateICmpULE(first, b_.getInt32(static_cast<uint32_t>(~way))));
    return result;
  }

  /// As lane_rows.h says.
  void halves(AccessWays &ways) {
    SmallVector<Value *, 2> second;
    for (Value *part : parts_)
      second.push_back(b_.CreateExtractElement(part, uint64_t{kLanesOfHalf}));
    Value *places[2] = {firstAddress(), addressOf(second)};
    for (Value *&place : places)
      place = b_.CreateIntToPtr(place, b_.getPtrTy());
    BasicBlock *rows = ways.block("two.rows"), *others = isStore_ ? unordered_ : ways.block("others");
    b_.CreateCondBr(followsInHalves(bytes_, second), rows, others);
    b_.SetInsertPoint(rows);
    Value *mask = b_.CreateBitCast(bits_, FixedVectorType::get(b_.getInt1Ty(), kLanes));
    ways.leave(accessRows(b_, elements_, places, mask, isStore_ ? access_.getArgOperand(kAccessElements) : nullptr));
    if (isStore_)
      return;
    b_.SetInsertPoint(others);
    BasicBlock *two = ways.block("two.elements");
    b_.CreateCondBr(b_.CreateAnd(areFirstActive(b_, bits_), followsInHalves(0, second)), two, unordered_);
    b_.SetInsertPoint(two);
    ways.leave(loadForHalves(b_, elements_->getElementType(), places));
  }

  /// Without a call, vectors stay in registers. A lone lane is faster by itself.
  void gather(AccessWays &ways) {
    b_.SetInsertPoint(unordered_);
    BasicBlock *several = ways.block("gather");
    Value *others = b_.CreateAnd(bits_, b_.CreateSub(bits_, b_.getInt32(1)));
    b_.CreateCondBr(b_.CreateICmpNE(others, b_.getInt32(0)), several, ways.call());
    b_.SetInsertPoint(several);
    Value *places =
        b_.CreateIntToPtr(access_.getArgOperand(kAccessAddresses), FixedVectorType::get(b_.getPtrTy(), kLanes));
    Value *mask = b_.CreateBitCast(bits_, FixedVectorType::get(b_.getInt1Ty(), kLanes));
    ways.leave(b_.CreateMaskedGather(elements_, places, Align(1), mask, Constant::getNullValue(elements_)));
  }

  /// True if the function of the call gathers.
  static bool gathersLanes(Function &function) {
    return any_of(instructions(function), [](const Instruction &instruction) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      return call && call->getIntrinsicID() == Intrinsic::masked_gather;
    });
  }

  IRBuilder<> b_;
  CallInst &access_;
  const bool isStore_, looksAtHalves_, gathers_;
  Value *bits_;
  FixedVectorType *elements_;
  const uint64_t bytes_;
  Value *base_ = nullptr;
  BasicBlock *unordered_ = nullptr;       // of addresses without an order
  SmallVector<Value *, 2> parts_, first_; // 32 bits, two halves of 32 bits, or 64 bits; and those of lane 0
};

} // namespace

bool inlineAccessPaths(Function &wave, unsigned rowLanes) {
  SmallVector<std::pair<CallInst *, bool>, 32> accesses;
  removeUnreachableBlocks(wave);
  for (Instruction &instruction : instructions(wave))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && (isLoadOfLanes(*call) || isStoreOfLanes(*call)))
      accesses.emplace_back(call, isStoreOfLanes(*call));
  if (accesses.size() > kMostAccesses)
    return false;
  LanePatterns patterns(wave, rowLanes);
  const bool looksAtHalves = accesses.size() <= kMostHalves;
  KnownAccesses known;
  size_t stepped = 0, fetched = 0;
  for (const auto &[call, isStore] : accesses)
    if (auto access = std::make_unique<KnownAccess>(*call, isStore, patterns);
        access->prepare(stepped < kMostStepped)) {
      stepped += access->isStepped();
      if (fetched < kMostFetched)
        fetched += access->fetchNextRows();
      known[call] = std::move(access);
    }
  const bool rowsOnly = accessesRowsOnly(wave, known);
  buildKnownAccesses(wave, known);
  size_t copies = 0;
  size_t gathered = 0;
  for (const auto &[call, isStore] : accesses)
    if (const auto access = known.find(call); access == known.end()) {
      AccessPaths(*call, isStore, looksAtHalves, gathered++ < kMostGathered).build();
    } else if (copies < kMostCopiesInAll) {
      copies += access->second->moveAddressesToCall();
    }
  return rowsOnly;
}

} // namespace hiplz::amdgcn
