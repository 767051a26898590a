// SPDX-License-Identifier: MIT
// Types that SPIR-V does not have (arrays of length zero, structures with integers of odd widths, as clang lays bit-fields
// out, numbers of functions that are still typed as pointers to functions) are left where values are only passed on: behind pointers, in parameters by value and in variables. Addresses and
// accesses no longer depend on them after the passes before, so words of the same size and alignment take their place.
#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <optional>

using namespace llvm;

namespace hiplz::passes {

namespace {

class LegalTypes : public ValueMapTypeRemapper {
public:
  explicit LegalTypes(const DataLayout &Layout) : Layout(Layout) {}

  /// The type of a value. Odd integers and vectors that are still values are reported by the check for what is unsupported.
  Type *remapType(Type *T) override { return isOddInteger(T) || isOddVector(T) ? T : legal(T); }

  /// The type in memory.
  Type *stored(Type *T) { return isOddInteger(T) ? T : legal(T); }

private:
  Type *legal(Type *T) {
    if (Type *Known = Legal.lookup(T))
      return Known;
    Type *New = isFunctionPointer(T)         ? pointerTo(Type::getInt8Ty(T->getContext()), T->getPointerAddressSpace())
                : isUnrepresentable(T)       ? words(T)
                : mentionsUnrepresentable(T) ? rebuilt(T)
                                             : T;
    return Legal[T] = New;
  }

  /// In a structure, because Intel's driver takes no array as a parameter of a kernel.
  Type *words(Type *T) {
    if (!T->isSized())
      return T;
    uint64_t Align = std::min<uint64_t>(8, Layout.getABITypeAlign(T).value());
    uint64_t Size = Layout.getTypeAllocSize(T);
    return StructType::get(
        ArrayType::get(Type::getIntNTy(T->getContext(), Align * 8), std::max<uint64_t>(1, Size / Align)));
  }

  Type *rebuilt(Type *T) {
    if (auto *Struct = dyn_cast<StructType>(T); Struct && !Struct->isLiteral()) {
      StructType *New = StructType::create(T->getContext());
      Legal[T] = New; // it may hold a pointer to itself
      SmallVector<Type *, 8> Elements;
      for (Type *Element : Struct->elements())
        Elements.push_back(legal(Element));
      New->setBody(Elements, Struct->isPacked());
      std::string Name = Struct->getName().str();
      Struct->setName("");
      New->setName(Name);
      return New;
    }
    SmallVector<Type *, 8> Parts;
    for (Type *Part : T->subtypes())
      Parts.push_back(legal(Part));
    if (auto *Struct = dyn_cast<StructType>(T))
      return StructType::get(T->getContext(), Parts, Struct->isPacked());
    if (auto *Array = dyn_cast<ArrayType>(T))
      return ArrayType::get(Parts[0], Array->getNumElements());
    if (auto *Vector = dyn_cast<VectorType>(T))
      return VectorType::get(Parts[0], Vector->getElementCount());
    if (auto *Function = dyn_cast<FunctionType>(T))
      return FunctionType::get(Parts[0], ArrayRef<Type *>(Parts).drop_front(), Function->isVarArg());
    return pointerTo(Parts[0], cast<PointerType>(T)->getAddressSpace());
  }

  /// True if such a type is reached from \p T, also through pointers.
  bool mentionsUnrepresentable(Type *T) {
    SmallPtrSet<Type *, 16> Seen{T};
    SmallVector<Type *, 16> Work{T};
    while (!Work.empty())
      for (Type *Part : Work.pop_back_val()->subtypes()) {
        if (isUnrepresentable(Part) || isFunctionPointer(Part))
          return true;
        if (Seen.insert(Part).second)
          Work.push_back(Part);
      }
    return false;
  }

  const DataLayout &Layout;
  DenseMap<Type *, Type *> Legal;
};

/// Constant addresses inside variables of such types, in bytes from their beginning.
class PlainPlaces final : public ValueMaterializer {
public:
  PlainPlaces(const DataLayout &Layout, LegalTypes &Types, ValueToValueMapTy &Map)
      : Layout(Layout), Types(Types), Map(Map) {}

  Value *materialize(Value *V) override {
    auto *Place = dyn_cast<ConstantExpr>(V);
    if (!Place || Place->getOpcode() != Instruction::GetElementPtr ||
        !isUnrepresentable(cast<GEPOperator>(Place)->getSourceElementType()))
      return nullptr;
    APInt Offset(Layout.getIndexTypeSizeInBits(Place->getType()), 0);
    auto *Base = dyn_cast<GlobalVariable>(Place->stripAndAccumulateConstantOffsets(Layout, Offset, true));
    if (!Base)
      return nullptr;
    Constant *NewBase = Map.count(Base) ? cast<Constant>(Map.lookup(Base)) : Base;
    Type *Byte = Type::getInt8Ty(Place->getContext());
    PointerType *Bytes = pointerTo(Byte, Base->getAddressSpace());
    Constant *Address = ConstantExpr::getGetElementPtr(Byte, ConstantExpr::getBitCast(NewBase, Bytes),
                                                       ConstantInt::get(Layout.getIndexType(Bytes), Offset));
    return ConstantExpr::getPointerBitCastOrAddrSpaceCast(Address, Types.remapType(Place->getType()));
  }

private:
  const DataLayout &Layout;
  LegalTypes &Types;
  ValueToValueMapTy &Map;
};

/// The bits of a number, or of a vector of numbers, which lie without padding; none where it holds addresses.
std::optional<APInt> bitsOf(const Constant *C, const DataLayout &Layout) {
  const unsigned Bits = Layout.getTypeSizeInBits(C->getType());
  if (C->isNullValue() || isa<UndefValue>(C))
    return APInt::getZero(Bits);
  if (auto *Number = dyn_cast<ConstantInt>(C))
    return Number->getValue();
  if (auto *Number = dyn_cast<ConstantFP>(C))
    return Number->getValueAPF().bitcastToAPInt();
  auto *Vector = dyn_cast<FixedVectorType>(C->getType());
  if (!Vector)
    return std::nullopt;
  APInt All = APInt::getZero(Bits);
  for (unsigned N = 0; N < Vector->getNumElements(); ++N) {
    const Constant *Element = C->getAggregateElement(N);
    const std::optional<APInt> Part = Element ? bitsOf(Element, Layout) : std::nullopt;
    if (!Part)
      return std::nullopt;
    All.insertBits(*Part, N * Part->getBitWidth());
  }
  return All;
}

/// Writes \p C as it lies in memory; false where it holds addresses.
bool writeBytes(const Constant *C, MutableArrayRef<uint8_t> To, const DataLayout &Layout) {
  if (C->isNullValue() || isa<UndefValue>(C))
    return true;
  Type *T = C->getType();
  if (!T->isArrayTy() && !T->isStructTy()) {
    const std::optional<APInt> Bits = bitsOf(C, Layout);
    if (!Bits)
      return false;
    const uint64_t Size = Layout.getTypeStoreSize(T);
    const APInt Wide = Bits->zext(Size * 8);
    for (uint64_t N = 0; N < Size; ++N)
      To[N] = Wide.extractBitsAsZExtValue(8, N * 8);
    return true;
  }
  const uint64_t Count = T->isArrayTy() ? T->getArrayNumElements() : T->getStructNumElements();
  for (uint64_t N = 0; N < Count; ++N) {
    const Constant *Part = C->getAggregateElement(N);
    const uint64_t At = T->isArrayTy() ? N * Layout.getTypeAllocSize(T->getArrayElementType())
                                       : Layout.getStructLayout(cast<StructType>(T))->getElementOffset(N);
    if (!Part || !writeBytes(Part, To.drop_front(At), Layout))
      return false;
  }
  return true;
}

/// \p C as a value of the words \p T, or null where it holds addresses.
Constant *inWords(Constant *C, Type *T, const DataLayout &Layout) {
  auto *Array = cast<ArrayType>(T->getContainedType(0));
  const uint64_t Bytes = Array->getElementType()->getIntegerBitWidth() / 8;
  SmallVector<uint8_t, 64> Memory(Bytes * Array->getNumElements());
  if (!writeBytes(C, Memory, Layout))
    return nullptr;
  SmallVector<Constant *, 8> Words;
  for (uint64_t N = 0; N < Array->getNumElements(); ++N) {
    uint64_t Word = 0;
    for (uint64_t Byte = 0; Byte < Bytes; ++Byte)
      Word |= uint64_t(Memory[N * Bytes + Byte]) << Byte * 8;
    Words.push_back(ConstantInt::get(Array->getElementType(), Word));
  }
  return ConstantStruct::get(cast<StructType>(T), ConstantArray::get(Array, Words));
}

bool hasOddParameter(const Function &F) {
  auto IsOdd = [](const Type *T) { return isOddInteger(T) || isOddVector(T); };
  return IsOdd(F.getReturnType()) || any_of(F.args(), [&](const Argument &A) { return IsOdd(A.getType()); });
}

class Rewriter {
public:
  explicit Rewriter(Module &M) : M(M), Types(M.getDataLayout()), Places(M.getDataLayout(), Types, Map) {}

  bool run() {
    if (any_of(M, hasOddParameter))
      return false; // reported by the check for what is unsupported
    for (GlobalVariable &G : make_early_inc_range(M.globals()))
      rewrite(G);
    for (Function &F : make_early_inc_range(M))
      rewriteSignature(F);
    for (auto [Old, New] : Variables)
      New->setInitializer(initializer(*Old, New->getValueType()));
    for (GlobalVariable &G : M.globals())
      if (Changed && G.hasInitializer() && !Map.count(&G))
        G.setInitializer(MapValue(G.getInitializer(), Map, kFlags, &Types, &Places));
    for (Function &F : M)
      if (!F.isDeclaration())
        rewriteBody(F);
    for (GlobalObject *G : Replaced)
      G->dropAllReferences();
    for (GlobalObject *G : Replaced) {
      G->replaceAllUsesWith(PoisonValue::get(G->getType()));
      G->eraseFromParent();
    }
    return Changed;
  }

private:
  void replace(GlobalObject &Old, GlobalObject &New) {
    Map[&Old] = &New;
    Replaced.push_back(&Old);
    Changed = true;
  }

  void rewrite(GlobalVariable &G) {
    Type *T = Types.stored(G.getValueType());
    if (isOddInteger(T) || T == G.getValueType())
      return;
    if (isUnrepresentable(G.getValueType()) && G.hasInitializer() && !inWords(G.getInitializer(), T, M.getDataLayout()))
      return Errors.error("the initial value of the device variable '" + demangled(G.getName()) +
                          "' holds addresses beside bit-fields or arrays of length zero, which is not supported");
    auto *New = new GlobalVariable(M, T, G.isConstant(), G.getLinkage(), nullptr, "", &G, G.getThreadLocalMode(),
                                   G.getAddressSpace(), G.isExternallyInitialized());
    New->takeName(&G);
    New->copyAttributesFrom(&G);
    if (!G.getAlign())
      New->setAlignment(M.getDataLayout().getABITypeAlign(G.getValueType()));
    New->copyMetadata(&G, 0);
    if (G.hasInitializer())
      Variables.push_back({&G, New});
    replace(G, *New);
  }

  Constant *initializer(GlobalVariable &Old, Type *T) {
    Constant *C = Old.getInitializer();
    return MapValue(isUnrepresentable(Old.getValueType()) ? inWords(C, T, M.getDataLayout()) : C, Map, kFlags, &Types,
                    &Places);
  }

  void rewriteSignature(Function &F) {
    auto *T = cast<FunctionType>(Types.remapType(F.getFunctionType()));
    if (T == F.getFunctionType())
      return;
    Function *New = recreate(F, T->params(), T->getReturnType());
    for (auto [Old, Argument] : zip(F.args(), New->args()))
      Map[&Old] = &Argument;
    replace(F, *New);
  }

  void rewriteBody(Function &F) {
    for (Argument &A : F.args())
      for (auto Kind : {Attribute::ByVal, Attribute::StructRet, Attribute::ByRef})
        if (A.hasAttribute(Kind)) {
          Type *T = A.getAttribute(Kind).getValueAsType();
          A.removeAttr(Kind);
          A.addAttr(Attribute::get(F.getContext(), Kind, Types.remapType(T)));
        }
    RemapFunction(F, Map, kFlags, &Types, &Places);
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Cast = dyn_cast<BitCastInst>(&I); Cast && Cast->getSrcTy() == Cast->getDestTy()) {
        Cast->replaceAllUsesWith(Cast->getOperand(0));
        Cast->eraseFromParent();
        Changed = true;
      }
  }

  const RemapFlags kFlags = RF_IgnoreMissingLocals | RF_NoModuleLevelChanges;

  Module &M;
  Diagnostics Errors;
  LegalTypes Types;
  ValueToValueMapTy Map;
  PlainPlaces Places;
  SmallVector<std::pair<GlobalVariable *, GlobalVariable *>, 8> Variables;
  SmallVector<GlobalObject *, 8> Replaced;
  bool Changed = false;
};

} // namespace

PreservedAnalyses LegalTypesPass::run(Module &M, ModuleAnalysisManager &) {
  Rewriter(M).run();
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
