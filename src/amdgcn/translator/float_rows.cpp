// SPDX-License-Identifier: MIT
// Operations on numbers of 32 and 64 bits and conversions. Approximations of the hardware (reciprocals, roots, powers, logarithms)
// are computed exactly or with the C library's accuracy, which is within what AMD documents.
#include "amdgcn/translator/exponentials.h"
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/lane_functions.h"
#include "amdgcn/translator/operations.h"
#include "amdgcn/translator/rounding.h"

#include <llvm/IR/Intrinsics.h>

#include <cmath>
#include <iterator>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using In = Value *const *;

Value *one(Wave &w, Intrinsic::ID id, Value *value) { return intrinsicCall(w, id, {value}); }
Value *fma(Wave &w, Value *a, Value *b, Value *c) { return intrinsicCall(w, Intrinsic::fma, {a, b, c}); }
Value *isNan(Wave &w, Value *value) { return w.b.CreateFCmpUNO(value, value); }

// Zero times anything is zero.
Value *legacyProduct(Wave &w, Value *a, Value *b) {
  Value *zero = number(a, 0);
  Value *any = w.b.CreateOr(w.b.CreateFCmpOEQ(a, zero), w.b.CreateFCmpOEQ(b, zero));
  return w.b.CreateSelect(any, zero, w.b.CreateFMul(a, b));
}

Value *median(Wave &w, In in) {
  Value *low = minimum(w, in[0], in[1]), *high = maximum(w, in[0], in[1]);
  Value *middle = maximum(w, low, minimum(w, high, in[2]));
  // With a NaN among them it is the smallest.
  Value *any = w.b.CreateOr(w.b.CreateOr(isNan(w, in[0]), isNan(w, in[1])), isNan(w, in[2]));
  return w.b.CreateSelect(any, minimum(w, low, in[2]), middle);
}

Value *legacyFma(Wave &w, In in) {
  Value *zero = number(in[0], 0);
  Value *any = w.b.CreateOr(w.b.CreateFCmpOEQ(in[0], zero), w.b.CreateFCmpOEQ(in[1], zero));
  return w.b.CreateSelect(any, w.b.CreateFAdd(zero, in[2]), fma(w, in[0], in[1], in[2]));
}

// A fraction as the nearest integer of 16 bits, of which the greatest stands for 1. NaN becomes 0.
Value *normalized(Wave &w, Value *value, bool isSigned) {
  Value *low = number(value, isSigned ? -1 : 0), *high = number(value, 1);
  value = w.b.CreateSelect(w.b.CreateFCmpOLT(value, low), low, value);
  value = w.b.CreateSelect(w.b.CreateFCmpOGT(value, high), high, value);
  value = one(w, Intrinsic::rint, w.b.CreateFMul(value, number(value, isSigned ? 32767 : 65535)));
  return w.b.CreateAnd(toInteger(w, value, 32, isSigned), w.vector(0xffff));
}
Value *normalizedWord(Wave &w, Value *value, bool isSigned) {
  return w.b.CreateTrunc(normalized(w, value, isSigned), w.vectorOf(w.i16));
}

// x - floor(x), below 1 for small negative x as well.
Value *fraction(Wave &w, Value *value, double below1) {
  Value *rest = w.b.CreateFSub(value, one(w, Intrinsic::floor, value));
  Value *most = number(value, below1);
  return w.b.CreateSelect(w.b.CreateFCmpOGT(rest, most), most, rest);
}

// Angles are in turns; sine of a turn's fraction keeps the accuracy of large ones.
Value *ofTurns(Wave &w, const char *name, Value *value, Intrinsic::ID id) {
  return byLaneFunction(w, name, value->getType(), {value}, [&](In in) {
    Value *turns = w.b.CreateFPExt(in[0], w.vectorOf(w.f64));
    turns = w.b.CreateFSub(turns, one(w, Intrinsic::rint, turns));
    Value *angle = w.b.CreateFMul(turns, number(turns, 6.283185307179586476925));
    Value *result = one(w, id, w.b.CreateFPTrunc(angle, value->getType()));
    return w.b.CreateSelect(isNan(w, turns), number(value, NAN), result);
  });
}

// A function of the C library, which is called once for each lane.
Value *ofLibrary(Wave &w, const char *name, Intrinsic::ID id, Value *value) {
  return byLaneFunction(w, name, value->getType(), {value}, [&](In in) { return one(w, id, in[0]); });
}

// The same for all lanes at once, where numbers are rounded to the nearest.
Value *ofLanes(Wave &w, const char *name, Intrinsic::ID id, Value *(*compute)(Wave &, Value *), Value *value) {
  if (w.b.getIsFPConstrained())
    return ofLibrary(w, name, id, value);
  return byLaneFunction(w, name, value->getType(), {value}, [&](In in) { return compute(w, in[0]); });
}

Value *squareRootInverse(Wave &w, Value *value) {
  return w.b.CreateFDiv(number(value, 1), one(w, Intrinsic::sqrt, value));
}

// The number's exponent as if its mantissa were in [0.5, 1); 0 for zero, infinity and NaN.
struct Parts {
  Value *mantissa, *exponent;
};
Parts takeApart(Wave &w, Value *value) {
  const bool isDouble = value->getType()->getScalarType()->isDoubleTy();
  const unsigned bits = isDouble ? 52 : 23;
  const uint64_t mask = isDouble ? 0x7ff : 0xff, bias = isDouble ? 1022 : 126;
  Value *zero = number(value, 0), *size = one(w, Intrinsic::fabs, value);
  Value *isDenormal = w.b.CreateFCmpOLT(size, number(value, isDouble ? 0x1p-1022 : 0x1p-126));
  Value *scaled = w.b.CreateSelect(isDenormal, w.b.CreateFMul(value, number(value, 0x1p64)), value);
  Value *all = bitsOf(w, scaled);
  Value *exponent = w.b.CreateAnd(w.b.CreateLShr(all, w.constant(all, bits)), w.constant(all, mask));
  exponent = w.b.CreateSub(exponent, w.constant(all, bias));
  exponent = w.b.CreateSelect(isDenormal, w.b.CreateSub(exponent, w.constant(all, 64)), exponent);
  Value *mantissa = w.b.CreateOr(w.b.CreateAnd(all, w.constant(all, ~(mask << bits))), w.constant(all, bias << bits));
  Value *isPlain = w.b.CreateFCmpOLT(size, number(value, INFINITY));
  isPlain = w.b.CreateAnd(isPlain, w.b.CreateFCmpONE(value, zero));
  exponent = w.b.CreateSelect(isPlain, exponent, w.constant(all, 0));
  return {w.b.CreateSelect(isPlain, asFloat(w, mantissa), value), w.b.CreateTrunc(exponent, w.vectorOf(w.i32))};
}

// value * 2^exponent. Steps that leave a number denormal come last, so that it is not rounded twice.
Value *scaledDouble(Wave &w, Value *value, Value *exponent) {
  constexpr int kMost = 1023, kLeast = -1022,
                kDown = kLeast + 53; // down by less, so that what is rounded there ends as 0
  auto power = [](int exponent) { return std::ldexp(1.0, exponent); };
  auto bound = [&](int low, int high) {
    Value *down = w.b.CreateSelect(w.b.CreateICmpSGT(exponent, w.vector(high)), w.vector(high), exponent);
    exponent = w.b.CreateSelect(w.b.CreateICmpSLT(down, w.vector(low)), w.vector(low), down);
  };
  bound(-3000, 3000); // beyond that all numbers become 0 or infinity
  for (int step = 0; step < 2; ++step) {
    Value *isHigh = w.b.CreateICmpSGT(exponent, w.vector(kMost)),
          *isLow = w.b.CreateICmpSLT(exponent, w.vector(kLeast));
    auto chosen = [&](Value *high, Value *low, Value *none) {
      return w.b.CreateSelect(isHigh, high, w.b.CreateSelect(isLow, low, none));
    };
    value = w.b.CreateFMul(value, chosen(number(value, power(kMost)), number(value, power(kDown)), number(value, 1)));
    exponent = w.b.CreateSub(exponent, chosen(w.vector(kMost), w.vector(kDown), w.vector(0)));
  }
  bound(kLeast, kMost);
  Value *biased = w.b.CreateAdd(w.b.CreateSExt(exponent, w.vectorOf(w.i64)), w.vector64(1023));
  return w.b.CreateFMul(value, asFloat(w, w.b.CreateShl(biased, w.vector64(52))));
}

Value *scaledSingle(Wave &w, Value *value, Value *exponent) { // exact as a double, then rounded once
  constexpr int kMost = 400;
  exponent = w.b.CreateSelect(w.b.CreateICmpSGT(exponent, w.vector(kMost)), w.vector(kMost), exponent);
  exponent = w.b.CreateSelect(w.b.CreateICmpSLT(exponent, w.vector(-kMost)), w.vector(-kMost), exponent);
  Value *biased = w.b.CreateAdd(w.b.CreateSExt(exponent, w.vectorOf(w.i64)), w.vector64(1023));
  Value *wide = w.b.CreateFPExt(value, w.vectorOf(w.f64));
  return w.b.CreateFPTrunc(w.b.CreateFMul(wide, asFloat(w, w.b.CreateShl(biased, w.vector64(52)))), value->getType());
}

// value * 2^exponent, rounded once.
Value *scaled(Wave &w, Value *value, Value *exponent) {
  const bool isDouble = value->getType()->getScalarType()->isDoubleTy();
  return byLaneFunction(w, isDouble ? "ldexp.64" : "ldexp.32", value->getType(), {value, exponent}, [&](In in) {
    return isDouble ? scaledDouble(w, in[0], in[1]) : scaledSingle(w, in[0], in[1]);
  });
}

// 2/pi as a fraction of 1201 bits, the highest first.
constexpr uint64_t kTwoByPi[] = {0xa2f9836e4e441529,
                                 0xfc2757d1f534ddc0,
                                 0xdb6295993c439041,
                                 0xfe5163abdebbc561,
                                 0xb7246e3a424dd2e0,
                                 0x06492eea09d1921c,
                                 0xfe1deb1cb129a73e,
                                 0xe88235f52ebb4484,
                                 0xe99c7026b45f7e41,
                                 0x3991d639835339f4,
                                 0x9c845f8bbdf9283b,
                                 0x1ff897ffde05980f,
                                 0xef2f118b5a0a6d1f,
                                 0x6d367ecf27cb09b7,
                                 0x4f463f669e5fea2d,
                                 0x7527bac7ebe5f17b,
                                 0x3d0739f78a5292ea,
                                 0x6bfb5fb11f8d5d08,
                                 0x56033046fc7b0000,
                                 0,
                                 0};

// 53 bits of 2/pi for the reduction of a large angle: the segment that the second operand numbers, further on for larger exponents.
Value *twoByPiSegment(Wave &w, Value *angle, Value *segment) {
  Module &module = *w.b.GetInsertBlock()->getModule();
  constexpr const char *kName = "amdgcn.two_by_pi";
  GlobalVariable *table = module.getNamedGlobal(kName);
  if (!table) {
    Constant *words = ConstantDataArray::get(module.getContext(), kTwoByPi);
    table = new GlobalVariable(module, words->getType(), true, GlobalValue::PrivateLinkage, words, kName);
  }
  Type *wide = w.vectorOf(w.i64);
  Value *exponent = w.b.CreateAnd(w.b.CreateLShr(bitsOf(w, angle), w.vector64(52)), w.vector64(0x7ff));
  Value *beyond = w.b.CreateBinaryIntrinsic(Intrinsic::usub_sat, exponent, w.vector64(1077));
  Value *shift = w.b.CreateMul(w.b.CreateZExt(w.b.CreateAnd(segment, w.vector(31)), wide), w.vector64(53));
  shift = w.b.CreateAdd(shift, beyond);
  Value *word = w.b.CreateBinaryIntrinsic(Intrinsic::umin, w.b.CreateLShr(shift, w.vector64(6)),
                                          w.vector64(std::size(kTwoByPi) - 2));
  Value *first = UndefValue::get(wide), *second = first;
  for (uint64_t lane = 0; lane < kLanes; ++lane) {
    Value *place = w.b.CreateInBoundsGEP(w.i64, table, w.b.CreateExtractElement(word, lane));
    first = w.b.CreateInsertElement(first, w.b.CreateLoad(w.i64, place), lane);
    place = w.b.CreateConstInBoundsGEP1_64(w.i64, place, 1);
    second = w.b.CreateInsertElement(second, w.b.CreateLoad(w.i64, place), lane);
  }
  Value *bits = w.b.CreateIntrinsic(Intrinsic::fshl, {wide}, {first, second, shift});
  Value *scale = w.b.CreateSub(w.vector64(static_cast<uint64_t>(-53)), shift);
  Value *isHuge = w.b.CreateICmpUGE(exponent, w.vector64(1968));
  scale = w.b.CreateAdd(scale, w.b.CreateSelect(isHuge, w.vector64(128), w.vector64(0)));
  Value *whole = w.b.CreateUIToFP(w.b.CreateLShr(bits, w.vector64(11)), w.vectorOf(w.f64));
  return scaled(w, whole, w.b.CreateTrunc(scale, w.vectorOf(w.i32)));
}

Value *fromByte(Wave &w, Value *bits, unsigned byte) {
  Value *value = w.b.CreateAnd(w.b.CreateLShr(bits, w.vector(8 * byte)), w.vector(0xff));
  return w.b.CreateUIToFP(value, w.vectorOf(w.f32));
}

// The nearest half that is not farther from 0.
Value *halfTowardZero(Wave &w, Value *value) {
  Value *half = directedHalf(w, w.b.CreateFPTrunc(value, w.vectorOf(w.f16)), value, w.b.getInt32(3));
  return w.b.CreateZExt(bitsOf(w, half), w.vectorOf(w.i32));
}

Value *packHalves(Wave &w, Value *low, Value *high) { return w.b.CreateOr(low, w.b.CreateShl(high, w.vector(16))); }
Value *halfBits(Wave &w, Value *value) {
  return w.b.CreateZExt(bitsOf(w, w.b.CreateFPTrunc(value, w.vectorOf(w.f16))), w.vectorOf(w.i32));
}

// Directions of cubemaps: `x`, `y` or `z` by the component of the greatest size, of which z comes before y and y before x.
Value *byMajorAxis(Wave &w, In in, Value *x, Value *y, Value *z) {
  Value *sizes[3];
  for (unsigned d = 0; d < 3; ++d)
    sizes[d] = one(w, Intrinsic::fabs, in[d]);
  Value *isZ = w.b.CreateAnd(w.b.CreateFCmpOGE(sizes[2], sizes[0]), w.b.CreateFCmpOGE(sizes[2], sizes[1]));
  return w.b.CreateSelect(isZ, z, w.b.CreateSelect(w.b.CreateFCmpOGE(sizes[1], sizes[0]), y, x));
}
Value *ifNegative(Wave &w, Value *value, Value *yes, Value *no) {
  return w.b.CreateSelect(w.b.CreateFCmpOLT(value, number(value, 0)), yes, no);
}
Value *negative(Wave &w, Value *value) { return w.b.CreateFNeg(value); }
Value *cubeFace(Wave &w, In in) {
  auto face = [&](Value *value, double first) {
    return ifNegative(w, value, number(value, first + 1), number(value, first));
  };
  return byMajorAxis(w, in, face(in[0], 0), face(in[1], 2), face(in[2], 4));
}

// clang-format off
#define HIPLZ_BOTH(operation, f32Signature, f64Signature, expression)                                                  \
  {"v_" operation "_f32", f32Signature, [](Wave &w, In in) -> Value * { return expression; }},                         \
  {"v_" operation "_f64", f64Signature, [](Wave &w, In in) -> Value * { return expression; }}

constexpr ValueRow kFloatRows[] = {
    HIPLZ_BOTH("add", "f32=f32,f32", "f64=f64,f64", w.b.CreateFAdd(in[0], in[1])),
    HIPLZ_BOTH("mul", "f32=f32,f32", "f64=f64,f64", w.b.CreateFMul(in[0], in[1])),
    HIPLZ_BOTH("min", "f32=f32,f32", "f64=f64,f64", minimum(w, in[0], in[1])),
    HIPLZ_BOTH("max", "f32=f32,f32", "f64=f64,f64", maximum(w, in[0], in[1])),
    HIPLZ_BOTH("fma", "f32=f32,f32,f32", "f64=f64,f64,f64", fma(w, in[0], in[1], in[2])),
    HIPLZ_BOTH("trunc", "f32=f32", "f64=f64", one(w, Intrinsic::trunc, in[0])),
    HIPLZ_BOTH("ceil", "f32=f32", "f64=f64", one(w, Intrinsic::ceil, in[0])),
    HIPLZ_BOTH("floor", "f32=f32", "f64=f64", one(w, Intrinsic::floor, in[0])),
    HIPLZ_BOTH("rndne", "f32=f32", "f64=f64", one(w, Intrinsic::rint, in[0])),
    {"v_fract_f16", "f16=f16", [](Wave &w, In in) { return fraction(w, in[0], 0x1.ffcp-1); }},
    {"v_fract_f32", "f32=f32", [](Wave &w, In in) { return fraction(w, in[0], 0x1.fffffep-1); }},
    {"v_fract_f64", "f64=f64", [](Wave &w, In in) { return fraction(w, in[0], 0x1.fffffffffffffp-1); }},
    HIPLZ_BOTH("rcp", "f32=f32", "f64=f64", w.b.CreateFDiv(number(in[0], 1), in[0])),
    HIPLZ_BOTH("rsq", "f32=f32", "f64=f64", squareRootInverse(w, in[0])),
    HIPLZ_BOTH("sqrt", "f32=f32", "f64=f64", one(w, Intrinsic::sqrt, in[0])),
    HIPLZ_BOTH("frexp_mant", "f32=f32", "f64=f64", takeApart(w, in[0]).mantissa),
    HIPLZ_BOTH("frexp_exp_i32", "32=f32", "32=f64", takeApart(w, in[0]).exponent),
    {"v_rcp_iflag_f32", "f32=f32", [](Wave &w, In in) { return w.b.CreateFDiv(number(in[0], 1), in[0]); }},
    {"v_sub_f32", "f32=f32,f32", [](Wave &w, In in) { return w.b.CreateFSub(in[0], in[1]); }},
    {"v_subrev_f32", "f32=f32,f32", [](Wave &w, In in) { return w.b.CreateFSub(in[1], in[0]); }},
    {"v_mul_legacy_f32", "f32=f32,f32", [](Wave &w, In in) { return legacyProduct(w, in[0], in[1]); }},
    {"v_fma_legacy_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return legacyFma(w, in); }},
    {"v_fmac_legacy_f32", "f32=f32,f32,df32", [](Wave &w, In in) { return legacyFma(w, in); }},
    {"v_fmac_f32", "f32=f32,f32,df32", [](Wave &w, In in) { return fma(w, in[0], in[1], in[2]); }},
    {"v_fmaak_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return fma(w, in[0], in[1], in[2]); }},
    {"v_fmamk_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return fma(w, in[0], in[1], in[2]); }},
    {"v_min3_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return minimum(w, minimum(w, in[0], in[1]), in[2]); }},
    {"v_max3_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return maximum(w, maximum(w, in[0], in[1]), in[2]); }},
    {"v_med3_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return median(w, in); }},
    {"v_exp_f32", "f32=f32", [](Wave &w, In in) { return ofLanes(w, "exp2", Intrinsic::exp2, powerOfTwo, in[0]); }},
    {"v_log_f32", "f32=f32", [](Wave &w, In in) { return ofLanes(w, "log2", Intrinsic::log2, logarithmOfTwo, in[0]); }},
    {"v_sin_f32", "f32=f32", [](Wave &w, In in) { return ofTurns(w, "sin", in[0], Intrinsic::sin); }},
    {"v_cos_f32", "f32=f32", [](Wave &w, In in) { return ofTurns(w, "cos", in[0], Intrinsic::cos); }},
    {"v_ldexp_f32", "f32=f32,32", [](Wave &w, In in) { return scaled(w, in[0], in[1]); }},
    {"v_ldexp_f64", "f64=f64,32", [](Wave &w, In in) { return scaled(w, in[0], in[1]); }},
    {"v_trig_preop_f64", "f64=f64,32", [](Wave &w, In in) {
       return byLaneFunction(w, "trig_preop", in[0]->getType(), {in[0], in[1]}, [&](In of) { return twoByPiSegment(w, of[0], of[1]); }); }},
    {"v_cvt_f32_i32", "f32=32", [](Wave &w, In in) { return w.b.CreateSIToFP(in[0], w.vectorOf(w.f32)); }},
    {"v_cvt_f32_u32", "f32=32", [](Wave &w, In in) { return w.b.CreateUIToFP(in[0], w.vectorOf(w.f32)); }},
    {"v_cvt_f64_i32", "f64=32", [](Wave &w, In in) { return w.b.CreateSIToFP(in[0], w.vectorOf(w.f64)); }},
    {"v_cvt_f64_u32", "f64=32", [](Wave &w, In in) { return w.b.CreateUIToFP(in[0], w.vectorOf(w.f64)); }},
    {"v_cvt_f64_f32", "f64=f32", [](Wave &w, In in) { return w.b.CreateFPExt(in[0], w.vectorOf(w.f64)); }},
    {"v_cvt_f32_f64", "f32=f64", [](Wave &w, In in) { return w.b.CreateFPTrunc(in[0], w.vectorOf(w.f32)); }},
    {"v_cvt_i32_f32", "32=f32", [](Wave &w, In in) { return toInteger(w, in[0], 32, true); }},
    {"v_cvt_u32_f32", "32=f32", [](Wave &w, In in) { return toInteger(w, in[0], 32, false); }},
    {"v_cvt_i32_f64", "32=f64", [](Wave &w, In in) { return toInteger(w, in[0], 32, true); }},
    {"v_cvt_u32_f64", "32=f64", [](Wave &w, In in) { return toInteger(w, in[0], 32, false); }},
    {"v_cvt_flr_i32_f32", "32=f32", [](Wave &w, In in) { return toInteger(w, one(w, Intrinsic::floor, in[0]), 32, true); }},
    {"v_cvt_rpi_i32_f32", "32=f32", [](Wave &w, In in) { return toInteger(w, one(w, Intrinsic::floor, w.b.CreateFAdd(in[0], number(in[0], 0.5))), 32, true); }},
    {"v_cvt_f32_ubyte0", "f32=32", [](Wave &w, In in) { return fromByte(w, in[0], 0); }},
    {"v_cvt_f32_ubyte1", "f32=32", [](Wave &w, In in) { return fromByte(w, in[0], 1); }},
    {"v_cvt_f32_ubyte2", "f32=32", [](Wave &w, In in) { return fromByte(w, in[0], 2); }},
    {"v_cvt_f32_ubyte3", "f32=32", [](Wave &w, In in) { return fromByte(w, in[0], 3); }},
    {"v_min3_f16", "f16=f16,f16,f16", [](Wave &w, In in) { return minimum(w, minimum(w, in[0], in[1]), in[2]); }},
    {"v_max3_f16", "f16=f16,f16,f16", [](Wave &w, In in) { return maximum(w, maximum(w, in[0], in[1]), in[2]); }},
    {"v_med3_f16", "f16=f16,f16,f16", [](Wave &w, In in) { return median(w, in); }},
    {"v_rsq_f16", "f16=f16", [](Wave &w, In in) { return squareRootInverse(w, in[0]); }},
    {"v_exp_f16", "f16=f16", [](Wave &w, In in) { return ofLibrary(w, "exp2.16", Intrinsic::exp2, in[0]); }},
    {"v_log_f16", "f16=f16", [](Wave &w, In in) { return ofLibrary(w, "log2.16", Intrinsic::log2, in[0]); }},
    {"v_sin_f16", "f16=f16", [](Wave &w, In in) { return ofTurns(w, "sin", in[0], Intrinsic::sin); }},
    {"v_cos_f16", "f16=f16", [](Wave &w, In in) { return ofTurns(w, "cos", in[0], Intrinsic::cos); }},
    {"v_frexp_mant_f16", "f16=f16", [](Wave &w, In in) { return takeApart(w, in[0]).mantissa; }},
    {"v_frexp_exp_i16_f16", "16=f16", [](Wave &w, In in) { return w.b.CreateTrunc(takeApart(w, in[0]).exponent, w.vectorOf(w.i16)); }},
    {"v_ldexp_f16", "f16=f16,16", [](Wave &w, In in) { return scaled(w, in[0], w.b.CreateSExt(in[1], w.vectorOf(w.i32))); }},
    {"v_cvt_pkrtz_f16_f32", "32=f32,f32", [](Wave &w, In in) { return packHalves(w, halfTowardZero(w, in[0]), halfTowardZero(w, in[1])); }},
    {"v_pack_b32_f16", "32=f16,f16", [](Wave &w, In in) { return packHalves(w, halfBits(w, in[0]), halfBits(w, in[1])); }},
    {"v_cvt_pknorm_i16_f32", "32=f32,f32", [](Wave &w, In in) { return packHalves(w, normalized(w, in[0], true), normalized(w, in[1], true)); }},
    {"v_cvt_pknorm_u16_f32", "32=f32,f32", [](Wave &w, In in) { return packHalves(w, normalized(w, in[0], false), normalized(w, in[1], false)); }},
    {"v_cvt_pknorm_i16_f16", "32=f16,f16", [](Wave &w, In in) { return packHalves(w, normalized(w, in[0], true), normalized(w, in[1], true)); }},
    {"v_cvt_pknorm_u16_f16", "32=f16,f16", [](Wave &w, In in) { return packHalves(w, normalized(w, in[0], false), normalized(w, in[1], false)); }},
    {"v_cvt_norm_i16_f16", "16=f16", [](Wave &w, In in) { return normalizedWord(w, in[0], true); }},
    {"v_cvt_norm_u16_f16", "16=f16", [](Wave &w, In in) { return normalizedWord(w, in[0], false); }},
    {"v_cvt_off_f32_i4", "f32=32", [](Wave &w, In in) {
       Value *number = w.b.CreateAShr(w.b.CreateShl(in[0], w.vector(28)), w.vector(28));
       Value *whole = w.b.CreateSIToFP(number, w.vectorOf(w.f32));
       return w.b.CreateFMul(whole, hiplz::amdgcn::number(whole, 0.0625)); }},
    {"v_cubeid_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return cubeFace(w, in); }},
    {"v_cubema_f32", "f32=f32,f32,f32", [](Wave &w, In in) { Value *axis = byMajorAxis(w, in, in[0], in[1], in[2]); return w.b.CreateFAdd(axis, axis); }},
    {"v_cubesc_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return byMajorAxis(w, in, ifNegative(w, in[0], in[2], negative(w, in[2])), in[0], ifNegative(w, in[2], negative(w, in[0]), in[0])); }},
    {"v_cubetc_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return byMajorAxis(w, in, negative(w, in[1]), ifNegative(w, in[1], negative(w, in[2]), in[2]), negative(w, in[1])); }},
    {"v_cvt_f32_f16", "f32=f16", [](Wave &, In in) { return in[0]; }},
    {"v_cvt_f16_f32", "f16=f32", [](Wave &, In in) { return in[0]; }},
};
// clang-format on

} // namespace

ArrayRef<ValueRow> floatRows() { return kFloatRows; }

} // namespace hiplz::amdgcn
