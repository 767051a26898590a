// SPDX-License-Identifier: MIT
// See checked_objects.h.
#include "cpu/compiler/checked_objects.h"
#include "cpu/abi/check_site.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace hiplz::cpu {

bool staysInside(const Value &pointer, const Object &object, const Value &bytes, const DataLayout &layout) {
  APInt offset(64, 0);
  auto *length = dyn_cast<ConstantInt>(&bytes);
  const Value *from = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
  // The address of a local variable is itself an offset in the block's memory.
  if (object.flags & checkShared) {
    APInt ofBase(64, 0);
    if (from != object.base->stripAndAccumulateConstantOffsets(layout, ofBase, true))
      return false;
    offset -= ofBase;
  } else if (from != object.base) {
    return false;
  }
  return length && !offset.isNegative() && offset.getZExtValue() <= object.bytes &&
         length->getZExtValue() <= object.bytes - offset.getZExtValue();
}

bool staysAligned(const Value &pointer, const Object &object, Align align, const DataLayout &layout) {
  const Value *at = &pointer;
  while (align != Align(1) && at != object.base) {
    if (auto *element = dyn_cast<GEPOperator>(at)) {
      if (element->getMaxPreservedAlignment(layout) < align)
        return false;
      at = element->getPointerOperand();
    } else if (auto *cast = dyn_cast<BitCastOperator>(at)) {
      at = cast->getOperand(0);
    } else {
      return false;
    }
  }
  return true;
}

} // namespace hiplz::cpu
