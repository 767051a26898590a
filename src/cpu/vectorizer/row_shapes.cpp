// SPDX-License-Identifier: MIT
// Shapes where a warp has several rows of a work-group: what is known of the lanes of one row. These shapes hold for
// lanes that are not active as well, so they come from ids and arithmetic alone, never from memory or from what a mask
// has chosen.
#include "cpu/vectorizer/check_calls.h"
#include "cpu/vectorizer/shape_analysis.h"

#include <llvm/IR/Constants.h>

#include <bit>

using namespace llvm;

namespace hiplz::cpu {

// Facts about all lanes, said of each row.
Shape ShapeInfo::rowsOf(Shape shape) const {
  if (!shape.isRegular())
    return shape;
  const auto distance = static_cast<uint64_t>(shape.stride()) * options_.rowLanes; // from row to row
  const auto zeros = static_cast<unsigned>(distance == 0 ? 64 : std::countr_zero(distance));
  return Shape::inRows(shape.stride(), std::min(shape.align(), zeros));
}

Shape ShapeInfo::rowsOfBinary(const BinaryOperator &operation, Shape a, Shape b) const {
  a = rowsOf(a);
  b = rowsOf(b);
  if (!a.isInRows() || !b.isInRows())
    return Shape::varying();
  const Shape otherwise = a.isSameInRows() && b.isSameInRows() ? Shape::inRows(0) : Shape::varying();
  if (!operation.getType()->isIntegerTy() || operation.getType()->getIntegerBitWidth() > 64)
    return operation.isIntDivRem() ? Shape::varying() : otherwise;
  auto *right = dyn_cast<ConstantInt>(operation.getOperand(1));
  const unsigned low = std::min(a.align(), b.align());
  switch (operation.getOpcode()) {
  case Instruction::Add: return Shape::inRows(a.stride() + b.stride(), low);
  case Instruction::Sub: return Shape::inRows(a.stride() - b.stride(), low);
  case Instruction::Mul:
    if (a.isSameInRows() && b.isSameInRows())
      return Shape::inRows(0, a.align() + b.align());
    return right ? Shape::inRows(a.stride() * right->getSExtValue(), a.align() + b.align()) : Shape::varying();
  case Instruction::Shl:
    if (!right || right->getValue().uge(operation.getType()->getIntegerBitWidth()))
      return otherwise;
    return Shape::inRows(static_cast<int64_t>(static_cast<uint64_t>(a.stride()) << right->getZExtValue()),
                         a.align() + static_cast<unsigned>(right->getZExtValue()));
  case Instruction::Or: return isAddition(operation) ? Shape::inRows(a.stride() + b.stride(), low) : otherwise;
  case Instruction::And:
  case Instruction::Xor:
  case Instruction::LShr:
  case Instruction::AShr: return otherwise;
  default: return Shape::varying(); // lanes that are not active divide by something else
  }
}

Shape ShapeInfo::rowsOfCast(const CastInst &cast, Shape shape) const {
  Type *from = cast.getSrcTy(), *to = cast.getDestTy();
  if (isa<PtrToIntInst>(cast) && to->isIntegerTy(64) && body_.hasFnAttribute(kLooksAtRows))
    return shape;
  if (!from->isIntegerTy() || !to->isIntegerTy() || to->getIntegerBitWidth() > 64)
    return Shape::varying();
  if (cast.getOpcode() == Instruction::Trunc) {
    const auto shift = 64 - to->getIntegerBitWidth();
    return Shape::inRows(static_cast<int64_t>(static_cast<uint64_t>(shape.stride()) << shift) >> shift, shape.align());
  }
  const bool isSigned = cast.getOpcode() == Instruction::SExt;
  if (!isSigned && cast.getOpcode() != Instruction::ZExt)
    return Shape::varying();
  return keepsDistance(*cast.getOperand(0), isSigned) ? shape : Shape::varying();
}

} // namespace hiplz::cpu
