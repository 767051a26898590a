// SPDX-License-Identifier: MIT
// See bit_shadows.h.
#include "cpu/compiler/bit_shadows.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

using namespace llvm;

namespace hiplz::cpu {

Type *shadowType(Type *type) {
  LLVMContext &context = type->getContext();
  if (type->isIntegerTy())
    return type;
  if (type->isPointerTy())
    return Type::getInt64Ty(context);
  if (type->isFloatingPointTy())
    return Type::getIntNTy(context, static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Type *element = shadowType(vector->getElementType());
    return element ? FixedVectorType::get(element, vector->getNumElements()) : nullptr;
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    Type *element = shadowType(array->getElementType());
    return element ? ArrayType::get(element, array->getNumElements()) : nullptr;
  }
  auto *structure = dyn_cast<StructType>(type);
  if (!structure || structure->isOpaque())
    return nullptr;
  SmallVector<Type *, 8> elements;
  for (Type *element : structure->elements()) {
    elements.push_back(shadowType(element));
    if (!elements.back())
      return nullptr;
  }
  return StructType::get(context, elements, structure->isPacked());
}

bool isZero(const Value *shadow) {
  auto *constant = dyn_cast<Constant>(shadow);
  return constant && constant->isNullValue();
}

bool isUndefinedScalar(const Value *value) {
  return isa<UndefValue>(value) && value->getType()->isSingleValueType() && !value->getType()->isVectorTy() &&
         !value->getType()->isPointerTy();
}

Instruction *behind(Instruction &instruction) {
  return isa<PHINode>(instruction) ? instruction.getParent()->getFirstNonPHI() : instruction.getNextNode();
}

Value *BitShadows::shadowOf(const Value *value) {
  if (const auto found = shadows_.find(value); found != shadows_.end())
    return found->second;
  Type *type = shadowType(value->getType());
  return isUndefinedScalar(value) ? Constant::getAllOnesValue(type) : Constant::getNullValue(type);
}

// True if a bit is set, as one bit.
Value *BitShadows::any(Value *shadow) {
  Type *type = shadow->getType();
  if (type->isIntegerTy())
    return type->isIntegerTy(1) ? shadow : b.CreateICmpNE(shadow, Constant::getNullValue(type));
  if (isZero(shadow))
    return b.getFalse();
  auto *vector = dyn_cast<FixedVectorType>(type);
  const uint64_t count = vector                 ? vector->getNumElements()
                         : isa<ArrayType>(type) ? type->getArrayNumElements()
                                                : type->getStructNumElements();
  Value *result = b.getFalse(), *bits = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    if (vector) {
      Value *element = b.CreateExtractElement(shadow, i);
      bits = bits ? b.CreateOr(bits, element) : element;
    } else {
      result = b.CreateOr(result, any(b.CreateExtractValue(shadow, i)));
    }
  }
  return bits ? any(bits) : result;
}

// All bits of an element of `type` if a bit of the element is set; of all elements if the numbers of elements differ.
Value *BitShadows::spread(Value *shadow, Type *type) {
  auto *from = dyn_cast<FixedVectorType>(shadow->getType());
  auto *to = dyn_cast<FixedVectorType>(type);
  if (!type->isIntOrIntVectorTy())
    return b.CreateSelect(any(shadow), Constant::getAllOnesValue(type), Constant::getNullValue(type));
  if ((from && to && from->getNumElements() == to->getNumElements()) || (!to && shadow->getType()->isIntegerTy()))
    return b.CreateSExt(b.CreateICmpNE(shadow, Constant::getNullValue(shadow->getType())), type);
  Value *all = b.CreateSExt(any(shadow), type->getScalarType());
  return to ? b.CreateVectorSplat(to->getNumElements(), all) : all;
}

// A phi beside another one, which is filled in later. Until then nothing is known of its value; of an empty one LLVM would know everything.
PHINode *BitShadows::twinOf(const PHINode &phi, Type *type) {
  Instruction *&unknown = unknown_[type];
  if (!unknown)
    unknown = new FreezeInst(UndefValue::get(type), "", prologue);
  PHINode *twin = b.CreatePHI(type, phi.getNumIncomingValues());
  for (BasicBlock *block : phi.blocks())
    twin->addIncoming(unknown, block);
  return twin;
}

void BitShadows::endTwins() {
  for (auto &[type, unknown] : unknown_)
    unknown->eraseFromParent();
}

void BitShadows::start(Instruction &instruction) {
  b.SetInsertPoint(behind(instruction));
  b.SetCurrentDebugLocation(instruction.getDebugLoc());
}

MDNode *BitShadows::unlikely() { return MDBuilder(function.getContext()).createBranchWeights(1, 1u << 20); }

} // namespace hiplz::cpu
