// SPDX-License-Identifier: MIT
// Atomic operations. Lanes that change one address with a number nobody reads are put together first; all others go one
// after the other.
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/warp_builder.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Operations for which the order of the lanes makes no difference, with what changes nothing.
Constant *neutralOf(AtomicRMWInst::BinOp operation, Type *type) {
  unsigned bits = type->getScalarSizeInBits();
  switch (operation) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax: return ConstantInt::get(type, 0);
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin: return ConstantInt::get(type, APInt::getAllOnes(bits));
  case AtomicRMWInst::Max: return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  case AtomicRMWInst::Min: return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  default: return nullptr;
  }
}

Value *reduce(IRBuilder<> &b, AtomicRMWInst::BinOp operation, Value *values) {
  switch (operation) {
  case AtomicRMWInst::Or: return b.CreateOrReduce(values);
  case AtomicRMWInst::Xor: return b.CreateXorReduce(values);
  case AtomicRMWInst::And: return b.CreateAndReduce(values);
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::Max: return b.CreateIntMaxReduce(values, operation == AtomicRMWInst::Max);
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::Min: return b.CreateIntMinReduce(values, operation == AtomicRMWInst::Min);
  default: return b.CreateAddReduce(values);
  }
}

} // namespace

// A work-group's local memory belongs to the thread that runs the work-group, so its atomics need not be atomic.
bool WarpBuilder::isWorkGroupLocal(const Value *pointer) const {
  auto *base = dyn_cast<LoadInst>(getUnderlyingObject(pointer, 0));
  if (!base)
    return false;
  APInt offset(64, 0);
  auto *worker =
      dyn_cast<LoadInst>(base->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true));
  auto read = worker ? itemReadBy(*worker) : std::nullopt;
  return read && read->field == ItemField::worker && offset == offsetof(WorkerState, local);
}

// Many additions to one number that nobody reads: the sum is the one that the lanes would make one after the other, without
// anybody in between.
void WarpBuilder::addInOrder(const AtomicRMWInst &update) {
  Type *type = update.getType();
  Value *pointer = scalar(update.getPointerOperand()), *values = vector(update.getValOperand());
  if (mask_)
    values = b_.CreateSelect(mask_, values, ConstantFP::get(values->getType(), -0.0)); // changes no sum
  Type *number = b_.getIntNTy(type->getScalarSizeInBits());
  if (isWorkGroupLocal(update.getPointerOperand())) {
    Value *old = b_.CreateAlignedLoad(type, pointer, update.getAlign());
    b_.CreateAlignedStore(b_.CreateFAddReduce(old, values), pointer, update.getAlign());
    return;
  }
  LoadInst *first = b_.CreateAlignedLoad(number, pointer, update.getAlign());
  first->setAtomic(AtomicOrdering::Monotonic, update.getSyncScopeID());
  BasicBlock *before = b_.GetInsertBlock();
  auto *loop = BasicBlock::Create(b_.getContext(), "add", &warp_),
       *done = BasicBlock::Create(b_.getContext(), "added", &warp_);
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  PHINode *seen = b_.CreatePHI(number, 2, "seen");
  Value *sum = b_.CreateFAddReduce(b_.CreateBitCast(seen, type), values);
  Value *pair = b_.CreateAtomicCmpXchg(
      pointer, seen, b_.CreateBitCast(sum, number), update.getAlign(), update.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(update.getOrdering()), update.getSyncScopeID());
  seen->addIncoming(first, before);
  seen->addIncoming(b_.CreateExtractValue(pair, 0), loop);
  b_.CreateCondBr(b_.CreateExtractValue(pair, 1), done, loop);
  b_.SetInsertPoint(done);
}

void WarpBuilder::emitAtomicUpdate(const AtomicRMWInst &update) {
  const Value *pointer = update.getPointerOperand(), *value = update.getValOperand();
  Type *type = value->getType();
  Constant *neutral = type->isIntegerTy() ? neutralOf(update.getOperation(), type) : nullptr;
  bool together = update.use_empty() && shapeOf(pointer).isUniform();
  if (update.use_empty())
    vectors_[&update] = PoisonValue::get(laneType(update.getType())); // nobody reads it
  if (together && update.getOperation() == AtomicRMWInst::FAdd)
    return addInOrder(update);
  bool local = isWorkGroupLocal(pointer);
  if (together && neutral) {
    Value *values = vector(value);
    if (mask_)
      values = b_.CreateSelect(mask_, values, ConstantVector::getSplat(ElementCount::getFixed(width_), neutral));
    Value *all = reduce(b_, update.getOperation(), values);
    if (local) {
      Value *old = b_.CreateAlignedLoad(type, scalar(pointer), update.getAlign());
      b_.CreateAlignedStore(buildAtomicRMWValue(update.getOperation(), b_, old, all), scalar(pointer),
                            update.getAlign());
      return;
    }
    auto *once = cast<AtomicRMWInst>(update.clone());
    once->setOperand(0, scalar(pointer));
    once->setOperand(1, all);
    b_.Insert(once);
    return;
  }
  if (!local)
    return replicate(update);
  updateLocal(update);
}

// In the shape that replicate() has, without the processor's lock. Histograms are this with all lanes and results that nobody reads.
void WarpBuilder::updateLocal(const AtomicRMWInst &update) {
  const Value *pointer = update.getPointerOperand(), *value = update.getValOperand();
  Type *type = value->getType();
  Value *pointers = isVarying(pointer) ? vector(pointer) : nullptr,
        *values = isVarying(value) ? vector(value) : nullptr;
  auto change = [this, &update, type](Value *at, Value *own) {
    Value *old = b_.CreateAlignedLoad(type, at, update.getAlign());
    b_.CreateAlignedStore(buildAtomicRMWValue(update.getOperation(), b_, old, own), at, update.getAlign());
    return old;
  };
  auto throughMemory = [&] {
    Value *targets = pointers ? spill(pointers, pointer->getType()) : nullptr;
    Value *numbers = values ? spill(values, type) : nullptr;
    return [=, this](Value *lane) {
      return change(targets ? spilled(targets, lane, pointer->getType()) : atLane(pointer, lane),
                    numbers ? spilled(numbers, lane, type) : atLane(value, lane));
    };
  };
  if (!update.use_empty()) {
    auto updateLane = throughMemory();
    vectors_[&update] = forEachLane({type}, [&](Value *lane) -> Values { return {updateLane(lane)}; })[0];
    return;
  }
  auto newBlock = [&](const char *name) { return BasicBlock::Create(b_.getContext(), name, &warp_); };
  BasicBlock *some = mask_ ? newBlock("some") : nullptr, *done = mask_ ? newBlock("updated") : nullptr;
  if (mask_) {
    BasicBlock *whole = newBlock("whole");
    Value *all = b_.CreateICmpEQ(maskBits(mask_), Constant::getAllOnesValue(b_.getIntNTy(width_)));
    b_.CreateCondBr(all, whole, some);
    b_.SetInsertPoint(whole);
  }
  if (rollsUpdates_) {
    auto updateLane = throughMemory();
    forAllLanes([&](Value *lane) { updateLane(lane); });
  } else {
    for (unsigned lane = 0; lane < width_; ++lane)
      change(pointers ? b_.CreateExtractElement(pointers, lane) : atLane(pointer, b_.getInt32(lane)),
             values ? b_.CreateExtractElement(values, lane) : atLane(value, b_.getInt32(lane)));
  }
  if (!mask_)
    return;
  b_.CreateBr(done);
  b_.SetInsertPoint(some);
  auto updateLane = throughMemory();
  forEachLane({}, [&](Value *lane) -> Values {
    updateLane(lane);
    return {};
  });
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

} // namespace hiplz::cpu
