// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/warp_context.h"
#include "cpu/vectorizer/passes.h"

#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {

WarpContext::WarpContext(Function &body, Function &warp, const ShapeInfo &shapes, const WarpOptions &options)
    : body(body), warp(warp), shapes(shapes), options(options), layout(body.getParent()->getDataLayout()),
      builder(body.getContext()), prologue(BasicBlock::Create(warp.getContext(), "prologue", &warp)) {}

Type *WarpContext::laneType(Type *type) const {
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
  return FixedVectorType::get(type, options.width);
}

BasicBlock *WarpContext::newBlock(const Twine &name) const {
  return BasicBlock::Create(warp.getContext(), name, &warp);
}

void WarpContext::decline(const Twine &why) {
  if (reason.empty())
    reason = why.str();
}

void WarpContext::decline(const Instruction &instruction, const Twine &why) { decline(why + sourcePlace(instruction)); }

} // namespace hiplz::cpu
