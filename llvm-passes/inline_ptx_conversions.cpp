// SPDX-License-Identifier: MIT
// cvt of inline PTX: between integers, between integers and floating-point numbers, and between the latter.
#include "base/llvm_compat.h"
#include "inline_ptx.h"

#include "llvm/IR/Intrinsics.h"

#include <cmath>

using namespace llvm;

namespace hiplz::passes {

namespace {

bool isFloating(StringRef Type) { return Type == "f16" || Type == "f32" || Type == "f64"; }

/// An integer that is not representable becomes the nearest one that is.
Value *clamped(IRBuilderBase &B, Value *X, bool FromSigned, unsigned Bits, bool ToSigned) {
  const unsigned Width = X->getType()->getIntegerBitWidth();
  const APInt Most = (ToSigned ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits));
  const APInt Least = (ToSigned ? APInt::getSignedMinValue(Bits) : APInt(Bits, 0));
  if (Width > Bits || (Width == Bits && !FromSigned && ToSigned)) {
    Value *Limit = ConstantInt::get(X->getType(), Most.zext(std::max(Width, Bits)).trunc(Width));
    X = B.CreateSelect(FromSigned ? B.CreateICmpSGT(X, Limit) : B.CreateICmpUGT(X, Limit), Limit, X);
  }
  if (FromSigned && (Width > Bits || !ToSigned)) {
    Value *Limit =
        ConstantInt::get(X->getType(), ToSigned ? Least.sext(std::max(Width, Bits)).trunc(Width) : APInt(Width, 0));
    X = B.CreateSelect(B.CreateICmpSLT(X, Limit), Limit, X);
  }
  return X;
}

/// A whole number to an integer: the nearest one where it does not fit, 0 for NaN.
Value *toInteger(IRBuilderBase &B, Value *X, unsigned Bits, bool IsSigned) {
  Type *From = X->getType(), *To = B.getIntNTy(Bits);
  const double Beyond = std::ldexp(1.0, int(Bits) - IsSigned), Least = IsSigned ? -Beyond : 0.0;
  Constant *Limit = ConstantFP::get(From, Beyond), *Low = ConstantFP::get(From, Least);
  Value *Fits = B.CreateAnd(B.CreateFCmpOGE(X, Low), B.CreateFCmpOLT(X, Limit));
  Value *Safe = B.CreateSelect(Fits, X, ConstantFP::get(From, 0.0));
  Value *Whole = IsSigned ? B.CreateFPToSI(Safe, To) : B.CreateFPToUI(Safe, To);
  Constant *Most = ConstantInt::get(To, IsSigned ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits));
  Constant *Lowest = ConstantInt::get(To, IsSigned ? APInt::getSignedMinValue(Bits) : APInt(Bits, 0));
  Whole = B.CreateSelect(B.CreateFCmpOGE(X, Limit), Most, Whole);
  return B.CreateSelect(B.CreateFCmpOLT(X, Low), Lowest, Whole);
}

} // namespace

bool lowerPtxConversion(PtxValues &V, const PtxInstruction &I) {
  const SmallVector<StringRef, 6> Parts = I.parts();
  if (Parts.front() != "cvt" || Parts.size() < 3 || I.Operands.size() < 2)
    return false;
  IRBuilder<> &B = V.B;
  const StringRef To = Parts[Parts.size() - 2], From = Parts.back();
  const unsigned ToBits = ptxTypeBits(To), FromBits = ptxTypeBits(From);
  auto has = [&](StringRef Suffix) { return is_contained(Parts, Suffix); };
  const bool FromSigned = startsWith(From, "s"), ToSigned = startsWith(To, "s");
  if (To == "f16x2" && From == "f32" && has("rn") && I.Operands.size() == 3 && !has("relu") && !has("satfinite")) {
    auto half = [&](unsigned N) { // the first source has the high bits
      Value *Half = B.CreateFPTrunc(V.readAs(I.Operands[N], "f32"), B.getHalfTy());
      return B.CreateZExt(B.CreateBitCast(Half, B.getInt16Ty()), B.getInt32Ty());
    };
    V.write(I.Operands[0], B.CreateOr(B.CreateShl(half(1), 16), half(2)));
    return true;
  }
  if (I.Operands.size() != 2 || has("relu") || has("satfinite") || has("pack") || ToBits == 0 || FromBits == 0)
    return false;
  const bool FromFloat = isFloating(From), ToFloat = isFloating(To);
  if ((!FromFloat && startsWith(From, "f")) || (!ToFloat && startsWith(To, "f")) || startsWith(From, "bf") ||
      startsWith(To, "bf"))
    return false;

  if (!FromFloat && !ToFloat) {
    Value *X = V.read(I.Operands[1], FromBits);
    if (has("sat"))
      X = clamped(B, X, FromSigned, ToBits, ToSigned);
    Type *T = B.getIntNTy(ToBits);
    V.write(I.Operands[0], FromSigned ? B.CreateSExtOrTrunc(X, T) : B.CreateZExtOrTrunc(X, T), ToSigned);
    return true;
  }
  if (!FromFloat) {
    if (has("rz") || has("rm") || has("rp") || has("sat"))
      return false;
    Value *X = V.read(I.Operands[1], FromBits);
    Type *T = ptxType(B, To);
    V.write(I.Operands[0], FromSigned ? B.CreateSIToFP(X, T) : B.CreateUIToFP(X, T));
    return true;
  }
  // From a floating-point number: to a whole number first if the suffixes say so.
  Value *X = V.readAs(I.Operands[1], From);
  const Intrinsic::ID Rounding = has("rni")   ? Intrinsic::rint
                                 : has("rzi") ? Intrinsic::trunc
                                 : has("rmi") ? Intrinsic::floor
                                 : has("rpi") ? Intrinsic::ceil
                                              : Intrinsic::not_intrinsic;
  if (Rounding != Intrinsic::not_intrinsic)
    X = B.CreateCall(intrinsic(V.M, Rounding, {X->getType()}), {X});
  if (!ToFloat) {
    if (Rounding == Intrinsic::not_intrinsic)
      return false;
    if (From == "f16") // whose range is smaller than those of the limits
      X = B.CreateFPExt(X, B.getFloatTy());
    V.write(I.Operands[0], toInteger(B, X, ToBits, ToSigned), ToSigned);
    return true;
  }
  if (has("rz") || has("rm") || has("rp") || has("sat"))
    return false;
  V.write(I.Operands[0], B.CreateFPCast(X, ptxType(B, To)));
  return true;
}

} // namespace hiplz::passes
