// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/side_by_side.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace hiplz::cpu {

bool accessesRows(const Function &body, const ShapeInfo &shapes) {
  constexpr int64_t kLargestElement = 16;
  return all_of(instructions(body), [&](const Instruction &instruction) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || isItemAddress(pointer, body))
      return true;
    const Shape shape = shapes.shapeOf(pointer);
    return (shape.isRegular() || shape.isInRows()) && std::abs(shape.stride()) <= kLargestElement;
  });
}

} // namespace hiplz::cpu
