// SPDX-License-Identifier: MIT
// Image instructions. Their first scalar operand is the descriptor of an image, whose first two words are the address of the texture here
// (texture objects begin with it); the sampler's descriptor is part of the texture. The surroundings read and write the image, one lane
// after the other.
#include "amdgcn/translator/image_access.h"
#include "amdgcn/translator/operations.h"
#include "base/llvm_compat.h"

#include <llvm/IR/Intrinsics.h>

#include <bit>
#include <optional>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

std::optional<ImageShape> shapeOf(StringRef dim) {
  struct Known {
    const char *name;
    ImageShape shape;
  };
  static constexpr Known kKnown[] = {{"SQ_RSRC_IMG_1D", kShape1D},
                                     {"SQ_RSRC_IMG_2D", kShape2D},
                                     {"SQ_RSRC_IMG_3D", kShape3D},
                                     {"SQ_RSRC_IMG_CUBE", kShapeCube},
                                     {"SQ_RSRC_IMG_1D_ARRAY", kShape1DArray},
                                     {"SQ_RSRC_IMG_2D_ARRAY", kShape2DArray}};
  for (const Known &known : kKnown)
    if (dim == known.name)
      return known.shape;
  return std::nullopt;
}

/// An instruction taken apart.
struct Access {
  ImageOperation operation;
  bool isFirstLevel = false; ///< the level is 0 and no operand
};

std::optional<Access> accessOf(StringRef name) {
  struct Known {
    const char *name;
    Access access;
  };
  static constexpr Known kKnown[] = {{"load", {kImageLoad}},
                                     {"load_mip", {kImageLoadLevel}},
                                     {"store", {kImageStore}},
                                     {"sample_lz", {kImageSample, true}},
                                     {"sample_l", {kImageSample}},
                                     {"sample_d", {kImageSampleGradient}},
                                     {"gather4_lz", {kImageGather, true}}};
  for (const Known &known : kKnown)
    if (name == known.name)
      return known.access;
  return std::nullopt;
}

Value *entryArray(Wave &w, unsigned words, const char *name) {
  BasicBlock &entry = w.b.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(ArrayType::get(w.i32, words), nullptr, name);
}

/// Calls the surroundings for each lane of the mask. `colour` are the four words that a store writes; the result are those that others read.
SmallVector<Value *, 4> eachLane(Wave &w, ImageOperation operation, ImageShape shape, Value *texture,
                                 ArrayRef<Value *> address, ArrayRef<Value *> colour, Value *mask) {
  auto &b = w.b;
  Function *function = b.GetInsertBlock()->getParent();
  Value *places = entryArray(w, kImageAddressWords, "image.address"), *texel = entryArray(w, 4, "image.colour");
  auto word = [&](Value *array, unsigned n) { return b.CreateConstInBoundsGEP1_64(w.i32, array, n); };
  BasicBlock *before = b.GetInsertBlock(), *loop = BasicBlock::Create(b.getContext(), "image", function),
             *done = BasicBlock::Create(b.getContext(), "image.done", function);
  Value *bits = w.toBits(mask), *nothing = Constant::getNullValue(w.vectorOf(w.i32));
  b.CreateCondBr(b.CreateICmpNE(bits, b.getInt32(0)), loop, done);
  b.SetInsertPoint(loop);
  PHINode *rest = b.CreatePHI(w.i32, 2), *results[4];
  for (PHINode *&result : results)
    result = b.CreatePHI(w.vectorOf(w.i32), 2);
  Value *lane = b.CreateIntrinsic(Intrinsic::cttz, {w.i32}, {rest, b.getTrue()});
  for (unsigned n = 0; n < address.size(); ++n)
    b.CreateStore(b.CreateExtractElement(address[n], lane), word(places, n));
  for (unsigned n = 0; n < 4; ++n)
    b.CreateStore(n < colour.size() ? b.CreateExtractElement(colour[n], lane) : b.getInt32(0), word(texel, n));
  w.around.accessImage(b, texture, operation, shape, places, texel);
  Value *next = b.CreateAnd(rest, b.CreateSub(rest, b.getInt32(1)));
  BasicBlock *end = b.GetInsertBlock();
  rest->addIncoming(bits, before);
  rest->addIncoming(next, end);
  SmallVector<Value *, 4> after;
  for (unsigned n = 0; n < 4; ++n) {
    after.push_back(b.CreateInsertElement(results[n], b.CreateLoad(w.i32, word(texel, n)), lane));
    results[n]->addIncoming(nothing, before);
    results[n]->addIncoming(after[n], end);
  }
  b.CreateCondBr(b.CreateICmpNE(next, b.getInt32(0)), loop, done);
  b.SetInsertPoint(done);
  SmallVector<Value *, 4> all;
  for (unsigned n = 0; n < 4; ++n) {
    PHINode *value = b.CreatePHI(w.vectorOf(w.i32), 2);
    value->addIncoming(nothing, before);
    value->addIncoming(after[n], end);
    all.push_back(value);
  }
  return all;
}

/// The numbers of the registers of an operand, which follow each other or are listed.
SmallVector<unsigned, 12> registersOf(const Operand &operand) {
  SmallVector<unsigned, 12> all;
  for (unsigned n = 0; n < operand.count; ++n)
    all.push_back(n < operand.list.size() ? operand.list[n] : operand.index + n);
  return all;
}

} // namespace

bool emitImage(Wave &w, const Instruction &i) {
  StringRef name = i.name;
  if (!name.consume_front("image_"))
    return false;
  const auto access = accessOf(name);
  const auto shape = shapeOf(i.textOf("dim"));
  if (!access || !shape)
    return false;
  for (const char *modifier : {"a16", "d16", "r128", "lwe"})
    w.refuseModifier(modifier);
  if (i.operands.size() < 3 || !i.operands[0].isVector() || !i.operands[1].isVector() || i.operands[2].count != 8)
    w.refuse("an image is expected");
  const auto mask = static_cast<uint32_t>(i.number("dmask", 0));
  const bool isGather = access->operation == kImageGather, isStore = access->operation == kImageStore;
  SmallVector<Value *, kImageAddressWords> address;
  for (const unsigned index : registersOf(i.operands[1]))
    address.push_back(w.vectorRegister(index));
  unsigned expected = coordinatesOf(*shape);
  if (access->operation == kImageSampleGradient)
    expected += 2 * dimensionsOf(*shape);
  else if (access->operation == kImageLoadLevel || (access->operation == kImageSample && !access->isFirstLevel))
    ++expected;
  if (address.size() < expected || expected + 1 > kImageAddressWords)
    w.refuse("it has another number of coordinates than expected");
  address.resize(expected);
  if (isGather) {
    if (std::popcount(mask) != 1)
      w.refuse("a gather of one component is expected");
    address.push_back(w.vector(static_cast<uint32_t>(std::countr_zero(mask))));
  } else if (access->isFirstLevel) {
    address.push_back(w.vector(0));
  }
  Value *texture = w.wide(w.scalarRegister(i.operands[2].index), w.scalarRegister(i.operands[2].index + 1u));
  const unsigned first = i.operands[0].index;
  SmallVector<Value *, 4> colour;
  for (unsigned n = 0, next = first; isStore && n < 4; ++n)
    colour.push_back(mask >> n & 1 ? w.vectorRegister(next++) : w.vector(0));
  const auto texel = eachLane(w, access->operation, *shape, texture, address, colour, w.lanes());
  if (isStore)
    return true;
  for (unsigned n = 0, next = first; n < 4; ++n)
    if (isGather || mask >> n & 1)
      w.setVectorRegister(next++, texel[n]);
  return true;
}

SmallVector<Value *, 4> accessTyped(Wave &w, bool isStore, Value *texture, ArrayRef<Value *> address,
                                    ArrayRef<Value *> colour, Value *mask) {
  return eachLane(w, isStore ? kTypedStore : kTypedLoad, kShape1D, texture, address, colour, mask);
}

} // namespace hiplz::amdgcn
