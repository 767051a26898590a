// SPDX-License-Identifier: MIT
// See float_values.h.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/lane_functions.h"
#include "amdgcn/translator/rounding.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <cmath>
#include <numeric>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

/// A selection, or the value that a known condition selects.
Value *choose(Wave &w, Value *condition, Value *yes, Value *no) {
  if (auto *known = dyn_cast<ConstantInt>(condition))
    return known->isOne() ? yes : no;
  return w.b.CreateSelect(condition, yes, no);
}

// The bit of the mode that lets denormal numbers in, or, one higher, out.
Value *keepsDenormals(Wave &w, unsigned width, bool isResult) {
  return modeHas(w, 1u << ((width == 32 ? 4 : 6) + isResult));
}

Value *flushed(Wave &w, Value *number, unsigned width, bool isResult) {
  Value *keeps = keepsDenormals(w, width, isResult);
  if (auto *known = dyn_cast<ConstantInt>(keeps); known && known->isOne())
    return number;
  // A denormal f16 is a normal f32.
  const double smallest = width == 16 ? 0x1p-14 : width == 32 ? 0x1p-126 : 0x1p-1022;
  Value *size = intrinsicCall(w, Intrinsic::fabs, {number});
  Value *isDenormal = w.b.CreateFCmpOLT(size, hiplz::amdgcn::number(number, smallest));
  Value *zero = intrinsicCall(w, Intrinsic::copysign, {hiplz::amdgcn::number(number, 0), number});
  return choose(w, keeps, number, w.b.CreateSelect(isDenormal, zero, number));
}

Value *isSignaling(Wave &w, Value *number) {
  Value *bits = bitsOf(w, number);
  const unsigned width = bits->getType()->getScalarSizeInBits(), mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
  const uint64_t quiet = uint64_t{1} << (mantissa - 1), sign = uint64_t{1} << (width - 1), infinity = sign - 2 * quiet;
  Value *size = w.b.CreateAnd(bits, w.constant(bits, sign - 1));
  return w.b.CreateAnd(w.b.CreateICmpUGT(size, w.constant(bits, infinity)),
                       w.b.CreateICmpEQ(w.b.CreateAnd(bits, w.constant(bits, quiet)), w.constant(bits, 0)));
}

// The processor's own, which does all that IEEE mode asks for, of the lanes of each register.
Value *rangeOf(Wave &w, Value *a, Value *b, bool isMinimum) {
  constexpr unsigned kSignOfResult = 4, kCurrentDirection = 4;
  const bool isSingle = a->getType()->getScalarSizeInBits() == 32;
  const std::string name = std::string(isMinimum ? "min_" : "max_") + (isSingle ? "f32" : "f64");
  Value *call = byLaneFunction(w, name.c_str(), a->getType(), {a, b}, [&](Value *const *in) {
    const unsigned width = isSingle ? 16 : 8;
    const Intrinsic::ID id =
        isSingle ? Intrinsic::x86_avx512_mask_range_ps_512 : Intrinsic::x86_avx512_mask_range_pd_512;
    SmallVector<Value *, 4> parts;
    for (unsigned first = 0; first < kLanes; first += width) {
      SmallVector<int, 16> own(width);
      std::iota(own.begin(), own.end(), static_cast<int>(first));
      Value *left = w.b.CreateShuffleVector(in[0], own), *right = w.b.CreateShuffleVector(in[1], own);
      parts.push_back(w.b.CreateIntrinsic(id, ArrayRef<Type *>(),
                                          {left, right, w.b.getInt32(isMinimum ? kSignOfResult : kSignOfResult + 1),
                                           Constant::getNullValue(left->getType()), w.b.getIntN(width, ~uint64_t{0}),
                                           w.b.getInt32(kCurrentDirection)}));
    }
    return concatenateVectors(w.b, parts);
  });
  if (auto *made = dyn_cast<CallInst>(call); made && made->getCalledFunction())
    made->getCalledFunction()->addFnAttr(Attribute::AlwaysInline);
  return call;
}

// A quiet NaN loses against a number. In IEEE mode a signaling one wins.
Value *extremum(Wave &w, Value *a, Value *b, bool isMinimum) {
  IRBuilder<> &builder = w.b;
  Value *isIeee = modeHas(w, kModeIeee);
  auto *known = dyn_cast<ConstantInt>(isIeee);
  if (w.around.ranges && known && known->isOne() &&
      (a->getType() == w.vectorOf(w.f32) || a->getType() == w.vectorOf(w.f64)))
    return rangeOf(w, a, b, isMinimum);
  Value *first = isMinimum ? builder.CreateFCmpOLT(a, b) : builder.CreateFCmpOGT(a, b);
  Value *bitsA = bitsOf(w, a), *bitsB = bitsOf(w, b);
  Value *both = asFloat(w, isMinimum ? builder.CreateOr(bitsA, bitsB) : builder.CreateAnd(bitsA, bitsB));
  Value *rest = builder.CreateSelect(builder.CreateFCmpOEQ(a, b), both, b);
  rest = builder.CreateSelect(builder.CreateFCmpUNO(b, b), a, rest);
  rest = builder.CreateSelect(first, a, rest);
  if (known && known->isZero())
    return rest;
  Value *signals = builder.CreateOr(isSignaling(w, a), isSignaling(w, b));
  signals = builder.CreateAnd(signals, a->getType()->isVectorTy() ? w.splat(isIeee) : isIeee);
  return builder.CreateSelect(signals, number(a, NAN), rest);
}

// The output modifier: a factor, which has an effect only out of IEEE mode and where denormal results are flushed. It makes +0 of -0.
Value *modified(Wave &w, Value *value, unsigned width) {
  const Instruction &i = w.at();
  const int64_t by = i.number("mul", 1), divisor = i.number("div", 1);
  if (by == 1 && divisor == 1)
    return value;
  Value *factor = number(value, static_cast<double>(by) / static_cast<double>(divisor));
  Value *changed = rounded(w, "modified." + std::to_string(width), width, {value, factor},
                           [&](Value *const *in) { return w.b.CreateFMul(in[0], in[1]); });
  changed = w.b.CreateFAdd(changed, number(value, 0));
  Value *applies = w.b.CreateNot(w.b.CreateOr(modeHas(w, kModeIeee), keepsDenormals(w, width, true)));
  return choose(w, applies, changed, value);
}

} // namespace

Value *modeHas(Wave &w, uint32_t bits) {
  return w.b.CreateICmpNE(w.b.CreateAnd(w.mode(), w.b.getInt32(bits)), w.b.getInt32(0));
}

Value *number(Value *like, double value) { return ConstantFP::get(like->getType(), value); }

Value *intrinsicCall(Wave &w, Intrinsic::ID id, ArrayRef<Value *> arguments) {
  if (id != Intrinsic::fma || !w.b.getIsFPConstrained())
    return w.b.CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
  auto named = [&](const char *name) {
    return MetadataAsValue::get(w.b.getContext(), MDString::get(w.b.getContext(), name));
  };
  SmallVector<Value *, 5> all(arguments.begin(), arguments.end());
  all.append({named("round.dynamic"), named("fpexcept.strict")});
  return w.b.CreateIntrinsic(Intrinsic::experimental_constrained_fma, {arguments[0]->getType()}, all);
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
  value = modified(w, value, width);
  if (i.has("clamp")) {
    Value *stays = w.b.CreateAnd(w.b.CreateFCmpUNO(value, value), w.splat(w.b.CreateNot(modeHas(w, kModeClampsNan))));
    Value *inRange = w.b.CreateSelect(w.b.CreateFCmpOGT(value, number(value, 0)), value, number(value, 0));
    inRange = w.b.CreateSelect(w.b.CreateFCmpOLT(inRange, number(value, 1)), inRange, number(value, 1));
    value = w.b.CreateSelect(stays, value, inRange);
  }
  if (width == 16) {
    value = roundedHalf(w, value);
    Value *wide = w.b.CreateFPExt(value, w.typeLike(value, w.f32));
    return w.b.CreateFPTrunc(flushed(w, wide, 16, true), w.typeLike(value, w.f16));
  }
  return flushed(w, value, width, true);
}

Value *minimum(Wave &w, Value *a, Value *b) { return extremum(w, a, b, true); }
Value *maximum(Wave &w, Value *a, Value *b) { return extremum(w, a, b, false); }

Value *toInteger(Wave &w, Value *number, unsigned width, bool isSigned) {
  Type *type = w.typeLike(number, w.b.getIntNTy(width));
  const Intrinsic::ID id = isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  auto convert = [&](Value *const *in) { return w.b.CreateIntrinsic(id, {type, in[0]->getType()}, {in[0]}); };
  if (number->getType() != w.vectorOf(w.f64) || width != 32)
    return convert(&number);
  return byLaneFunction(w, isSigned ? "cvt_i32_f64" : "cvt_u32_f64", type, {number}, convert);
}

} // namespace hiplz::amdgcn
