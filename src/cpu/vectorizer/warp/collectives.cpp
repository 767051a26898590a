// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/collectives.h"
#include "cpu/abi/collective.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/IR/Module.h>

#include <cmath>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// The runtime's interface has 64-bit numbers; most are extended 32-bit ones.
const Value *narrow(const Value *value) {
  while (auto *extension = dyn_cast<ZExtInst>(value))
    value = extension->getOperand(0);
  return value;
}

Type *elementType(LLVMContext &context, ElementType type) {
  switch (type) {
  case ElementType::i8:
  case ElementType::u8: return Type::getInt8Ty(context);
  case ElementType::i16:
  case ElementType::u16: return Type::getInt16Ty(context);
  case ElementType::i32:
  case ElementType::u32: return Type::getInt32Ty(context);
  case ElementType::i64:
  case ElementType::u64: return Type::getInt64Ty(context);
  case ElementType::f16: return Type::getHalfTy(context);
  case ElementType::f32: return Type::getFloatTy(context);
  case ElementType::f64: return Type::getDoubleTy(context);
  }
  return nullptr;
}

bool isSigned(ElementType type) { return type <= ElementType::i64; }

// One step of a fold, on scalars or vectors.
Value *combine(IRBuilder<> &b, FoldOperator fold, ElementType type, Value *left, Value *right) {
  bool floating = type >= ElementType::f16;
  switch (fold) {
  case FoldOperator::add: return floating ? b.CreateFAdd(left, right) : b.CreateAdd(left, right);
  case FoldOperator::multiply: return floating ? b.CreateFMul(left, right) : b.CreateMul(left, right);
  case FoldOperator::minimum:
    return floating ? b.CreateMinNum(left, right)
                    : b.CreateBinaryIntrinsic(isSigned(type) ? Intrinsic::smin : Intrinsic::umin, left, right);
  case FoldOperator::maximum:
    return floating ? b.CreateMaxNum(left, right)
                    : b.CreateBinaryIntrinsic(isSigned(type) ? Intrinsic::smax : Intrinsic::umax, left, right);
  case FoldOperator::bitAnd: return floating ? left : b.CreateAnd(left, right);
  case FoldOperator::bitOr: return floating ? left : b.CreateOr(left, right);
  case FoldOperator::bitXor: return floating ? left : b.CreateXor(left, right);
  }
  return left;
}

// The neutral element: folded with a value, it changes nothing.
Constant *identity(Type *type, FoldOperator fold, ElementType element) {
  unsigned bits = type->getScalarSizeInBits();
  if (type->isFloatingPointTy())
    switch (fold) {
    case FoldOperator::multiply: return ConstantFP::get(type, 1);
    case FoldOperator::minimum: return ConstantFP::getInfinity(type);
    case FoldOperator::maximum: return ConstantFP::getInfinity(type, true);
    default: return ConstantFP::get(type, 0);
    }
  switch (fold) {
  case FoldOperator::multiply: return ConstantInt::get(type, 1);
  case FoldOperator::minimum:
    return ConstantInt::get(type, isSigned(element) ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits));
  case FoldOperator::maximum:
    return ConstantInt::get(type, isSigned(element) ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits));
  case FoldOperator::bitAnd: return ConstantInt::get(type, APInt::getAllOnes(bits));
  default: return ConstantInt::get(type, 0);
  }
}

Value *toElement(IRBuilder<> &b, Value *bits, Type *type) {
  Type *scalar = type->getScalarType();
  Type *number = type->getWithNewType(IntegerType::get(b.getContext(), scalar->getScalarSizeInBits()));
  return b.CreateBitCast(b.CreateZExtOrTrunc(bits, number), type);
}

Value *fromElement(IRBuilder<> &b, Value *value, Type *to) {
  Type *type = value->getType();
  Type *number = type->getWithNewType(IntegerType::get(b.getContext(), type->getScalarSizeInBits()));
  return b.CreateZExt(b.CreateBitCast(value, number), to);
}

} // namespace

// The lanes of the mask whose value is not zero, as a number.
Value *Collectives::ballot(Value *values) {
  Value *set = values->getType()->getScalarType()->isIntegerTy(1)
                   ? values
                   : b_.CreateICmpNE(values, Constant::getNullValue(values->getType()));
  return masks_.bits(masks_.within(mask_, set));
}

void Collectives::emit(const CallInst &call) {
  uint32_t code = collectiveCodeOf(call);
  const Value *value = narrow(call.getArgOperand(kCollectiveValue));
  Type *word = b_.getIntNTy(width_), *wide = b_.getInt64Ty();
  Value *result = nullptr;
  switch (collectiveKind(code)) {
  case CollectiveKind::sync: result = b_.getInt64(0); break;
  case CollectiveKind::elect: {
    Value *lane = values_.lanes(1, b_.getInt32Ty());
    result = b_.CreateZExt(b_.CreateICmpEQ(lane, b_.CreateVectorSplat(width_, masks_.first(mask_, b_.getInt32Ty()))),
                           laneType(wide));
    break;
  }
  case CollectiveKind::ballot: result = b_.CreateZExt(ballot(values_.vector(value)), wide); break;
  case CollectiveKind::any:
    result = b_.CreateZExt(b_.CreateICmpNE(ballot(values_.vector(value)), ConstantInt::get(word, 0)), wide);
    break;
  case CollectiveKind::all:
    result = b_.CreateZExt(b_.CreateICmpEQ(ballot(values_.vector(value)), masks_.bits(mask_)), wide);
    break;
  case CollectiveKind::allEqual: {
    Value *own = values_.vector(value);
    Value *first = b_.CreateVectorSplat(width_, values_.atLane(value, masks_.first(mask_, b_.getInt32Ty())));
    result = b_.CreateZExt(b_.CreateICmpEQ(ballot(b_.CreateICmpEQ(own, first)), masks_.bits(mask_)), wide);
    break;
  }
  case CollectiveKind::broadcastFirst:
    result = b_.CreateZExt(values_.atLane(value, masks_.first(mask_, b_.getInt32Ty())), wide);
    break;
  case CollectiveKind::broadcast:
  case CollectiveKind::shuffleXor:
  case CollectiveKind::shuffleUp:
  case CollectiveKind::shuffleDown: result = exchange(call, code); break;
  default: result = fold(call, code); break;
  }
  values_.set(call, result);
}

// A lane reads the value of another one. Which one is known while compiling more often than not.
Value *Collectives::exchange(const CallInst &call, uint32_t code) {
  const Value *value = narrow(call.getArgOperand(kCollectiveValue));
  const Value *operand = call.getArgOperand(kCollectiveOperand);
  bool widens = value->getType() != b_.getInt64Ty();
  auto finish = [&](Value *made) {
    return widens ? b_.CreateZExt(made, made->getType()->getWithNewType(b_.getInt64Ty())) : made;
  };
  Type *wide = b_.getInt64Ty(), *word = b_.getInt32Ty();
  if (!values_.isVarying(&call)) { // all read one lane
    Value *wanted = values_.scalar(operand), *lane = b_.CreateTrunc(b_.CreateAnd(wanted, width_ - 1), word);
    Value *there = b_.CreateICmpULT(wanted, b_.getInt64(width_));
    if (mask_)
      there = b_.CreateAnd(
          there, b_.CreateTrunc(b_.CreateLShr(b_.CreateZExt(masks_.bits(mask_), word), lane), b_.getInt1Ty()));
    Value *read = values_.shapeOf(value).isUniform() ? values_.scalar(value) : values_.atLane(value, lane);
    return finish(b_.CreateSelect(there, read, Constant::getNullValue(read->getType())));
  }
  Value *own = values_.vector(value);
  Constant *zeros = Constant::getNullValue(own->getType());
  Type *indices = laneType(wide), *words = laneType(word);
  Value *number = values_.vector(operand), *self = values_.lanes(1, wide);
  Value *wanted = nullptr;
  switch (collectiveKind(code)) {
  case CollectiveKind::shuffleXor: wanted = b_.CreateXor(self, number); break;
  case CollectiveKind::shuffleUp: wanted = b_.CreateSub(self, number); break;
  case CollectiveKind::shuffleDown: wanted = b_.CreateAdd(self, number); break;
  default: wanted = number; break;
  }
  if (auto *known = dyn_cast<Constant>(wanted)) {
    SmallVector<int, 32> order; // from the lanes and, behind them, zeros
    for (unsigned i = 0; i < width_; ++i) {
      auto *index = dyn_cast_or_null<ConstantInt>(known->getAggregateElement(i));
      order.push_back(static_cast<int>(index && index->getValue().ult(width_) ? index->getZExtValue() : width_));
    }
    return finish(b_.CreateShuffleVector(mask_ ? b_.CreateSelect(mask_, own, zeros) : own, zeros, order));
  }
  Value *source = b_.CreateFreeze(b_.CreateTrunc(b_.CreateAnd(wanted, ConstantInt::get(indices, width_ - 1)), words));
  Value *there = b_.CreateICmpULT(wanted, ConstantInt::get(indices, width_));
  if (mask_) {
    Value *bits = b_.CreateVectorSplat(width_, b_.CreateZExt(masks_.bits(mask_), word));
    there = b_.CreateAnd(there, b_.CreateTrunc(b_.CreateLShr(bits, source), there->getType()));
  }
  Type *element = own->getType()->getScalarType();
  if (element->getScalarSizeInBits() < 32) {
    own = b_.CreateZExt(own, words);
    element = word;
  }
  Value *array = loops_.spill(own, element);
  Type *type = laneType(element);
  Value *made =
      b_.CreateMaskedGather(type, b_.CreateGEP(element, array, source), Align(element->getScalarSizeInBits() / 8),
                            masks_.vector(nullptr), PoisonValue::get(type));
  made = b_.CreateSelect(there, made, Constant::getNullValue(type));
  return element == wide ? made : b_.CreateZExt(made, indices);
}

// Reductions and scans. Integers reduce in any order; the rest goes over the lanes as the definition says.
Value *Collectives::fold(const CallInst &call, uint32_t code) {
  FoldOperator operation = collectiveFold(code);
  ElementType kind = collectiveType(code);
  CollectiveKind collective = collectiveKind(code);
  Type *element = elementType(b_.getContext(), kind);
  const Value *value = call.getArgOperand(kCollectiveValue), *operand = call.getArgOperand(kCollectiveOperand);
  Type *wide = b_.getInt64Ty();
  Value *own = toElement(b_, values_.vector(value), laneType(element));
  Constant *neutral = identity(element, operation, kind);
  bool whole = !values_.isVarying(&call);
  if (whole && element->isIntegerTy()) {
    Value *all =
        mask_ ? b_.CreateSelect(mask_, own, ConstantVector::getSplat(ElementCount::getFixed(width_), neutral)) : own;
    for (unsigned half = width_ / 2; half > 0; half /= 2) {
      SmallVector<int, 32> upper;
      for (unsigned i = 0; i < width_; ++i)
        upper.push_back(i < half ? static_cast<int>(i + half) : -1);
      all = combine(b_, operation, kind, all, b_.CreateShuffleVector(all, upper));
    }
    return fromElement(b_, b_.CreateExtractElement(all, uint64_t(0)), wide);
  }
  Value *array = loops_.spill(own, element);
  IRBuilder<> prologue(context_.prologue->getTerminator());
  AllocaInst *total = prologue.CreateAlloca(element), *started = prologue.CreateAlloca(prologue.getInt64Ty());
  Value *cluster = collective == CollectiveKind::reduce && !whole ? values_.vector(operand) : nullptr;
  Value *clusters = cluster ? loops_.spill(cluster, wide) : nullptr;
  b_.CreateLifetimeStart(total);
  b_.CreateLifetimeStart(started);
  // `started` is the number of the cluster whose total is being made.
  b_.CreateStore(b_.getInt64(~uint64_t(0)), started);
  b_.CreateStore(neutral, total);
  Values made = loops_.forEachLane({element}, [&](Value *lane) -> Values {
    Value *mine = loops_.spilled(array, lane, element);
    Value *number = b_.getInt64(0);
    if (clusters) { // as the lowest participant has it
      Value *size = loops_.spilled(clusters, masks_.first(mask_, b_.getInt32Ty()), wide);
      Value *none = b_.CreateICmpEQ(size, b_.getInt64(0));
      number = b_.CreateSelect(none, b_.getInt64(0),
                               b_.CreateUDiv(b_.CreateZExt(lane, wide), b_.CreateSelect(none, b_.getInt64(1), size)));
    }
    Value *first = b_.CreateICmpNE(b_.CreateLoad(wide, started), number);
    Value *before = b_.CreateLoad(element, total);
    Value *now = b_.CreateSelect(first, mine, combine(b_, operation, kind, before, mine));
    b_.CreateStore(number, started);
    b_.CreateStore(now, total);
    return {collective == CollectiveKind::exclusiveScan ? before : now};
  });
  if (collective != CollectiveKind::reduce)
    return fromElement(b_, made[0], laneType(wide));
  if (whole)
    return fromElement(b_, b_.CreateLoad(element, total), wide);
  // Every lane of a cluster has the total of its last participant.
  Value *partial = loops_.spill(made[0], element);
  Value *sizes = clusters, *mask = masks_.bits(mask_);
  Values totals = loops_.forEachLane({element}, [&](Value *lane) -> Values {
    Value *size = loops_.spilled(sizes, masks_.first(mask_, b_.getInt32Ty()), wide);
    Value *none = b_.CreateICmpEQ(size, b_.getInt64(0));
    size = b_.CreateSelect(none, b_.getInt64(width_), size);
    Value *begin = b_.CreateMul(b_.CreateUDiv(b_.CreateZExt(lane, wide), size), size);
    Value *end = b_.CreateBinaryIntrinsic(Intrinsic::umin, b_.CreateAdd(begin, size), b_.getInt64(width_));
    // The participants below the end of the cluster; the highest of them is in it, since the lane itself is.
    Value *shift = b_.CreateSub(b_.getInt64(64), end);
    Value *below = b_.CreateLShr(b_.getInt64(~uint64_t(0)), shift);
    Value *last = b_.CreateSub(
        b_.getInt64(63),
        b_.CreateBinaryIntrinsic(Intrinsic::ctlz, b_.CreateAnd(b_.CreateZExt(mask, wide), below), b_.getTrue()));
    return {loops_.spilled(partial, b_.CreateTrunc(last, b_.getInt32Ty()), element)};
  });
  return fromElement(b_, totals[0], laneType(wide));
}

} // namespace hiplz::cpu
