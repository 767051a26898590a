// SPDX-License-Identifier: MIT
// See float_values.h.
#include "amdgcn/translator/float_values.h"

#include <llvm/IR/Intrinsics.h>

#include <cmath>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

// The bit of the mode that lets denormal numbers in, or, one higher, out.
Value *flushed(Wave &w, Value *number, unsigned width, bool isResult) {
  const unsigned bit = (width == 32 ? 4 : 6) + isResult;
  Value *mode = w.mode();
  Value *keeps = w.b.CreateICmpNE(w.b.CreateAnd(mode, w.b.getInt32(1u << bit)), w.b.getInt32(0));
  // A denormal f16 is a normal f32.
  const double smallest = width == 16 ? 0x1p-14 : width == 32 ? 0x1p-126 : 0x1p-1022;
  Value *size = intrinsicCall(w, Intrinsic::fabs, {number});
  Value *isDenormal = w.b.CreateFCmpOLT(size, hiplz::amdgcn::number(number, smallest));
  Value *zero = intrinsicCall(w, Intrinsic::copysign, {hiplz::amdgcn::number(number, 0), number});
  return w.b.CreateSelect(keeps, number, w.b.CreateSelect(isDenormal, zero, number));
}

Value *isSignaling(Wave &w, Value *number) {
  Value *bits = bitsOf(w, number);
  const unsigned width = bits->getType()->getScalarSizeInBits(), mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
  const uint64_t quiet = uint64_t{1} << (mantissa - 1), sign = uint64_t{1} << (width - 1), infinity = sign - 2 * quiet;
  Value *size = w.b.CreateAnd(bits, w.constant(bits, sign - 1));
  return w.b.CreateAnd(w.b.CreateICmpUGT(size, w.constant(bits, infinity)),
                       w.b.CreateICmpEQ(w.b.CreateAnd(bits, w.constant(bits, quiet)), w.constant(bits, 0)));
}

// A quiet NaN loses against a number, a signaling one wins: the code is in IEEE mode (translate.cpp refuses the other).
Value *extremum(Wave &w, Value *a, Value *b, bool isMinimum) {
  IRBuilder<> &builder = w.b;
  Value *first = isMinimum ? builder.CreateFCmpOLT(a, b) : builder.CreateFCmpOGT(a, b);
  Value *bitsA = bitsOf(w, a), *bitsB = bitsOf(w, b);
  Value *both = asFloat(w, isMinimum ? builder.CreateOr(bitsA, bitsB) : builder.CreateAnd(bitsA, bitsB));
  Value *rest = builder.CreateSelect(builder.CreateFCmpOEQ(a, b), both, b);
  rest = builder.CreateSelect(builder.CreateFCmpUNO(b, b), a, rest);
  Value *signals = builder.CreateOr(isSignaling(w, a), isSignaling(w, b));
  return builder.CreateSelect(signals, number(a, NAN), builder.CreateSelect(first, a, rest));
}

} // namespace

Value *number(Value *like, double value) { return ConstantFP::get(like->getType(), value); }

Value *intrinsicCall(Wave &w, Intrinsic::ID id, ArrayRef<Value *> arguments) {
  return w.b.CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
}

Value *bitsOf(Wave &w, Value *number) {
  return w.b.CreateBitCast(number, w.typeLike(number, w.b.getIntNTy(number->getType()->getScalarSizeInBits())));
}

Value *asFloat(Wave &w, Value *bits) {
  const unsigned width = bits->getType()->getScalarSizeInBits();
  return w.b.CreateBitCast(bits, w.typeLike(bits, width == 16 ? w.f16 : width == 32 ? w.f32 : w.f64));
}

Value *floatOf(Wave &w, Value *bits) {
  const unsigned width = bits->getType()->getScalarSizeInBits();
  Value *number = asFloat(w, bits);
  if (width == 16) { // still signaling, which an extension would not leave it
    Value *signals = isSignaling(w, number);
    Value *wide = bitsOf(w, w.b.CreateFPExt(number, w.typeLike(bits, w.f32)));
    number = asFloat(w, w.b.CreateSelect(signals, w.constant(wide, 0x7fa00000), wide));
  }
  return flushed(w, number, width, false);
}

Value *floatResult(Wave &w, Value *value, unsigned width) {
  const Instruction &i = w.at();
  if (i.has("clamp")) { // NaN becomes 0
    value = w.b.CreateSelect(w.b.CreateFCmpOGT(value, number(value, 0)), value, number(value, 0));
    value = w.b.CreateSelect(w.b.CreateFCmpOLT(value, number(value, 1)), value, number(value, 1));
  }
  if (width == 16) {
    value = w.b.CreateFPTrunc(value, w.typeLike(value, w.f16));
    Value *wide = w.b.CreateFPExt(value, w.typeLike(value, w.f32));
    return w.b.CreateFPTrunc(flushed(w, wide, 16, true), w.typeLike(value, w.f16));
  }
  return flushed(w, value, width, true);
}

Value *minimum(Wave &w, Value *a, Value *b) { return extremum(w, a, b, true); }
Value *maximum(Wave &w, Value *a, Value *b) { return extremum(w, a, b, false); }

Value *toInteger(Wave &w, Value *number, unsigned width, bool isSigned) {
  Type *type = w.typeLike(number, w.b.getIntNTy(width));
  return w.b.CreateIntrinsic(isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat, {type, number->getType()},
                             {number});
}

} // namespace hiplz::amdgcn
