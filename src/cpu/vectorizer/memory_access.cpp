// SPDX-License-Identifier: MIT
// Loads and stores by the shape of their address: one access for a uniform one, one vector for neighbouring elements, a
// reversed vector, a few vectors for elements a few places apart, and gather or scatter for everything else.
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/warp_builder.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {

bool WarpBuilder::isPlainElement(Type *type) const {
  if (type->isIntegerTy())
    return type->getIntegerBitWidth() >= 8 && type->getIntegerBitWidth() <= 64 &&
           isPowerOf2_32(type->getIntegerBitWidth());
  return type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy() || type->isPointerTy();
}

Value *WarpBuilder::itemField(Type *type, uint64_t offset) {
  Value *address = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), itemOf(warp_), offset);
  LoadInst *load = b_.CreateAlignedLoad(type, address,
                                        Align(type->isVectorTy()    ? 4 * width_
                                              : type->isPointerTy() ? 8
                                                                    : 4));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b_.getContext(), {}));
  return load;
}

bool WarpBuilder::emitItemRead(const LoadInst &load) {
  auto read = itemReadBy(load);
  if (!read)
    return false;
  Type *type = load.getType();
  unsigned d = read->dimension;
  switch (read->field) {
  case ItemField::launch: set(load, itemField(type, offsetof(WarpState, launch))); break;
  case ItemField::worker: set(load, itemField(type, offsetof(WarpState, worker))); break;
  case ItemField::groupId:
    if (isVarying(&load))
      set(load, itemField(laneType(type), offsetof(WarpState, groupX)));
    else
      set(load, itemField(type, offsetof(WarpState, groupId) + 4 * d));
    break;
  case ItemField::linearId:
    if (isVarying(&load))
      set(load, itemField(laneType(type), offsetof(WarpState, linearId)));
    else
      set(load, mixesGroups(laneLayout_) ? b_.getInt32(0) : itemField(type, offsetof(WarpState, firstLinear)));
    break;
  case ItemField::globalX: set(load, itemField(type, offsetof(WarpState, firstGlobalX))); break;
  case ItemField::localId:
    if (laneLayout_ == LaneLayout::folded && d == 0)
      set(load, b_.CreateAnd(lanes(1, type), ConstantInt::get(laneType(type), rowLanes_ - 1)));
    else if (isVarying(&load))
      set(load, itemField(laneType(type), offsetof(WarpState, localId) + 4 * kSubgroupSize * d));
    else if (mixesGroups(laneLayout_) || (laneLayout_ == LaneLayout::line && d > 0))
      set(load, b_.getInt32(0));
    else
      set(load, itemField(type, offsetof(WarpState, firstId) + 4 * d));
    break;
  }
  return true;
}

// Of a lane, from the scalar pointer.
Value *WarpBuilder::address(const Address &to, unsigned lane) {
  int64_t distance = to.offset + shapeOf(to.pointer).stride() * lane;
  Value *first = scalar(to.pointer);
  return distance ? b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(static_cast<uint64_t>(distance))) : first;
}

Value *WarpBuilder::addresses(const Address &to) {
  Value *all = vector(to.pointer);
  return to.offset ? b_.CreateGEP(b_.getInt8Ty(), all, b_.getInt64(static_cast<uint64_t>(to.offset))) : all;
}

Value *WarpBuilder::reversed(Value *vector) {
  SmallVector<int, 32> order;
  for (unsigned i = 0; i < width_; ++i)
    order.push_back(static_cast<int>(width_ - 1 - i));
  return b_.CreateShuffleVector(vector, order);
}

// Processors gather words and double words. Smaller elements are cut out of the aligned word around them, which lies on the
// same page.
Value *WarpBuilder::gather(Type *type, Value *pointers, Align align) {
  uint64_t bytes = layout_.getTypeStoreSize(type).getFixedValue();
  if (bytes >= 4) {
    Type *result = laneType(type);
    return b_.CreateMaskedGather(result, pointers, align, maskVector(mask_), PoisonValue::get(result));
  }
  Type *number = b_.getIntNTy(static_cast<unsigned>(8 * bytes)), *word = laneType(b_.getInt32Ty());
  if (align.value() < bytes) { // may lie across two words
    Value *all = spill(pointers, b_.getPtrTy());
    Values loaded = forEachLane({number}, [&](Value *lane) -> Values {
      return {b_.CreateAlignedLoad(number, spilled(all, lane, b_.getPtrTy()), align)};
    });
    return b_.CreateBitCast(loaded[0], laneType(type));
  }
  Value *within = b_.CreateAnd(b_.CreatePtrToInt(pointers, laneType(b_.getInt64Ty())), 3);
  Value *words = b_.CreateGEP(b_.getInt8Ty(), pointers, b_.CreateNeg(within));
  Value *loaded = b_.CreateMaskedGather(word, words, Align(4), maskVector(mask_), PoisonValue::get(word));
  Value *shift = b_.CreateShl(b_.CreateTrunc(within, word), 3);
  return b_.CreateBitCast(b_.CreateTrunc(b_.CreateLShr(loaded, shift), laneType(number)), laneType(type));
}

// The pieces of whole vectors, from the first lane's element on, that hold elements a few places apart. The last piece ends
// with the last lane's element: nothing is touched beyond it.
SmallVector<WarpBuilder::Piece, 4> WarpBuilder::piecesOf(unsigned places) const {
  const unsigned last = places * (width_ - 1);
  SmallVector<Piece, 4> pieces;
  for (unsigned lane = 0; lane < width_;) {
    Piece piece{std::min(lane * places, last + 1 - width_), lane, 0};
    for (; lane < width_ && lane * places < piece.begin + width_; ++lane)
      ++piece.lanes;
    pieces.push_back(piece);
  }
  return pieces;
}

// How many elements apart the lanes are, if that is worth whole vectors; else 0. What lies between two lanes that are there can
// be read, as it is on a page of one of them; under a mask only what lanes want is touched, and stores touch nothing else.
unsigned WarpBuilder::placesApart(const Address &at, int64_t size) const {
  constexpr int64_t kMostPlaces = 4;
  const int64_t stride = shapeOf(at.pointer).stride();
  if (!shapeOf(at.pointer).isStrided() || stride % size != 0 || stride / size < 2 || stride / size > kMostPlaces)
    return 0;
  return mask_ && size < 4 ? 0 : static_cast<unsigned>(stride / size);
}

// The mask of a piece: the places where its lanes' elements are. Null if every place may be touched.
Value *WarpBuilder::pieceMask(const Piece &piece, unsigned places) {
  SmallVector<int, 32> lanes(width_, static_cast<int>(width_));
  for (unsigned lane = piece.lane; lane < piece.lane + piece.lanes; ++lane)
    lanes[lane * places - piece.begin] = static_cast<int>(lane);
  Value *mask = maskVector(mask_);
  return b_.CreateShuffleVector(mask, Constant::getNullValue(mask->getType()), lanes);
}

// Masked accesses are always of integers: EarlyCSE of LLVM 15 puts what a masked store has written in the place of a masked load
// from the same address under the same mask, whatever the types are.
static Type *accessType(Type *lanes, const DataLayout &layout) {
  return lanes->getWithNewType(Type::getIntNTy(
      lanes->getContext(), static_cast<unsigned>(layout.getTypeSizeInBits(lanes->getScalarType()).getFixedValue())));
}

Value *WarpBuilder::maskedLoad(Type *lanes, Value *address, Align align, Value *mask) {
  Type *type = accessType(lanes, layout_);
  Value *loaded = b_.CreateMaskedLoad(type, address, align, mask, PoisonValue::get(type));
  return b_.CreateBitOrPointerCast(loaded, lanes);
}

void WarpBuilder::maskedStore(Value *value, Value *address, Align align, Value *mask) {
  b_.CreateMaskedStore(b_.CreateBitOrPointerCast(value, accessType(value->getType(), layout_)), address, align, mask);
}

Value *WarpBuilder::loadPlaces(Type *type, const Address &from, unsigned places) {
  Type *lanes = laneType(type);
  const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
  Value *result = PoisonValue::get(lanes);
  for (const Piece &piece : piecesOf(places)) {
    Value *address = b_.CreateConstGEP1_64(type, this->address(from), piece.begin);
    Align align = commonAlignment(from.align, piece.begin * size);
    Value *loaded = mask_ ? maskedLoad(lanes, address, align, pieceMask(piece, places))
                          : b_.CreateAlignedLoad(lanes, address, align);
    SmallVector<int, 32> order;
    for (unsigned lane = 0; lane < width_; ++lane) {
      bool here = lane >= piece.lane && lane < piece.lane + piece.lanes;
      order.push_back(static_cast<int>(here ? width_ + lane * places - piece.begin : lane));
    }
    result = b_.CreateShuffleVector(result, loaded, order);
  }
  return result;
}

void WarpBuilder::storePlaces(Value *value, const Address &to, unsigned places) {
  Type *type = value->getType()->getScalarType();
  const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
  for (const Piece &piece : piecesOf(places)) {
    SmallVector<int, 32> order(width_, -1);
    for (unsigned lane = piece.lane; lane < piece.lane + piece.lanes; ++lane)
      order[lane * places - piece.begin] = static_cast<int>(lane);
    Value *address = b_.CreateConstGEP1_64(type, this->address(to), piece.begin);
    maskedStore(b_.CreateShuffleVector(value, order), address, commonAlignment(to.align, piece.begin * size),
                pieceMask(piece, places));
  }
}

// Several elements of a lane's vector are one word, which is gathered, scattered, or next to those of other lanes. Null if there is no
// such word, or if the elements are as well accessed one by one.
IntegerType *WarpBuilder::wordOfElements(FixedVectorType *type, const Address &at) const {
  constexpr uint64_t kSmallest = 4, kLargest = 8;
  const uint64_t size = layout_.getTypeStoreSize(type->getElementType()).getFixedValue();
  const uint64_t bytes = MinAlign(size * type->getNumElements(), kLargest);
  const Shape shape = shapeOf(at.pointer);
  if (type->getElementType()->isPointerTy() || bytes <= size || bytes < kSmallest ||
      (shape.isStrided() && (std::abs(shape.stride()) == int64_t(size) || placesApart(at, int64_t(size)))))
    return nullptr;
  return IntegerType::get(type->getContext(), static_cast<unsigned>(8 * bytes));
}

Value *WarpBuilder::loadWords(FixedVectorType *type, IntegerType *word, const Address &from) {
  const unsigned each = word->getBitWidth() / static_cast<unsigned>(layout_.getTypeSizeInBits(type->getElementType()));
  Value *result = PoisonValue::get(laneType(type));
  for (unsigned i = 0; i < type->getNumElements(); i += each) {
    const uint64_t offset = i / each * (word->getBitWidth() / 8);
    Value *words = loadLanes(word, {from.pointer, from.offset + int64_t(offset), commonAlignment(from.align, offset)});
    Value *elements = b_.CreateBitCast(words, FixedVectorType::get(type->getElementType(), each * width_));
    for (const auto &element : enumerate(separate(elements, each)))
      result = b_.CreateInsertValue(result, element.value(), i + static_cast<unsigned>(element.index()));
  }
  return result;
}

void WarpBuilder::storeWords(Value *elements, FixedVectorType *type, IntegerType *word, const Address &to) {
  const unsigned each = word->getBitWidth() / static_cast<unsigned>(layout_.getTypeSizeInBits(type->getElementType()));
  for (unsigned i = 0; i < type->getNumElements(); i += each) {
    const uint64_t offset = i / each * (word->getBitWidth() / 8);
    SmallVector<Value *, 8> parts;
    for (unsigned k = 0; k < each; ++k)
      parts.push_back(b_.CreateExtractValue(elements, i + k));
    Value *words = b_.CreateBitCast(interleaved(parts), laneType(word));
    storeLanes(words, {to.pointer, to.offset + int64_t(offset), commonAlignment(to.align, offset)});
  }
}

Value *WarpBuilder::loadLanes(Type *type, const Address &from) {
  Shape shape = shapeOf(from.pointer);
  auto size = static_cast<int64_t>(layout_.getTypeStoreSize(type).getFixedValue());
  Type *lanes = laneType(type);
  if (shape.isStrided() && (shape.stride() == size || shape.stride() == -size)) {
    bool backwards = shape.stride() < 0;
    Value *first = address(from, backwards ? width_ - 1 : 0);
    Value *mask = mask_ && backwards ? reversed(mask_) : mask_;
    Value *loaded = mask ? maskedLoad(lanes, first, from.align, mask) : b_.CreateAlignedLoad(lanes, first, from.align);
    return backwards ? reversed(loaded) : loaded;
  }
  if (unsigned places = placesApart(from, size))
    return loadPlaces(type, from, places);
  if (liesInRows(from, size))
    return loadRows(type, from);
  return gather(type, addresses(from), from.align);
}

void WarpBuilder::emitLoad(const LoadInst &load) {
  if (emitItemRead(load))
    return;
  const Value *pointer = load.getPointerOperand();
  if (isItemAddress(pointer, body_))
    return decline(load, "reads the work-item's state in an unusual way");
  if (shapeOf(pointer).isUniform())
    return emitScalar(load);
  Type *type = load.getType();
  Type *element = type->getScalarType();
  if ((load.isAtomic() && !isWorkGroupLocal(pointer)) || type->isAggregateType())
    return replicate(load);
  if (auto noWrap = stridedUnlessWrapping(pointer, type))
    return emitEitherWay(load, pointer, *noWrap, [&] { emitLoad(load); });
  auto *vectorType = dyn_cast<FixedVectorType>(type);
  if (!isPlainElement(element)) {
    // Booleans and odd integers lie in whole bytes.
    if (vectorType || !type->isIntegerTy() || layout_.getTypeStoreSizeInBits(type).getFixedValue() > 64 ||
        !isPowerOf2_64(layout_.getTypeStoreSizeInBits(type).getFixedValue()))
      return replicate(load);
    Type *bytes = b_.getIntNTy(static_cast<unsigned>(layout_.getTypeStoreSizeInBits(type).getFixedValue()));
    vectors_[&load] = b_.CreateTrunc(loadLanes(bytes, {pointer, 0, load.getAlign()}), laneType(type));
    return;
  }
  if (!vectorType) {
    vectors_[&load] = loadLanes(type, {pointer, 0, load.getAlign()});
    return;
  }
  unsigned count = vectorType->getNumElements();
  auto size = static_cast<int64_t>(layout_.getTypeStoreSize(element).getFixedValue());
  Value *result = PoisonValue::get(laneType(type));
  if (!mask_ && shapeOf(pointer).isStrided() && shapeOf(pointer).stride() == size * count) {
    // All of it lies side by side.
    Value *all = b_.CreateAlignedLoad(FixedVectorType::get(element, count * width_), scalar(pointer), load.getAlign());
    for (const auto &part : enumerate(separate(all, count)))
      result = b_.CreateInsertValue(result, part.value(), static_cast<unsigned>(part.index()));
  } else if (IntegerType *word = wordOfElements(vectorType, {pointer, 0, load.getAlign()})) {
    result = loadWords(vectorType, word, {pointer, 0, load.getAlign()});
  } else {
    for (unsigned i = 0; i < count; ++i)
      result = b_.CreateInsertValue(
          result,
          loadLanes(element, {pointer, size * i, commonAlignment(load.getAlign(), static_cast<uint64_t>(size) * i)}),
          i);
  }
  vectors_[&load] = result;
}

void WarpBuilder::storeLanes(Value *value, const Address &to) {
  Shape shape = shapeOf(to.pointer);
  Type *type = value->getType();
  auto size = static_cast<int64_t>(layout_.getTypeStoreSize(type->getScalarType()).getFixedValue());
  if (shape.isStrided() && (shape.stride() == size || shape.stride() == -size)) {
    bool backwards = shape.stride() < 0;
    Value *first = address(to, backwards ? width_ - 1 : 0);
    Value *mask = mask_ && backwards ? reversed(mask_) : mask_;
    value = backwards ? reversed(value) : value;
    if (mask)
      maskedStore(value, first, to.align, mask);
    else
      b_.CreateAlignedStore(value, first, to.align);
    return;
  }
  if (unsigned places = size >= 4 ? placesApart(to, size) : 0)
    return storePlaces(value, to, places);
  if (liesInRows(to, size))
    return storeRows(value, to);
  Value *pointers = addresses(to);
  if (size >= 4) {
    b_.CreateMaskedScatter(value, pointers, to.align, maskVector(mask_));
    return;
  }
  Value *values = spill(value, type->getScalarType()), *targets = spill(pointers, b_.getPtrTy());
  forEachLane({}, [&](Value *lane) -> Values {
    b_.CreateAlignedStore(spilled(values, lane, type->getScalarType()), spilled(targets, lane, b_.getPtrTy()),
                          to.align);
    return {};
  });
}

void WarpBuilder::emitStore(const StoreInst &store) {
  const Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  if (isItemAddress(value, body_) || isItemAddress(pointer, body_))
    return decline(store, "the address of the work-item's state is taken");
  Type *type = value->getType();
  if (shapeOf(pointer).isUniform()) {
    auto *copy = cast<StoreInst>(store.clone());
    copy->setOperand(0, shapeOf(value).isUniform() ? scalar(value) : atLane(value, lastLane(mask_)));
    copy->setOperand(1, scalar(pointer));
    b_.Insert(copy);
    return;
  }
  Type *element = type->getScalarType();
  if ((store.isAtomic() && !isWorkGroupLocal(pointer)) || type->isAggregateType())
    return replicate(store);
  if (auto noWrap = stridedUnlessWrapping(pointer, type))
    return emitEitherWay(store, pointer, *noWrap, [&] { emitStore(store); });
  auto *vectorType = dyn_cast<FixedVectorType>(type);
  if (!isPlainElement(element)) {
    uint64_t bits = layout_.getTypeStoreSizeInBits(type).getFixedValue();
    if (vectorType || !type->isIntegerTy() || bits > 64 || !isPowerOf2_64(bits))
      return replicate(store);
    storeLanes(b_.CreateZExt(vector(value), laneType(b_.getIntNTy(static_cast<unsigned>(bits)))),
               {pointer, 0, store.getAlign()});
    return;
  }
  if (!vectorType)
    return storeLanes(vector(value), {pointer, 0, store.getAlign()});
  unsigned count = vectorType->getNumElements();
  auto size = static_cast<int64_t>(layout_.getTypeStoreSize(element).getFixedValue());
  Value *parts = vector(value);
  if (!mask_ && isPowerOf2_32(count) && shapeOf(pointer).isStrided() && shapeOf(pointer).stride() == size * count) {
    SmallVector<Value *, 8> elements;
    for (unsigned i = 0; i < count; ++i)
      elements.push_back(b_.CreateExtractValue(parts, i));
    b_.CreateAlignedStore(interleaved(elements), scalar(pointer), store.getAlign());
    return;
  }
  if (IntegerType *word = wordOfElements(vectorType, {pointer, 0, store.getAlign()}))
    return storeWords(parts, vectorType, word, {pointer, 0, store.getAlign()});
  for (unsigned i = 0; i < count; ++i)
    storeLanes(b_.CreateExtractValue(parts, i),
               {pointer, size * i, commonAlignment(store.getAlign(), static_cast<uint64_t>(size) * i)});
}

} // namespace hiplz::cpu
