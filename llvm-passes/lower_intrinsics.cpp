// SPDX-License-Identifier: MIT
// LLVM intrinsics that have no form in SPIR-V, or one that the translator gets wrong (rotates by zero, the overflow of
// an unsigned product), become plain instructions. Which ones need it was found by translating each by itself.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

#include <algorithm>
#include <bit>

using namespace llvm;

namespace hiplz::passes {

namespace {

class IntrinsicLowering {
public:
  explicit IntrinsicLowering(Function &F) : F(F), B(F.getContext()) {}

  bool run() {
    SmallVector<IntrinsicInst *, 16> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<IntrinsicInst>(&I))
        Calls.push_back(Call);
    bool Changed = false;
    for (IntrinsicInst *Call : Calls) {
      B.SetInsertPoint(Call);
      Value *Replacement = lower(*Call);
      if (!Replacement && !Erase)
        continue;
      if (Replacement)
        Call->replaceAllUsesWith(Replacement);
      Call->eraseFromParent();
      Erase = false;
      Changed = true;
    }
    return Changed;
  }

private:
  /// The value that takes the place of \p I, or null: then I stays unless Erase is set.
  Value *lower(IntrinsicInst &I) {
    switch (I.getIntrinsicID()) {
    case Intrinsic::assume:
    case Intrinsic::debugtrap:
    case Intrinsic::donothing:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::invariant_end:
    case Intrinsic::prefetch:
    case Intrinsic::sideeffect:
    case Intrinsic::trap:
    case Intrinsic::ubsantrap:
    case Intrinsic::var_annotation: Erase = true; return nullptr;
    case Intrinsic::invariant_start:
    case Intrinsic::returnaddress:
    case Intrinsic::frameaddress: return Constant::getNullValue(I.getType());
    case Intrinsic::annotation:
    case Intrinsic::expect:
    case Intrinsic::expect_with_probability:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::ptr_annotation:
    case Intrinsic::ssa_copy:
    case Intrinsic::strip_invariant_group: return I.getArgOperand(0);
    case Intrinsic::is_constant: return B.getFalse();
    case Intrinsic::objectsize:
      return lowerObjectSizeCall(&I, F.getParent()->getDataLayout(), nullptr, /*MustSucceed=*/true);
    case Intrinsic::canonicalize: return B.CreateFMul(I.getArgOperand(0), ConstantFP::get(I.getType(), 1.0));
    case Intrinsic::lround:
    case Intrinsic::llround:
      return B.CreateFPToSI(B.CreateUnaryIntrinsic(Intrinsic::round, I.getArgOperand(0)), I.getType());
    case Intrinsic::lrint:
    case Intrinsic::llrint:
      return B.CreateFPToSI(B.CreateUnaryIntrinsic(Intrinsic::rint, I.getArgOperand(0)), I.getType());
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::umul_with_overflow: return withOverflow(cast<WithOverflowInst>(I));
    case Intrinsic::sadd_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::uadd_sat:
    case Intrinsic::usub_sat: return saturating(cast<SaturatingInst>(I));
    case Intrinsic::sshl_sat:
    case Intrinsic::ushl_sat: return shiftSaturating(I);
    case Intrinsic::fshl:
    case Intrinsic::fshr: return funnelShift(I);
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin: {
      auto &MinMax = cast<MinMaxIntrinsic>(I);
      if (!isOddInteger(I.getType()))
        return nullptr;
      return B.CreateSelect(B.CreateICmp(MinMax.getPredicate(), MinMax.getLHS(), MinMax.getRHS()), MinMax.getLHS(),
                            MinMax.getRHS());
    }
    case Intrinsic::abs: {
      if (!isOddInteger(I.getType()))
        return nullptr;
      Value *X = I.getArgOperand(0);
      return B.CreateSelect(B.CreateICmpSLT(X, zero(X)), B.CreateNeg(X), X);
    }
    case Intrinsic::bswap: return isOddInteger(I.getType()) ? countOrReverse(I) : swapBytes(I.getArgOperand(0));
    case Intrinsic::bitreverse:
    case Intrinsic::ctlz:
    case Intrinsic::ctpop:
    case Intrinsic::cttz: return isOddInteger(I.getType()) ? countOrReverse(I) : nullptr;
    case Intrinsic::vector_reduce_add: return reduce(I, [&](Value *L, Value *R) { return B.CreateAdd(L, R); });
    case Intrinsic::vector_reduce_mul: return reduce(I, [&](Value *L, Value *R) { return B.CreateMul(L, R); });
    case Intrinsic::vector_reduce_and: return reduce(I, [&](Value *L, Value *R) { return B.CreateAnd(L, R); });
    case Intrinsic::vector_reduce_or: return reduce(I, [&](Value *L, Value *R) { return B.CreateOr(L, R); });
    case Intrinsic::vector_reduce_xor: return reduce(I, [&](Value *L, Value *R) { return B.CreateXor(L, R); });
    case Intrinsic::vector_reduce_smax: return reduceTo(I, Intrinsic::smax);
    case Intrinsic::vector_reduce_smin: return reduceTo(I, Intrinsic::smin);
    case Intrinsic::vector_reduce_umax: return reduceTo(I, Intrinsic::umax);
    case Intrinsic::vector_reduce_umin: return reduceTo(I, Intrinsic::umin);
    case Intrinsic::vector_reduce_fmax: return reduceTo(I, Intrinsic::maxnum);
    case Intrinsic::vector_reduce_fmin: return reduceTo(I, Intrinsic::minnum);
    case Intrinsic::memmove: return move(cast<MemMoveInst>(I));
    case Intrinsic::memcpy_inline:
    case Intrinsic::memset_inline: return withoutCall(cast<MemIntrinsic>(I));
    case Intrinsic::pow: return mayBeApproximate(I) ? approximatePower(I) : nullptr;
    default: {
      const StringRef Native = mayBeApproximate(I) ? approximation(I.getIntrinsicID()) : "";
      return openClCall(I, Native.empty() ? openClInstruction(I.getIntrinsicID()) : Native);
    }
    }
  }

  /// True if -ffast-math holds for a function of float. The functions that are no intrinsics: math_functions.h.
  static bool mayBeApproximate(const IntrinsicInst &I) {
    return I.getType()->isFloatTy() && isa<FPMathOperator>(I) && I.hasApproxFunc();
  }
  static StringRef approximation(Intrinsic::ID Id) {
    switch (Id) {
    case Intrinsic::sin: return "native_sin";
    case Intrinsic::cos: return "native_cos";
    case Intrinsic::exp: return "native_exp";
    case Intrinsic::exp2: return "native_exp2";
    case Intrinsic::log: return "native_log";
    case Intrinsic::log2: return "native_log2";
    case Intrinsic::log10: return "native_log10";
    default: {
      const StringRef Name = openClInstruction(Id);
      return Name == "tan" ? "native_tan" : Name == "exp10" ? "native_exp10" : "";
    }
    }
  }
  /// The same as powf in math_functions.h.
  Value *approximatePower(IntrinsicInst &I) {
    Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1);
    Value *Logarithm = openClCall(I, "native_log2", B.CreateUnaryIntrinsic(Intrinsic::fabs, X));
    Value *Power = openClCall(I, "native_exp2", B.CreateFMul(Y, Logarithm));
    Value *Odd = B.CreateTrunc(B.CreateFPToSI(Y, B.getInt32Ty()), B.getInt1Ty());
    Value *Negative = B.CreateAnd(B.CreateFCmpOLT(X, zero(X)), Odd);
    return B.CreateSelect(B.CreateFCmpOEQ(Y, zero(Y)), ConstantFP::get(Y->getType(), 1),
                          B.CreateSelect(Negative, B.CreateFNeg(Power), Power));
  }

  /// The call of an extended instruction of OpenCL with the operands of \p I, or null if there is none for its types.
  Value *openClCall(IntrinsicInst &I, StringRef Name) { return openClCall(I, Name, SmallVector<Value *, 3>(I.args())); }
  Value *openClCall(IntrinsicInst &I, StringRef Name, ArrayRef<Value *> Operands) {
    if (Name.empty())
      return nullptr;
    const std::string Function = "__spirv_ocl_" + Name.str();
    std::string Mangled = "_Z" + std::to_string(Function.size()) + Function;
    SmallVector<Type *, 3> Types;
    for (Value *Operand : Operands) {
      Type *T = Operand->getType();
      if (!T->isHalfTy() && !T->isFloatTy() && !T->isDoubleTy() && !T->isIntegerTy(32) && !T->isIntegerTy(64))
        return nullptr;
      Mangled += T->isHalfTy() ? "Dh" : T->isFloatTy() ? "f" : T->isDoubleTy() ? "d" : T->isIntegerTy(32) ? "i" : "l";
      Types.push_back(T);
    }
    auto *Builtin = cast<llvm::Function>(
        I.getModule()->getOrInsertFunction(Mangled, FunctionType::get(I.getType(), Types, false)).getCallee());
    Builtin->setCallingConv(CallingConv::SPIR_FUNC);
    CallInst *Call = B.CreateCall(Builtin, Operands);
    Call->setCallingConv(CallingConv::SPIR_FUNC);
    return Call;
  }

  static Constant *zero(Value *Like) { return Constant::getNullValue(Like->getType()); }
  static Constant *bits(Value *Like) {
    return ConstantInt::get(Like->getType(), Like->getType()->getScalarSizeInBits());
  }
  static Constant *limit(Value *Like, bool Max) {
    unsigned Bits = Like->getType()->getScalarSizeInBits();
    return ConstantInt::get(Like->getType(), Max ? APInt::getSignedMaxValue(Bits) : APInt::getSignedMinValue(Bits));
  }

  /// True if \p Result of the operation is not the mathematical one.
  Value *overflows(Instruction::BinaryOps Op, bool Signed, Value *X, Value *Y, Value *Result) {
    switch (Op) {
    case Instruction::Add:
      if (!Signed)
        return B.CreateICmpULT(Result, X);
      return B.CreateICmpSLT(B.CreateAnd(B.CreateXor(Result, X), B.CreateXor(Result, Y)), zero(X));
    case Instruction::Sub:
      if (!Signed)
        return B.CreateICmpULT(X, Y);
      return B.CreateICmpSLT(B.CreateAnd(B.CreateXor(X, Y), B.CreateXor(X, Result)), zero(X));
    default: return productOverflows(Signed, X, Y);
    }
  }

  /// The product in twice the width, compared with what its lower half stands for.
  Value *productOverflows(bool Signed, Value *X, Value *Y) {
    Type *T = X->getType();
    unsigned Bits = T->getScalarSizeInBits();
    Type *Wide = T->getWithNewBitWidth(2 * Bits);
    auto widen = [&](Value *V) { return Signed ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide); };
    Value *Product = B.CreateMul(widen(X), widen(Y));
    return B.CreateICmpNE(Product, widen(B.CreateTrunc(Product, T)));
  }

  Value *withOverflow(WithOverflowInst &I) {
    Value *Result = B.CreateBinOp(I.getBinaryOp(), I.getLHS(), I.getRHS());
    Value *Flag = overflows(I.getBinaryOp(), I.isSigned(), I.getLHS(), I.getRHS(), Result);
    // The parts are nearly always taken out at once; then no aggregate is left.
    for (User *U : make_early_inc_range(I.users()))
      if (auto *Extract = dyn_cast<ExtractValueInst>(U)) {
        Extract->replaceAllUsesWith(Extract->getIndices()[0] == 0 ? Result : Flag);
        Extract->eraseFromParent();
      }
    if (I.use_empty()) {
      Erase = true;
      return nullptr;
    }
    Value *Pair = UndefValue::get(I.getType());
    return B.CreateInsertValue(B.CreateInsertValue(Pair, Result, 0), Flag, 1);
  }

  Value *saturating(SaturatingInst &I) {
    Value *X = I.getLHS(), *Y = I.getRHS();
    bool Add = I.getBinaryOp() == Instruction::Add;
    Value *Result = B.CreateBinOp(I.getBinaryOp(), X, Y);
    Value *Flag = overflows(I.getBinaryOp(), I.isSigned(), X, Y, Result);
    Value *Limit = Add ? Constant::getAllOnesValue(I.getType()) : zero(X);
    if (I.isSigned())
      Limit = B.CreateSelect(B.CreateICmpSLT(X, zero(X)), limit(X, false), limit(X, true));
    return B.CreateSelect(Flag, Limit, Result);
  }

  Value *shiftSaturating(IntrinsicInst &I) {
    Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1);
    bool Signed = I.getIntrinsicID() == Intrinsic::sshl_sat;
    Value *Result = B.CreateShl(X, Y);
    Value *Back = Signed ? B.CreateAShr(Result, Y) : B.CreateLShr(Result, Y);
    Value *Limit = Constant::getAllOnesValue(I.getType());
    if (Signed)
      Limit = B.CreateSelect(B.CreateICmpSLT(X, zero(X)), limit(X, false), limit(X, true));
    return B.CreateSelect(B.CreateICmpNE(Back, X), Limit, Result);
  }

  /// \p X rotated to the left, which some devices have an instruction for; null if OpenCL's has no form for the type.
  Value *rotation(IntrinsicInst &I, Value *X, Value *Amount) {
    if (!X->getType()->isIntegerTy(32) && !X->getType()->isIntegerTy(64))
      return nullptr;
    return openClCall(I, "rotate", {X, Amount});
  }

  /// A shift by zero must not become a shift by the whole width, so the other half is shifted by one more step.
  Value *funnelShift(IntrinsicInst &I) {
    Value *High = I.getArgOperand(0), *Low = I.getArgOperand(1), *Amount = I.getArgOperand(2);
    bool Left = I.getIntrinsicID() == Intrinsic::fshl;
    if (Value *Rotated = High == Low ? rotation(I, High, Left ? Amount : B.CreateNeg(Amount)) : nullptr)
      return Rotated;
    Value *By = B.CreateURem(Amount, bits(Amount));
    Value *Rest = B.CreateSub(B.CreateSub(bits(Amount), ConstantInt::get(By->getType(), 1)), By);
    Value *One = ConstantInt::get(By->getType(), 1);
    if (Left)
      return B.CreateOr(B.CreateShl(High, By), B.CreateLShr(B.CreateLShr(Low, One), Rest));
    return B.CreateOr(B.CreateShl(B.CreateShl(High, One), Rest), B.CreateLShr(Low, By));
  }

  /// On a width that SPIR-V lacks: in the next one that it has.
  Value *countOrReverse(IntrinsicInst &I) {
    Value *X = I.getArgOperand(0);
    unsigned Bits = X->getType()->getIntegerBitWidth();
    if (Bits > 64)
      return nullptr; // reported by the check of integer widths
    unsigned Wide = std::max<unsigned>(8, PowerOf2Ceil(Bits));
    Type *T = B.getIntNTy(Wide);
    Value *In = B.CreateZExt(X, T), *Out = nullptr;
    switch (I.getIntrinsicID()) {
    case Intrinsic::ctpop: Out = B.CreateUnaryIntrinsic(Intrinsic::ctpop, In); break;
    case Intrinsic::ctlz:
      Out = B.CreateSub(B.CreateBinaryIntrinsic(Intrinsic::ctlz, In, B.getFalse()), ConstantInt::get(T, Wide - Bits));
      break;
    case Intrinsic::cttz:
      Out = B.CreateBinaryIntrinsic(Intrinsic::cttz, B.CreateOr(In, ConstantInt::get(T, uint64_t(1) << Bits)),
                                    B.getFalse());
      break;
    default: Out = B.CreateLShr(B.CreateUnaryIntrinsic(I.getIntrinsicID(), In), ConstantInt::get(T, Wide - Bits));
    }
    return B.CreateTrunc(Out, I.getType());
  }

  /// The translator writes a function that readers of SPIR-V take for an intrinsic and drop.
  Value *swapBytes(Value *X) {
    const unsigned Bits = X->getType()->getScalarSizeInBits();
    auto number = [&](uint64_t N) { return ConstantInt::get(X->getType(), N); };
    Value *Result = nullptr;
    for (unsigned At = 0; At < Bits; At += 8) {
      Value *Byte = B.CreateShl(B.CreateAnd(B.CreateLShr(X, number(At)), number(255)), number(Bits - 8 - At));
      Result = Result ? B.CreateOr(Result, Byte) : Byte;
    }
    return Result;
  }

  Value *reduce(IntrinsicInst &I, function_ref<Value *(Value *, Value *)> Combine) {
    Value *V = I.getArgOperand(0);
    Value *Result = B.CreateExtractElement(V, uint64_t(0));
    for (unsigned N = 1; N < cast<FixedVectorType>(V->getType())->getNumElements(); ++N)
      Result = Combine(Result, B.CreateExtractElement(V, uint64_t(N)));
    return Result;
  }
  Value *reduceTo(IntrinsicInst &I, Intrinsic::ID Id) {
    return reduce(I, [&](Value *L, Value *R) { return B.CreateBinaryIntrinsic(Id, L, R); });
  }

  /// There is no library on the device that a copy or a fill could call.
  Value *withoutCall(MemIntrinsic &I) {
    if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      B.CreateMemCpy(I.getRawDest(), I.getDestAlign(), Copy->getRawSource(), Copy->getSourceAlign(), I.getLength(),
                     I.isVolatile());
    else
      B.CreateMemSet(I.getRawDest(), cast<MemSetInst>(I).getValue(), I.getLength(), I.getDestAlign(), I.isVolatile());
    Erase = true;
    return nullptr;
  }

  /// The translator copies through a variable that it declares where SPIR-V allows none.
  Value *move(MemMoveInst &I) {
    if (I.getRawDest()->getType() != I.getRawSource()->getType()) {
      // Specific address spaces do not overlap each other; a generic pointer may overlap both.
      Type *Generic = pointerTo(B.getInt8Ty(), kGeneric);
      I.setDest(castPointer(B, I.getRawDest(), Generic));
      I.setSource(castPointer(B, I.getRawSource(), Generic));
      Type *Types[] = {Generic, Generic, I.getLength()->getType()};
      I.setCalledFunction(intrinsic(*F.getParent(), Intrinsic::memmove, Types));
    }
    Erase = true;
    if (moveAtOnce(I))
      return nullptr;
#if LLVM_VERSION_MAJOR >= 17
    TargetTransformInfo TTI(F.getParent()->getDataLayout());
    expandMemMoveAsLoop(&I, TTI);
#else
    expandMemMoveAsLoop(&I);
#endif
    return nullptr;
  }

  /// Reads all of a structure before it writes: no loop over bytes, and right if lanes that go together move it to one another.
  bool moveAtOnce(MemMoveInst &I) {
    constexpr uint64_t MostBytes = 256, MostPieces = 64, LargestPiece = 8;
    auto *Length = dyn_cast<ConstantInt>(I.getLength());
    if (!Length || Length->getValue().ugt(MostBytes))
      return false;
    const uint64_t Bytes = Length->getZExtValue();
    const Align To = I.getDestAlign().valueOrOne(), From = I.getSourceAlign().valueOrOne();
    const uint64_t Largest = std::min({To.value(), From.value(), LargestPiece});
    if (divideCeil(Bytes, Largest) > MostPieces)
      return false;
    auto At = [&](Value *Pointer, uint64_t Offset, Type *Piece) {
      Value *Place = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Pointer, Offset);
      return castPointer(B, Place, pointerTo(Piece, Pointer->getType()->getPointerAddressSpace()));
    };
    SmallVector<std::pair<uint64_t, Value *>, 16> Pieces;
    for (uint64_t Offset = 0; Offset < Bytes;) {
      const uint64_t Size = std::min(Largest, std::bit_floor(Bytes - Offset));
      Type *Piece = B.getIntNTy(static_cast<unsigned>(8 * Size));
      Pieces.push_back({Offset, B.CreateAlignedLoad(Piece, At(I.getRawSource(), Offset, Piece),
                                                    commonAlignment(From, Offset), I.isVolatile())});
      Offset += Size;
    }
    for (auto &[Offset, Piece] : Pieces)
      B.CreateAlignedStore(Piece, At(I.getRawDest(), Offset, Piece->getType()), commonAlignment(To, Offset),
                           I.isVolatile());
    return true;
  }

  Function &F;
  IRBuilder<> B;
  bool Erase = false;
};

} // namespace

PreservedAnalyses LowerIntrinsicsPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= IntrinsicLowering(F).run();
  for (Function &F : make_early_inc_range(M))
    if (F.isIntrinsic() && F.use_empty())
      F.eraseFromParent();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
