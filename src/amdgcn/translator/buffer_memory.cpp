// SPDX-License-Identifier: MIT
// Buffer instructions. A buffer is described by four scalar registers: the address in 48 bits, the stride in 14 bits above it, the number of
// records or bytes, and flags, which say how records are interleaved and what is out of range. Reads out of range give 0, writes do nothing; words
// are checked one by one, atomic operations as a whole. A kernel's private memory is a buffer too, with flags that no other one has: compilers put
// its offset into the scalar offset multiplied by the lanes of a wave, because the hardware interleaves lanes; here a lane's memory is in one
// piece, of as many bytes as there are records (translate.cpp makes the descriptor). Typed accesses convert what a function of the library reads and
// writes, one lane after the other.
#include "amdgcn/translator/buffer_formats.h"
#include "amdgcn/translator/image_access.h"
#include "amdgcn/translator/memory_access.h"
#include "amdgcn/translator/operations.h"
#include "base/llvm_compat.h"

#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

/// How the range of a buffer is checked: OOB_SELECT in its descriptor.
enum RangeCheck { structuredWithOffset, structured, anyRecord, raw };

/// The buffer of an instruction, with the record and the offset of each lane.
class Buffer {
public:
  Buffer(Wave &wave, I i) : w(wave), b(wave.b) {
    const Operand &vector = i.operands[1], &descriptor = i.operands[2];
    const BufferBounds bounds = bufferBounds(w, descriptor);
    base_ = bounds.base, stride_ = bounds.stride, records_ = bounds.records;
    Value *word1 = w.scalarRegister(descriptor.index + 1u), *word3 = w.scalarRegister(descriptor.index + 3u);
    if (w.around.generation == 11) // where two bits tell the size of the elements
      w.faultIf(b.CreateICmpNE(field(word1, 30, 2), b.getInt32(0)), "interleaved");
    isSwizzled_ = b.CreateICmpSLT(word1, b.getInt32(0));
    indexShift_ = b.CreateZExt(b.CreateAdd(field(word3, 21, 2), b.getInt32(3)), w.i64);
    check_ = field(word3, 28, 2);
    isPrivate_ = b.CreateICmpEQ(word3, b.getInt32(kPrivateBuffer));
    const bool hasIndex = i.has("idxen"), hasOffset = i.has("offen");
    auto lanes = [&](unsigned index) { return b.CreateZExt(w.vectorRegister(index), w.vectorOf(w.i64)); };
    lane_ = b.CreateZExt(w.laneNumbers(), w.vectorOf(w.i64));
    index_ = hasIndex ? lanes(vector.index) : w.vector64(0);
    Value *addsLane = b.CreateICmpNE(field(word3, 23, 1), b.getInt32(0));
    index_ = b.CreateAdd(index_, b.CreateSelect(addsLane, lane_, w.vector64(0)));
    offset_ = hasOffset ? lanes(vector.index + (hasIndex ? 1u : 0u)) : w.vector64(0);
    offset_ = b.CreateAdd(offset_, w.vector64(static_cast<uint64_t>(i.number("offset"))));
    scalar_ = b.CreateZExt(w.readScalar(i.operands[3], 32), w.i64);
  }

  /// Where so many bytes are, `first` bytes behind the beginning of the access, and the lanes for which they are in range. The scalar offset
  /// counts neither for the range nor for the interleaving.
  Place at(unsigned first, unsigned bytes) { return at(first, b.getInt64(bytes)); }
  Place at(unsigned first, Value *bytes) {
    Value *offset = b.CreateAdd(offset_, w.vector64(first));
    Value *where = b.CreateSelect(isSwizzled_, interleaved(offset), linear(offset));
    Value *addresses = b.CreateAdd(where, w.splat(b.CreateAdd(base_, scalar_)));
    addresses = b.CreateSelect(isPrivate_, privateAddress(offset), addresses);
    Value *inside = b.CreateOr(isInside(offset, where, bytes), w.splat(isPrivate_));
    return {addresses, b.CreateAnd(w.lanes(), inside)};
  }

  /// An element of so many bytes (i32) that stays together.
  Place whole(Value *bytes) {
    Value *isCut = b.CreateAnd(isSwizzled_, b.CreateICmpUGT(bytes, b.getInt32(kElementBytes)));
    if (auto *known = dyn_cast<Constant>(isCut); !known || !known->isNullValue())
      w.faultIf(isCut, "interleaved");
    return at(0, b.CreateZExt(bytes, w.i64));
  }

  /// <32 x i32>: the number of each lane's record.
  Value *records() { return b.CreateTrunc(index_, w.vectorOf(w.i32)); }

private:
  static constexpr uint64_t kElementBytes = 4; // that stay together in interleaved buffers

  Value *field(Value *word, unsigned offset, unsigned size) {
    return b.CreateAnd(b.CreateLShr(word, offset), b.getInt32((1u << size) - 1));
  }

  Value *linear(Value *offset) { return b.CreateAdd(offset, b.CreateMul(index_, w.splat(stride_))); }

  // The elements of so many records as the index stride says lie beside each other.
  Value *interleaved(Value *offset) {
    Value *shift = w.splat(indexShift_);
    Value *record = b.CreateSub(b.CreateShl(w.vector64(1), shift), w.vector64(1));
    record = b.CreateMul(b.CreateAnd(index_, record), w.vector64(kElementBytes));
    Value *byte = b.CreateAnd(offset, w.vector64(kElementBytes - 1));
    Value *row = b.CreateAdd(b.CreateMul(b.CreateLShr(index_, shift), w.splat(stride_)), b.CreateSub(offset, byte));
    return b.CreateAdd(b.CreateShl(row, shift), b.CreateAdd(record, byte));
  }

  // Offsets in private memory wrap at 32 bits, as in local memory.
  Value *privateAddress(Value *offset) {
    offset = b.CreateAdd(offset, w.splat(b.CreateLShr(scalar_, 5)));
    offset = b.CreateAnd(offset, w.vector64(0xffffffff));
    return b.CreateAdd(w.splat(base_), b.CreateAdd(offset, b.CreateMul(lane_, w.splat(records_))));
  }

  Value *isInside(Value *offset, Value *where, Value *bytes) {
    auto fits = [&](Value *begin, Value *limit) {
      return b.CreateICmpULE(b.CreateAdd(begin, w.splat(bytes)), w.splat(limit));
    };
    auto checks = [&](RangeCheck check) { return b.CreateICmpEQ(check_, b.getInt32(check)); };
    Value *isRecord = b.CreateICmpULT(index_, w.splat(records_));
    Value *result = fits(where, records_);
    result = b.CreateSelect(checks(anyRecord), w.splat(b.CreateICmpNE(records_, b.getInt64(0))), result);
    result = b.CreateSelect(checks(structured), isRecord, result);
    return b.CreateSelect(checks(structuredWithOffset), b.CreateAnd(isRecord, fits(offset, stride_)), result);
  }

  Wave &w;
  IRBuilder<> &b;
  Value *base_, *stride_, *records_, *scalar_;            // i64
  Value *check_, *indexShift_, *isSwizzled_, *isPrivate_; // of the descriptor
  Value *index_, *offset_, *lane_;                        // <32 x i64>
};

/// The format that a descriptor names.
Value *formatOfDescriptor(Wave &w, Value *word3) {
  Module &module = *w.b.GetInsertBlock()->getModule();
  GlobalVariable *table = module.getNamedGlobal("amdgcn.formats");
  if (!table) {
    SmallVector<uint32_t, kFormatNumbers> formats;
    for (unsigned number = 0; number < kFormatNumbers; ++number)
      formats.push_back(formatOf(w.around.generation, number));
    Constant *all = ConstantDataArray::get(module.getContext(), formats);
    table = new GlobalVariable(module, all->getType(), true, GlobalValue::PrivateLinkage, all, "amdgcn.formats");
  }
  constexpr unsigned kFirstBit = 12, kBits10 = 7, kBits11 = 6;
  const unsigned bits = w.around.generation == 11 ? kBits11 : kBits10;
  Value *number = w.b.CreateAnd(w.b.CreateLShr(word3, kFirstBit), w.b.getInt32((1u << bits) - 1));
  return w.b.CreateLoad(w.i32, w.b.CreateInBoundsGEP(w.i32, table, number));
}

/// An access that converts components. The name behind "format_" says which ones, of 32 or 16 bits.
struct TypedTransfer {
  unsigned count = 0;
  bool halves = false, isHigh = false;
};

TypedTransfer typedTransferOf(StringRef name) {
  TypedTransfer transfer;
  transfer.isHigh = name.consume_front("d16_hi_");
  transfer.halves = transfer.isHigh || name.consume_front("d16_");
  transfer.count = name == "x" ? 1 : name == "xy" ? 2 : name == "xyz" ? 3 : name == "xyzw" ? 4 : 0;
  return transfer;
}

SmallVector<Value *, 4> componentsToStore(Wave &w, const TypedTransfer &transfer, unsigned first) {
  SmallVector<Value *, 4> components;
  for (unsigned n = 0; n < transfer.count; ++n) {
    Value *word = w.vectorRegister(first + (transfer.halves ? n / 2 : n));
    if (transfer.halves)
      word = n % 2 || transfer.isHigh ? w.b.CreateLShr(word, w.vector(16)) : w.b.CreateAnd(word, w.vector(0xffff));
    components.push_back(word);
  }
  return components;
}

/// Half a register that no component belongs to stays.
void writeComponents(Wave &w, const TypedTransfer &transfer, unsigned first, ArrayRef<Value *> components) {
  auto low = [&](Value *word) { return w.b.CreateAnd(word, w.vector(0xffff)); };
  auto high = [&](Value *word) { return w.b.CreateAnd(word, w.vector(0xffff0000)); };
  auto shifted = [&](Value *word) { return w.b.CreateShl(word, w.vector(16)); };
  for (unsigned n = 0; n < transfer.count; n += transfer.halves ? 2 : 1) {
    const unsigned index = first + (transfer.halves ? n / 2 : n);
    Value *word = components[n];
    if (transfer.isHigh)
      word = w.b.CreateOr(shifted(word), low(w.vectorRegister(index)));
    else if (transfer.halves)
      word =
          w.b.CreateOr(low(word), n + 1 < transfer.count ? shifted(components[n + 1]) : high(w.vectorRegister(index)));
    w.setVectorRegister(index, word);
  }
}

/// The format is the instruction's (`tbuffer_`) or the descriptor's, which may be that of a texture in linear memory: its beginning, which no
/// buffer's looks like.
void emitTyped(Wave &w, I i, const TypedTransfer &transfer, bool isLoad, bool isOfInstruction) {
  auto &b = w.b;
  const unsigned descriptor = i.operands[2].index;
  Value *word3 = w.scalarRegister(descriptor + 3u);
  Value *format, *selection, *texture = b.getInt64(0), *isTexture = b.getFalse();
  if (isOfInstruction) {
    const uint32_t known = formatOf(w.around.generation, i.words[0] >> 19 & (kFormatNumbers - 1));
    if (known == kUnknownFormat)
      w.refuse("it has an unknown format");
    uint32_t all = 0;
    for (unsigned n = 0; n < 4; ++n)
      all |= bitsOfComponent(known, n) ? (kSelectsComponent + n) << 3 * n : 0;
    format = b.getInt32(known), selection = b.getInt32(all);
  } else {
    isTexture = b.CreateICmpEQ(word3, b.getInt32(kImageMark));
    texture = w.wide(w.scalarRegister(descriptor), w.scalarRegister(descriptor + 1u));
    texture = b.CreateSelect(isTexture, texture, b.getInt64(0));
    format = formatOfDescriptor(w, word3), selection = b.CreateAnd(word3, b.getInt32(0xfff));
    auto *offset = dyn_cast<ConstantInt>(w.readScalar(i.operands[3], 32));
    if (!i.has("idxen") || i.has("offen") || i.number("offset") != 0 || !offset || !offset->isZero())
      w.faultIf(isTexture, "texture");
  }
  Buffer buffer(w, i);
  const Place place = buffer.whole(b.CreateAnd(format, b.getInt32(31)));
  SmallVector<Value *, kElementWords> address(kElementWords);
  address[kElementAddressLow] = b.CreateTrunc(place.addresses, w.vectorOf(w.i32));
  address[kElementAddressHigh] = b.CreateTrunc(b.CreateLShr(place.addresses, w.vector64(32)), w.vectorOf(w.i32));
  address[kElementFormat] = w.splat(format);
  address[kElementSelection] = w.splat(selection);
  address[kElementCount] = w.vector(transfer.count);
  address[kElementHalves] = w.vector(transfer.halves);
  address[kElementIndex] = buffer.records();
  const unsigned first = i.operands[0].index;
  const auto stored = isLoad ? SmallVector<Value *, 4>() : componentsToStore(w, transfer, first);
  Value *mask = b.CreateSelect(isTexture, w.lanes(), place.mask);
  const auto loaded = accessTyped(w, !isLoad, texture, address, stored, mask);
  if (isLoad)
    writeComponents(w, transfer, first, loaded);
}

void emitAtomic(Wave &w, I i, const Atomic &atomic) {
  const Place place = Buffer(w, i).at(0, atomic.bits / 8);
  const unsigned data = i.operands[0].index, words = atomic.bits / 32;
  auto number = [&](unsigned first) {
    return words == 1 ? w.vectorRegister(first) : w.wide(w.vectorRegister(first), w.vectorRegister(first + 1));
  };
  Value *compare = atomic.hasTwoOperands() ? number(data + words) : nullptr;
  Value *before = atomicLanes(w, atomic, place.addresses, number(data), compare, place.mask);
  if (!i.has("glc"))
    return;
  w.setVectorRegister(data, words == 1 ? before : w.lowHalf(before));
  if (words == 2)
    w.setVectorRegister(data + 1, w.highHalf(before));
}

} // namespace

bool emitBufferMemory(Wave &w, const Instruction &i) {
  StringRef name = i.name;
  const bool isTyped = name.consume_front("tbuffer_");
  if (!isTyped && !name.consume_front("buffer_"))
    return false;
  if (name.consume_front("atomic_")) {
    const auto atomic = globalAtomicOf(name);
    if (atomic && i.operands.size() >= 4)
      emitAtomic(w, i, *atomic);
    return atomic && i.operands.size() >= 4;
  }
  const bool isLoad = name.consume_front("load_");
  if (!isLoad && !name.consume_front("store_"))
    return false;
  if (name.consume_front("format_")) {
    const TypedTransfer transfer = typedTransferOf(name);
    if (transfer.count > 0 && i.operands.size() >= 4)
      emitTyped(w, i, transfer, isLoad, isTyped);
    return transfer.count > 0 && i.operands.size() >= 4;
  }
  const auto transfer = transferOf(name);
  if (!transfer || i.operands.size() < 4)
    return false;
  Buffer buffer(w, i);
  SmallVector<Place, 4> places;
  for (unsigned n = 0; n < transfer->count; ++n)
    places.push_back(buffer.at(4 * n, transfer->bits / 8));
  if (isLoad)
    loadTransfer(w, *transfer, i.operands[0].index, places);
  else
    storeTransfer(w, *transfer, i.operands[0].index, places);
  return true;
}

} // namespace hiplz::amdgcn
