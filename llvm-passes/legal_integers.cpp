// SPDX-License-Identifier: MIT
// SPIR-V has integers of 8, 16, 32 and 64 bits. Optimisations of LLVM make others (i33 and i65 for closed forms of loops,
// i128 for overflow checks), C++ has __int128, and clang makes one integer of neighbouring bit-fields, however many bits
// that are. Up to 64 bits, an odd integer lives in the next larger word with its upper bits zero; above, in as many words
// of 64 bits as it takes. Operations that could set bits above the width clear them again.
#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"
#include "wide_division.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

#include <bit>

using namespace llvm;

namespace hiplz::passes {

namespace {

using Words = SmallVector<Value *, 4>; // from the lowest

class IntegerLegalizer {
public:
  IntegerLegalizer(Function &F, Diagnostics &Errors) : F(F), Errors(Errors), B(F.getContext()) {}

  bool run() {
    for (Argument &A : F.args())
      if (isOddInteger(A.getType()))
        return false; // reported by the check for what is unsupported
    if (none_of(instructions(F), [](const Instruction &I) { return concerns(I); }))
      return false;
    expandWideDivisions(F);
    removeUnreachableBlocks(F);
    for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
      for (Instruction &I : make_early_inc_range(*Block))
        if (concerns(I))
          legalize(I);
    for (auto [Old, New] : Phis)
      for (unsigned N = 0; N < Old->getNumIncomingValues(); ++N) {
        Words Incoming = words(Old->getIncomingValue(N));
        for (unsigned W = 0; W < New.size(); ++W)
          cast<PHINode>(New[W])->addIncoming(Incoming[W], Old->getIncomingBlock(N));
      }
    for (Instruction *I : reverse(Done)) {
      if (!I->use_empty())
        I->replaceAllUsesWith(PoisonValue::get(I->getType()));
      I->eraseFromParent();
    }
    removeUnusedCasts(F);
    return true;
  }

private:
  static bool concerns(const Instruction &I) {
    return isOddInteger(I.getType()) || any_of(I.operands(), [](const Use &U) { return isOddInteger(U->getType()); });
  }

  // Words of a width.
  static unsigned wordBits(unsigned Bits) { return Bits > 64 ? 64 : std::max<unsigned>(8, PowerOf2Ceil(Bits)); }
  static unsigned wordCount(unsigned Bits) { return divideCeil(Bits, 64); }
  static unsigned topBits(unsigned Bits) { return Bits - (wordCount(Bits) - 1) * 64; }
  IntegerType *wordType(unsigned Bits) { return B.getIntNTy(wordBits(Bits)); }
  static unsigned width(const Value *V) { return V->getType()->getIntegerBitWidth(); }

  /// The words of an operand, of an odd or of an ordinary type.
  Words words(Value *V) {
    unsigned Bits = width(V);
    if (auto Known = Map.find(V); Known != Map.end())
      return Known->second;
    if (auto *C = dyn_cast<ConstantInt>(V)) {
      APInt Wide = C->getValue().zext(wordBits(Bits) * wordCount(Bits));
      Words Result;
      for (unsigned N = 0; N < wordCount(Bits); ++N)
        Result.push_back(B.getInt(Wide.extractBits(wordBits(Bits), N * 64)));
      return Result;
    }
    if (isOddInteger(V->getType())) // undefined, or reported before
      return Words(wordCount(Bits), Constant::getNullValue(wordType(Bits)));
    return {Bits == 1 ? B.CreateZExt(V, B.getInt8Ty()) : V};
  }

  Words masked(Words V, unsigned Bits) {
    if (topBits(Bits) != wordBits(Bits))
      V.back() = B.CreateAnd(V.back(), B.getInt(APInt::getLowBitsSet(wordBits(Bits), topBits(Bits))));
    return V;
  }

  /// The top word with the sign of the value in its unused bits.
  Words signExtended(Words V, unsigned Bits) {
    unsigned Unused = wordBits(Bits) - topBits(Bits);
    if (Unused)
      V.back() = B.CreateAShr(B.CreateShl(V.back(), Unused), Unused);
    return V;
  }

  Words resized(Words V, unsigned From, unsigned To, bool Signed) {
    if (Signed)
      V = signExtended(V, From);
    if (wordCount(To) == 1)
      return masked({Signed ? B.CreateSExtOrTrunc(V[0], wordType(To)) : B.CreateZExtOrTrunc(V[0], wordType(To))}, To);
    if (V.size() == 1)
      V = {Signed ? B.CreateSExtOrTrunc(V[0], B.getInt64Ty()) : B.CreateZExtOrTrunc(V[0], B.getInt64Ty())};
    if (V.size() < wordCount(To))
      V.resize(wordCount(To), Signed ? B.CreateAShr(V.back(), 63) : B.getInt64(0));
    V.truncate(wordCount(To));
    return masked(V, To);
  }

  void define(Instruction &I, const Words &V) {
    unsigned Bits = width(&I);
    if (isOddInteger(I.getType()))
      Map[&I] = V;
    else
      I.replaceAllUsesWith(Bits == 1 ? B.CreateTrunc(V[0], B.getInt1Ty()) : V[0]);
    Done.push_back(&I);
  }
  void replace(Instruction &I, Value *New) {
    I.replaceAllUsesWith(New);
    Done.push_back(&I);
  }

  void refuse(Instruction &I, const Twine &What) { Errors.error(I, What); }

  unsigned widest(const Instruction &I) {
    unsigned Bits = isOddInteger(I.getType()) ? width(&I) : 0;
    for (const Use &U : I.operands())
      if (isOddInteger(U->getType()))
        Bits = std::max(Bits, width(U));
    return Bits;
  }

  void legalize(Instruction &I) {
    unsigned Bits = widest(I);
    B.SetInsertPoint(&I);
    if (auto *Binary = dyn_cast<BinaryOperator>(&I))
      return legalizeBinary(*Binary);
    switch (I.getOpcode()) {
    case Instruction::ICmp: return replace(I, compare(cast<ICmpInst>(I)));
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
      return define(I, resized(words(I.getOperand(0)), width(I.getOperand(0)), width(&I), isa<SExtInst>(I)));
    case Instruction::PtrToInt:
      return define(I, resized({B.CreatePtrToInt(I.getOperand(0), B.getInt64Ty())}, 64, width(&I), false));
    case Instruction::IntToPtr:
      return replace(I, B.CreateIntToPtr(resized(words(I.getOperand(0)), Bits, 64, false)[0], I.getType()));
    case Instruction::Select: {
      Words True = words(I.getOperand(1)), False = words(I.getOperand(2)), Result;
      for (auto [T, E] : zip(True, False))
        Result.push_back(B.CreateSelect(I.getOperand(0), T, E));
      return define(I, Result);
    }
    case Instruction::PHI: {
      Words Result;
      for (unsigned N = 0; N < wordCount(Bits); ++N)
        Result.push_back(B.CreatePHI(wordType(Bits), cast<PHINode>(I).getNumIncomingValues()));
      Phis.push_back({cast<PHINode>(&I), Result});
      return define(I, Result);
    }
    case Instruction::Load: return legalizeLoad(cast<LoadInst>(I));
    case Instruction::Store: return legalizeStore(cast<StoreInst>(I));
    case Instruction::BitCast: return legalizeBitCast(cast<BitCastInst>(I));
    case Instruction::Switch: return legalizeSwitch(cast<SwitchInst>(I));
    case Instruction::GetElementPtr:
      for (Use &U : I.operands())
        if (isOddInteger(U->getType()))
          U.set(resized(words(U), width(U), 64, true)[0]);
      return;
    case Instruction::UIToFP:
    case Instruction::SIToFP:
    case Instruction::FPToUI:
    case Instruction::FPToSI: return legalizeFloat(cast<CastInst>(I));
    default: refuse(I, "an integer of " + Twine(Bits) + " bits cannot be used here on the device");
    }
  }

  void legalizeBinary(BinaryOperator &I) {
    unsigned Bits = width(&I);
    Words X = words(I.getOperand(0)), Y = words(I.getOperand(1));
    auto Op = I.getOpcode();
    if (I.isBitwiseLogicOp()) {
      Words Result;
      for (auto [L, R] : zip(X, Y))
        Result.push_back(B.CreateBinOp(Op, L, R));
      return define(I, Result);
    }
    if (Bits <= 64) {
      if (Op == Instruction::SDiv || Op == Instruction::SRem || Op == Instruction::AShr) {
        X = signExtended(X, Bits);
        if (Op != Instruction::AShr)
          Y = signExtended(Y, Bits);
      }
      return define(I, masked({B.CreateBinOp(Op, X[0], Y[0])}, Bits));
    }
    switch (Op) {
    case Instruction::Add:
    case Instruction::Sub: return define(I, masked(sum(X, Y, Op), Bits));
    case Instruction::Mul: {
      if (X.size() > 2)
        return refuse(I, "the multiplication of integers of " + Twine(Bits) + " bits is not supported on the device");
      Value *High = createCall(B, highProduct(), {X[0], Y[0]});
      High = B.CreateAdd(High, B.CreateAdd(B.CreateMul(X[0], Y[1]), B.CreateMul(X[1], Y[0])));
      return define(I, masked({B.CreateMul(X[0], Y[0]), High}, Bits));
    }
    case Instruction::Shl: return define(I, masked(shiftedLeft(X, Y[0]), Bits));
    case Instruction::LShr: return define(I, shiftedRight(X, Y[0], false));
    case Instruction::AShr: return define(I, masked(shiftedRight(signExtended(X, Bits), Y[0], true), Bits));
    default: llvm_unreachable("divisions have become loops");
    }
  }

  /// The upper half of the product of two unsigned 64-bit integers, an instruction of OpenCL. Its name in
  /// OpenCL C (mul_hi) is not known in modules that name another language.
  Function *highProduct() {
    Type *I64 = B.getInt64Ty();
    auto *Callee =
        cast<Function>(F.getParent()->getOrInsertFunction("_Z20__spirv_ocl_u_mul_himm", I64, I64, I64).getCallee());
    Callee->setCallingConv(CallingConv::SPIR_FUNC);
    return Callee;
  }

  /// The sum or difference, with the carry or borrow from word to word.
  Words sum(const Words &X, const Words &Y, Instruction::BinaryOps Op) {
    Words Result;
    Value *Carry = nullptr;
    for (unsigned N = 0; N < X.size(); ++N) {
      Value *Plain = B.CreateBinOp(Op, X[N], Y[N]);
      Value *Word = Carry ? B.CreateBinOp(Op, Plain, Carry) : Plain;
      Result.push_back(Word);
      if (N + 1 == X.size())
        break;
      const bool Adds = Op == Instruction::Add;
      Value *Out = Adds ? B.CreateICmpULT(Plain, X[N]) : B.CreateICmpULT(X[N], Y[N]);
      if (Carry)
        Out = B.CreateOr(Out, Adds ? B.CreateICmpULT(Word, Plain) : B.CreateICmpULT(Plain, Carry));
      Carry = B.CreateZExt(Out, B.getInt64Ty());
    }
    return Result;
  }

  /// The word that lies \p Amount / 64 words away in one direction, of words that begin with the nearest.
  Value *wordFrom(ArrayRef<Value *> Nearest, Value *Amount, Value *Fill) {
    if (auto *Known = dyn_cast<ConstantInt>(Amount)) {
      const uint64_t Distance = Known->getZExtValue() / 64;
      return Distance < Nearest.size() ? Nearest[Distance] : Fill;
    }
    Value *Result = Fill;
    for (unsigned N = Nearest.size(); N-- > 0;)
      Result = B.CreateSelect(B.CreateICmpULT(Amount, B.getInt64(64 * (N + 1))), Nearest[N], Result);
    return Result;
  }

  Words shiftedLeft(const Words &X, Value *Amount) {
    Value *By = B.CreateAnd(Amount, 63), *Against = B.CreateSub(B.getInt64(63), By);
    Words Nearest, Result; // each word shifted by less than a word, the highest first
    for (unsigned N = 0; N < X.size(); ++N) {
      Value *Word = B.CreateShl(X[N], By);
      if (N > 0)
        Word = B.CreateOr(Word, B.CreateLShr(B.CreateLShr(X[N - 1], 1), Against));
      Nearest.insert(Nearest.begin(), Word);
      Result.push_back(wordFrom(Nearest, Amount, B.getInt64(0)));
    }
    return Result;
  }

  Words shiftedRight(const Words &X, Value *Amount, bool Signed) {
    Value *By = B.CreateAnd(Amount, 63), *Against = B.CreateSub(B.getInt64(63), By);
    Value *Fill = Signed ? B.CreateAShr(X.back(), 63) : B.getInt64(0);
    Words Nearest, Result; // each word shifted by less than a word, the lowest first
    for (unsigned N = X.size(); N-- > 0;) {
      const bool Highest = N + 1 == X.size();
      Value *Word = Highest && Signed ? B.CreateAShr(X[N], By) : B.CreateLShr(X[N], By);
      if (!Highest)
        Word = B.CreateOr(Word, B.CreateShl(B.CreateShl(X[N + 1], 1), Against));
      Nearest.insert(Nearest.begin(), Word);
      Result.insert(Result.begin(), wordFrom(Nearest, Amount, Fill));
    }
    return Result;
  }

  Value *compare(ICmpInst &I) {
    unsigned Bits = width(I.getOperand(0));
    Words X = words(I.getOperand(0)), Y = words(I.getOperand(1));
    if (I.isSigned()) {
      X = signExtended(X, Bits);
      Y = signExtended(Y, Bits);
    }
    if (I.isEquality() && X.size() > 1) {
      Value *Difference = B.CreateXor(X[0], Y[0]);
      for (unsigned N = 1; N < X.size(); ++N)
        Difference = B.CreateOr(Difference, B.CreateXor(X[N], Y[N]));
      return B.CreateICmp(I.getPredicate(), Difference, B.getInt64(0));
    }
    Value *Result = nullptr;
    for (unsigned N = 0; N < X.size(); ++N) {
      const bool Highest = N + 1 == X.size();
      Value *Here = B.CreateICmp(Highest ? I.getPredicate() : I.getUnsignedPredicate(), X[N], Y[N]);
      Result = Result ? B.CreateSelect(B.CreateICmpEQ(X[N], Y[N]), Result, Here) : Here;
    }
    return Result;
  }

  /// Calls visit(type, address, offset in bytes) for the ordinary integers that cover \p Bits bits in memory.
  template <typename Visit> void forEachChunk(Value *Pointer, unsigned Bits, Visit visit) {
    Value *Base = castPointer(B, Pointer, pointerTo(B.getInt8Ty(), Pointer->getType()->getPointerAddressSpace()));
    uint64_t Bytes = (Bits + 7) / 8;
    for (uint64_t Offset = 0; Offset < Bytes;) {
      uint64_t Size = std::min<uint64_t>(8, std::bit_floor(Bytes - Offset));
      IntegerType *T = B.getIntNTy(Size * 8);
      Value *Place = B.CreateGEP(B.getInt8Ty(), Base, B.getInt64(Offset));
      visit(T, castPointer(B, Place, pointerTo(T, Place->getType()->getPointerAddressSpace())), Offset);
      Offset += Size;
    }
  }

  void legalizeLoad(LoadInst &I) {
    if (I.isAtomic())
      return refuse(I, "an atomic access to an integer of " + Twine(width(&I)) + " bits is not supported");
    unsigned Bits = width(&I);
    Words Result(wordCount(Bits), nullptr);
    forEachChunk(I.getPointerOperand(), Bits, [&](IntegerType *T, Value *Place, uint64_t Offset) {
      Value *Chunk = B.CreateAlignedLoad(T, Place, commonAlignment(I.getAlign(), Offset), I.isVolatile());
      Value *&Word = Result[Offset / 8];
      Chunk = B.CreateShl(B.CreateZExt(Chunk, wordType(Bits)), Offset % 8 * 8);
      Word = Word ? B.CreateOr(Word, Chunk) : Chunk;
    });
    for (Value *&Word : Result)
      if (!Word)
        Word = Constant::getNullValue(wordType(Bits));
    define(I, masked(Result, Bits));
  }

  void legalizeStore(StoreInst &I) {
    unsigned Bits = width(I.getValueOperand());
    if (I.isAtomic())
      return refuse(I, "an atomic access to an integer of " + Twine(Bits) + " bits is not supported");
    Words V = words(I.getValueOperand());
    forEachChunk(I.getPointerOperand(), Bits, [&](IntegerType *T, Value *Place, uint64_t Offset) {
      Value *Chunk = B.CreateTrunc(B.CreateLShr(V[Offset / 8], Offset % 8 * 8), T);
      B.CreateAlignedStore(Chunk, Place, commonAlignment(I.getAlign(), Offset), I.isVolatile());
    });
    Done.push_back(&I);
  }

  /// Between an odd integer and the vector (or number) of the same bits.
  void legalizeBitCast(BitCastInst &I) {
    Value *Source = I.getOperand(0);
    bool ToInteger = isOddInteger(I.getType());
    Type *Other = ToInteger ? Source->getType() : I.getType();
    auto *Vector = dyn_cast<FixedVectorType>(Other);
    unsigned ElementBits = Other->getScalarSizeInBits();
    if (!Vector || (ElementBits != 8 && ElementBits != 16 && ElementBits != 32 && ElementBits != 64))
      return refuse(I, "a value of this type cannot be reinterpreted on the device");
    Type *Element = B.getIntNTy(ElementBits);
    if (ToInteger) {
      unsigned Bits = width(&I);
      Words Result(wordCount(Bits), Constant::getNullValue(wordType(Bits)));
      for (unsigned N = 0; N < Vector->getNumElements(); ++N) {
        Value *Piece = B.CreateBitCast(B.CreateExtractElement(Source, uint64_t(N)), Element);
        Value *&Word = Result[N * ElementBits / 64];
        Word = B.CreateOr(Word, B.CreateShl(B.CreateZExt(Piece, wordType(Bits)), N * ElementBits % 64));
      }
      return define(I, Result);
    }
    Words V = words(Source);
    Value *Result = PoisonValue::get(Vector);
    for (unsigned N = 0; N < Vector->getNumElements(); ++N) {
      Value *Piece = B.CreateTrunc(B.CreateLShr(V[N * ElementBits / 64], N * ElementBits % 64), Element);
      Result = B.CreateInsertElement(Result, B.CreateBitCast(Piece, Vector->getElementType()), uint64_t(N));
    }
    replace(I, Result);
  }

  void legalizeSwitch(SwitchInst &I) {
    unsigned Bits = width(I.getCondition());
    if (Bits > 64)
      return refuse(I, "a switch over an integer of " + Twine(Bits) + " bits is not supported on the device");
    SwitchInst *New = B.CreateSwitch(words(I.getCondition())[0], I.getDefaultDest(), I.getNumCases());
    for (auto &Case : I.cases())
      New->addCase(ConstantInt::get(wordType(Bits), Case.getCaseValue()->getZExtValue()), Case.getCaseSuccessor());
    New->copyMetadata(I);
    Done.push_back(&I);
  }

  void legalizeFloat(CastInst &I) {
    Value *Source = I.getOperand(0);
    unsigned Bits = widest(I);
    if (Bits > 64)
      return refuse(I, "the conversion between floating point and integers of " + Twine(Bits) +
                           " bits is not supported on the device");
    switch (I.getOpcode()) {
    case Instruction::UIToFP: return replace(I, B.CreateUIToFP(words(Source)[0], I.getType()));
    case Instruction::SIToFP: return replace(I, B.CreateSIToFP(signExtended(words(Source), Bits)[0], I.getType()));
    case Instruction::FPToUI: return define(I, masked({B.CreateFPToUI(Source, wordType(Bits))}, Bits));
    default: return define(I, masked({B.CreateFPToSI(Source, wordType(Bits))}, Bits));
    }
  }

  Function &F;
  Diagnostics &Errors;
  IRBuilder<> B;
  DenseMap<Value *, Words> Map;
  SmallVector<std::pair<PHINode *, Words>, 8> Phis;
  SmallVector<Instruction *, 32> Done;
};

} // namespace

PreservedAnalyses LegalIntegersPass::run(Module &M, ModuleAnalysisManager &) {
  Diagnostics Errors;
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= IntegerLegalizer(F, Errors).run();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
