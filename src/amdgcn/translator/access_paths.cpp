// SPDX-License-Identifier: MIT
// See access_paths.h. A call lets no vector register live, so it is left to lanes whose addresses have no order. The order is looked for in the
// registers of 32 bits that addresses are made of. Lane 0 need not be active: if the others go by its address, it is right for them, and no
// lane that is not active is read or written.
#include "amdgcn/translator/access_paths.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/lane_patterns.h"
#include "amdgcn/translator/lane_rows.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr unsigned kLanes = LanePatterns::kLanes;
constexpr uint64_t kWordBits = 32;
constexpr unsigned kMostCopies = 64;        ///< of operations that compute the addresses of one access
constexpr unsigned kMostCopiesInAll = 1500; ///< of a function
constexpr size_t kMostAccesses = 160;       ///< of a function, for which code is made in place
constexpr size_t kMostHalves = 80;          ///< of a function, for which that code looks at halves of the lanes as well

class AccessPaths {
public:
  AccessPaths(CallInst &access, bool isStore, bool looksAtHalves)
      : b_(&access), access_(access), isStore_(isStore), looksAtHalves_(looksAtHalves),
        bits_(access.getArgOperand(kAccessBits)),
        elements_(cast<FixedVectorType>(isStore ? access.getArgOperand(kAccessElements)->getType() : access.getType())),
        bytes_(elements_->getScalarSizeInBits() / 8) {}

  void build() {
    takeApart(access_.getArgOperand(kAccessAddresses));
    Value *isRow = follows(bytes_);
    Value *same = nullptr;
    if (!isStore_ && bytes_ >= 4)
      same = b_.CreateAnd(follows(0), b_.CreateICmpNE(bits_, b_.getInt32(0)));
    Value *first = firstAddress(), *isFull = b_.CreateICmpEQ(bits_, b_.getInt32(~0u));
    BasicBlock *head = access_.getParent(), *slow = head->splitBasicBlock(access_.getIterator(), "scattered");
    BasicBlock *done = slow->splitBasicBlock(std::next(access_.getIterator()), "accessed");
    head->getTerminator()->eraseFromParent();
    BasicBlock *row = block("row", slow), *full = block("full", slow), *part = block("part", slow),
               *other = block("other", slow);
    b_.SetInsertPoint(head);
    b_.CreateCondBr(isRow, row, other, likely());
    b_.SetInsertPoint(row);
    Value *place = b_.CreateIntToPtr(first, b_.getPtrTy());
    b_.CreateCondBr(isFull, full, part, likely());
    b_.SetInsertPoint(full);
    leave(done, isStore_ ? static_cast<Value *>(
                               b_.CreateAlignedStore(access_.getArgOperand(kAccessElements), place, Align(1)))
                         : b_.CreateAlignedLoad(elements_, place, Align(1)));
    b_.SetInsertPoint(part);
    Value *mask = b_.CreateBitCast(bits_, FixedVectorType::get(b_.getInt1Ty(), kLanes));
    leave(done, isStore_ ? b_.CreateMaskedStore(access_.getArgOperand(kAccessElements), place, Align(1), mask)
                         : b_.CreateMaskedLoad(elements_, place, Align(1), mask, Constant::getNullValue(elements_)));
    b_.SetInsertPoint(other);
    if (same) {
      BasicBlock *one = block("one", slow), *parted = looksAtHalves_ ? block("parted", slow) : slow;
      b_.CreateCondBr(same, one, parted);
      b_.SetInsertPoint(one);
      place = b_.CreateIntToPtr(first, b_.getPtrTy());
      Value *loaded = b_.CreateAlignedLoad(elements_->getElementType(), place, Align(1));
      leave(done, b_.CreateVectorSplat(kLanes, loaded));
      b_.SetInsertPoint(parted);
    }
    if (looksAtHalves_)
      halves(slow, done);
    else if (!same)
      b_.CreateBr(slow);
    if (isStore_)
      return;
    b_.SetInsertPoint(done, done->begin());
    PHINode *result = b_.CreatePHI(elements_, 4);
    access_.replaceAllUsesWith(result);
    for (const auto &[from, value] : results_)
      result->addIncoming(value, from);
    result->addIncoming(&access_, slow);
  }

private:
  BasicBlock *block(const char *name, BasicBlock *before) {
    return BasicBlock::Create(b_.getContext(), name, before->getParent(), before);
  }

  MDNode *likely() { return MDBuilder(b_.getContext()).createBranchWeights(64, 1); }

  void leave(BasicBlock *done, Value *value) {
    results_.emplace_back(b_.GetInsertBlock(), value);
    b_.CreateBr(done);
  }

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
  void halves(BasicBlock *slow, BasicBlock *done) {
    SmallVector<Value *, 2> second;
    for (Value *part : parts_)
      second.push_back(b_.CreateExtractElement(part, uint64_t{kLanesOfHalf}));
    Value *places[2] = {firstAddress(), addressOf(second)};
    for (Value *&place : places)
      place = b_.CreateIntToPtr(place, b_.getPtrTy());
    BasicBlock *rows = block("two.rows", slow), *others = isStore_ ? slow : block("others", slow);
    b_.CreateCondBr(followsInHalves(bytes_, second), rows, others);
    b_.SetInsertPoint(rows);
    Value *mask = b_.CreateBitCast(bits_, FixedVectorType::get(b_.getInt1Ty(), kLanes));
    leave(done, accessRows(b_, elements_, places, mask, isStore_ ? access_.getArgOperand(kAccessElements) : nullptr));
    if (isStore_)
      return;
    b_.SetInsertPoint(others);
    BasicBlock *two = block("two.elements", slow);
    b_.CreateCondBr(b_.CreateAnd(areFirstActive(b_, bits_), followsInHalves(0, second)), two, slow);
    b_.SetInsertPoint(two);
    leave(done, loadForHalves(b_, elements_->getElementType(), places));
  }

  IRBuilder<> b_;
  CallInst &access_;
  const bool isStore_, looksAtHalves_;
  Value *bits_;
  FixedVectorType *elements_;
  const uint64_t bytes_;
  Value *base_ = nullptr;
  SmallVector<Value *, 2> parts_, first_; // 32 bits, two halves of 32 bits, or 64 bits; and those of lane 0
  SmallVector<std::pair<BasicBlock *, Value *>, 4> results_;
};

/// An access of addresses that follow a known pattern: neighbours in each row of lanes, pairs of words of which each lane has the second one in
/// common with the next (compilers join the loads of a[i - 1] and a[i]), or one address for each row.
class KnownAccess {
public:
  KnownAccess(CallInst &access, bool isStore, LanePatterns &patterns)
      : b_(&access), access_(access), patterns_(patterns), addresses_(access.getArgOperand(kAccessAddresses)),
        stored_(isStore ? access.getArgOperand(kAccessElements) : nullptr),
        elements_(cast<FixedVectorType>(stored_ ? stored_->getType() : access.getType())) {}

  /// False if it is not one.
  bool build() {
    const bool areNeighbours = patterns_.hasStep(addresses_, elements_->getScalarSizeInBits() / 8);
    const bool areOverlapping =
        !stored_ && elements_->getScalarSizeInBits() == 2 * kWordBits && patterns_.hasStep(addresses_, kWordBits / 8);
    if (!areNeighbours && !areOverlapping && (!patterns_.isUniform(addresses_) || (stored_ && patterns_.rows() > 1)))
      return false;
    collectLanes(access_.getArgOperand(kAccessBits));
    conditions_.push_back(patterns_.holds(addresses_));
    for (unsigned row = 0; row < patterns_.rows(); ++row) {
      Value *address = patterns_.first(addresses_, row);
      places_.push_back(row > 0 && address == patterns_.first(addresses_, 0)
                            ? places_[0]
                            : b_.CreateIntToPtr(address, b_.getPtrTy()));
    }
    if (areOverlapping)
      conditions_.push_back(b_.CreateICmpEQ(bits_, b_.getInt32(~0u)));
    else if (!areNeighbours)
      needActiveRows();
    Value *condition = b_.getTrue();
    for (Value *own : conditions_)
      condition = match(condition, m_One()) ? own : b_.CreateAnd(condition, own);
    BasicBlock *head = access_.getParent(), *slow = head->splitBasicBlock(access_.getIterator(), "scattered");
    done_ = slow->splitBasicBlock(std::next(access_.getIterator()), "accessed");
    BasicBlock *known = block("known", slow);
    head->getTerminator()->eraseFromParent();
    b_.SetInsertPoint(head);
    b_.CreateCondBr(condition, known, slow, MDBuilder(b_.getContext()).createBranchWeights(64, 1));
    b_.SetInsertPoint(known);
    if (areOverlapping) {
      loadOverlapping(slow);
      return true;
    }
    if (areNeighbours)
      accessNeighbours(slow);
    else if (stored_)
      storeLast();
    else
      loadRows();
    if (stored_)
      return true;
    b_.SetInsertPoint(done_, done_->begin());
    PHINode *result = b_.CreatePHI(elements_, 3);
    access_.replaceAllUsesWith(result);
    for (const auto &[from, value] : results_)
      result->addIncoming(value, from);
    result->addIncoming(&access_, slow);
    return true;
  }

  /// Computes the vectors of the addresses where the call is, so that the other way is without them. Returns the number of instructions.
  unsigned moveAddressesToCall() {
    for (const unsigned n : {kAccessAddresses, kAccessBits})
      access_.setArgOperand(n, copied(access_.getArgOperand(n)));
    return static_cast<unsigned>(copies_.size());
  }

private:
  /// The value as copies before the call compute it, as far as it consists of operations on vectors that follow a pattern.
  Value *copied(Value *value) {
    auto *operation = dyn_cast<Instruction>(value);
    if (!operation || copies_.count(operation) > 0)
      return operation ? copies_.lookup(operation) : value;
    const bool isPattern =
        patterns_.stepsOf(operation) || (isa<BitCastInst>(operation) && patterns_.stepsOf(operation->getOperand(0)));
    const bool isPure = isa<BinaryOperator>(operation) || isa<CastInst>(operation) || isa<CmpInst>(operation) ||
                        isa<SelectInst>(operation) || isa<ShuffleVectorInst>(operation) ||
                        isa<IntrinsicInst>(operation);
    if (!isPattern || !isPure || copies_.size() >= kMostCopies)
      return value;
    copies_[operation] = operation; // while its operands are copied
    SmallVector<Value *, 3> operands;
    for (Value *operand : operation->operands())
      operands.push_back(copied(operand));
    Instruction *copy = operation->clone();
    for (unsigned n = 0; n < operands.size(); ++n)
      copy->setOperand(n, operands[n]);
    copy->insertBefore(&access_);
    copies_[operation] = copy;
    return copy;
  }

  BasicBlock *block(const char *name, BasicBlock *before) {
    return BasicBlock::Create(b_.getContext(), name, before->getParent(), before);
  }

  void leave(Value *value) {
    results_.emplace_back(b_.GetInsertBlock(), value);
    b_.CreateBr(done_);
  }

  /// The lanes that take part, and the condition that all addresses lie in local memory, which nearly always do.
  void collectLanes(Value *lanes) {
    while (auto *cast = dyn_cast<BitCastInst>(lanes))
      lanes = cast->getOperand(0);
    Value *left, *right;
    if (match(lanes, m_And(m_Value(left), m_Value(right)))) {
      collectLanes(left);
      collectLanes(right);
      return;
    }
    ICmpInst::Predicate predicate;
    const bool isBound = match(lanes, m_ICmp(predicate, m_Value(), m_Constant())) && predicate == ICmpInst::ICMP_ULE;
    if (isBound && lanes->getType()->isVectorTy() && patterns_.isUniform(lanes)) {
      conditions_.push_back(patterns_.holds(lanes));
      for (unsigned row = 0; row < patterns_.rows(); ++row)
        conditions_.push_back(patterns_.first(lanes, row));
      return;
    }
    Value *own = b_.CreateBitCast(lanes, b_.getInt32Ty());
    bits_ = match(bits_, m_AllOnes()) ? own : b_.CreateAnd(bits_, own);
  }

  /// An address that all lanes of a row have is read if some lane of it is active.
  void needActiveRows() {
    const unsigned rowLanes = patterns_.rowLanes();
    const uint32_t row = rowLanes == kLanes ? ~0u : (1u << rowLanes) - 1;
    for (unsigned n = 0; n < patterns_.rows(); ++n)
      conditions_.push_back(b_.CreateICmpNE(b_.CreateAnd(bits_, b_.getInt32(row << n * rowLanes)), b_.getInt32(0)));
  }

  /// Each row of lanes is a piece of memory.
  void accessNeighbours(BasicBlock *before) {
    auto *mask = FixedVectorType::get(b_.getInt1Ty(), kLanes);
    if (!isa<Constant>(bits_)) {
      BasicBlock *full = block("full", before), *part = block("part", before);
      b_.CreateCondBr(b_.CreateICmpEQ(bits_, b_.getInt32(~0u)), full, part,
                      MDBuilder(b_.getContext()).createBranchWeights(64, 1));
      b_.SetInsertPoint(part);
      leave(accessRows(b_, elements_, places_, b_.CreateBitCast(bits_, mask), stored_));
      b_.SetInsertPoint(full);
      bits_ = b_.getInt32(~0u);
    }
    leave(accessRows(b_, elements_, places_, ConstantExpr::getBitCast(cast<Constant>(bits_), mask), stored_));
  }

  /// Two words for each lane, each word of the row of lanes by itself. They go on as halves, as which they are used.
  void loadOverlapping(BasicBlock *slow) {
    auto *type = FixedVectorType::get(b_.getIntNTy(kWordBits), patterns_.rowLanes());
    Value *halves[2];
    for (const unsigned word : {0u, 1u}) {
      SmallVector<Value *, 4> rows;
      for (Value *place : places_)
        rows.push_back(
            b_.CreateAlignedLoad(type, b_.CreateConstGEP1_64(b_.getInt8Ty(), place, word * kWordBits / 8), Align(1)));
      halves[word] = concatenateVectors(b_, rows);
    }
    BasicBlock *known = b_.GetInsertBlock();
    b_.CreateBr(done_);
    b_.SetInsertPoint(slow->getTerminator());
    Type *half = halves[0]->getType();
    Value *others[2] = {b_.CreateTrunc(&access_, half), b_.CreateTrunc(b_.CreateLShr(&access_, kWordBits), half)};
    b_.SetInsertPoint(done_, done_->begin());
    for (const unsigned word : {0u, 1u}) {
      PHINode *both = b_.CreatePHI(half, 2);
      both->addIncoming(halves[word], known);
      both->addIncoming(others[word], slow);
      halves[word] = both;
    }
    Value *whole =
        b_.CreateOr(b_.CreateZExt(halves[0], elements_), b_.CreateShl(b_.CreateZExt(halves[1], elements_), kWordBits));
    access_.replaceUsesWithIf(whole, [&](Use &use) {
      return cast<Instruction>(use.getUser())->getParent() != slow; // the halves are taken from the call
    });
  }

  /// All lanes store at one address: lower ones first, so the highest stays.
  void storeLast() {
    Value *above = b_.CreateIntrinsic(Intrinsic::ctlz, {b_.getInt32Ty()}, {bits_, b_.getTrue()});
    Value *last = b_.CreateSub(b_.getInt32(kLanes - 1), above);
    leave(b_.CreateAlignedStore(b_.CreateExtractElement(stored_, last), places_[0], Align(1)));
  }

  /// An element for each row.
  void loadRows() {
    SmallVector<Value *, 4> rows;
    for (Value *place : places_)
      rows.push_back(b_.CreateAlignedLoad(elements_->getElementType(), place, Align(1)));
    leave(inRows(b_, rows));
  }

  IRBuilder<> b_;
  CallInst &access_;
  LanePatterns &patterns_;
  Value *addresses_, *stored_;
  FixedVectorType *elements_;
  Value *bits_ = b_.getInt32(~0u);
  SmallVector<Value *, 8> conditions_;
  SmallVector<Value *, 4> places_; // of the rows
  BasicBlock *done_ = nullptr;
  SmallVector<std::pair<BasicBlock *, Value *>, 3> results_;
  DenseMap<Instruction *, Value *> copies_;
};

} // namespace

void inlineAccessPaths(Function &wave, unsigned rowLanes) {
  SmallVector<std::pair<CallInst *, bool>, 32> accesses;
  removeUnreachableBlocks(wave);
  for (Instruction &instruction : instructions(wave))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && (isLoadOfLanes(*call) || isStoreOfLanes(*call)))
      accesses.emplace_back(call, isStoreOfLanes(*call));
  if (accesses.size() > kMostAccesses)
    return;
  LanePatterns patterns(wave, rowLanes);
  const bool looksAtHalves = accesses.size() <= kMostHalves;
  unsigned copies = 0;
  for (const auto &[call, isStore] : accesses)
    if (KnownAccess access(*call, isStore, patterns); !access.build())
      AccessPaths(*call, isStore, looksAtHalves).build();
    else if (copies < kMostCopiesInAll)
      copies += access.moveAddressesToCall();
}

} // namespace hiplz::amdgcn
