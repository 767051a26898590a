// SPDX-License-Identifier: MIT
// Scalars and vectors of values.
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/warp_builder.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {

Shape WarpBuilder::shapeOf(const Value *value) const {
  if (value == assumed_)
    return assumedShape_;
  Shape shape = shapes_.shapeOf(value);
  return shape.isUnknown() ? Shape::uniform() : shape; // nothing that is ever executed
}

Type *WarpBuilder::laneType(Type *type) const {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return ArrayType::get(laneType(vector->getElementType()), vector->getNumElements());
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(laneType(array->getElementType()), array->getNumElements());
  if (auto *structure = dyn_cast<StructType>(type)) {
    SmallVector<Type *, 4> elements;
    for (Type *element : structure->elements())
      elements.push_back(laneType(element));
    return StructType::get(type->getContext(), elements);
  }
  return FixedVectorType::get(type, width_);
}

// Builds a value of laneType(type) by asking `leaf` for the vectors of its scalar elements; `values` are of that form too.
Value *WarpBuilder::mapLeaves(Type *type, ArrayRef<Value *> values, function_ref<Value *(ArrayRef<Value *>)> leaf) {
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
    Values parts;
    for (Value *value : values)
      parts.push_back(b_.CreateExtractValue(value, i));
    Type *element = isa<FixedVectorType>(type) ? cast<FixedVectorType>(type)->getElementType()
                    : isa<ArrayType>(type)     ? type->getArrayElementType()
                                               : type->getStructElementType(i);
    result = b_.CreateInsertValue(result, mapLeaves(element, parts, leaf), i);
  }
  return result;
}

Value *WarpBuilder::choose(Value *mask, Value *yes, Value *no, Type *type) {
  if (!mask || yes == no || isa<UndefValue>(no))
    return yes;
  if (isa<UndefValue>(yes))
    return no;
  return mapLeaves(type, {yes, no},
                   [&](ArrayRef<Value *> leaves) { return b_.CreateSelect(mask, leaves[0], leaves[1]); });
}

Value *WarpBuilder::lanes(int64_t stride, Type *type) const {
  SmallVector<Constant *, 32> numbers;
  for (unsigned i = 0; i < width_; ++i)
    numbers.push_back(ConstantInt::get(type, static_cast<uint64_t>(stride) * i));
  return ConstantVector::get(numbers);
}

// One value for all lanes.
Value *WarpBuilder::spread(Value *value) {
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

// What stands for all lanes of a uniform value, and for lane 0 of a strided one.
Value *WarpBuilder::scalar(const Value *value) {
  if (isa<Constant>(value) || isa<MetadataAsValue>(value) || isa<InlineAsm>(value))
    return const_cast<Value *>(value);
  if (Value *known = scalars_.lookup(value))
    return known;
  if (reason_.empty())
    reason_ = "internal: a value of lanes is used as a scalar";
  return PoisonValue::get(value->getType());
}

// The vector is made next to the scalar, so that it serves all uses.
Value *WarpBuilder::vector(const Value *value) {
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
      b_.SetInsertPoint(prologue_->getTerminator());
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

void WarpBuilder::set(const Value &value, Value *result) {
  if (value.getType()->isVoidTy())
    return;
  (isVarying(&value) ? vectors_ : scalars_)[&value] = result;
}

// The scalar of one lane, whose number is an i32 of the warp function.
Value *WarpBuilder::atLane(const Value *value, Value *lane) {
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
      if (reason_.empty())
        reason_ = "a structure of structures is taken apart by lanes";
      return result;
    }
    Value *element = b_.CreateExtractElement(part, lane);
    result = type->isVectorTy() ? b_.CreateInsertElement(result, element, i) : b_.CreateInsertValue(result, element, i);
  }
  return result;
}

void WarpBuilder::decline(const Instruction &instruction, const Twine &why) {
  if (!reason_.empty())
    return;
  reason_ = why.str() + sourcePlace(instruction);
}

} // namespace hiplz::cpu
