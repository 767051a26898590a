// SPDX-License-Identifier: MIT
// Conversions with rounding and saturation. The suffix of the name says to what and how: "int4_sat_rte".
#include "base/llvm_compat.h"
#include "cpu/compiler/builtins.h"

using namespace llvm;

namespace hiplz::cpu {
namespace {

enum class Rounding { none, nearest, zero, up, down };

Rounding roundingOf(StringRef suffix) {
  return endsWith(suffix, "_rte")   ? Rounding::nearest
         : endsWith(suffix, "_rtz") ? Rounding::zero
         : endsWith(suffix, "_rtp") ? Rounding::up
         : endsWith(suffix, "_rtn") ? Rounding::down
                                    : Rounding::none;
}

bool saturates(StringRef suffix) { return suffix.contains("_sat"); }

// Conversion to an integer rounds towards zero unless something else is asked for.
Value *roundToIntegral(BuiltinCall &call, Value *value) {
  switch (roundingOf(call.suffix)) {
  case Rounding::nearest: return call.builder.CreateUnaryIntrinsic(Intrinsic::roundeven, value);
  case Rounding::up: return call.builder.CreateUnaryIntrinsic(Intrinsic::ceil, value);
  case Rounding::down: return call.builder.CreateUnaryIntrinsic(Intrinsic::floor, value);
  default: return value;
  }
}

BuiltinLowering floatToInteger(bool isSigned) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    Value *value = roundToIntegral(call, call.arg(0));
    if (saturates(call.suffix)) {
      // LLVM 15 forgets the zero for NaN when a processor with AVX512-FP16 converts half to 16 bits.
      if (value->getType()->getScalarType()->isHalfTy())
        value = b.CreateFPExt(value, value->getType()->getWithNewType(b.getFloatTy()));
      return b.CreateIntrinsic(isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                               {call.type(), value->getType()}, {value});
    }
    return isSigned ? b.CreateFPToSI(value, call.type()) : b.CreateFPToUI(value, call.type());
  };
}

const char *roundingSuffix(Rounding rounding) {
  return rounding == Rounding::zero ? "rtz" : rounding == Rounding::up ? "rtp" : "rtn";
}

const char *floatName(Type *type) { return type->isDoubleTy() ? "f64" : type->isFloatTy() ? "f32" : "f16"; }

// Half precision passes through the library as a 16-bit integer.
Value *narrowElement(BuiltinCall &call, Value *value, Type *result, Rounding rounding) {
  IRBuilder<> &b = call.builder;
  bool half = result->isHalfTy();
  std::string name =
      std::string("hz_") + floatName(value->getType()) + "_to_" + floatName(result) + "_" + roundingSuffix(rounding);
  Value *bits = call.external(name, half ? b.getInt16Ty() : result, {value}, true);
  return half ? b.CreateBitCast(bits, result) : bits;
}

// Processors round to nearest; the other directions are functions of the library, for the widest integer. Half precision
// takes the way over double: two roundings in one direction are one.
BuiltinLowering integerToFloat(bool isSigned) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    Rounding rounding = roundingOf(call.suffix);
    if (rounding == Rounding::none || rounding == Rounding::nearest)
      return isSigned ? b.CreateSIToFP(call.arg(0), call.type()) : b.CreateUIToFP(call.arg(0), call.type());
    Type *result = call.type()->getScalarType();
    Type *computed = result->isHalfTy() ? b.getDoubleTy() : result;
    std::string name =
        std::string("hz_") + (isSigned ? "i64" : "u64") + "_to_" + floatName(computed) + "_" + roundingSuffix(rounding);
    return call.perElement({call.arg(0)}, nullptr, [&](ArrayRef<Value *> element) {
      Value *wide = isSigned ? b.CreateSExt(element[0], b.getInt64Ty()) : b.CreateZExt(element[0], b.getInt64Ty());
      Value *value = call.external(name, computed, {wide}, true);
      return result == computed ? value : narrowElement(call, value, result, rounding);
    });
  };
}

Value *floatToFloat(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *value = call.arg(0);
  Type *from = value->getType()->getScalarType(), *to = call.type()->getScalarType();
  if (from == to)
    return value;
  if (from->getScalarSizeInBits() < to->getScalarSizeInBits())
    return b.CreateFPExt(value, call.type());
  Rounding rounding = roundingOf(call.suffix);
  if (rounding == Rounding::none || rounding == Rounding::nearest)
    return b.CreateFPTrunc(value, call.type());
  return call.perElement({value}, nullptr,
                         [&](ArrayRef<Value *> element) { return narrowElement(call, element[0], to, rounding); });
}

// Integer to integer: the name says how the source and the result are signed.
BuiltinLowering integerToInteger(bool fromSigned, bool toSigned, bool alwaysSaturates) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    Value *value = call.arg(0);
    Type *from = value->getType(), *to = call.type();
    unsigned fromBits = from->getScalarSizeInBits(), toBits = to->getScalarSizeInBits();
    if (alwaysSaturates || saturates(call.suffix)) {
      // Bounds of the result that the source can exceed, as numbers of the source's type.
      unsigned bits = std::max(fromBits, toBits) + 1;
      APInt high = toSigned ? APInt::getSignedMaxValue(toBits).zext(bits) : APInt::getMaxValue(toBits).zext(bits);
      APInt low = toSigned ? APInt::getSignedMinValue(toBits).sext(bits) : APInt(bits, 0);
      APInt sourceHigh =
          fromSigned ? APInt::getSignedMaxValue(fromBits).zext(bits) : APInt::getMaxValue(fromBits).zext(bits);
      APInt sourceLow = fromSigned ? APInt::getSignedMinValue(fromBits).sext(bits) : APInt(bits, 0);
      if (sourceHigh.sgt(high))
        value = b.CreateBinaryIntrinsic(fromSigned ? Intrinsic::smin : Intrinsic::umin, value,
                                        ConstantInt::get(from, high.trunc(fromBits)));
      if (sourceLow.slt(low))
        value = b.CreateBinaryIntrinsic(Intrinsic::smax, value, ConstantInt::get(from, low.trunc(fromBits)));
    }
    return fromSigned ? b.CreateSExtOrTrunc(value, to) : b.CreateZExtOrTrunc(value, to);
  };
}

} // namespace

void addConversionBuiltins(BuiltinTable &table) {
  table.add("ConvertFToS", floatToInteger(true));
  table.add("ConvertFToU", floatToInteger(false));
  table.add("ConvertSToF", integerToFloat(true));
  table.add("ConvertUToF", integerToFloat(false));
  table.add("FConvert", floatToFloat);
  table.add("SConvert", integerToInteger(true, true, false));
  table.add("UConvert", integerToInteger(false, false, false));
  table.add("SatConvertSToU", integerToInteger(true, false, true));
  table.add("SatConvertUToS", integerToInteger(false, true, true));
  table.add("QuantizeToF16", [](BuiltinCall &call) -> Value * {
    Type *half = call.type()->getWithNewType(call.builder.getHalfTy());
    return call.builder.CreateFPExt(call.builder.CreateFPTrunc(call.arg(0), half), call.type());
  });
}

} // namespace hiplz::cpu
