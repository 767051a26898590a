// SPDX-License-Identifier: MIT
// Operations on numbers of 32 and 64 bits and conversions. Approximations of the hardware (reciprocals, roots, powers, logarithms)
// are computed exactly or with the C library's accuracy, which is within what AMD documents.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/operations.h"

#include <llvm/IR/Intrinsics.h>

#include <cmath>

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

// x - floor(x), below 1 for small negative x as well.
Value *fraction(Wave &w, Value *value) {
  Value *rest = w.b.CreateFSub(value, one(w, Intrinsic::floor, value));
  Value *most = number(value, value->getType()->getScalarType()->isDoubleTy() ? 0x1.fffffffffffffp-1 : 0x1.fffffep-1);
  return w.b.CreateSelect(w.b.CreateFCmpOGT(rest, most), most, rest);
}

// Angles are in turns; sine of a turn's fraction keeps the accuracy of large ones.
Value *ofTurns(Wave &w, Value *value, Intrinsic::ID id) {
  Type *type = w.vectorOf(w.f64);
  Value *turns = w.b.CreateFPExt(value, type);
  turns = w.b.CreateFSub(turns, one(w, Intrinsic::rint, turns));
  Value *result =
      one(w, id, w.b.CreateFPTrunc(w.b.CreateFMul(turns, number(turns, 6.283185307179586476925)), value->getType()));
  return w.b.CreateSelect(isNan(w, turns), number(value, NAN), result);
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

// value * 2^exponent in steps that do not round twice.
Value *scaled(Wave &w, Value *value, Value *exponent) {
  const bool isDouble = value->getType()->getScalarType()->isDoubleTy();
  const int most = isDouble ? 3000 : 400;
  auto bound = [&](int low, int high) {
    Value *down = w.b.CreateSelect(w.b.CreateICmpSGT(exponent, w.vector(high)), w.vector(high), exponent);
    return w.b.CreateSelect(w.b.CreateICmpSLT(down, w.vector(low)), w.vector(low), down);
  };
  exponent = bound(-most, most);
  if (!isDouble) { // exact as a double, then rounded once
    Value *wide = w.b.CreateFPExt(value, w.vectorOf(w.f64));
    Value *power =
        w.b.CreateShl(w.b.CreateAdd(w.b.CreateSExt(exponent, w.vectorOf(w.i64)), w.vector64(1023)), w.vector64(52));
    return w.b.CreateFPTrunc(w.b.CreateFMul(wide, asFloat(w, power)), value->getType());
  }
  return nullptr;
}

Value *scaledDouble(Wave &w, Value *value, Value *exponent) { // ldexp of the C library, lane by lane
  Module &module = *w.b.GetInsertBlock()->getModule();
  FunctionCallee callee = module.getOrInsertFunction("ldexp", FunctionType::get(w.f64, {w.f64, w.i32}, false));
  Value *result = UndefValue::get(value->getType());
  for (uint64_t lane = 0; lane < kLanes; ++lane)
    result = w.b.CreateInsertElement(
        result,
        w.b.CreateCall(callee, {w.b.CreateExtractElement(value, lane), w.b.CreateExtractElement(exponent, lane)}),
        lane);
  return result;
}

Value *fromByte(Wave &w, Value *bits, unsigned byte) {
  Value *value = w.b.CreateAnd(w.b.CreateLShr(bits, w.vector(8 * byte)), w.vector(0xff));
  return w.b.CreateUIToFP(value, w.vectorOf(w.f32));
}

// clang-format off
#define HIPLZ_BOTH(operation, f32Signature, f64Signature, expression)                                                  \
  {"v_" operation "_f32", f32Signature, [](Wave &w, In in) -> Value * { return expression; }},                         \
  {"v_" operation "_f64", f64Signature, [](Wave &w, In in) -> Value * { return expression; }}

constexpr ValueRow kRows[] = {
    HIPLZ_BOTH("add", "f32=f32,f32", "f64=f64,f64", w.b.CreateFAdd(in[0], in[1])),
    HIPLZ_BOTH("mul", "f32=f32,f32", "f64=f64,f64", w.b.CreateFMul(in[0], in[1])),
    HIPLZ_BOTH("min", "f32=f32,f32", "f64=f64,f64", minimum(w, in[0], in[1])),
    HIPLZ_BOTH("max", "f32=f32,f32", "f64=f64,f64", maximum(w, in[0], in[1])),
    HIPLZ_BOTH("fma", "f32=f32,f32,f32", "f64=f64,f64,f64", fma(w, in[0], in[1], in[2])),
    HIPLZ_BOTH("trunc", "f32=f32", "f64=f64", one(w, Intrinsic::trunc, in[0])),
    HIPLZ_BOTH("ceil", "f32=f32", "f64=f64", one(w, Intrinsic::ceil, in[0])),
    HIPLZ_BOTH("floor", "f32=f32", "f64=f64", one(w, Intrinsic::floor, in[0])),
    HIPLZ_BOTH("rndne", "f32=f32", "f64=f64", one(w, Intrinsic::rint, in[0])),
    HIPLZ_BOTH("fract", "f32=f32", "f64=f64", fraction(w, in[0])),
    HIPLZ_BOTH("rcp", "f32=f32", "f64=f64", w.b.CreateFDiv(number(in[0], 1), in[0])),
    HIPLZ_BOTH("rsq", "f32=f32", "f64=f64", squareRootInverse(w, in[0])),
    HIPLZ_BOTH("sqrt", "f32=f32", "f64=f64", one(w, Intrinsic::sqrt, in[0])),
    HIPLZ_BOTH("frexp_mant", "f32=f32", "f64=f64", takeApart(w, in[0]).mantissa),
    HIPLZ_BOTH("frexp_exp_i32", "32=f32", "32=f64", takeApart(w, in[0]).exponent),
    {"v_rcp_iflag_f32", "f32=f32", [](Wave &w, In in) { return w.b.CreateFDiv(number(in[0], 1), in[0]); }},
    {"v_sub_f32", "f32=f32,f32", [](Wave &w, In in) { return w.b.CreateFSub(in[0], in[1]); }},
    {"v_subrev_f32", "f32=f32,f32", [](Wave &w, In in) { return w.b.CreateFSub(in[1], in[0]); }},
    {"v_mul_legacy_f32", "f32=f32,f32", [](Wave &w, In in) { return legacyProduct(w, in[0], in[1]); }},
    {"v_fmac_f32", "f32=f32,f32,df32", [](Wave &w, In in) { return fma(w, in[0], in[1], in[2]); }},
    {"v_fmaak_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return fma(w, in[0], in[1], in[2]); }},
    {"v_fmamk_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return fma(w, in[0], in[1], in[2]); }},
    {"v_min3_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return minimum(w, minimum(w, in[0], in[1]), in[2]); }},
    {"v_max3_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return maximum(w, maximum(w, in[0], in[1]), in[2]); }},
    {"v_med3_f32", "f32=f32,f32,f32", [](Wave &w, In in) { return median(w, in); }},
    {"v_exp_f32", "f32=f32", [](Wave &w, In in) { return one(w, Intrinsic::exp2, in[0]); }},
    {"v_log_f32", "f32=f32", [](Wave &w, In in) { return one(w, Intrinsic::log2, in[0]); }},
    {"v_sin_f32", "f32=f32", [](Wave &w, In in) { return ofTurns(w, in[0], Intrinsic::sin); }},
    {"v_cos_f32", "f32=f32", [](Wave &w, In in) { return ofTurns(w, in[0], Intrinsic::cos); }},
    {"v_ldexp_f32", "f32=f32,32", [](Wave &w, In in) { return scaled(w, in[0], in[1]); }},
    {"v_ldexp_f64", "f64=f64,32", [](Wave &w, In in) { return scaledDouble(w, in[0], in[1]); }},
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
    {"v_cvt_f32_f16", "f32=f16", [](Wave &, In in) { return in[0]; }},
    {"v_cvt_f16_f32", "f16=f32", [](Wave &, In in) { return in[0]; }},
};
// clang-format on

} // namespace

ArrayRef<ValueRow> floatRows() { return kRows; }

} // namespace hiplz::amdgcn
