// SPDX-License-Identifier: MIT
// Arithmetic, addresses, comparisons, conversions: one instruction of the warp function for one of the body, scalar where
// the shape allows it.
#include "cpu/vectorizer/lane_divisions.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/warp_builder.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace hiplz::cpu {

void WarpBuilder::emit(const Instruction &instruction) {
  if (isItemAddress(&instruction, body_))
    return; // whoever reads there finds the field by itself
  if (auto *variable = dyn_cast<AllocaInst>(&instruction))
    return emitAlloca(*variable);
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return emitLoad(*load);
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return emitStore(*store);
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return emitAtomicUpdate(*update);
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return emitCall(*call);
  if (isa<AtomicCmpXchgInst>(instruction))
    return replicate(instruction);
  for (const Value *operand : instruction.operands())
    if (isItemAddress(operand, body_))
      return decline(instruction, "the address of the work-item's state is taken");
  if (shapeOf(&instruction).isRegular())
    emitScalar(instruction);
  else
    emitVector(instruction);
}

void WarpBuilder::emitScalar(const Instruction &instruction) {
  // The first lane's multiple of a power of two has no bits below it.
  if (instruction.getOpcode() == Instruction::And)
    if (auto *mask = dyn_cast<ConstantInt>(instruction.getOperand(1)))
      if (mask->getValue().getActiveBits() <= shapeOf(instruction.getOperand(0)).align()) {
        scalars_[&instruction] = ConstantInt::get(instruction.getType(), 0);
        return;
      }
  Instruction *copy = instruction.clone();
  bool ofLaneZero = false;
  for (Use &operand : copy->operands()) {
    ofLaneZero = ofLaneZero || shapeOf(operand).isStrided();
    operand.set(scalar(operand));
  }
  if (Constant *folded = ConstantFoldInstruction(copy, layout_)) {
    copy->deleteValue();
    scalars_[&instruction] = folded;
    return;
  }
  // Lane 0 need not be there, and what is promised for the lanes that are does not hold for it.
  if (ofLaneZero && !(laneLayout_ == LaneLayout::rows && !mask_))
    copy->dropPoisonGeneratingFlags();
  b_.Insert(copy, instruction.getName());
  scalars_[&instruction] = copy;
}

void WarpBuilder::emitVector(const Instruction &instruction) {
  Value *result = nullptr;
  if (isa<ExtractValueInst>(instruction) || isa<InsertValueInst>(instruction)) {
    Value *aggregate = vector(instruction.getOperand(0));
    result = isa<ExtractValueInst>(instruction)
                 ? b_.CreateExtractValue(aggregate, cast<ExtractValueInst>(instruction).getIndices())
                 : b_.CreateInsertValue(aggregate, vector(instruction.getOperand(1)),
                                        cast<InsertValueInst>(instruction).getIndices());
  } else if (isa<ExtractElementInst>(instruction) || isa<InsertElementInst>(instruction) ||
             isa<ShuffleVectorInst>(instruction)) {
    result = vectorElement(instruction);
  } else if (isa<BitCastInst>(instruction)) {
    result = vectorBitCast(instruction);
  } else if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    result = vectorSelect(*select);
  } else if (isa<FreezeInst>(instruction)) {
    result = mapLeaves(instruction.getType(), {vector(instruction.getOperand(0))},
                       [&](ArrayRef<Value *> leaf) { return b_.CreateFreeze(leaf[0]); });
  } else if (instruction.getType()->isVectorTy() ||
             any_of(instruction.operands(), [](const Use &operand) { return operand->getType()->isVectorTy(); })) {
    return decline(instruction, Twine("no vector form for ") + instruction.getOpcodeName() + " of vectors");
  } else if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) {
    result = vectorBinary(*binary);
  } else if (auto *unary = dyn_cast<UnaryOperator>(&instruction)) {
    result = b_.CreateUnOp(unary->getOpcode(), vector(unary->getOperand(0)));
  } else if (auto *conversion = dyn_cast<CastInst>(&instruction)) {
    result = b_.CreateCast(conversion->getOpcode(), vector(conversion->getOperand(0)), laneType(conversion->getType()));
  } else if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
    Value *left = vector(compare->getOperand(0)), *right = vector(compare->getOperand(1));
    result = b_.CreateCmp(compare->getPredicate(), left, right);
  } else if (auto *element = dyn_cast<GetElementPtrInst>(&instruction)) {
    result = vectorAddress(*element);
  } else {
    return decline(instruction, Twine("no vector form for ") + instruction.getOpcodeName());
  }
  if (auto *made = dyn_cast<Instruction>(result))
    if (made->getOpcode() == instruction.getOpcode() && !isa<ExtractValueInst>(made) && !isa<InsertValueInst>(made))
      made->copyIRFlags(&instruction);
  // What is known of a row is known of lanes that are not there, for which nothing is promised.
  if (auto *made = dyn_cast<Instruction>(result); made && shapeOf(&instruction).isInRows())
    made->dropPoisonGeneratingFlags();
  vectors_[&instruction] = result;
}

// A vector with the same low bits, if these are known while compiling: those of the lane's number, and what is computed from it with
// numbers. `(lane + 16) & 31` is what shuffles ask for.
Constant *WarpBuilder::knownLowBits(const Value *value, unsigned bits, unsigned depth) const {
  constexpr unsigned kMaxDepth = 6;
  Type *type = value->getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() < bits)
    return nullptr;
  if (auto *number = dyn_cast<ConstantInt>(value))
    return ConstantInt::get(laneType(type), number->getValue());
  const Shape shape = shapeOf(value);
  if (shape.isRegular() && shape.align() >= bits)
    return cast<Constant>(lanes(shape.stride(), type));
  auto *operation = dyn_cast<Instruction>(value);
  if (!operation || depth == kMaxDepth)
    return nullptr;
  switch (operation->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor: {
    Constant *left = knownLowBits(operation->getOperand(0), bits, depth + 1);
    Constant *right = left ? knownLowBits(operation->getOperand(1), bits, depth + 1) : nullptr;
    return right ? ConstantFoldBinaryOpOperands(operation->getOpcode(), left, right, layout_) : nullptr;
  }
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc: {
    Constant *from = knownLowBits(operation->getOperand(0), bits, depth + 1);
    return from ? ConstantFoldCastOperand(operation->getOpcode(), from, laneType(type), layout_) : nullptr;
  }
  default: return nullptr;
  }
}

Value *WarpBuilder::vectorBinary(const BinaryOperator &operation) {
  if (operation.isIntDivRem())
    return vectorDivision(operation);
  auto *mask = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (mask && operation.getOpcode() == Instruction::And)
    if (Constant *low = knownLowBits(operation.getOperand(0), mask->getValue().getActiveBits()))
      return b_.CreateAnd(low, ConstantInt::get(low->getType(), mask->getValue()));
  return b_.CreateBinOp(operation.getOpcode(), vector(operation.getOperand(0)), vector(operation.getOperand(1)));
}

// Lanes that are not there must not trap. One divisor for all lanes is what some lane that is there divides by, so it is zero only if
// the program divides by zero; the smallest number divided by minus one is then what traps.
Value *WarpBuilder::vectorDivision(const BinaryOperator &operation) {
  const auto opcode = operation.getOpcode();
  Value *left = vector(operation.getOperand(0)), *right = vector(operation.getOperand(1));
  if (!shapeOf(operation.getOperand(1)).isUniform())
    return divideLanes(b_, opcode, left, right, mask_);
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  const bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  if (mask_ && isSigned && (!constant || constant->isMinusOne()))
    left = b_.CreateSelect(mask_, left, Constant::getNullValue(left->getType()));
  return b_.CreateBinOp(opcode, left, right);
}

// Uniform parts stay scalar, which is what gathers want.
Value *WarpBuilder::vectorAddress(const GetElementPtrInst &address) {
  if (address.getType()->isVectorTy())
    return PoisonValue::get(laneType(address.getType()));
  auto part = [&](const Value *operand) { return shapeOf(operand).isUniform() ? scalar(operand) : vector(operand); };
  Value *base = part(address.getPointerOperand());
  SmallVector<Value *, 4> indices;
  for (const Use &index : address.indices())
    indices.push_back(part(index));
  Type *type = address.getSourceElementType();
  return address.isInBounds() ? b_.CreateInBoundsGEP(type, base, indices) : b_.CreateGEP(type, base, indices);
}

Value *WarpBuilder::vectorSelect(const SelectInst &select) {
  Value *yes = vector(select.getTrueValue()), *no = vector(select.getFalseValue());
  const Value *condition = select.getCondition();
  if (condition->getType()->isVectorTy()) {
    decline(select, "no vector form for a selection of vectors by element");
    return yes;
  }
  Value *chosen = shapeOf(condition).isUniform() ? scalar(condition) : vector(condition);
  return mapLeaves(select.getType(), {yes, no},
                   [&](ArrayRef<Value *> leaf) { return b_.CreateSelect(chosen, leaf[0], leaf[1]); });
}

// Vectors of so many elements are transposed in steps that deal with two vectors of lanes each, like a fast Fourier transform: count *
// log2(count) shuffles. One shuffle of all of it for each element, which LLVM makes count shuffles of, is for few or odd numbers.
static bool isTransposedInSteps(unsigned count) { return count > 4 && isPowerOf2_32(count); }

static SmallVector<int, 64> everySecond(unsigned first, unsigned count) {
  SmallVector<int, 64> order;
  for (unsigned i = 0; i < count; ++i)
    order.push_back(static_cast<int>(first + 2 * i));
  return order;
}

// As many streams as there are vectors, whose elements take turns; each stream as one vector.
static SmallVector<Value *, 16> separated(IRBuilder<> &b, ArrayRef<Value *> vectors, unsigned width) {
  if (vectors.size() == 1)
    return {vectors[0]};
  SmallVector<Value *, 16> streams(vectors.size());
  for (unsigned odd : {0u, 1u}) {
    SmallVector<Value *, 16> half;
    for (size_t i = 0; i < vectors.size(); i += 2)
      half.push_back(b.CreateShuffleVector(vectors[i], vectors[i + 1], everySecond(odd, width)));
    const auto whole = separated(b, half, width);
    for (size_t i = 0; i < whole.size(); ++i)
      streams[2 * i + odd] = whole[i];
  }
  return streams;
}

// The reverse.
static SmallVector<Value *, 16> takingTurns(IRBuilder<> &b, ArrayRef<Value *> streams, unsigned width) {
  if (streams.size() == 1)
    return {streams[0]};
  SmallVector<Value *, 16> halves[2], vectors;
  for (unsigned odd : {0u, 1u}) {
    SmallVector<Value *, 16> half;
    for (size_t i = odd; i < streams.size(); i += 2)
      half.push_back(streams[i]);
    halves[odd] = takingTurns(b, half, width);
  }
  for (size_t i = 0; i < halves[0].size(); ++i)
    for (unsigned first : {0u, width / 2}) {
      SmallVector<int, 64> order;
      for (unsigned lane = first; lane < first + width / 2; ++lane)
        order.append({static_cast<int>(lane), static_cast<int>(width + lane)});
      vectors.push_back(b.CreateShuffleVector(halves[0][i], halves[1][i], order));
    }
  return vectors;
}

// Elements of 16 bits are moved as integers: LLVM takes vectors of halfs apart to shuffle them, unless the processor computes with these.
static Value *asMovable(IRBuilder<> &b, Value *vector) {
  Type *element = vector->getType()->getScalarType();
  const bool isHalf = element->isHalfTy() || element->isBFloatTy();
  return isHalf ? b.CreateBitCast(vector, vector->getType()->getWithNewType(b.getInt16Ty())) : vector;
}

SmallVector<Value *, 16> WarpBuilder::separate(Value *all, unsigned count) {
  Type *type = FixedVectorType::get(all->getType()->getScalarType(), width_);
  all = asMovable(b_, all);
  SmallVector<Value *, 16> parts;
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<int, 64> pick;
    for (unsigned lane = 0; lane < width_; ++lane)
      pick.push_back(static_cast<int>(isTransposedInSteps(count) ? i * width_ + lane : lane * count + i));
    parts.push_back(b_.CreateShuffleVector(all, pick));
  }
  if (isTransposedInSteps(count))
    parts = separated(b_, parts, width_);
  for (Value *&part : parts)
    part = b_.CreateBitCast(part, type);
  return parts;
}

// The first elements of all of them, then the second ones ...
Value *WarpBuilder::interleaved(ArrayRef<Value *> elements) {
  const auto count = static_cast<unsigned>(elements.size());
  SmallVector<Value *, 16> vectors;
  for (Value *element : elements)
    vectors.push_back(asMovable(b_, element));
  Type *type = FixedVectorType::get(elements[0]->getType()->getScalarType(), count * width_);
  if (isTransposedInSteps(count)) {
    SmallVector<Value *, 16> parts = takingTurns(b_, vectors, width_);
    for (unsigned length = width_; parts.size() > 1; length *= 2) {
      SmallVector<int, 64> both;
      for (unsigned i = 0; i < 2 * length; ++i)
        both.push_back(static_cast<int>(i));
      SmallVector<Value *, 16> longer;
      for (size_t i = 0; i < parts.size(); i += 2)
        longer.push_back(b_.CreateShuffleVector(parts[i], parts[i + 1], both));
      parts = std::move(longer);
    }
    return b_.CreateBitCast(parts[0], type);
  }
  Value *all = PoisonValue::get(FixedVectorType::get(vectors[0]->getType()->getScalarType(), count * width_));
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<int, 64> widen, merge;
    for (unsigned k = 0; k < count * width_; ++k) {
      widen.push_back(k < width_ ? static_cast<int>(k) : -1);
      merge.push_back(static_cast<int>(k % count == i ? count * width_ + k / count : k));
    }
    all = b_.CreateShuffleVector(all, b_.CreateShuffleVector(vectors[i], widen), merge);
  }
  return b_.CreateBitCast(all, type);
}

// Between vectors of different elements, or a vector and a scalar: by way of one long vector with the lanes one after the
// other.
Value *WarpBuilder::vectorBitCast(const Instruction &cast) {
  Type *from = cast.getOperand(0)->getType(), *to = cast.getType();
  Value *value = vector(cast.getOperand(0));
  auto *fromVector = dyn_cast<FixedVectorType>(from);
  auto *toVector = dyn_cast<FixedVectorType>(to);
  if (!fromVector && !toVector)
    return from->isPointerTy() ? value : b_.CreateBitCast(value, laneType(to));
  unsigned fromCount = fromVector ? fromVector->getNumElements() : 1,
           toCount = toVector ? toVector->getNumElements() : 1;
  Type *longTo = FixedVectorType::get(to->getScalarType(), toCount * width_);
  Value *all = value;
  if (fromVector) {
    SmallVector<Value *, 8> elements;
    for (unsigned i = 0; i < fromCount; ++i)
      elements.push_back(b_.CreateExtractValue(value, i));
    all = interleaved(elements);
  }
  all = b_.CreateBitCast(all, longTo);
  if (!toVector)
    return all;
  Value *result = PoisonValue::get(laneType(to));
  for (const auto &element : enumerate(separate(all, toCount)))
    result = b_.CreateInsertValue(result, element.value(), static_cast<unsigned>(element.index()));
  return result;
}

// Elements of vectors, which are kept as arrays of lane vectors.
Value *WarpBuilder::vectorElement(const Instruction &access) {
  Value *whole = vector(access.getOperand(0));
  auto *type = cast<FixedVectorType>(access.getOperand(0)->getType());
  unsigned count = type->getNumElements();
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&access)) {
    Value *other = vector(shuffle->getOperand(1));
    Value *result = PoisonValue::get(laneType(shuffle->getType()));
    ArrayRef<int> mask = shuffle->getShuffleMask();
    for (unsigned i = 0; i < mask.size(); ++i)
      if (mask[i] >= 0) {
        auto from = static_cast<unsigned>(mask[i]);
        result = b_.CreateInsertValue(result, b_.CreateExtractValue(from < count ? whole : other, from % count), i);
      }
    return result;
  }
  bool inserts = isa<InsertElementInst>(access);
  const Value *index = access.getOperand(inserts ? 2 : 1);
  Value *element = inserts ? vector(access.getOperand(1)) : nullptr;
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    auto at = static_cast<unsigned>(constant->getLimitedValue(count));
    if (at >= count)
      return PoisonValue::get(laneType(access.getType()));
    return inserts ? b_.CreateInsertValue(whole, element, at) : b_.CreateExtractValue(whole, at);
  }
  Value *wanted = vector(index);
  Value *result = inserts ? whole : PoisonValue::get(laneType(access.getType()));
  for (unsigned i = 0; i < count; ++i) {
    Value *here = b_.CreateICmpEQ(wanted, ConstantInt::get(wanted->getType(), i));
    Value *part = b_.CreateExtractValue(whole, i);
    result = inserts ? b_.CreateInsertValue(result, b_.CreateSelect(here, element, part), i)
                     : b_.CreateSelect(here, part, result);
  }
  return result;
}

// A copy for each lane, as far apart as the shape says.
void WarpBuilder::emitAlloca(const AllocaInst &variable) {
  auto size = variable.getAllocationSizeInBits(layout_);
  if (!size || !variable.isStaticAlloca())
    return decline(variable, "a private array whose size is not known");
  IRBuilder<> prologue(prologue_->getTerminator());
  uint64_t bytes = isInterleaved(variable) ? size->getFixedValue() / 8 : laneBytes(variable) * width_;
  AllocaInst *copies = prologue.CreateAlloca(ArrayType::get(prologue.getInt8Ty(), bytes), nullptr, variable.getName());
  copies->setAlignment(std::max(variable.getAlign(), Align(64)));
  scalars_[&variable] = copies;
}

} // namespace hiplz::cpu
