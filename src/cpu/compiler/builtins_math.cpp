// SPDX-License-Identifier: MIT
// Floating-point functions: LLVM's intrinsics where the processor has instructions, else the built-in library ("hz_..."), which
// is inlined and vectorised with the kernel, else the C library. The approximate forms (native_, half_) are the precise ones where
// these cost hardly more; code that was compiled with -ffast-math has the approximate ones of functions that stay close everywhere.
// Half precision is computed in single precision.
#include "base/llvm_compat.h"
#include "cpu/compiler/builtins.h"

#include <cmath>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// A variable of the function that the call is in, beside the one that `pointer` points to.
Value *temporary(BuiltinCall &call, Type *type, Value *pointer) {
  IRBuilder<> entry(&*call.call.getFunction()->getEntryBlock().getFirstInsertionPt());
  return entry.CreateAlloca(type, nullptr, pointer->getName() + ".single");
}

// A function with the name of C for float and double; half goes through float. Pointers among the arguments point to
// values of type `pointee` for each element, or of the function's own type if it is null.
Value *callByType(BuiltinCall &call, const std::string &name, Type *pointee) {
  IRBuilder<> &b = call.builder;
  SmallVector<Value *, 4> arguments(call.call.args());
  Type *own = arguments[0]->getType()->getScalarType();
  Type *result = call.type()->getScalarType();
  const bool storesHalf = own->isHalfTy() && !pointee;
  return call.perElement(arguments, pointee ? pointee : own, [&](ArrayRef<Value *> element) -> Value * {
    SmallVector<Value *, 4> values;
    Value *target = nullptr, *stored = nullptr; // of a half that is returned through a pointer
    for (Value *value : element) {
      if (storesHalf && value->getType()->isPointerTy())
        value = stored = temporary(call, b.getFloatTy(), target = value);
      values.push_back(value->getType()->isHalfTy() ? b.CreateFPExt(value, b.getFloatTy()) : value);
    }
    bool pure = none_of(values, [](Value *value) { return value->getType()->isPointerTy(); });
    Type *computed = result->isHalfTy() ? b.getFloatTy() : result;
    Value *value = call.external(name + (own->isDoubleTy() ? "" : "f"), computed, values, pure);
    if (stored)
      b.CreateAlignedStore(b.CreateFPTrunc(b.CreateLoad(b.getFloatTy(), stored), own), target, Align(2));
    return result->isHalfTy() ? b.CreateFPTrunc(value, result) : value;
  });
}

BuiltinLowering library(const std::string &name) {
  return [name](BuiltinCall &call) { return callByType(call, name, nullptr); };
}

// The approximate function where there is one, which is for float and half.
BuiltinLowering approximate(const std::string &name, bool always) {
  return [=](BuiltinCall &call) {
    const bool wide = call.type()->getScalarType()->isDoubleTy();
    return callByType(call, (!wide && (always || call.call.isFast()) ? "hz_approximate_" : "hz_") + name, nullptr);
  };
}

// The pointer is to int.
BuiltinLowering libraryWithInt(const std::string &name) {
  return [name](BuiltinCall &call) { return callByType(call, name, call.builder.getInt32Ty()); };
}

BuiltinLowering intrinsic(Intrinsic::ID id) {
  return [id](BuiltinCall &call) -> Value * {
    SmallVector<Value *, 3> arguments(call.call.args());
    return call.intrinsic(id, call.type(), arguments);
  };
}

bool processorHasHalfArithmetic() {
  static const bool has = hostCpuFeatures().lookup("avx512fp16");
  return has;
}

// A half as sum of a product and a half, by operations that every processor has for vectors. In single precision the product
// is exact, and so is the error of the sum (Knuth). Where the sum is not exact it becomes the one of its two neighbours in
// single precision that is odd; rounding that to half gives what rounding the exact sum would have given.
Value *halfMultiplyAdd(IRBuilder<> &b, Value *x, Value *y, Value *z) {
  Type *half = x->getType(), *single = half->getWithNewType(b.getFloatTy()),
       *word = half->getWithNewType(b.getInt32Ty());
  Value *product = b.CreateFMul(b.CreateFPExt(x, single), b.CreateFPExt(y, single));
  Value *addend = b.CreateFPExt(z, single);
  Value *sum = b.CreateFAdd(product, addend), *added = b.CreateFSub(sum, product);
  Value *error = b.CreateFAdd(b.CreateFSub(product, b.CreateFSub(sum, added)), b.CreateFSub(addend, added));
  // Cut off instead of rounded it is the neighbour towards zero if the error has the other sign.
  Value *bits = b.CreateBitCast(sum, word), *signs = b.CreateXor(bits, b.CreateBitCast(error, word));
  Value *cut = b.CreateAdd(bits, b.CreateAShr(signs, ConstantInt::get(word, 31)));
  Value *inexact = b.CreateFCmpONE(error, ConstantFP::get(single, 0)); // not of infinities
  Value *odd = b.CreateSelect(inexact, b.CreateOr(cut, ConstantInt::get(word, 1)), bits);
  return b.CreateFPTrunc(b.CreateBitCast(odd, single), half);
}

Value *fusedMultiplyAdd(BuiltinCall &call) {
  if (call.type()->getScalarType()->isHalfTy() && !processorHasHalfArithmetic())
    return halfMultiplyAdd(call.builder, call.arg(0), call.arg(1), call.arg(2));
  return call.intrinsic(Intrinsic::fma, call.type(), {call.arg(0), call.arg(1), call.arg(2)});
}

// The neighbours of a half are not those in single precision.
Value *nextAfter(BuiltinCall &call) {
  if (!call.type()->getScalarType()->isHalfTy())
    return callByType(call, "nextafter", nullptr);
  IRBuilder<> &b = call.builder;
  Value *x = call.arg(0), *y = call.arg(1);
  Type *word = call.type()->getWithNewType(b.getInt16Ty());
  auto constant = [&](uint16_t value) { return ConstantInt::get(word, value); };
  Value *bits = b.CreateBitCast(x, word), *zero = ConstantFP::get(call.type(), 0);
  // Away from zero is one more, whatever the sign.
  Value *away = b.CreateICmpEQ(b.CreateFCmpOLT(x, y), b.CreateFCmpOGT(x, zero));
  Value *next = b.CreateAdd(bits, b.CreateSelect(away, constant(1), constant(0xffff)));
  Value *smallest = b.CreateOr(b.CreateAnd(b.CreateBitCast(y, word), constant(0x8000)), constant(1));
  next = b.CreateSelect(b.CreateFCmpOEQ(x, zero), smallest, next);
  Value *result = b.CreateSelect(b.CreateFCmpOEQ(x, y), y, b.CreateBitCast(next, call.type()));
  return b.CreateSelect(b.CreateFCmpUNO(x, y), b.CreateFAdd(x, y), result);
}

Value *number(BuiltinCall &call, double value) { return ConstantFP::get(call.type(), value); }

// Arguments that are scalars where others are vectors are spread.
Value *spread(BuiltinCall &call, Value *value, Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && !value->getType()->isVectorTy() ? call.builder.CreateVectorSplat(vector->getNumElements(), value)
                                                   : value;
}

Value *minimum(BuiltinCall &call, Value *x, Value *y) {
  return call.builder.CreateMinNum(x, spread(call, y, x->getType()));
}
Value *maximum(BuiltinCall &call, Value *x, Value *y) {
  return call.builder.CreateMaxNum(x, spread(call, y, x->getType()));
}

Value *clampValue(BuiltinCall &call) { return minimum(call, maximum(call, call.arg(0), call.arg(1)), call.arg(2)); }

Value *mix(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *weight = spread(call, call.arg(2), call.type());
  Value *difference = b.CreateFSub(call.arg(1), call.arg(0));
  return call.intrinsic(Intrinsic::fmuladd, call.type(), {difference, weight, call.arg(0)});
}

Value *step(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *below = b.CreateFCmpOLT(call.arg(1), spread(call, call.arg(0), call.type()));
  return b.CreateSelect(below, number(call, 0), number(call, 1));
}

Value *smoothStep(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *low = spread(call, call.arg(0), call.type()), *high = spread(call, call.arg(1), call.type());
  Value *t = b.CreateFDiv(b.CreateFSub(call.arg(2), low), b.CreateFSub(high, low));
  t = minimum(call, maximum(call, t, number(call, 0)), number(call, 1));
  Value *slope = b.CreateFSub(number(call, 3), b.CreateFMul(number(call, 2), t));
  return b.CreateFMul(b.CreateFMul(t, t), slope);
}

Value *sign(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *x = call.arg(0);
  Value *one = call.intrinsic(Intrinsic::copysign, call.type(), {number(call, 1), x});
  Value *nonZero = b.CreateSelect(b.CreateFCmpUNO(x, x), number(call, 0), one);
  return b.CreateSelect(b.CreateFCmpOEQ(x, number(call, 0)), x, nonZero);
}

BuiltinLowering scale(double factor) {
  return [=](BuiltinCall &call) { return call.builder.CreateFMul(call.arg(0), number(call, factor)); };
}

Value *reciprocal(BuiltinCall &call) { return call.builder.CreateFDiv(number(call, 1), call.arg(0)); }
Value *divide(BuiltinCall &call) { return call.builder.CreateFDiv(call.arg(0), call.arg(1)); }

Value *reciprocalRoot(BuiltinCall &call) {
  return call.builder.CreateFDiv(number(call, 1), call.builder.CreateUnaryIntrinsic(Intrinsic::sqrt, call.arg(0)));
}

Value *dotProduct(BuiltinCall &call, Value *x, Value *y) {
  IRBuilder<> &b = call.builder;
  Value *products = b.CreateFMul(x, y);
  auto *vector = dyn_cast<FixedVectorType>(products->getType());
  if (!vector)
    return products;
  Value *sum = b.CreateExtractElement(products, uint64_t(0));
  for (unsigned i = 1; i < vector->getNumElements(); ++i)
    sum = b.CreateFAdd(sum, b.CreateExtractElement(products, i));
  return sum;
}

// Squares of single precision neither overflow nor vanish in double precision; doubles are scaled by their largest element.
Value *lengthOf(BuiltinCall &call, Value *x) {
  IRBuilder<> &b = call.builder;
  Type *element = x->getType()->getScalarType();
  if (!x->getType()->isVectorTy())
    return b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  if (!element->isDoubleTy()) {
    Value *wide = b.CreateFPExt(x, x->getType()->getWithNewType(b.getDoubleTy()));
    return b.CreateFPTrunc(b.CreateUnaryIntrinsic(Intrinsic::sqrt, dotProduct(call, wide, wide)), element);
  }
  Value *sum = nullptr;
  for (unsigned i = 0; i < cast<FixedVectorType>(x->getType())->getNumElements(); ++i) {
    Value *part = b.CreateExtractElement(x, i);
    sum = sum ? call.external("hypot", element, {sum, part}, true) : part;
  }
  return b.CreateUnaryIntrinsic(Intrinsic::fabs, sum);
}

Value *distance(BuiltinCall &call) { return lengthOf(call, call.builder.CreateFSub(call.arg(0), call.arg(1))); }

Value *normalize(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *x = call.arg(0);
  Value *length = lengthOf(call, x);
  Value *zero = b.CreateFCmpOEQ(length, ConstantFP::get(length->getType(), 0));
  Value *divisor = b.CreateSelect(zero, ConstantFP::get(length->getType(), 1), length);
  return b.CreateFDiv(x, spread(call, divisor, x->getType()));
}

Value *crossProduct(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  bool four = cast<FixedVectorType>(call.type())->getNumElements() == 4;
  auto rotated = [&](Value *value, int first, int second) {
    SmallVector<int, 4> order{first, second, 3 - first - second};
    if (four)
      order.push_back(3);
    return b.CreateShuffleVector(value, order);
  };
  Value *x = call.arg(0), *y = call.arg(1);
  Value *result =
      b.CreateFSub(b.CreateFMul(rotated(x, 1, 2), rotated(y, 2, 0)), b.CreateFMul(rotated(x, 2, 0), rotated(y, 1, 2)));
  return four ? b.CreateInsertElement(result, ConstantFP::get(call.type()->getScalarType(), 0), 3) : result;
}

// A quiet NaN with the payload.
Value *nan(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Type *type = call.arg(0)->getType();
  unsigned bits = type->getScalarSizeInBits();
  unsigned mantissa = bits == 64 ? 52 : bits == 32 ? 23 : 10;
  APInt quiet = APInt::getBitsSet(bits, mantissa - 1, bits - 1);
  Value *payload = b.CreateAnd(call.arg(0), ConstantInt::get(type, APInt::getLowBitsSet(bits, mantissa - 1)));
  return b.CreateBitCast(b.CreateOr(payload, ConstantInt::get(type, quiet)), call.type());
}

} // namespace

void addMathBuiltins(BuiltinTable &table) {
  struct Named {
    const char *name;
    Intrinsic::ID id;
  };
  constexpr Named kIntrinsics[] = {
      {"fabs", Intrinsic::fabs},   {"ceil", Intrinsic::ceil},         {"floor", Intrinsic::floor},
      {"trunc", Intrinsic::trunc}, {"rint", Intrinsic::rint},         {"round", Intrinsic::round},
      {"mad", Intrinsic::fmuladd}, {"copysign", Intrinsic::copysign},
  };
  for (const Named &entry : kIntrinsics)
    table.add(std::string("ocl_") + entry.name, intrinsic(entry.id));
  table.add("ocl_fma", fusedMultiplyAdd);
  for (const char *prefix : {"ocl_", "ocl_half_", "ocl_native_"}) {
    std::string start = prefix;
    table.add(start + "sqrt", intrinsic(Intrinsic::sqrt));
    for (const char *name : {"cos", "exp10", "log10", "log2", "powr", "sin", "tan"})
      table.add(start + name, library(std::string("hz_") + name));
    for (const char *name : {"exp", "exp2", "log"})
      table.add(start + name, approximate(name, start != "ocl_"));
    table.add(start + "recip", reciprocal);
    table.add(start + "divide", divide);
    table.add(start + "rsqrt", reciprocalRoot);
  }
  for (const char *name : {"half_cos", "half_sin", "native_cos", "native_sin"})
    table.add(std::string("ocl_") + name, approximate(StringRef(name).split('_').second.str(), true));
  for (const char *name : {"fmin", "fmin_common"})
    table.add(std::string("ocl_") + name, intrinsic(Intrinsic::minnum));
  for (const char *name : {"fmax", "fmax_common"})
    table.add(std::string("ocl_") + name, intrinsic(Intrinsic::maxnum));
  for (const char *name : {"fdim", "fmod", "ilogb", "ldexp", "lgamma", "logb", "modf", "remainder", "tgamma"})
    table.add(std::string("ocl_") + name, library(name));
  for (const char *name :
       {"acos",   "acosh",  "acospi", "asin",  "asinh", "asinpi", "atan",  "atan2", "atan2pi", "atanh",
        "atanpi", "cbrt",   "cosh",   "cospi", "erf",   "erfc",   "expm1", "fract", "hypot",   "log1p",
        "maxmag", "minmag", "pow",    "pown",  "rootn", "sincos", "sinh",  "sinpi", "tanh",    "tanpi"})
    table.add(std::string("ocl_") + name, library(std::string("hz_") + name));
  table.add("ocl_nextafter", nextAfter);
  table.add("ocl_frexp", libraryWithInt("frexp"));
  table.add("ocl_remquo", libraryWithInt("hz_remquo"));
  table.add("ocl_lgamma_r", libraryWithInt("hz_lgamma_r"));

  table.add("ocl_fclamp", clampValue);
  table.add("ocl_mix", mix);
  table.add("ocl_step", step);
  table.add("ocl_smoothstep", smoothStep);
  table.add("ocl_sign", sign);
  table.add("ocl_degrees", scale(180 / M_PI));
  table.add("ocl_radians", scale(M_PI / 180));
  table.add("Dot", [](BuiltinCall &call) { return dotProduct(call, call.arg(0), call.arg(1)); });
  table.add("ocl_cross", crossProduct);
  for (const char *prefix : {"ocl_", "ocl_fast_"}) {
    std::string start = prefix;
    table.add(start + "length", [](BuiltinCall &call) { return lengthOf(call, call.arg(0)); });
    table.add(start + "distance", distance);
    table.add(start + "normalize", normalize);
  }
  table.add("ocl_nan", nan);
}

} // namespace hiplz::cpu
