// SPDX-License-Identifier: MIT
// Images and samplers. An image is the address of its descriptor, a sampler is a number in the place of an address, and an image
// with its sampler is the sum (abi/image_descriptor.h). Texels are read and written by functions of the built-in library.
#include "cpu/abi/image_descriptor.h"
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/ir_tools.h"

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

Type *colorType(IRBuilder<> &b) { return FixedVectorType::get(b.getInt32Ty(), 4); }

// SPIR-V that calls something else an image is refused, not compiled.
bool isImage(const BuiltinCall &call) { return call.arg(0)->getType()->isPointerTy(); }

/// Appends x, y and z of a coordinate, which has one to four components; a fourth one means nothing. False for other types.
template <class Convert>
bool addCoordinates(IRBuilder<> &b, Value *coordinate, Convert convert, SmallVectorImpl<Value *> &arguments) {
  auto *vector = dyn_cast<FixedVectorType>(coordinate->getType());
  const unsigned count = vector ? vector->getNumElements() : 1;
  for (unsigned d = 0; d < 3; ++d) {
    Value *element = d >= count ? Constant::getNullValue(coordinate->getType()->getScalarType())
                     : vector   ? b.CreateExtractElement(coordinate, d)
                                : coordinate;
    arguments.push_back(convert(element));
    if (!arguments.back())
      return false;
  }
  return true;
}

Value *toInteger(IRBuilder<> &b, Value *value) {
  return value->getType()->isIntegerTy() ? b.CreateSExtOrTrunc(value, b.getInt32Ty()) : nullptr;
}

Value *toFloat(IRBuilder<> &b, Value *value) {
  if (value->getType()->isIntegerTy())
    return b.CreateSIToFP(value, b.getFloatTy());
  return value->getType()->isFloatingPointTy() ? b.CreateFPCast(value, b.getFloatTy()) : nullptr;
}

/// A colour of four words as what the instruction returns: integers or numbers, four of them or the first one.
Value *fromColor(BuiltinCall &call, Value *color) {
  IRBuilder<> &b = call.builder;
  Type *type = call.type(), *element = type->getScalarType();
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (vector && vector->getNumElements() != 4)
    return nullptr;
  if (element->isFloatTy() || element->isHalfTy())
    color = b.CreateBitCast(color, FixedVectorType::get(b.getFloatTy(), 4));
  else if (!element->isIntegerTy())
    return nullptr;
  if (!vector)
    color = b.CreateExtractElement(color, uint64_t{0});
  return element->isHalfTy()      ? b.CreateFPTrunc(color, type)
         : element->isIntegerTy() ? b.CreateSExtOrTrunc(color, type)
                                  : color;
}

/// And the other way round; what is not there is zero.
Value *toColor(IRBuilder<> &b, Value *value) {
  Type *element = value->getType()->getScalarType();
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  const unsigned count = vector ? vector->getNumElements() : 1;
  if (count > 4)
    return nullptr;
  Type *word = element->isIntegerTy() ? b.getInt32Ty() : b.getFloatTy();
  Value *color = Constant::getNullValue(FixedVectorType::get(word, 4));
  for (unsigned c = 0; c < count; ++c) {
    Value *part = vector ? b.CreateExtractElement(value, c) : value;
    part = element->isIntegerTy() ? b.CreateSExtOrTrunc(part, word) : toFloat(b, part);
    if (!part)
      return nullptr;
    color = b.CreateInsertElement(color, part, c);
  }
  return b.CreateBitCast(color, colorType(b));
}

// (image, coordinate). What kind of operands follow, a level of detail or a sample, makes no difference: there is one of each.
Value *read(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  SmallVector<Value *, 6> arguments{call.arg(0)};
  if (!isImage(call) || !addCoordinates(
                            b, call.arg(1), [&](Value *value) { return toInteger(b, value); }, arguments))
    return nullptr;
  return fromColor(call, call.external("hz_image_read", colorType(b), arguments, false));
}

// (image with sampler, coordinate, operands of the level of detail).
Value *sample(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  SmallVector<Value *, 6> arguments{call.arg(0)};
  if (!isImage(call) || !addCoordinates(
                            b, call.arg(1), [&](Value *value) { return toFloat(b, value); }, arguments))
    return nullptr;
  return fromColor(call, call.external("hz_image_sample", colorType(b), arguments, false));
}

// (image, coordinate, colour).
Value *write(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  SmallVector<Value *, 6> arguments{call.arg(0)};
  if (!isImage(call) || !addCoordinates(
                            b, call.arg(1), [&](Value *value) { return toInteger(b, value); }, arguments))
    return nullptr;
  arguments.push_back(toColor(b, call.arg(2)));
  return arguments.back() ? call.external("hz_image_write", b.getVoidTy(), arguments, false) : nullptr;
}

Value *querySize(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  auto *vector = dyn_cast<FixedVectorType>(call.type());
  const unsigned count = vector ? vector->getNumElements() : 1;
  if (!isImage(call) || count > 3 || !call.type()->isIntOrIntVectorTy())
    return nullptr;
  Value *sizes = PoisonValue::get(call.type());
  for (unsigned d = 0; d < count; ++d) {
    Value *size = loadField(b, b.getInt32Ty(), call.arg(0), offsetof(ImageDescriptor, size) + 4 * d, true);
    size = b.CreateZExtOrTrunc(size, call.type()->getScalarType());
    sizes = vector ? b.CreateInsertElement(sizes, size, d) : size;
  }
  return sizes;
}

BuiltinLowering query(uint64_t offset) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    if (!isImage(call) || !call.type()->isIntegerTy())
      return nullptr;
    return b.CreateZExtOrTrunc(loadField(b, b.getInt32Ty(), call.arg(0), offset, true), call.type());
  };
}

Value *one(BuiltinCall &call) { return call.type()->isIntegerTy() ? ConstantInt::get(call.type(), 1) : nullptr; }

// (image, sampler).
Value *addSampler(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  if (!isImage(call) || !call.arg(1)->getType()->isPointerTy())
    return nullptr;
  return b.CreateGEP(b.getInt8Ty(), call.arg(0), b.CreatePtrToInt(call.arg(1), b.getInt64Ty()));
}

// (image with sampler).
Value *dropSampler(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  if (!isImage(call))
    return nullptr;
  return b.CreateIntrinsic(Intrinsic::ptrmask, {call.type(), b.getInt64Ty()},
                           {call.arg(0), b.getInt64(~uint64_t{kSamplerMask})});
}

Value *constantSampler(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *bits = b.CreateZExt(call.arg(0), b.getInt64Ty());
  return b.CreateIntToPtr(b.CreateAnd(bits, kSamplerMask), call.type());
}

} // namespace

void addImageBuiltins(BuiltinTable &table) {
  for (const char *name : {"ImageRead", "ImageFetch"})
    table.add(name, read);
  table.add("ImageSampleExplicitLod", sample);
  table.add("ImageWrite", write);
  table.add("ImageQuerySize", querySize);
  table.add("ImageQuerySizeLod", querySize);
  table.add("ImageQueryOrder", query(offsetof(ImageDescriptor, order)));
  table.add("ImageQueryFormat", query(offsetof(ImageDescriptor, dataType)));
  table.add("ImageQueryLevels", one);
  table.add("ImageQuerySamples", one);
  table.add("SampledImage", addSampler);
  table.add("Image", dropSampler);
  table.add("__translate_sampler_initializer", constantSampler);
}

} // namespace hiplz::cpu
