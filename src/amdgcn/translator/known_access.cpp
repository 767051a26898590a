// SPDX-License-Identifier: MIT
// See known_access.h.
#include "amdgcn/translator/known_access.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/address_sum.h"
#include "amdgcn/translator/lane_rows.h"
#include "amdgcn/translator/late_copies.h"
#include "amdgcn/translator/number_halves.h"
#include "base/llvm_compat.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr uint64_t kWordBits = 32;
constexpr uint64_t kLineBytes = 64;
constexpr uint64_t kRowsAhead = 2;  ///< that are fetched
constexpr unsigned kFirstCache = 3; ///< in the words of the prefetch intrinsic
constexpr size_t kMostCopies = 64;  ///< of operations that compute the addresses of one access

} // namespace

KnownAccess::KnownAccess(CallInst &access, bool isStore, LanePatterns &patterns)
    : b_(&access), access_(access), patterns_(patterns), addresses_(access.getArgOperand(kAccessAddresses)),
      isStore_(isStore),
      elements_(cast<FixedVectorType>(isStore ? access.getArgOperand(kAccessElements)->getType() : access.getType())),
      bits_(b_.getInt32(~0u)) {}

// The vector that the call stores, or null. Other accesses that have been built may have replaced it.
Value *KnownAccess::storedBy(CallInst &call) const { return isStore_ ? call.getArgOperand(kAccessElements) : nullptr; }

bool KnownAccess::prepare(bool mayStep) {
  if (patterns_.hasStep(addresses_, elements_->getScalarSizeInBits() / 8))
    kind_ = Kind::neighbours;
  else if (!isStore_ && elements_->getScalarSizeInBits() == 2 * kWordBits &&
           patterns_.hasStep(addresses_, kWordBits / 8))
    kind_ = Kind::overlapping;
  else if (patterns_.isUniform(addresses_) && (!isStore_ || patterns_.rows() == 1))
    kind_ = Kind::uniform;
  else if (mayStep && patterns_.stepsOf(addresses_))
    kind_ = Kind::stepped;
  else
    return false;
  collectLanes(access_.getArgOperand(kAccessBits));
  if (!isStore_ && isLocal()) // what other lanes read is there as well, and nobody sees it
    bits_ = b_.getInt32(~0u);
  conditions_.push_back(patterns_.holds(addresses_));
  for (unsigned row = 0; row < patterns_.rows(); ++row) {
    const bool isSame = row > 0 && patterns_.first(addresses_, row) == patterns_.first(addresses_, 0);
    places_.push_back(isSame ? places_[0] : placeOf(row));
  }
  return true;
}

std::optional<uint64_t> KnownAccess::step() const {
  if (kind_ != Kind::stepped)
    return std::nullopt;
  const int64_t step = (*patterns_.stepsOf(addresses_))[1];
  return step > 0 && patterns_.hasStep(addresses_, step) ? std::optional(static_cast<uint64_t>(step)) : std::nullopt;
}

Value *KnownAccess::mapped(Value *value, const ValueToValueMapTy &copies) {
  Value *copy = copies.lookup(value);
  return copy ? copy : value;
}

SmallVector<Value *, 4> KnownAccess::mappedPlaces(const ValueToValueMapTy &copies) const {
  SmallVector<Value *, 4> places;
  for (Value *place : places_)
    places.push_back(mapped(place, copies));
  return places;
}

void KnownAccess::makePlain(CallInst &copy, const ValueToValueMapTy &copies) {
  const SmallVector<Value *, 4> places = mappedPlaces(copies);
  b_.SetInsertPoint(&copy);
  Value *stored = storedBy(copy), *result = nullptr;
  if (kind_ == Kind::neighbours)
    result = accessRows(b_, elements_, places, maskOf(b_.getInt32(~0u)), stored);
  else if (kind_ == Kind::stepped)
    result = goByLane(places, stored);
  else if (stored)
    b_.CreateAlignedStore(b_.CreateExtractElement(stored, uint64_t{kLanes - 1}), places[0], Align(1));
  else if (kind_ == Kind::uniform)
    result = loadRows(places, copy);
  else
    result = joined(loadWords(places, maskOf(b_.getInt32(~0u))));
  if (result)
    copy.replaceAllUsesWith(result);
  copy.eraseFromParent();
}

void KnownAccess::makeMasked(CallInst &copy, const ValueToValueMapTy &copies) {
  const SmallVector<Value *, 4> places = mappedPlaces(copies);
  b_.SetInsertPoint(&copy);
  Value *mask = maskOf(mapped(bits_, copies)), *result = nullptr;
  if (kind_ == Kind::neighbours)
    result = accessRows(b_, elements_, places, mask, storedBy(copy));
  else
    result = isUniform() ? loadRows(places, copy) : joined(loadWords(places, mask));
  if (result)
    copy.replaceAllUsesWith(result);
  copy.eraseFromParent();
}

Value *KnownAccess::maskOf(Value *bits) {
  auto *type = FixedVectorType::get(b_.getInt1Ty(), kLanes);
  if (auto *constant = dyn_cast<Constant>(bits))
    return ConstantExpr::getBitCast(constant, type);
  return b_.CreateBitCast(bits, type);
}

void KnownAccess::build() {
  b_.SetInsertPoint(&access_);
  if ((kind_ == Kind::overlapping || kind_ == Kind::stepped) && !match(bits_, m_AllOnes()))
    conditions_.push_back(b_.CreateICmpEQ(bits_, b_.getInt32(~0u)));
  activeRows(b_, conditions_);
  Value *condition = b_.getTrue();
  for (Value *own : conditions_)
    condition = match(condition, m_One()) ? own : b_.CreateAnd(condition, own);
  AccessWays ways(b_, access_);
  BasicBlock *known = ways.block("known");
  b_.CreateCondBr(condition, known, ways.call(), ways.likely());
  b_.SetInsertPoint(known);
  if (kind_ == Kind::overlapping)
    return loadOverlapping(ways);
  if (kind_ == Kind::neighbours)
    accessNeighbours(ways);
  else if (kind_ == Kind::stepped)
    ways.leave(goByLane(places_, storedBy(access_)));
  else
    ways.leave(isStore_ ? storeLast() : loadRows(places_, access_));
  ways.join();
}

// Processors see streams of their own accord, but not many short pieces of rows that lie far from each other. Any address will do, since
// prefetches have no faults.
bool KnownAccess::fetchNextRows() {
  if (kind_ != Kind::neighbours || isStore_ || isLocal())
    return false;
  const uint64_t bytes = uint64_t{elements_->getScalarSizeInBits()} / 8 * patterns_.rowLanes();
  for (Value *place : places_)
    for (uint64_t at = 0; at < bytes; at += kLineBytes)
      b_.CreateIntrinsic(Intrinsic::prefetch, {b_.getPtrTy()},
                         {b_.CreateConstGEP1_64(b_.getInt8Ty(), place, bytes * kRowsAhead + at), b_.getInt32(0),
                          b_.getInt32(kFirstCache), b_.getInt32(1)});
  return true;
}

// Operations on vectors that follow a pattern are copied.
size_t KnownAccess::moveAddressesToCall() {
  LateCopies copies(access_, kMostCopies);
  auto isCopied = [&](Instruction &operation) {
    const bool isPattern =
        patterns_.stepsOf(&operation) || (isa<BitCastInst>(operation) && patterns_.stepsOf(operation.getOperand(0)));
    const bool isPure = isa<BinaryOperator>(operation) || isa<CastInst>(operation) || isa<CmpInst>(operation) ||
                        isa<SelectInst>(operation) || isa<ShuffleVectorInst>(operation) ||
                        isa<IntrinsicInst>(operation);
    return isPattern && isPure;
  };
  for (const unsigned n : {kAccessAddresses, kAccessBits})
    access_.setArgOperand(n, copies.of(access_.getArgOperand(n), isCopied));
  return copies.size();
}

// The load of the address of local memory, if that is a part of the sum.
Instruction *KnownAccess::localMemory() const {
  auto *number = dyn_cast_or_null<PtrToIntInst>(AddressSum(addresses_).scalar);
  auto *pointer = number ? dyn_cast<LoadInst>(number->getPointerOperand()) : nullptr;
  return pointer && pointer->hasMetadata(kLocalMemory) ? pointer : nullptr;
}

// Offsets in local memory are sums of 32 bits. Both the sum and its constant are small, so the register is a small number as well, perhaps a negative
// one: then the sum is one of 64 bits, and accesses by one register are constants away from one place.
Value *KnownAccess::placeOf(unsigned row) {
  const AddressSum sum(addresses_);
  Instruction *local = localMemory();
  Value *offset, *part, *constant;
  if (!local || !match(sum.lanes, m_ZExt(m_Value(offset))) || !is_contained(bounded_, offset))
    return b_.CreateIntToPtr(patterns_.first(addresses_, row), b_.getPtrTy());
  int64_t added = 0;
  if (match(offset, m_Add(m_Value(part), m_Value(constant))))
    if (auto *number = dyn_cast_or_null<ConstantInt>(getSplatValue(constant));
        number && number->getValue().ult(kMostOffset)) {
      added = number->getSExtValue();
      offset = part;
    }
  Value *begin = b_.CreateGEP(b_.getInt8Ty(), local, b_.CreateSExt(patterns_.first(offset, row), b_.getInt64Ty()));
  return b_.CreateGEP(b_.getInt8Ty(), begin, b_.getInt64(static_cast<uint64_t>(added + sum.constant)));
}

// The lanes that take part, and the condition that all addresses lie in local memory, which nearly always do.
void KnownAccess::collectLanes(Value *lanes) {
  while (auto *cast = dyn_cast<BitCastInst>(lanes))
    lanes = cast->getOperand(0);
  Value *left, *right;
  if (match(lanes, m_And(m_Value(left), m_Value(right)))) {
    collectLanes(left);
    collectLanes(right);
    return;
  }
  MatchedPredicate predicate;
  const bool isBound = match(lanes, m_ICmp(predicate, m_Value(), m_Constant())) && predicate == ICmpInst::ICMP_ULE;
  if (isBound && lanes->getType()->isVectorTy() && patterns_.isUniform(lanes)) {
    if (auto *most = dyn_cast_or_null<ConstantInt>(getSplatValue(cast<Instruction>(lanes)->getOperand(1)));
        most && most->getValue().ult(kMostOffset))
      bounded_.push_back(cast<Instruction>(lanes)->getOperand(0));
    conditions_.push_back(patterns_.holds(lanes));
    for (unsigned row = 0; row < patterns_.rows(); ++row)
      conditions_.push_back(patterns_.first(lanes, row));
    return;
  }
  Value *own = b_.CreateBitCast(lanes, b_.getInt32Ty());
  bits_ = match(bits_, m_AllOnes()) ? own : b_.CreateAnd(bits_, own);
}

// An address that all lanes of a row have is read if some lane of it is active.
void KnownAccess::activeRows(IRBuilder<> &b, SmallVectorImpl<Value *> &conditions) const {
  if (!isUniform())
    return;
  const unsigned rowLanes = patterns_.rowLanes();
  const uint32_t row = rowLanes == kLanes ? ~0u : (1u << rowLanes) - 1;
  for (unsigned n = 0; n < patterns_.rows(); ++n)
    conditions.push_back(b.CreateICmpNE(b.CreateAnd(bits_, b.getInt32(row << n * rowLanes)), b.getInt32(0)));
}

// Each row of lanes is a piece of memory.
void KnownAccess::accessNeighbours(AccessWays &ways) {
  if (!isa<Constant>(bits_)) {
    BasicBlock *full = ways.block("full"), *part = ways.block("part");
    b_.CreateCondBr(b_.CreateICmpEQ(bits_, b_.getInt32(~0u)), full, part, ways.likely());
    b_.SetInsertPoint(part);
    ways.leave(accessRows(b_, elements_, places_, maskOf(bits_), storedBy(access_)));
    b_.SetInsertPoint(full);
    bits_ = b_.getInt32(~0u);
  }
  ways.leave(accessRows(b_, elements_, places_, maskOf(bits_), storedBy(access_)));
}

std::array<Value *, 2> KnownAccess::loadWords(ArrayRef<Value *> places, Value *mask) {
  auto *type = FixedVectorType::get(b_.getIntNTy(kWordBits), kLanes);
  std::array<Value *, 2> words{};
  for (const unsigned word : {0u, 1u}) {
    SmallVector<Value *, 4> rows;
    for (Value *place : places)
      rows.push_back(b_.CreateConstGEP1_64(b_.getInt8Ty(), place, word * kWordBits / 8));
    words[word] = accessRows(b_, type, rows, mask, nullptr);
  }
  return words;
}

Value *KnownAccess::joined(const std::array<Value *, 2> &words) {
  return b_.CreateOr(b_.CreateZExt(words[0], elements_), b_.CreateShl(b_.CreateZExt(words[1], elements_), kWordBits));
}

// Two words for each lane, each word of the row of lanes by itself. They go on as halves, as which they are used.
void KnownAccess::loadOverlapping(AccessWays &ways) {
  std::array<Value *, 2> halves = loadWords(places_, maskOf(b_.getInt32(~0u)));
  BasicBlock *known = b_.GetInsertBlock();
  b_.CreateBr(ways.done());
  b_.SetInsertPoint(ways.call()->getTerminator());
  Type *half = halves[0]->getType();
  Value *others[2] = {b_.CreateTrunc(&access_, half), b_.CreateTrunc(b_.CreateLShr(&access_, kWordBits), half)};
  b_.SetInsertPoint(ways.done(), ways.done()->begin());
  for (const unsigned word : {0u, 1u}) {
    PHINode *both = b_.CreatePHI(half, 2);
    both->addIncoming(halves[word], known);
    both->addIncoming(others[word], ways.call());
    halves[word] = both;
  }
  access_.replaceUsesWithIf(joined(halves), [&](Use &use) {
    return cast<Instruction>(use.getUser())->getParent() != ways.call(); // the halves are taken from the call
  });
}

// All lanes store at one address: lower ones first, so the highest stays.
Value *KnownAccess::storeLast() {
  Value *above = b_.CreateIntrinsic(Intrinsic::ctlz, {b_.getInt32Ty()}, {bits_, b_.getTrue()});
  Value *last = b_.CreateSub(b_.getInt32(kLanes - 1), above);
  return b_.CreateAlignedStore(b_.CreateExtractElement(storedBy(access_), last), places_[0], Align(1));
}

// All lanes one after the other, at distances that are constants. Gathers and scatters take longer: some processors make two or three times as
// many operations of them.
Value *KnownAccess::goByLane(ArrayRef<Value *> places, Value *stored) {
  const LanePatterns::Steps &steps = *patterns_.stepsOf(addresses_);
  Value *all = PoisonValue::get(elements_);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    Value *row = places[lane / patterns_.rowLanes()];
    Value *place = b_.CreateConstGEP1_64(b_.getInt8Ty(), row, static_cast<uint64_t>(steps[lane]));
    if (stored)
      b_.CreateAlignedStore(b_.CreateExtractElement(stored, uint64_t{lane}), place, Align(1));
    else
      all = b_.CreateInsertElement(all, b_.CreateAlignedLoad(elements_->getElementType(), place, Align(1)),
                                   uint64_t{lane});
  }
  return stored ? nullptr : all;
}

// An element for each row, word by word if that is how it is used.
Value *KnownAccess::loadRows(ArrayRef<Value *> places, const Value &call) {
  auto load = [&](Type *type, uint64_t offset) {
    SmallVector<Value *, 4> rows;
    for (Value *place : places)
      rows.push_back(b_.CreateAlignedLoad(type, b_.CreateConstGEP1_64(b_.getInt8Ty(), place, offset), Align(1)));
    return inRows(b_, rows);
  };
  Type *word = b_.getIntNTy(kWordBits);
  if (elements_->getScalarSizeInBits() == 2 * kWordBits && isUsedAsHalves(call))
    return joined({load(word, 0), load(word, kWordBits / 8)});
  return load(elements_->getElementType(), 0);
}

} // namespace hiplz::amdgcn
