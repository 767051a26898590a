// SPDX-License-Identifier: MIT
// Integer functions. "s_" and "u_" in the names give the signedness that LLVM types do not have.
#include "cpu/compiler/builtins.h"

using namespace llvm;

namespace hiplz::cpu {
namespace {

using Binary = Value *(*)(IRBuilder<> &, Value *, Value *, bool isSigned);

Type *widened(Type *type) { return type->getWithNewBitWidth(type->getScalarSizeInBits() * 2); }

Value *extend(IRBuilder<> &b, Value *value, Type *type, bool isSigned) {
  return isSigned ? b.CreateSExt(value, type) : b.CreateZExt(value, type);
}

Value *minimum(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  return b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin, x, y);
}

Value *maximum(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  return b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smax : Intrinsic::umax, x, y);
}

Value *addSaturated(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  return b.CreateBinaryIntrinsic(isSigned ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, x, y);
}

Value *subSaturated(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  return b.CreateBinaryIntrinsic(isSigned ? Intrinsic::ssub_sat : Intrinsic::usub_sat, x, y);
}

Value *mulHigh(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  Type *type = x->getType(), *wide = widened(type);
  Value *product = b.CreateMul(extend(b, x, wide, isSigned), extend(b, y, wide, isSigned));
  return b.CreateTrunc(b.CreateLShr(product, type->getScalarSizeInBits()), type);
}

// (x + y) >> 1 without overflow.
Value *halfAdd(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  Value *common = b.CreateAnd(x, y), *different = b.CreateXor(x, y);
  return b.CreateAdd(common, isSigned ? b.CreateAShr(different, 1) : b.CreateLShr(different, 1));
}

// (x + y + 1) >> 1 without overflow.
Value *roundedHalfAdd(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  Value *either = b.CreateOr(x, y), *different = b.CreateXor(x, y);
  return b.CreateSub(either, isSigned ? b.CreateAShr(different, 1) : b.CreateLShr(different, 1));
}

Value *difference(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  return b.CreateSub(maximum(b, x, y, isSigned), minimum(b, x, y, isSigned));
}

// The product of the low 24 bits.
Value *mul24(IRBuilder<> &b, Value *x, Value *y, bool isSigned) {
  auto low = [&](Value *value) {
    return isSigned ? b.CreateAShr(b.CreateShl(value, 8), 8) : b.CreateLShr(b.CreateShl(value, 8), 8);
  };
  return b.CreateMul(low(x), low(y));
}

Value *upsample(IRBuilder<> &b, Value *high, Value *low, bool /*isSigned*/) {
  Type *wide = widened(high->getType());
  return b.CreateOr(b.CreateShl(b.CreateZExt(high, wide), high->getType()->getScalarSizeInBits()),
                    b.CreateZExt(low, wide));
}

BuiltinLowering binary(Binary make, bool isSigned) {
  return [=](BuiltinCall &call) { return make(call.builder, call.arg(0), call.arg(1), isSigned); };
}

// make(x, y) + z
BuiltinLowering plusThird(Binary make, bool isSigned) {
  return [=](BuiltinCall &call) {
    return call.builder.CreateAdd(make(call.builder, call.arg(0), call.arg(1), isSigned), call.arg(2));
  };
}

BuiltinLowering clampTo(bool isSigned) {
  return [=](BuiltinCall &call) {
    IRBuilder<> &b = call.builder;
    return minimum(b, maximum(b, call.arg(0), call.arg(1), isSigned), call.arg(2), isSigned);
  };
}

BuiltinLowering mulAddSaturated(bool isSigned) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    Type *type = call.type(), *wide = widened(type);
    unsigned bits = type->getScalarSizeInBits();
    // Twice the bits hold max * max + max.
    Value *sum =
        b.CreateAdd(b.CreateMul(extend(b, call.arg(0), wide, isSigned), extend(b, call.arg(1), wide, isSigned)),
                    extend(b, call.arg(2), wide, isSigned));
    auto bound = [&](const APInt &value) {
      return ConstantInt::get(wide, isSigned ? value.sext(2 * bits) : value.zext(2 * bits));
    };
    if (isSigned)
      sum = maximum(b, sum, bound(APInt::getSignedMinValue(bits)), true);
    sum = minimum(b, sum, bound(isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)), isSigned);
    return b.CreateTrunc(sum, type);
  };
}

BuiltinLowering unary(Intrinsic::ID id) {
  return [=](BuiltinCall &call) -> Value * {
    Value *value = call.builder.CreateUnaryIntrinsic(id, call.arg(0));
    return call.builder.CreateZExtOrTrunc(value, call.type());
  };
}

// Zero counts as having all zeros.
BuiltinLowering countZeros(Intrinsic::ID id) {
  return [=](BuiltinCall &call) -> Value * {
    return call.builder.CreateBinaryIntrinsic(id, call.arg(0), call.builder.getFalse());
  };
}

Value *rotate(BuiltinCall &call) {
  return call.intrinsic(Intrinsic::fshl, call.type(), {call.arg(0), call.arg(0), call.arg(1)});
}

Value *splatLike(BuiltinCall &call, Value *value, Type *like) {
  IRBuilder<> &b = call.builder;
  value = b.CreateZExtOrTrunc(value, like->getScalarType());
  if (auto *vector = dyn_cast<FixedVectorType>(like))
    value = b.CreateVectorSplat(vector->getNumElements(), value);
  return value;
}

// `count` low bits; count may be the whole width.
Value *lowMask(BuiltinCall &call, Value *count, Type *type) {
  IRBuilder<> &b = call.builder;
  unsigned bits = type->getScalarSizeInBits();
  Value *all = Constant::getAllOnesValue(type);
  Value *shift = b.CreateSub(ConstantInt::get(type, bits), count);
  Value *none = b.CreateICmpEQ(count, Constant::getNullValue(type));
  return b.CreateSelect(none, Constant::getNullValue(type),
                        b.CreateLShr(all, b.CreateSelect(none, Constant::getNullValue(type), shift)));
}

// (base, offset, count)
BuiltinLowering bitFieldExtract(bool isSigned) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    Type *type = call.type();
    Value *offset = splatLike(call, call.arg(1), type), *count = splatLike(call, call.arg(2), type);
    Value *field = b.CreateAnd(b.CreateLShr(call.arg(0), offset), lowMask(call, count, type));
    if (!isSigned)
      return field;
    // The sign bit of the field, spread upwards: (field ^ s) - s, where s = (mask + 1) >> 1.
    Value *mask = lowMask(call, count, type);
    Value *sign = b.CreateXor(mask, b.CreateLShr(mask, 1));
    return b.CreateSub(b.CreateXor(field, sign), sign);
  };
}

// (base, insert, offset, count)
Value *bitFieldInsert(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Type *type = call.type();
  Value *offset = splatLike(call, call.arg(2), type);
  Value *mask = b.CreateShl(lowMask(call, splatLike(call, call.arg(3), type), type), offset);
  return b.CreateOr(b.CreateAnd(call.arg(0), b.CreateNot(mask)), b.CreateAnd(b.CreateShl(call.arg(1), offset), mask));
}

} // namespace

void addIntegerBuiltins(BuiltinTable &table) {
  for (bool isSigned : {false, true}) {
    std::string prefix = isSigned ? "ocl_s_" : "ocl_u_";
    table.add(prefix + "min", binary(minimum, isSigned));
    table.add(prefix + "max", binary(maximum, isSigned));
    table.add(prefix + "add_sat", binary(addSaturated, isSigned));
    table.add(prefix + "sub_sat", binary(subSaturated, isSigned));
    table.add(prefix + "mul_hi", binary(mulHigh, isSigned));
    table.add(prefix + "mad_hi", plusThird(mulHigh, isSigned));
    table.add(prefix + "hadd", binary(halfAdd, isSigned));
    table.add(prefix + "rhadd", binary(roundedHalfAdd, isSigned));
    table.add(prefix + "abs_diff", binary(difference, isSigned));
    table.add(prefix + "mul24", binary(mul24, isSigned));
    table.add(prefix + "mad24", plusThird(mul24, isSigned));
    table.add(prefix + "mad_sat", mulAddSaturated(isSigned));
    table.add(prefix + "upsample", binary(upsample, isSigned));
    table.add(prefix + "clamp", clampTo(isSigned));
  }
  table.add("ocl_s_abs", [](BuiltinCall &call) -> Value * {
    return call.builder.CreateBinaryIntrinsic(Intrinsic::abs, call.arg(0), call.builder.getFalse());
  });
  table.add("ocl_u_abs", [](BuiltinCall &call) { return call.arg(0); });
  table.add("ocl_clz", countZeros(Intrinsic::ctlz));
  table.add("ocl_ctz", countZeros(Intrinsic::cttz));
  table.add("ocl_popcount", unary(Intrinsic::ctpop));
  table.add("BitCount", unary(Intrinsic::ctpop));
  table.add("BitReverse", unary(Intrinsic::bitreverse));
  table.add("ocl_rotate", rotate);
  table.add("BitFieldSExtract", bitFieldExtract(true));
  table.add("BitFieldUExtract", bitFieldExtract(false));
  table.add("BitFieldInsert", bitFieldInsert);
}

} // namespace hiplz::cpu
