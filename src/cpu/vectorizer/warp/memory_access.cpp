// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/memory_access.h"
#include "cpu/vectorizer/warp/interleaving.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// As many bits in memory as in a vector.
bool isPlainElement(Type *type) {
  if (type->isIntegerTy())
    return type->getIntegerBitWidth() >= 8 && type->getIntegerBitWidth() <= 64 &&
           isPowerOf2_32(type->getIntegerBitWidth());
  return type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy() || type->isPointerTy();
}

} // namespace

// Of a lane, from the scalar pointer.
Value *MemoryAccess::address(const LaneAddress &to, unsigned lane) {
  int64_t distance = to.offset + values_.shapeOf(to.pointer).stride() * lane;
  Value *first = values_.scalar(to.pointer);
  return distance ? b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(static_cast<uint64_t>(distance))) : first;
}

Value *MemoryAccess::addresses(const LaneAddress &to) {
  Value *all = values_.vector(to.pointer);
  return to.offset ? b_.CreateGEP(b_.getInt8Ty(), all, b_.getInt64(static_cast<uint64_t>(to.offset))) : all;
}

Value *MemoryAccess::reversed(Value *vector) {
  SmallVector<int, 32> order;
  for (unsigned i = 0; i < width_; ++i)
    order.push_back(static_cast<int>(width_ - 1 - i));
  return b_.CreateShuffleVector(vector, order);
}

// Processors gather words and double words. Smaller elements are cut out of the aligned word around them, which lies on the
// same page.
Value *MemoryAccess::gather(Type *type, Value *pointers, Align align) {
  uint64_t bytes = layout_.getTypeStoreSize(type).getFixedValue();
  if (bytes >= 4) {
    Type *result = laneType(type);
    return b_.CreateMaskedGather(result, pointers, align, masks_.vector(mask_), PoisonValue::get(result));
  }
  Type *number = b_.getIntNTy(static_cast<unsigned>(8 * bytes)), *word = laneType(b_.getInt32Ty());
  if (align.value() < bytes) { // may lie across two words
    Value *all = loops_.spill(pointers, b_.getPtrTy());
    LaneLoops::Values loaded = loops_.forEachLane({number}, [&](Value *lane) -> LaneLoops::Values {
      return {b_.CreateAlignedLoad(number, loops_.spilled(all, lane, b_.getPtrTy()), align)};
    });
    return b_.CreateBitCast(loaded[0], laneType(type));
  }
  Value *within = b_.CreateAnd(b_.CreatePtrToInt(pointers, laneType(b_.getInt64Ty())), 3);
  Value *words = b_.CreateGEP(b_.getInt8Ty(), pointers, b_.CreateNeg(within));
  Value *loaded = b_.CreateMaskedGather(word, words, Align(4), masks_.vector(mask_), PoisonValue::get(word));
  Value *shift = b_.CreateShl(b_.CreateTrunc(within, word), 3);
  return b_.CreateBitCast(b_.CreateTrunc(b_.CreateLShr(loaded, shift), laneType(number)), laneType(type));
}

// The pieces of whole vectors, from the first lane's element on, that hold elements a few places apart. The last piece ends
// with the last lane's element: nothing is touched beyond it.
SmallVector<MemoryAccess::Piece, 4> MemoryAccess::piecesOf(unsigned places) const {
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
unsigned MemoryAccess::placesApart(const LaneAddress &at, int64_t size) const {
  constexpr int64_t kMostPlaces = 4;
  const int64_t stride = values_.shapeOf(at.pointer).stride();
  if (!values_.shapeOf(at.pointer).isStrided() || stride % size != 0 || stride / size < 2 ||
      stride / size > kMostPlaces)
    return 0;
  return mask_ && size < 4 ? 0 : static_cast<unsigned>(stride / size);
}

// The mask of a piece: the places where its lanes' elements are. Null if every place may be touched.
Value *MemoryAccess::pieceMask(const Piece &piece, unsigned places) {
  SmallVector<int, 32> lanes(width_, static_cast<int>(width_));
  for (unsigned lane = piece.lane; lane < piece.lane + piece.lanes; ++lane)
    lanes[lane * places - piece.begin] = static_cast<int>(lane);
  Value *mask = masks_.vector(mask_);
  return b_.CreateShuffleVector(mask, Constant::getNullValue(mask->getType()), lanes);
}

Value *MemoryAccess::loadPlaces(Type *type, const LaneAddress &from, unsigned places) {
  Type *lanes = laneType(type);
  const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
  Value *result = PoisonValue::get(lanes);
  for (const Piece &piece : piecesOf(places)) {
    Value *address = b_.CreateConstGEP1_64(type, this->address(from), piece.begin);
    Align align = commonAlignment(from.align, piece.begin * size);
    Value *loaded = mask_ ? maskedLoad(b_, lanes, address, align, pieceMask(piece, places))
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

void MemoryAccess::storePlaces(Value *value, const LaneAddress &to, unsigned places) {
  Type *type = value->getType()->getScalarType();
  const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
  for (const Piece &piece : piecesOf(places)) {
    SmallVector<int, 32> order(width_, -1);
    for (unsigned lane = piece.lane; lane < piece.lane + piece.lanes; ++lane)
      order[lane * places - piece.begin] = static_cast<int>(lane);
    Value *address = b_.CreateConstGEP1_64(type, this->address(to), piece.begin);
    maskedStore(b_, b_.CreateShuffleVector(value, order), address, commonAlignment(to.align, piece.begin * size),
                pieceMask(piece, places));
  }
}

// Several elements of a lane's vector are one word, which is gathered, scattered, or next to those of other lanes. Null if there is no
// such word, or if the elements are as well accessed one by one.
IntegerType *MemoryAccess::wordOfElements(FixedVectorType *type, const LaneAddress &at) const {
  constexpr uint64_t kSmallest = 4, kLargest = 8;
  const uint64_t size = layout_.getTypeStoreSize(type->getElementType()).getFixedValue();
  const uint64_t bytes = MinAlign(size * type->getNumElements(), kLargest);
  const Shape shape = values_.shapeOf(at.pointer);
  if (type->getElementType()->isPointerTy() || bytes <= size || bytes < kSmallest ||
      (shape.isStrided() && (std::abs(shape.stride()) == int64_t(size) || placesApart(at, int64_t(size)))))
    return nullptr;
  return IntegerType::get(type->getContext(), static_cast<unsigned>(8 * bytes));
}

Value *MemoryAccess::loadWords(FixedVectorType *type, IntegerType *word, const LaneAddress &from) {
  const unsigned each = word->getBitWidth() / static_cast<unsigned>(layout_.getTypeSizeInBits(type->getElementType()));
  Value *result = PoisonValue::get(laneType(type));
  for (unsigned i = 0; i < type->getNumElements(); i += each) {
    const uint64_t offset = i / each * (word->getBitWidth() / 8);
    Value *words = loadLanes(word, {from.pointer, from.offset + int64_t(offset), commonAlignment(from.align, offset)});
    Value *elements = b_.CreateBitCast(words, FixedVectorType::get(type->getElementType(), each * width_));
    for (const auto &element : enumerate(separate(b_, elements, each)))
      result = b_.CreateInsertValue(result, element.value(), i + static_cast<unsigned>(element.index()));
  }
  return result;
}

void MemoryAccess::storeWords(Value *elements, FixedVectorType *type, IntegerType *word, const LaneAddress &to) {
  const unsigned each = word->getBitWidth() / static_cast<unsigned>(layout_.getTypeSizeInBits(type->getElementType()));
  for (unsigned i = 0; i < type->getNumElements(); i += each) {
    const uint64_t offset = i / each * (word->getBitWidth() / 8);
    SmallVector<Value *, 8> parts;
    for (unsigned k = 0; k < each; ++k)
      parts.push_back(b_.CreateExtractValue(elements, i + k));
    Value *words = b_.CreateBitCast(interleaved(b_, parts), laneType(word));
    storeLanes(words, {to.pointer, to.offset + int64_t(offset), commonAlignment(to.align, offset)});
  }
}

Value *MemoryAccess::loadLanes(Type *type, const LaneAddress &from) {
  Shape shape = values_.shapeOf(from.pointer);
  auto size = static_cast<int64_t>(layout_.getTypeStoreSize(type).getFixedValue());
  Type *lanes = laneType(type);
  if (shape.isStrided() && (shape.stride() == size || shape.stride() == -size)) {
    bool backwards = shape.stride() < 0;
    Value *first = address(from, backwards ? width_ - 1 : 0);
    Value *mask = mask_ && backwards ? reversed(mask_) : mask_;
    Value *loaded =
        mask ? maskedLoad(b_, lanes, first, from.align, mask) : b_.CreateAlignedLoad(lanes, first, from.align);
    return backwards ? reversed(loaded) : loaded;
  }
  if (unsigned places = placesApart(from, size))
    return loadPlaces(type, from, places);
  if (rows_.liesInRows(from, size))
    return rows_.load(type, from);
  if (rows_.isSameInRows(from))
    return rows_.loadSame(type, from);
  return gather(type, addresses(from), from.align);
}

void MemoryAccess::emitLoad(const LoadInst &load) {
  if (items_.emit(load))
    return;
  const Value *pointer = load.getPointerOperand();
  if (isItemAddress(pointer, body_))
    return decline(load, "reads the work-item's state in an unusual way");
  if (values_.shapeOf(pointer).isUniform())
    return arithmetic_.emitScalar(load);
  Type *type = load.getType();
  Type *element = type->getScalarType();
  if ((load.isAtomic() && !isWorkGroupLocal(pointer)) || type->isAggregateType())
    return loops_.replicate(load);
  if (auto likely = likely_.strideOf(pointer, type))
    return likely_.emitEitherWay(load, pointer, *likely, [&] { emitLoad(load); });
  auto *vectorType = dyn_cast<FixedVectorType>(type);
  if (!isPlainElement(element)) {
    // Booleans and odd integers lie in whole bytes.
    if (vectorType || !type->isIntegerTy() || layout_.getTypeStoreSizeInBits(type).getFixedValue() > 64 ||
        !isPowerOf2_64(layout_.getTypeStoreSizeInBits(type).getFixedValue()))
      return loops_.replicate(load);
    Type *bytes = b_.getIntNTy(static_cast<unsigned>(layout_.getTypeStoreSizeInBits(type).getFixedValue()));
    values_.setVector(load, b_.CreateTrunc(loadLanes(bytes, {pointer, 0, load.getAlign()}), laneType(type)));
    return;
  }
  if (!vectorType) {
    values_.setVector(load, loadLanes(type, {pointer, 0, load.getAlign()}));
    return;
  }
  unsigned count = vectorType->getNumElements();
  auto size = static_cast<int64_t>(layout_.getTypeStoreSize(element).getFixedValue());
  Value *result = PoisonValue::get(laneType(type));
  if (!mask_ && values_.shapeOf(pointer).isStrided() && values_.shapeOf(pointer).stride() == size * count) {
    // All of it lies side by side.
    Value *all =
        b_.CreateAlignedLoad(FixedVectorType::get(element, count * width_), values_.scalar(pointer), load.getAlign());
    for (const auto &part : enumerate(separate(b_, all, count)))
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
  values_.setVector(load, result);
}

void MemoryAccess::storeLanes(Value *value, const LaneAddress &to) {
  Shape shape = values_.shapeOf(to.pointer);
  Type *type = value->getType();
  auto size = static_cast<int64_t>(layout_.getTypeStoreSize(type->getScalarType()).getFixedValue());
  if (shape.isStrided() && (shape.stride() == size || shape.stride() == -size)) {
    bool backwards = shape.stride() < 0;
    Value *first = address(to, backwards ? width_ - 1 : 0);
    Value *mask = mask_ && backwards ? reversed(mask_) : mask_;
    value = backwards ? reversed(value) : value;
    if (mask)
      maskedStore(b_, value, first, to.align, mask);
    else
      b_.CreateAlignedStore(value, first, to.align);
    return;
  }
  if (unsigned places = size >= 4 ? placesApart(to, size) : 0)
    return storePlaces(value, to, places);
  if (rows_.liesInRows(to, size))
    return rows_.store(value, to);
  Value *pointers = addresses(to);
  if (size >= 4) {
    b_.CreateMaskedScatter(value, pointers, to.align, masks_.vector(mask_));
    return;
  }
  Value *values = loops_.spill(value, type->getScalarType()), *targets = loops_.spill(pointers, b_.getPtrTy());
  loops_.forEachLane({}, [&](Value *lane) -> LaneLoops::Values {
    b_.CreateAlignedStore(loops_.spilled(values, lane, type->getScalarType()),
                          loops_.spilled(targets, lane, b_.getPtrTy()), to.align);
    return {};
  });
}

/// The value of the last lane that takes part. One that only these lanes have loaded is loaded for that lane alone: a masked load and the
/// way of a lane out of a vector take longer.
Value *MemoryAccess::ofLastLane(const Value *value) {
  if (mask_ && !values_.shapeOf(value).isRegular() && !value->getType()->isVectorTy()) {
    Value *lanes = values_.vector(value);
    auto *load = dyn_cast<IntrinsicInst>(isa<BitCastInst>(lanes) ? cast<BitCastInst>(lanes)->getOperand(0) : lanes);
    if (load && load->getIntrinsicID() == Intrinsic::masked_load && load->getArgOperand(2) == mask_) {
      IRBuilder<>::InsertPointGuard guard(b_);
      b_.SetInsertPoint(load); // what it reads may be written in between
      Value *place =
          b_.CreateGEP(value->getType(), load->getArgOperand(0), b_.CreateZExt(masks_.last(mask_), b_.getInt64Ty()));
      return b_.CreateAlignedLoad(value->getType(), place, cast<ConstantInt>(load->getArgOperand(1))->getAlignValue());
    }
  }
  return values_.atLane(value, masks_.last(mask_));
}

void MemoryAccess::emitStore(const StoreInst &store) {
  const Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  if (isItemAddress(value, body_) || isItemAddress(pointer, body_))
    return decline(store, "the address of the work-item's state is taken");
  Type *type = value->getType();
  if (values_.shapeOf(pointer).isUniform()) {
    auto *copy = cast<StoreInst>(store.clone());
    copy->setOperand(0, values_.shapeOf(value).isUniform() ? values_.scalar(value) : ofLastLane(value));
    copy->setOperand(1, values_.scalar(pointer));
    b_.Insert(copy);
    return;
  }
  Type *element = type->getScalarType();
  if ((store.isAtomic() && !isWorkGroupLocal(pointer)) || type->isAggregateType())
    return loops_.replicate(store);
  if (auto likely = likely_.strideOf(pointer, type))
    return likely_.emitEitherWay(store, pointer, *likely, [&] { emitStore(store); });
  auto *vectorType = dyn_cast<FixedVectorType>(type);
  if (!isPlainElement(element)) {
    uint64_t bits = layout_.getTypeStoreSizeInBits(type).getFixedValue();
    if (vectorType || !type->isIntegerTy() || bits > 64 || !isPowerOf2_64(bits))
      return loops_.replicate(store);
    storeLanes(b_.CreateZExt(values_.vector(value), laneType(b_.getIntNTy(static_cast<unsigned>(bits)))),
               {pointer, 0, store.getAlign()});
    return;
  }
  if (!vectorType)
    return storeLanes(values_.vector(value), {pointer, 0, store.getAlign()});
  unsigned count = vectorType->getNumElements();
  auto size = static_cast<int64_t>(layout_.getTypeStoreSize(element).getFixedValue());
  Value *parts = values_.vector(value);
  if (!mask_ && isPowerOf2_32(count) && values_.shapeOf(pointer).isStrided() &&
      values_.shapeOf(pointer).stride() == size * count) {
    SmallVector<Value *, 8> elements;
    for (unsigned i = 0; i < count; ++i)
      elements.push_back(b_.CreateExtractValue(parts, i));
    b_.CreateAlignedStore(interleaved(b_, elements), values_.scalar(pointer), store.getAlign());
    return;
  }
  if (IntegerType *word = wordOfElements(vectorType, {pointer, 0, store.getAlign()}))
    return storeWords(parts, vectorType, word, {pointer, 0, store.getAlign()});
  for (unsigned i = 0; i < count; ++i)
    storeLanes(b_.CreateExtractValue(parts, i),
               {pointer, size * i, commonAlignment(store.getAlign(), static_cast<uint64_t>(size) * i)});
}

} // namespace hiplz::cpu
