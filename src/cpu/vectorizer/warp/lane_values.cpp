// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/lane_values.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {

LaneValues::LaneValues(WarpContext &context) : WarpPart(context) {
  for (Argument &argument : body_.args())
    scalars_[&argument] = warp_.getArg(argument.getArgNo());
}

Shape LaneValues::shapeOf(const Value *value) const {
  if (value == assumed_)
    return assumedShape_;
  Shape shape = shapes_.shapeOf(value);
  return shape.isUnknown() ? Shape::uniform() : shape; // nothing that is ever executed
}

Value *LaneValues::mapLeaves(Type *type, ArrayRef<Value *> values, function_ref<Value *(ArrayRef<Value *>)> leaf) {
  unsigned count = 0;
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    count = vector->getNumElements();
  else if (auto *array = dyn_cast<ArrayType>(type))
    count = static_cast<unsigned>(array->getNumElements());
  else if (auto *structure = dyn_cast<StructType>(type))
    count = structure->getNumElements();
  else
    return leaf(values);
  Value *result = PoisonValue::get(laneType(type));
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<Value *, 4> parts;
    for (Value *value : values)
      parts.push_back(b_.CreateExtractValue(value, i));
    Type *element = isa<FixedVectorType>(type) ? cast<FixedVectorType>(type)->getElementType()
                    : isa<ArrayType>(type)     ? type->getArrayElementType()
                                               : type->getStructElementType(i);
    result = b_.CreateInsertValue(result, mapLeaves(element, parts, leaf), i);
  }
  return result;
}

Value *LaneValues::choose(Value *mask, Value *yes, Value *no, Type *type) {
  if (!mask || yes == no || isa<UndefValue>(no))
    return yes;
  if (isa<UndefValue>(yes))
    return no;
  return mapLeaves(type, {yes, no},
                   [&](ArrayRef<Value *> leaves) { return b_.CreateSelect(mask, leaves[0], leaves[1]); });
}

Constant *LaneValues::lanes(int64_t stride, Type *type) const {
  SmallVector<Constant *, 32> numbers;
  for (unsigned i = 0; i < width_; ++i)
    numbers.push_back(ConstantInt::get(type, static_cast<uint64_t>(stride) * i));
  return ConstantVector::get(numbers);
}

Value *LaneValues::spread(Value *value) {
  Type *type = value->getType();
  if (isa<UndefValue>(value))
    return isa<PoisonValue>(value) ? PoisonValue::get(laneType(type)) : UndefValue::get(laneType(type));
  if (!type->isAggregateType() && !type->isVectorTy()) {
    if (auto *constant = dyn_cast<Constant>(value))
      return ConstantVector::getSplat(ElementCount::getFixed(width_), constant);
    return b_.CreateVectorSplat(width_, value);
  }
  Value *result = PoisonValue::get(laneType(type));
  unsigned count = type->isStructTy()  ? type->getStructNumElements()
                   : type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                       : cast<FixedVectorType>(type)->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    Value *element = type->isVectorTy() ? b_.CreateExtractElement(value, i) : b_.CreateExtractValue(value, i);
    result = b_.CreateInsertValue(result, spread(element), i);
  }
  return result;
}

Value *LaneValues::scalar(const Value *value) {
  if (isa<Constant>(value) || isa<MetadataAsValue>(value) || isa<InlineAsm>(value))
    return const_cast<Value *>(value);
  if (Value *known = scalars_.lookup(value))
    return known;
  context_.decline("internal: a value of lanes is used as a scalar");
  return PoisonValue::get(value->getType());
}

Value *LaneValues::vector(const Value *value) {
  if (auto *constant = dyn_cast<Constant>(value))
    return spread(const_cast<Constant *>(constant));
  if (Value *known = vectors_.lookup(value))
    return known;
  Value *first = scalar(value);
  Value *result = nullptr;
  {
    IRBuilder<>::InsertPointGuard guard(b_);
    auto *definition = dyn_cast<Instruction>(first);
    if (!definition)
      b_.SetInsertPoint(context_.prologue->getTerminator());
    else if (isa<PHINode>(definition))
      b_.SetInsertPoint(definition->getParent(), definition->getParent()->getFirstInsertionPt());
    else
      b_.SetInsertPoint(definition->getParent(), std::next(definition->getIterator()));
    Shape shape = shapeOf(value);
    result = spread(first);
    if (shape.isStrided() && first->getType()->isPointerTy())
      result = b_.CreateGEP(b_.getInt8Ty(), first, lanes(shape.stride(), b_.getInt64Ty()));
    else if (shape.isStrided())
      result = b_.CreateAdd(result, lanes(shape.stride(), first->getType()));
  }
  vectors_[value] = result;
  return result;
}

void LaneValues::set(const Value &value, Value *result) {
  if (value.getType()->isVoidTy())
    return;
  (isVarying(&value) ? vectors_ : scalars_)[&value] = result;
}

Value *LaneValues::atLane(const Value *value, Value *lane) {
  Shape shape = shapeOf(value);
  if (shape.isUniform())
    return scalar(value);
  if (shape.isStrided()) {
    Value *first = scalar(value);
    Type *number = first->getType()->isPointerTy() ? b_.getInt64Ty() : first->getType();
    Value *distance = b_.CreateMul(b_.CreateZExtOrTrunc(lane, number),
                                   ConstantInt::get(number, static_cast<uint64_t>(shape.stride())));
    return first->getType()->isPointerTy() ? b_.CreateGEP(b_.getInt8Ty(), first, distance)
                                           : b_.CreateAdd(first, distance);
  }
  Value *all = vector(value);
  Type *type = value->getType();
  if (!type->isAggregateType() && !type->isVectorTy())
    return b_.CreateExtractElement(all, lane);
  // Structures and vectors: element by element.
  Value *result = PoisonValue::get(type);
  unsigned count = type->isStructTy()  ? type->getStructNumElements()
                   : type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                       : cast<FixedVectorType>(type)->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    Value *part = b_.CreateExtractValue(all, i);
    if (!part->getType()->isVectorTy()) {
      context_.decline("a structure of structures is taken apart by lanes");
      return result;
    }
    Value *element = b_.CreateExtractElement(part, lane);
    result = type->isVectorTy() ? b_.CreateInsertElement(result, element, i) : b_.CreateInsertValue(result, element, i);
  }
  return result;
}

Value *LaneValues::takeVector(const Value &value) {
  Value *vector = vectors_.lookup(&value);
  vectors_.erase(&value);
  return vector;
}

void LaneValues::assume(const Value &value, Shape shape, Value *first) {
  assumed_ = &value;
  assumedShape_ = shape;
  if (first)
    scalars_[&value] = first;
}

void LaneValues::endAssumption() {
  scalars_.erase(assumed_);
  assumed_ = nullptr;
}

} // namespace hiplz::cpu
