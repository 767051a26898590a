// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/masked_access.h"

#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

Type *accessType(Type *lanes, const DataLayout &layout) {
  return lanes->getWithNewType(Type::getIntNTy(
      lanes->getContext(), static_cast<unsigned>(layout.getTypeSizeInBits(lanes->getScalarType()).getFixedValue())));
}

const DataLayout &layoutOf(const IRBuilder<> &b) { return b.GetInsertBlock()->getModule()->getDataLayout(); }

} // namespace

Value *maskedLoad(IRBuilder<> &b, Type *lanes, Value *address, Align align, Value *mask) {
  Type *type = accessType(lanes, layoutOf(b));
  Value *loaded = b.CreateMaskedLoad(type, address, align, mask, PoisonValue::get(type));
  return b.CreateBitOrPointerCast(loaded, lanes);
}

void maskedStore(IRBuilder<> &b, Value *value, Value *address, Align align, Value *mask) {
  b.CreateMaskedStore(b.CreateBitOrPointerCast(value, accessType(value->getType(), layoutOf(b))), address, align, mask);
}

} // namespace hiplz::cpu
