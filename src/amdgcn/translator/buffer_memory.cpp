// SPDX-License-Identifier: MIT
// Buffer instructions. A buffer is described by four scalar registers: the address in 48 bits, the stride in 14 bits above it, the number of
// records, and flags. A kernel's private memory is a buffer too, whose flag ADD_TID is set: compilers put its offset into the scalar
// offset multiplied by the lanes of a wave, because the hardware interleaves lanes; here a lane's memory is in one piece, of as many bytes as
// there are records (translate.cpp makes the descriptor).
#include "amdgcn/translator/memory_access.h"
#include "amdgcn/translator/operations.h"
#include "base/llvm_compat.h"

#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

struct Place {
  Value *addresses, *mask;
};

Place placeOf(Wave &w, I i, unsigned bytes) {
  auto &b = w.b;
  const Operand &vector = i.operands[1], &descriptor = i.operands[2];
  if (descriptor.kind != Operand::Kind::scalar || descriptor.count != 4)
    w.refuse("a buffer is expected");
  const bool hasIndex = i.has("idxen"), hasOffset = i.has("offen");
  Type *wide = w.vectorOf(w.i64);
  auto lanes = [&](unsigned index) { return b.CreateZExt(w.vectorRegister(index), wide); };
  Value *word1 = w.scalarRegister(descriptor.index + 1u), *records = w.scalarRegister(descriptor.index + 2u);
  Value *flags = w.scalarRegister(descriptor.index + 3u);
  Value *isPrivate = b.CreateICmpNE(b.CreateAnd(flags, 1u << 23), b.getInt32(0));
  // Interleaved buffers are not implemented: a fault of the kernel.
  Value *swizzled = b.CreateAnd(b.CreateICmpSLT(word1, b.getInt32(0)), b.CreateNot(isPrivate));
  Function *function = b.GetInsertBlock()->getParent();
  auto *fault = BasicBlock::Create(b.getContext(), "interleaved", function),
       *go = BasicBlock::Create(b.getContext(), "buffer", function);
  b.CreateCondBr(swizzled, fault, go);
  b.SetInsertPoint(fault);
  b.CreateIntrinsic(Intrinsic::trap, {}, {});
  b.CreateUnreachable();
  b.SetInsertPoint(go);
  Value *base = b.CreateAnd(w.wide(w.scalarRegister(descriptor.index), word1), b.getInt64((uint64_t{1} << 48) - 1));
  Value *stride = b.CreateZExt(b.CreateAnd(b.CreateLShr(word1, 16), 0x3fff), w.i64);
  stride = b.CreateSelect(isPrivate, b.getInt64(0), stride);
  Value *scalar = b.CreateZExt(w.readScalar(i.operands[3], 32), w.i64);
  Value *index = hasIndex ? lanes(vector.index) : w.vector64(0);
  Value *offset = hasOffset ? lanes(vector.index + (hasIndex ? 1u : 0u)) : w.vector64(0);
  offset = b.CreateAdd(offset, w.vector64(static_cast<uint64_t>(i.number("offset"))));
  Value *count = b.CreateZExt(records, w.i64);
  Value *inRaw = b.CreateICmpULE(b.CreateAdd(offset, w.splat(b.CreateAdd(scalar, b.getInt64(bytes)))), w.splat(count));
  Value *inRecords = b.CreateICmpULT(index, w.splat(count));
  Value *isRaw = b.CreateICmpEQ(stride, b.getInt64(0));
  Value *inside = b.CreateSelect(w.splat(isRaw), inRaw, inRecords);
  inside = b.CreateOr(inside, w.splat(isPrivate));
  Value *lane =
      b.CreateMul(b.CreateZExt(w.laneNumbers(), wide), w.splat(b.CreateSelect(isPrivate, count, b.getInt64(0))));
  scalar = b.CreateSelect(isPrivate, b.CreateLShr(scalar, 5), scalar);
  // Offsets in private memory wrap at 32 bits, as in local memory.
  offset = b.CreateAdd(offset, w.splat(scalar));
  offset = b.CreateSelect(w.splat(isPrivate), b.CreateAnd(offset, w.vector64(0xffffffff)), offset);
  Value *addresses = b.CreateAdd(b.CreateAdd(w.splat(base), lane), offset);
  addresses = b.CreateAdd(addresses, b.CreateMul(index, w.splat(stride)));
  return {addresses, b.CreateAnd(w.lanes(), inside)};
}

// Texels of linear memory: the descriptor is the beginning of a texture's, which no buffer's looks like. Formats of other buffers are
// not implemented: a fault of the kernel.
bool fetchFormat(Wave &w, I i, StringRef name) {
  const unsigned count = name == "x" ? 1 : name == "xy" ? 2 : name == "xyz" ? 3 : name == "xyzw" ? 4 : 0;
  if (count == 0)
    return false;
  auto *offset = dyn_cast<ConstantInt>(w.readScalar(i.operands[3], 32));
  if (!i.has("idxen") || i.has("offen") || i.number("offset") != 0 || !offset || !offset->isZero())
    w.refuse("a format with an offset is not implemented");
  const unsigned descriptor = i.operands[2].index;
  Value *texture = w.wide(w.scalarRegister(descriptor), w.scalarRegister(descriptor + 1u));
  fetchImage(w, texture, w.vectorRegister(i.operands[1].index), count, i.operands[0].index);
  return true;
}

void emitAtomic(Wave &w, I i, const Atomic &atomic) {
  const Place place = placeOf(w, i, atomic.bits / 8);
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
  if (!name.consume_front("buffer_"))
    return false;
  if (name.consume_front("atomic_")) {
    const auto atomic = globalAtomicOf(name);
    if (atomic && i.operands.size() >= 4)
      emitAtomic(w, i, *atomic);
    return atomic && i.operands.size() >= 4;
  }
  const bool isLoad = name.consume_front("load_");
  if (isLoad && i.operands.size() >= 4 && i.operands[2].count == 4 && name.consume_front("format_"))
    return fetchFormat(w, i, name);
  if (!isLoad && !name.consume_front("store_"))
    return false;
  const auto transfer = transferOf(name);
  if (!transfer || i.operands.size() < 4)
    return false;
  const unsigned bytes = transfer->bits == 32 ? 4 * transfer->count : transfer->bits / 8;
  const Place place = placeOf(w, i, bytes);
  if (isLoad)
    loadTransfer(w, *transfer, i.operands[0].index, place.addresses, place.mask);
  else
    storeTransfer(w, *transfer, i.operands[0].index, place.addresses, place.mask);
  return true;
}

} // namespace hiplz::amdgcn
