// SPDX-License-Identifier: MIT
// See access_paths.h. A call lets no vector register live, so it is left to lanes whose addresses have no order. The order is looked for in the
// registers of 32 bits that addresses are made of. Lane 0 need not be active: if the others go by its address, it is right for them, and no
// lane that is not active is read or written.
#include "amdgcn/translator/access_paths.h"
#include "amdgcn/translator/access_calls.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr unsigned kLanes = 32;
constexpr size_t kMostAccesses = 160; ///< of a function, for which code is made in place

class AccessPaths {
public:
  AccessPaths(CallInst &access, bool isStore)
      : b_(&access), access_(access), isStore_(isStore), bits_(access.getArgOperand(kAccessBits)),
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
      BasicBlock *one = block("one", slow);
      b_.CreateCondBr(same, one, slow);
      b_.SetInsertPoint(one);
      place = b_.CreateIntToPtr(first, b_.getPtrTy());
      Value *loaded = b_.CreateAlignedLoad(elements_->getElementType(), place, Align(1));
      leave(done, b_.CreateVectorSplat(kLanes, loaded));
    } else {
      b_.CreateBr(slow);
    }
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

  Value *firstAddress() {
    Value *address = b_.CreateZExt(first_[0], b_.getInt64Ty());
    if (parts_.size() > 1)
      address = b_.CreateOr(address, b_.CreateShl(b_.CreateZExt(first_[1], b_.getInt64Ty()), 32));
    return b_.CreateAdd(base_, address);
  }

  IRBuilder<> b_;
  CallInst &access_;
  const bool isStore_;
  Value *bits_;
  FixedVectorType *elements_;
  const uint64_t bytes_;
  Value *base_ = nullptr;
  SmallVector<Value *, 2> parts_, first_; // 32 bits, two halves of 32 bits, or 64 bits; and those of lane 0
  SmallVector<std::pair<BasicBlock *, Value *>, 4> results_;
};

} // namespace

void inlineAccessPaths(Function &wave) {
  SmallVector<std::pair<CallInst *, bool>, 32> accesses;
  for (Instruction &instruction : instructions(wave))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && (isLoadOfLanes(*call) || isStoreOfLanes(*call)))
      accesses.emplace_back(call, isStoreOfLanes(*call));
  if (accesses.size() > kMostAccesses)
    return;
  for (const auto &[call, isStore] : accesses)
    AccessPaths(*call, isStore).build();
}

} // namespace hiplz::amdgcn
