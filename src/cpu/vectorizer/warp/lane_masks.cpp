// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/lane_masks.h"

using namespace llvm;

namespace hiplz::cpu {

Value *LaneMasks::vector(Value *mask) const {
  return mask ? mask : ConstantInt::getTrue(FixedVectorType::get(Type::getInt1Ty(warp_.getContext()), width_));
}

Value *LaneMasks::bits(Value *mask) { return b_.CreateBitCast(vector(mask), b_.getIntNTy(width_)); }

// Lanes that are not there have any condition, poison included.
Value *LaneMasks::within(Value *mask, Value *condition) {
  return mask ? b_.CreateSelect(mask, condition, ConstantInt::getFalse(condition->getType())) : condition;
}

Value *LaneMasks::any(Value *mask) {
  return b_.CreateICmpNE(bits(mask), ConstantInt::get(b_.getIntNTy(width_), 0), "any");
}

Value *LaneMasks::first(Value *mask, Type *type) {
  if (!mask)
    return ConstantInt::get(type, 0);
  return b_.CreateZExtOrTrunc(b_.CreateBinaryIntrinsic(Intrinsic::cttz, bits(mask), b_.getTrue()), type);
}

Value *LaneMasks::last(Value *mask) {
  if (!mask)
    return b_.getInt32(width_ - 1);
  Value *zeros = b_.CreateBinaryIntrinsic(Intrinsic::ctlz, bits(mask), b_.getTrue());
  return b_.CreateSub(b_.getInt32(width_ - 1), b_.CreateZExtOrTrunc(zeros, b_.getInt32Ty()));
}

} // namespace hiplz::cpu
