// SPDX-License-Identifier: MIT
// SPIR-V counts the words of an instruction with 16 bits, so that the initial value of an array has at most 65,532 elements. A
// variable with a longer one becomes a structure of shorter arrays, which has the same layout, and its address is cast back
// to what it was.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

/// OpConstantComposite has three words beside the elements.
constexpr uint64_t kMaxElements = 65535 - 3;

bool hasLongArray(Type *T) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return Array->getNumElements() > kMaxElements || hasLongArray(Array->getElementType());
  auto *Struct = dyn_cast<StructType>(T);
  return Struct && any_of(Struct->elements(), hasLongArray);
}

/// The type with structures of arrays in place of long arrays. It depends on the type alone, so that the elements of an array
/// stay equal in type whatever their values are.
Type *split(Type *T) {
  if (!hasLongArray(T))
    return T;
  if (auto *Struct = dyn_cast<StructType>(T)) {
    SmallVector<Type *, 8> Members;
    for (Type *Member : Struct->elements())
      Members.push_back(split(Member));
    return StructType::get(T->getContext(), Members, Struct->isPacked());
  }
  Type *Element = split(T->getArrayElementType());
  const uint64_t Count = T->getArrayNumElements();
  if (Count <= kMaxElements)
    return ArrayType::get(Element, Count);
  SmallVector<Type *, 8> Parts(Count / kMaxElements, ArrayType::get(Element, kMaxElements));
  if (Count % kMaxElements)
    Parts.push_back(ArrayType::get(Element, Count % kMaxElements));
  return StructType::get(T->getContext(), Parts);
}

/// \p Value, of the type \p From, as a value of split(From).
Constant *split(Constant *Value, Type *From) {
  Type *To = split(From);
  if (To == From)
    return Value;
  if (Value->isNullValue())
    return Constant::getNullValue(To);
  if (isa<PoisonValue>(Value))
    return PoisonValue::get(To);
  if (isa<UndefValue>(Value))
    return UndefValue::get(To);
  unsigned Next = 0;
  auto element = [&] {
    Constant *Element = Value->getAggregateElement(Next++);
    return split(Element, Element->getType());
  };
  auto array = [&](Type *T) {
    SmallVector<Constant *, 0> Elements(T->getArrayNumElements());
    for (Constant *&Element : Elements)
      Element = element();
    return ConstantArray::get(cast<ArrayType>(T), Elements);
  };
  if (isa<ArrayType>(To))
    return array(To);
  SmallVector<Constant *, 8> Members;
  for (Type *Member : cast<StructType>(To)->elements())
    Members.push_back(isa<ArrayType>(From) ? array(Member) : element());
  return ConstantStruct::get(cast<StructType>(To), Members);
}

void replace(Module &M, GlobalVariable &Old) {
  Type *T = Old.getValueType();
  auto *New = new GlobalVariable(M, split(T), Old.isConstant(), Old.getLinkage(), split(Old.getInitializer(), T), "",
                                 &Old, Old.getThreadLocalMode(), Old.getAddressSpace(), Old.isExternallyInitialized());
  New->takeName(&Old);
  New->copyAttributesFrom(&Old);
  if (!Old.getAlign())
    New->setAlignment(M.getDataLayout().getABITypeAlign(T));
  New->copyMetadata(&Old, 0);
  Old.replaceAllUsesWith(ConstantExpr::getBitCast(New, Old.getType()));
  Old.eraseFromParent();
}

} // namespace

PreservedAnalyses LargeArraysPass::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<GlobalVariable *, 4> Long;
  for (GlobalVariable &G : M.globals())
    if (G.hasInitializer() && !G.getInitializer()->isNullValue() && !isa<UndefValue>(G.getInitializer()) &&
        hasLongArray(G.getValueType()))
      Long.push_back(&G);
  for (GlobalVariable *G : Long)
    replace(M, *G);
  return Long.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace hiplz::passes
