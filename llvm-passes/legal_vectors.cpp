// SPDX-License-Identifier: MIT
// SPIR-V has vectors of 2, 3, 4, 8 and 16 elements. Programs with AMD's headers make others (32 numbers of six bits are 6 words, which LLVM
// takes for 8 integers of 24 bits), and so do unions and bit casts of ours. Each element of such a vector becomes a value of its own; the vector
// exists in memory only, where elements of odd widths lie without padding.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

using Elements = SmallVector<Value *, 8>;

class VectorSplitter {
public:
  explicit VectorSplitter(Function &F) : F(F), B(F.getContext()), Layout(F.getParent()->getDataLayout()) {}

  bool run() {
    if (none_of(instructions(F), concerns))
      return false;
    removeUnreachableBlocks(F);
    for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
      for (Instruction &I : make_early_inc_range(*Block))
        if (concerns(I)) {
          B.SetInsertPoint(&I);
          split(I);
        }
    for (auto [Old, New] : Phis)
      for (unsigned N = 0; N < Old->getNumIncomingValues(); ++N) {
        B.SetInsertPoint(Old->getIncomingBlock(N)->getTerminator());
        Elements Incoming = elements(Old->getIncomingValue(N));
        for (unsigned E = 0; E < New.size(); ++E)
          cast<PHINode>(New[E])->addIncoming(Incoming[E], Old->getIncomingBlock(N));
      }
    for (Instruction *I : reverse(Done)) {
      if (!I->use_empty())
        I->replaceAllUsesWith(PoisonValue::get(I->getType()));
      I->eraseFromParent();
    }
    return !Done.empty();
  }

private:
  static bool concerns(const Instruction &I) {
    return isOddVector(I.getType()) || any_of(I.operands(), [](const Use &U) { return isOddVector(U->getType()); });
  }
  static unsigned count(Type *T) { return cast<FixedVectorType>(T)->getNumElements(); }

  Elements elements(Value *V) {
    if (auto Known = Map.find(V); Known != Map.end())
      return Known->second;
    Elements Result;
    for (unsigned N = 0; N < count(V->getType()); ++N)
      Result.push_back(B.CreateExtractElement(V, uint64_t(N)));
    return Result;
  }
  void define(Instruction &I, const Elements &New) {
    if (isOddVector(I.getType())) {
      Map[&I] = New;
    } else if (!I.getType()->isVectorTy()) {
      I.replaceAllUsesWith(New[0]);
    } else {
      Value *Whole = PoisonValue::get(I.getType());
      for (unsigned N = 0; N < New.size(); ++N)
        Whole = B.CreateInsertElement(Whole, New[N], uint64_t(N));
      I.replaceAllUsesWith(Whole);
    }
    Done.push_back(&I);
  }
  void replace(Instruction &I, Value *New) {
    I.replaceAllUsesWith(New);
    Done.push_back(&I);
  }

  /// Vectors that are not split stay, and are reported by the check for what is unsupported.
  void split(Instruction &I) {
    switch (I.getOpcode()) {
    case Instruction::ExtractElement: return splitExtraction(cast<ExtractElementInst>(I));
    case Instruction::InsertElement: return splitInsertion(cast<InsertElementInst>(I));
    case Instruction::ShuffleVector: return splitShuffle(cast<ShuffleVectorInst>(I));
    case Instruction::Load: return splitLoad(cast<LoadInst>(I));
    case Instruction::Store: return splitStore(cast<StoreInst>(I));
    case Instruction::BitCast:
      if (I.getOperand(0)->getType()->isPtrOrPtrVectorTy())
        return;
      return splitBitCast(cast<BitCastInst>(I));
    case Instruction::PHI: {
      Elements Result;
      for (unsigned N = 0; N < count(I.getType()); ++N)
        Result.push_back(B.CreatePHI(I.getType()->getScalarType(), cast<PHINode>(I).getNumIncomingValues()));
      Phis.push_back({cast<PHINode>(&I), Result});
      return define(I, Result);
    }
    case Instruction::Call:
      if (auto *Call = dyn_cast<IntrinsicInst>(&I))
        splitIntrinsic(*Call);
      return;
    default:
      if (I.isBinaryOp() || I.isUnaryOp() || isa<CastInst>(I) || isa<CmpInst>(I) || isa<SelectInst>(I) ||
          isa<FreezeInst>(I))
        splitEach(I);
    }
  }

  /// The operands for element \p N; all elements share those that are no vectors.
  static SmallVector<Value *, 4> row(ArrayRef<Elements> Operands, unsigned N) {
    SmallVector<Value *, 4> Result;
    for (const Elements &Operand : Operands)
      Result.push_back(Operand.size() == 1 ? Operand[0] : Operand[N]);
    return Result;
  }
  SmallVector<Elements, 4> columns(iterator_range<Use *> Operands) {
    SmallVector<Elements, 4> Result;
    for (Value *V : Operands)
      Result.push_back(V->getType()->isVectorTy() ? elements(V) : Elements{V});
    return Result;
  }

  /// The same instruction for each element.
  void splitEach(Instruction &I) {
    SmallVector<Elements, 4> Operands = columns(I.operands());
    Elements Result;
    for (unsigned N = 0; N < count(I.getType()); ++N) {
      Instruction *One = I.clone();
      unsigned Number = 0;
      for (Value *Operand : row(Operands, N))
        One->setOperand(Number++, Operand);
      One->mutateType(I.getType()->getScalarType());
      Result.push_back(B.Insert(One));
    }
    define(I, Result);
  }

  void splitIntrinsic(IntrinsicInst &I) {
    if (Value *Reduced = reduction(I))
      return replace(I, Reduced);
    SmallVector<Type *, 2> Types;
    if (!isTriviallyVectorizable(I.getIntrinsicID()) || !I.getType()->isVectorTy() ||
        !Intrinsic::getIntrinsicSignature(I.getCalledFunction(), Types))
      return;
    for (Type *&T : Types)
      T = T->getScalarType();
    SmallVector<Elements, 4> Operands = columns(I.args());
    Elements Result;
    for (unsigned N = 0; N < count(I.getType()); ++N) {
      CallInst *One = B.CreateIntrinsic(I.getIntrinsicID(), Types, row(Operands, N));
      One->copyIRFlags(&I);
      Result.push_back(One);
    }
    define(I, Result);
  }

  /// The result of an operation among all elements, or null.
  Value *reduction(IntrinsicInst &I) {
    auto Each = [&](function_ref<Value *(Value *, Value *)> Join) {
      Elements All = elements(I.getArgOperand(0));
      Value *Result = All[0];
      for (Value *Element : ArrayRef<Value *>(All).drop_front())
        Result = Join(Result, Element);
      return Result;
    };
    auto Binary = [&](Instruction::BinaryOps Op) {
      return Each([&](Value *X, Value *Y) { return B.CreateBinOp(Op, X, Y); });
    };
    auto Call = [&](Intrinsic::ID Id) {
      return Each([&](Value *X, Value *Y) { return B.CreateBinaryIntrinsic(Id, X, Y); });
    };
    switch (I.getIntrinsicID()) {
    case Intrinsic::vector_reduce_add: return Binary(Instruction::Add);
    case Intrinsic::vector_reduce_mul: return Binary(Instruction::Mul);
    case Intrinsic::vector_reduce_and: return Binary(Instruction::And);
    case Intrinsic::vector_reduce_or: return Binary(Instruction::Or);
    case Intrinsic::vector_reduce_xor: return Binary(Instruction::Xor);
    case Intrinsic::vector_reduce_smax: return Call(Intrinsic::smax);
    case Intrinsic::vector_reduce_smin: return Call(Intrinsic::smin);
    case Intrinsic::vector_reduce_umax: return Call(Intrinsic::umax);
    case Intrinsic::vector_reduce_umin: return Call(Intrinsic::umin);
    case Intrinsic::vector_reduce_fmax: return Call(Intrinsic::maxnum);
    case Intrinsic::vector_reduce_fmin: return Call(Intrinsic::minnum);
    default: return nullptr;
    }
  }

  void splitExtraction(ExtractElementInst &I) {
    Elements From = elements(I.getVectorOperand());
    if (auto *Index = dyn_cast<ConstantInt>(I.getIndexOperand()))
      return replace(I,
                     Index->getValue().ult(From.size()) ? From[Index->getZExtValue()] : PoisonValue::get(I.getType()));
    Value *Result = From[0];
    for (unsigned N = 1; N < From.size(); ++N)
      Result = B.CreateSelect(isElement(I.getIndexOperand(), N), From[N], Result);
    replace(I, Result);
  }

  void splitInsertion(InsertElementInst &I) {
    Elements Result = elements(I.getOperand(0));
    Value *New = I.getOperand(1);
    auto *Index = dyn_cast<ConstantInt>(I.getOperand(2));
    for (unsigned N = 0; N < Result.size(); ++N)
      if (!Index)
        Result[N] = B.CreateSelect(isElement(I.getOperand(2), N), New, Result[N]);
      else if (Index->getValue() == N)
        Result[N] = New;
    define(I, Result);
  }

  Value *isElement(Value *Index, unsigned N) { return B.CreateICmpEQ(Index, ConstantInt::get(Index->getType(), N)); }

  void splitShuffle(ShuffleVectorInst &I) {
    Elements Both = elements(I.getOperand(0)), Second = elements(I.getOperand(1)), Result;
    Both.append(Second.begin(), Second.end());
    for (int From : I.getShuffleMask())
      Result.push_back(From < 0 ? PoisonValue::get(I.getType()->getScalarType()) : Both[From]);
    define(I, Result);
  }

  /// True if neighbours in memory begin at bytes of their own.
  bool liesInBytes(Type *Element) const {
    return Element->isPointerTy() || (Layout.getTypeSizeInBits(Element) % 8 == 0 && !isOddInteger(Element));
  }

  Value *place(Value *Pointer, Type *T, uint64_t Offset) {
    const unsigned Space = Pointer->getType()->getPointerAddressSpace();
    if (Offset)
      Pointer =
          B.CreateGEP(B.getInt8Ty(), castPointer(B, Pointer, pointerTo(B.getInt8Ty(), Space)), B.getInt64(Offset));
    return castPointer(B, Pointer, pointerTo(T, Space));
  }

  /// Numbers of odd widths are read and written as words, the widest that the alignment allows and that fill the memory.
  static unsigned wordBits(uint64_t Bytes, Align A) { return Bytes % 4 == 0 && A >= Align(4) ? 32 : 8; }

  void splitLoad(LoadInst &I) {
    Type *Element = I.getType()->getScalarType();
    const uint64_t Bytes = Layout.getTypeStoreSize(I.getType());
    const bool InBytes = liesInBytes(Element);
    Type *Word = InBytes ? Element : B.getIntNTy(wordBits(Bytes, I.getAlign()));
    const uint64_t Step = Layout.getTypeStoreSize(Word);
    Elements Words;
    for (uint64_t Offset = 0; Offset < Bytes; Offset += Step)
      Words.push_back(B.CreateAlignedLoad(Word, place(I.getPointerOperand(), Word, Offset),
                                          commonAlignment(I.getAlign(), Offset), I.isVolatile()));
    define(I, InBytes ? Words : regrouped(Words, Step * 8, I.getType()));
  }

  void splitStore(StoreInst &I) {
    Type *T = I.getValueOperand()->getType();
    const uint64_t Bytes = Layout.getTypeStoreSize(T);
    Elements Words = elements(I.getValueOperand());
    if (!liesInBytes(T->getScalarType())) {
      const unsigned Bits = wordBits(Bytes, I.getAlign());
      Words = regrouped(Words, T->getScalarSizeInBits(), FixedVectorType::get(B.getIntNTy(Bits), Bytes * 8 / Bits));
    }
    for (unsigned N = 0; N < Words.size(); ++N) {
      const uint64_t Offset = N * Layout.getTypeStoreSize(Words[N]->getType());
      B.CreateAlignedStore(Words[N], place(I.getPointerOperand(), Words[N]->getType(), Offset),
                           commonAlignment(I.getAlign(), Offset), I.isVolatile());
    }
    Done.push_back(&I);
  }

  void splitBitCast(BitCastInst &I) {
    Type *From = I.getOperand(0)->getType();
    Elements Old = From->isVectorTy() ? elements(I.getOperand(0)) : Elements{I.getOperand(0)};
    Type *Number = B.getIntNTy(From->getScalarSizeInBits());
    for (Value *&Element : Old)
      Element = B.CreateBitCast(Element, Number);
    define(I, regrouped(Old, From->getScalarSizeInBits(), I.getType()));
  }

  /// The bits of \p Numbers, each of \p Width bits and the first one lowest, as the elements of type \p T, or as one value. Bits beyond the
  /// last number are zero.
  Elements regrouped(const Elements &Numbers, unsigned Width, Type *T) {
    const unsigned Bits = T->getScalarSizeInBits(), Count = T->isVectorTy() ? count(T) : 1;
    Type *Wide = B.getIntNTy(Bits);
    Elements Result;
    for (unsigned N = 0; N < Count; ++N) {
      Value *New = nullptr;
      const uint64_t Begin = uint64_t(N) * Bits, End = Begin + Bits;
      for (uint64_t From = Begin / Width; From < Numbers.size() && From * Width < End; ++From) {
        const uint64_t Start = From * Width;
        Value *Part = Start < Begin ? B.CreateLShr(Numbers[From], Begin - Start) : Numbers[From];
        Part = B.CreateZExtOrTrunc(Part, Wide);
        if (Start > Begin)
          Part = B.CreateShl(Part, Start - Begin);
        New = New ? B.CreateOr(New, Part) : Part;
      }
      if (!New)
        New = ConstantInt::get(Wide, 0);
      Result.push_back(B.CreateBitCast(New, T->getScalarType()));
    }
    return Result;
  }

  Function &F;
  IRBuilder<> B;
  const DataLayout &Layout;
  DenseMap<Value *, Elements> Map;
  SmallVector<std::pair<PHINode *, Elements>, 8> Phis;
  SmallVector<Instruction *, 32> Done;
};

} // namespace

PreservedAnalyses LegalVectorsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= VectorSplitter(F).run();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
