// SPDX-License-Identifier: MIT
// Sub-group operations as vector code. The lanes of the mask are the participants; what an operation means is what
// exec/fiber_collectives.cpp does: folds go over the participants in ascending order, and reading a lane that takes no
// part gives 0.
#include "cpu/abi/collective.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/warp_builder.h"

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

// What changes nothing when it is folded with a value.
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
Value *WarpBuilder::ballot(Value *values) {
  Value *set = values->getType()->getScalarType()->isIntegerTy(1)
                   ? values
                   : b_.CreateICmpNE(values, Constant::getNullValue(values->getType()));
  return maskBits(inMask(mask_, set));
}

void WarpBuilder::emitCollective(const CallInst &call) {
  uint32_t code = collectiveCodeOf(call);
  const Value *value = narrow(call.getArgOperand(kCollectiveValue));
  Type *word = b_.getIntNTy(width_), *wide = b_.getInt64Ty();
  Value *result = nullptr;
  switch (collectiveKind(code)) {
  case CollectiveKind::sync: result = b_.getInt64(0); break;
  case CollectiveKind::elect: {
    Value *lane = lanes(1, b_.getInt32Ty());
    result = b_.CreateZExt(b_.CreateICmpEQ(lane, b_.CreateVectorSplat(width_, firstLane(mask_, b_.getInt32Ty()))),
                           laneType(wide));
    break;
  }
  case CollectiveKind::ballot: result = b_.CreateZExt(ballot(vector(value)), wide); break;
  case CollectiveKind::any:
    result = b_.CreateZExt(b_.CreateICmpNE(ballot(vector(value)), ConstantInt::get(word, 0)), wide);
    break;
  case CollectiveKind::all:
    result = b_.CreateZExt(b_.CreateICmpEQ(ballot(vector(value)), maskBits(mask_)), wide);
    break;
  case CollectiveKind::allEqual: {
    Value *own = vector(value);
    Value *first = b_.CreateVectorSplat(width_, atLane(value, firstLane(mask_, b_.getInt32Ty())));
    result = b_.CreateZExt(b_.CreateICmpEQ(ballot(b_.CreateICmpEQ(own, first)), maskBits(mask_)), wide);
    break;
  }
  case CollectiveKind::broadcastFirst:
    result = b_.CreateZExt(atLane(value, firstLane(mask_, b_.getInt32Ty())), wide);
    break;
  case CollectiveKind::broadcast:
  case CollectiveKind::shuffleXor:
  case CollectiveKind::shuffleUp:
  case CollectiveKind::shuffleDown: result = exchange(call, code); break;
  default: result = fold(call, code); break;
  }
  set(call, result);
}

// A lane reads the value of another one. Which one is known while compiling more often than not.
Value *WarpBuilder::exchange(const CallInst &call, uint32_t code) {
  const Value *value = narrow(call.getArgOperand(kCollectiveValue));
  const Value *operand = call.getArgOperand(kCollectiveOperand);
  bool widens = value->getType() != b_.getInt64Ty();
  auto finish = [&](Value *made) {
    return widens ? b_.CreateZExt(made, made->getType()->getWithNewType(b_.getInt64Ty())) : made;
  };
  Type *wide = b_.getInt64Ty(), *word = b_.getInt32Ty();
  if (!isVarying(&call)) { // all read one lane
    Value *wanted = scalar(operand), *lane = b_.CreateTrunc(b_.CreateAnd(wanted, width_ - 1), word);
    Value *there = b_.CreateICmpULT(wanted, b_.getInt64(width_));
    if (mask_)
      there = b_.CreateAnd(there,
                           b_.CreateTrunc(b_.CreateLShr(b_.CreateZExt(maskBits(mask_), word), lane), b_.getInt1Ty()));
    Value *read = shapeOf(value).isUniform() ? scalar(value) : atLane(value, lane);
    return finish(b_.CreateSelect(there, read, Constant::getNullValue(read->getType())));
  }
  Value *own = vector(value);
  Constant *zeros = Constant::getNullValue(own->getType());
  Type *indices = laneType(wide), *words = laneType(word);
  Value *number = vector(operand), *self = lanes(1, wide);
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
    Value *bits = b_.CreateVectorSplat(width_, b_.CreateZExt(maskBits(mask_), word));
    there = b_.CreateAnd(there, b_.CreateTrunc(b_.CreateLShr(bits, source), there->getType()));
  }
  Type *element = own->getType()->getScalarType();
  if (element->getScalarSizeInBits() < 32) {
    own = b_.CreateZExt(own, words);
    element = word;
  }
  Value *array = spill(own, element);
  Type *type = laneType(element);
  Value *made =
      b_.CreateMaskedGather(type, b_.CreateGEP(element, array, source), Align(element->getScalarSizeInBits() / 8),
                            maskVector(nullptr), PoisonValue::get(type));
  made = b_.CreateSelect(there, made, Constant::getNullValue(type));
  return element == wide ? made : b_.CreateZExt(made, indices);
}

// Reductions and scans. Integers reduce in any order; the rest goes over the lanes as the definition says.
Value *WarpBuilder::fold(const CallInst &call, uint32_t code) {
  FoldOperator operation = collectiveFold(code);
  ElementType kind = collectiveType(code);
  CollectiveKind collective = collectiveKind(code);
  Type *element = elementType(b_.getContext(), kind);
  const Value *value = call.getArgOperand(kCollectiveValue), *operand = call.getArgOperand(kCollectiveOperand);
  Type *wide = b_.getInt64Ty();
  Value *own = toElement(b_, vector(value), laneType(element));
  Constant *neutral = identity(element, operation, kind);
  bool whole = !isVarying(&call);
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
  Value *array = spill(own, element);
  IRBuilder<> prologue(prologue_->getTerminator());
  AllocaInst *total = prologue.CreateAlloca(element), *started = prologue.CreateAlloca(prologue.getInt64Ty());
  Value *cluster = collective == CollectiveKind::reduce && !whole ? vector(operand) : nullptr;
  Value *clusters = cluster ? spill(cluster, wide) : nullptr;
  b_.CreateLifetimeStart(total);
  b_.CreateLifetimeStart(started);
  // `started` is the number of the cluster whose total is being made.
  b_.CreateStore(b_.getInt64(~uint64_t(0)), started);
  b_.CreateStore(neutral, total);
  Values made = forEachLane({element}, [&](Value *lane) -> Values {
    Value *mine = spilled(array, lane, element);
    Value *number = b_.getInt64(0);
    if (clusters) { // as the lowest participant has it
      Value *size = spilled(clusters, firstLane(mask_, b_.getInt32Ty()), wide);
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
  Value *partial = spill(made[0], element);
  Value *sizes = clusters, *mask = maskBits(mask_);
  Values totals = forEachLane({element}, [&](Value *lane) -> Values {
    Value *size = spilled(sizes, firstLane(mask_, b_.getInt32Ty()), wide);
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
    return {spilled(partial, b_.CreateTrunc(last, b_.getInt32Ty()), element)};
  });
  return fromElement(b_, totals[0], laneType(wide));
}

} // namespace hiplz::cpu
