// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/arithmetic.h"
#include "cpu/vectorizer/lane_divisions.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/warp/interleaving.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace hiplz::cpu {

void Arithmetic::emit(const Instruction &instruction) {
  for (const Value *operand : instruction.operands())
    if (isItemAddress(operand, body_))
      return decline(instruction, "the address of the work-item's state is taken");
  if (values_.shapeOf(&instruction).isRegular())
    emitScalar(instruction);
  else
    emitVector(instruction);
}

void Arithmetic::emitScalar(const Instruction &instruction) {
  // The first lane's multiple of a power of two has no bits below it.
  if (instruction.getOpcode() == Instruction::And)
    if (auto *mask = dyn_cast<ConstantInt>(instruction.getOperand(1)))
      if (mask->getValue().getActiveBits() <= values_.shapeOf(instruction.getOperand(0)).align()) {
        values_.setScalar(instruction, ConstantInt::get(instruction.getType(), 0));
        return;
      }
  Instruction *copy = instruction.clone();
  bool ofLaneZero = false;
  for (Use &operand : copy->operands()) {
    ofLaneZero = ofLaneZero || values_.shapeOf(operand).isStrided();
    operand.set(values_.scalar(operand));
  }
  if (Constant *folded = ConstantFoldInstruction(copy, layout_)) {
    copy->deleteValue();
    values_.setScalar(instruction, folded);
    return;
  }
  // Lane 0 need not be there, and what is promised for the lanes that are does not hold for it.
  if (ofLaneZero && !(options_.layout == LaneLayout::rows && !mask_))
    copy->dropPoisonGeneratingFlags();
  b_.Insert(copy, instruction.getName());
  values_.setScalar(instruction, copy);
}

void Arithmetic::emitVector(const Instruction &instruction) {
  Value *result = nullptr;
  if (isa<ExtractValueInst>(instruction) || isa<InsertValueInst>(instruction)) {
    Value *aggregate = values_.vector(instruction.getOperand(0));
    result = isa<ExtractValueInst>(instruction)
                 ? b_.CreateExtractValue(aggregate, cast<ExtractValueInst>(instruction).getIndices())
                 : b_.CreateInsertValue(aggregate, values_.vector(instruction.getOperand(1)),
                                        cast<InsertValueInst>(instruction).getIndices());
  } else if (isa<ExtractElementInst>(instruction) || isa<InsertElementInst>(instruction) ||
             isa<ShuffleVectorInst>(instruction)) {
    result = vectorElement(instruction);
  } else if (isa<BitCastInst>(instruction)) {
    result = vectorBitCast(instruction);
  } else if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    result = vectorSelect(*select);
  } else if (isa<FreezeInst>(instruction)) {
    result = values_.mapLeaves(instruction.getType(), {values_.vector(instruction.getOperand(0))},
                               [&](ArrayRef<Value *> leaf) { return b_.CreateFreeze(leaf[0]); });
  } else if (instruction.getType()->isVectorTy() ||
             any_of(instruction.operands(), [](const Use &operand) { return operand->getType()->isVectorTy(); })) {
    return decline(instruction, Twine("no vector form for ") + instruction.getOpcodeName() + " of vectors");
  } else if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) {
    result = vectorBinary(*binary);
  } else if (auto *unary = dyn_cast<UnaryOperator>(&instruction)) {
    result = b_.CreateUnOp(unary->getOpcode(), values_.vector(unary->getOperand(0)));
  } else if (auto *conversion = dyn_cast<CastInst>(&instruction)) {
    result = b_.CreateCast(conversion->getOpcode(), values_.vector(conversion->getOperand(0)),
                           laneType(conversion->getType()));
  } else if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
    Value *left = values_.vector(compare->getOperand(0)), *right = values_.vector(compare->getOperand(1));
    result = b_.CreateCmp(compare->getPredicate(), left, right);
  } else if (auto *element = dyn_cast<GetElementPtrInst>(&instruction)) {
    result = vectorAddress(*element);
  } else {
    return decline(instruction, Twine("no vector form for ") + instruction.getOpcodeName());
  }
  if (auto *made = dyn_cast<Instruction>(result))
    if (made->getOpcode() == instruction.getOpcode() && !isa<ExtractValueInst>(made) && !isa<InsertValueInst>(made))
      made->copyIRFlags(&instruction);
  // Facts about a row include lanes that are not there, for which nothing is promised.
  if (auto *made = dyn_cast<Instruction>(result); made && values_.shapeOf(&instruction).isInRows())
    made->dropPoisonGeneratingFlags();
  values_.setVector(instruction, result);
}

// A vector with the same low bits, if these are known while compiling: those of the lane's number, and what is computed from it with
// numbers. `(lane + 16) & 31` is what shuffles ask for.
Constant *Arithmetic::knownLowBits(const Value *value, unsigned bits, unsigned depth) const {
  constexpr unsigned kMaxDepth = 6;
  Type *type = value->getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() < bits)
    return nullptr;
  if (auto *number = dyn_cast<ConstantInt>(value))
    return ConstantInt::get(laneType(type), number->getValue());
  const Shape shape = values_.shapeOf(value);
  if (shape.isRegular() && shape.align() >= bits)
    return cast<Constant>(values_.lanes(shape.stride(), type));
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

Value *Arithmetic::vectorBinary(const BinaryOperator &operation) {
  if (operation.isIntDivRem())
    return vectorDivision(operation);
  auto *mask = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (mask && operation.getOpcode() == Instruction::And)
    if (Constant *low = knownLowBits(operation.getOperand(0), mask->getValue().getActiveBits()))
      return b_.CreateAnd(low, ConstantInt::get(low->getType(), mask->getValue()));
  return b_.CreateBinOp(operation.getOpcode(), values_.vector(operation.getOperand(0)),
                        values_.vector(operation.getOperand(1)));
}

// Lanes that are not there must not trap. One divisor for all lanes is what some lane that is there divides by, so it is zero only if
// the program divides by zero; the smallest number divided by minus one is then what traps.
Value *Arithmetic::vectorDivision(const BinaryOperator &operation) {
  const auto opcode = operation.getOpcode();
  Value *left = values_.vector(operation.getOperand(0)), *right = values_.vector(operation.getOperand(1));
  if (!values_.shapeOf(operation.getOperand(1)).isUniform())
    return divideLanes(b_, opcode, left, right, mask_);
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  const bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  if (mask_ && isSigned && (!constant || constant->isMinusOne()))
    left = b_.CreateSelect(mask_, left, Constant::getNullValue(left->getType()));
  return b_.CreateBinOp(opcode, left, right);
}

// Uniform parts stay scalar, which is what gathers want.
Value *Arithmetic::vectorAddress(const GetElementPtrInst &address) {
  if (address.getType()->isVectorTy())
    return PoisonValue::get(laneType(address.getType()));
  auto part = [&](const Value *operand) {
    return values_.shapeOf(operand).isUniform() ? values_.scalar(operand) : values_.vector(operand);
  };
  Value *base = part(address.getPointerOperand());
  SmallVector<Value *, 4> indices;
  for (const Use &index : address.indices())
    indices.push_back(part(index));
  Type *type = address.getSourceElementType();
  return address.isInBounds() ? b_.CreateInBoundsGEP(type, base, indices) : b_.CreateGEP(type, base, indices);
}

Value *Arithmetic::vectorSelect(const SelectInst &select) {
  Value *yes = values_.vector(select.getTrueValue()), *no = values_.vector(select.getFalseValue());
  const Value *condition = select.getCondition();
  if (condition->getType()->isVectorTy()) {
    decline(select, "no vector form for a selection of vectors by element");
    return yes;
  }
  Value *chosen = values_.shapeOf(condition).isUniform() ? values_.scalar(condition) : values_.vector(condition);
  return values_.mapLeaves(select.getType(), {yes, no},
                           [&](ArrayRef<Value *> leaf) { return b_.CreateSelect(chosen, leaf[0], leaf[1]); });
}

// Between vectors of different elements, or a vector and a scalar: by way of one long vector with the lanes one after the
// other.
Value *Arithmetic::vectorBitCast(const Instruction &cast) {
  Type *from = cast.getOperand(0)->getType(), *to = cast.getType();
  Value *value = values_.vector(cast.getOperand(0));
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
    all = interleaved(b_, elements);
  }
  all = b_.CreateBitCast(all, longTo);
  if (!toVector)
    return all;
  Value *result = PoisonValue::get(laneType(to));
  for (const auto &element : enumerate(separate(b_, all, toCount)))
    result = b_.CreateInsertValue(result, element.value(), static_cast<unsigned>(element.index()));
  return result;
}

// Elements of vectors, which are kept as arrays of lane vectors.
Value *Arithmetic::vectorElement(const Instruction &access) {
  Value *whole = values_.vector(access.getOperand(0));
  auto *type = cast<FixedVectorType>(access.getOperand(0)->getType());
  unsigned count = type->getNumElements();
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&access)) {
    Value *other = values_.vector(shuffle->getOperand(1));
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
  Value *element = inserts ? values_.vector(access.getOperand(1)) : nullptr;
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    auto at = static_cast<unsigned>(constant->getLimitedValue(count));
    if (at >= count)
      return PoisonValue::get(laneType(access.getType()));
    return inserts ? b_.CreateInsertValue(whole, element, at) : b_.CreateExtractValue(whole, at);
  }
  Value *wanted = values_.vector(index);
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
void Arithmetic::emitAlloca(const AllocaInst &variable) {
  auto size = variable.getAllocationSizeInBits(layout_);
  if (!size || !variable.isStaticAlloca())
    return decline(variable, "a private array whose size is not known");
  IRBuilder<> prologue(context_.prologue->getTerminator());
  uint64_t bytes = isInterleaved(variable) ? size->getFixedValue() / 8 : laneBytes(variable) * width_;
  AllocaInst *copies = prologue.CreateAlloca(ArrayType::get(prologue.getInt8Ty(), bytes), nullptr, variable.getName());
  copies->setAlignment(std::max(variable.getAlign(), Align(64)));
  values_.setScalar(variable, copies);
}

} // namespace hiplz::cpu
