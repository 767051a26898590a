// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/atomics.h"
#include "cpu/abi/compiled_code.h"
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

// Many additions to one number that nobody reads: the sum is the one that the lanes would make one after the other, without
// anybody in between.
void Atomics::addInOrder(const AtomicRMWInst &update) {
  Type *type = update.getType();
  Value *pointer = values_.scalar(update.getPointerOperand()), *values = values_.vector(update.getValOperand());
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
  auto *loop = context_.newBlock("add"), *done = context_.newBlock("added");
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

void Atomics::emit(const AtomicRMWInst &update) {
  const Value *pointer = update.getPointerOperand(), *value = update.getValOperand();
  Type *type = value->getType();
  Constant *neutral = type->isIntegerTy() ? neutralOf(update.getOperation(), type) : nullptr;
  bool together = update.use_empty() && values_.shapeOf(pointer).isUniform();
  if (update.use_empty())
    values_.setVector(update, PoisonValue::get(laneType(update.getType()))); // nobody reads it
  if (together && update.getOperation() == AtomicRMWInst::FAdd)
    return addInOrder(update);
  bool local = isWorkGroupLocal(pointer);
  if (together && neutral) {
    Value *values = values_.vector(value);
    if (mask_)
      values = b_.CreateSelect(mask_, values, ConstantVector::getSplat(ElementCount::getFixed(width_), neutral));
    Value *all = reduce(b_, update.getOperation(), values);
    if (local) {
      Value *old = b_.CreateAlignedLoad(type, values_.scalar(pointer), update.getAlign());
      b_.CreateAlignedStore(buildAtomicRMWValue(update.getOperation(), b_, old, all), values_.scalar(pointer),
                            update.getAlign());
      return;
    }
    auto *once = cast<AtomicRMWInst>(update.clone());
    once->setOperand(0, values_.scalar(pointer));
    once->setOperand(1, all);
    b_.Insert(once);
    return;
  }
  if (!local)
    return loops_.replicate(update);
  updateLocal(update);
}

// In the shape that loops_.replicate() has, without the processor's lock. Histograms are this with all lanes and results that nobody reads.
void Atomics::updateLocal(const AtomicRMWInst &update) {
  const Value *pointer = update.getPointerOperand(), *value = update.getValOperand();
  Type *type = value->getType();
  Value *pointers = values_.isVarying(pointer) ? values_.vector(pointer) : nullptr,
        *values = values_.isVarying(value) ? values_.vector(value) : nullptr;
  auto change = [this, &update, type](Value *at, Value *own) {
    Value *old = b_.CreateAlignedLoad(type, at, update.getAlign());
    b_.CreateAlignedStore(buildAtomicRMWValue(update.getOperation(), b_, old, own), at, update.getAlign());
    return old;
  };
  auto throughMemory = [&] {
    Value *targets = pointers ? loops_.spill(pointers, pointer->getType()) : nullptr;
    Value *numbers = values ? loops_.spill(values, type) : nullptr;
    return [=, this](Value *lane) {
      return change(targets ? loops_.spilled(targets, lane, pointer->getType()) : values_.atLane(pointer, lane),
                    numbers ? loops_.spilled(numbers, lane, type) : values_.atLane(value, lane));
    };
  };
  if (!update.use_empty()) {
    auto updateLane = throughMemory();
    values_.setVector(update, loops_.forEachLane({type}, [&](Value *lane) -> Values { return {updateLane(lane)}; })[0]);
    return;
  }
  auto newBlock = [&](const char *name) { return context_.newBlock(name); };
  BasicBlock *some = mask_ ? newBlock("some") : nullptr, *done = mask_ ? newBlock("updated") : nullptr;
  if (mask_) {
    BasicBlock *whole = newBlock("whole");
    Value *all = b_.CreateICmpEQ(masks_.bits(mask_), Constant::getAllOnesValue(b_.getIntNTy(width_)));
    b_.CreateCondBr(all, whole, some);
    b_.SetInsertPoint(whole);
  }
  if (options_.rollsUpdates) {
    auto updateLane = throughMemory();
    loops_.forAllLanes([&](Value *lane) { updateLane(lane); });
  } else {
    for (unsigned lane = 0; lane < width_; ++lane)
      change(pointers ? b_.CreateExtractElement(pointers, lane) : values_.atLane(pointer, b_.getInt32(lane)),
             values ? b_.CreateExtractElement(values, lane) : values_.atLane(value, b_.getInt32(lane)));
  }
  if (!mask_)
    return;
  b_.CreateBr(done);
  b_.SetInsertPoint(some);
  auto updateLane = throughMemory();
  loops_.forEachLane({}, [&](Value *lane) -> Values {
    updateLane(lane);
    return {};
  });
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

} // namespace hiplz::cpu
