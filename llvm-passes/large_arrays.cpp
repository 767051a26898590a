// SPDX-License-Identifier: MIT
// SPIR-V counts the words of an instruction with 16 bits, so that the initial value of an array has at most 65,532 elements. A
// variable with a longer one becomes a structure of shorter arrays, which has the same layout, and its address is cast back
// to what it was. Each different number in it is a constant of the module, of which Intel's compiler (22.43) takes no more than
// 65,535: where tables would bring too many, they become arrays of bytes, which need 256 constants and less space.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

/// OpConstantComposite has three words beside the elements.
constexpr uint64_t kMaxElements = 65535 - 3;
/// So many different numbers may stand in the initial values of a module; code has constants as well.
constexpr size_t kMaxNumbers = 32768;
/// The size that makes a variable a table: bytes gain nothing over fewer.
constexpr size_t kMinTableNumbers = 256;

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

/// Collects the different numbers in \p Value.
void collectNumbers(Constant *Value, DenseSet<Constant *> &Numbers) {
  if (isa<ConstantInt>(Value) || isa<ConstantFP>(Value)) {
    Numbers.insert(Value);
    return;
  }
  if (!isa<ConstantAggregate>(Value) && !isa<ConstantDataSequential>(Value))
    return;
  for (unsigned I = 0; Constant *Element = Value->getAggregateElement(I); ++I)
    collectNumbers(Element, Numbers);
}

/// Writes \p Value as it lies in memory to \p Bytes, which is zero. Fails for what is no number: an address, say.
bool writeBytes(const DataLayout &Layout, Constant *Value, MutableArrayRef<uint8_t> Bytes) {
  if (Value->isNullValue() || isa<UndefValue>(Value))
    return true;
  Type *T = Value->getType();
  if (isa<ConstantInt>(Value) || isa<ConstantFP>(Value)) {
    auto *Integer = dyn_cast<ConstantInt>(Value);
    const APInt Bits = Integer ? Integer->getValue() : cast<ConstantFP>(Value)->getValueAPF().bitcastToAPInt();
    if (Bits.getBitWidth() % 8 || isOddInteger(T)) // LegalIntegersPass decides how those lie in memory
      return false;
    for (unsigned Bit = 0; Bit < Bits.getBitWidth(); Bit += 8)
      Bytes[Bit / 8] = static_cast<uint8_t>(Bits.extractBitsAsZExtValue(8, Bit));
    return true;
  }
  if (!isa<ConstantAggregate>(Value) && !isa<ConstantDataSequential>(Value))
    return false;
  auto *Struct = dyn_cast<StructType>(T);
  const uint64_t Step = Struct ? 0 : Layout.getTypeAllocSize(T->getContainedType(0));
  for (unsigned I = 0; Constant *Element = Value->getAggregateElement(I); ++I) {
    const uint64_t Offset = Struct ? Layout.getStructLayout(Struct)->getElementOffset(I) : I * Step;
    if (!writeBytes(Layout, Element, Bytes.drop_front(Offset)))
      return false;
  }
  return true;
}

/// \p Value as an array of bytes; null if it is not of numbers alone.
Constant *asBytes(const DataLayout &Layout, Constant *Value) {
  SmallVector<uint8_t, 0> Bytes(Layout.getTypeAllocSize(Value->getType()).getFixedValue());
  return writeBytes(Layout, Value, Bytes) ? ConstantDataArray::get(Value->getContext(), Bytes) : nullptr;
}

/// Gives \p Old the initial value \p Value, whose type has the same layout.
void replace(Module &M, GlobalVariable &Old, Constant *Value) {
  Type *T = Old.getValueType();
  auto *New = new GlobalVariable(M, Value->getType(), Old.isConstant(), Old.getLinkage(), Value, "", &Old,
                                 Old.getThreadLocalMode(), Old.getAddressSpace(), Old.isExternallyInitialized());
  New->takeName(&Old);
  New->copyAttributesFrom(&Old);
  if (!Old.getAlign())
    New->setAlignment(M.getDataLayout().getABITypeAlign(T));
  New->copyMetadata(&Old, 0);
  Old.replaceAllUsesWith(ConstantExpr::getBitCast(New, Old.getType()));
  Old.eraseFromParent();
}

/// Makes arrays of bytes of the variables with many numbers if the module has too many.
bool shortenTables(Module &M) {
  DenseSet<Constant *> All;
  SmallVector<GlobalVariable *, 4> Tables;
  for (GlobalVariable &G : M.globals()) {
    if (!G.hasInitializer())
      continue;
    DenseSet<Constant *> Numbers;
    collectNumbers(G.getInitializer(), Numbers);
    All.insert(Numbers.begin(), Numbers.end());
    if (Numbers.size() > kMinTableNumbers)
      Tables.push_back(&G);
  }
  if (All.size() <= kMaxNumbers)
    return false;
  bool Changed = false;
  for (GlobalVariable *Table : Tables)
    if (Constant *Bytes = asBytes(M.getDataLayout(), Table->getInitializer())) {
      replace(M, *Table, Bytes);
      Changed = true;
    }
  return Changed;
}

} // namespace

PreservedAnalyses LargeArraysPass::run(Module &M, ModuleAnalysisManager &) {
  const bool Shortened = shortenTables(M);
  SmallVector<GlobalVariable *, 4> Long;
  for (GlobalVariable &G : M.globals())
    if (G.hasInitializer() && !G.getInitializer()->isNullValue() && !isa<UndefValue>(G.getInitializer()) &&
        hasLongArray(G.getValueType()))
      Long.push_back(&G);
  for (GlobalVariable *G : Long)
    replace(M, *G, split(G->getInitializer(), G->getValueType()));
  return Long.empty() && !Shortened ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace hiplz::passes
