// SPDX-License-Identifier: MIT
// Flat, global and scratch instructions. Addresses of flat ones reach local and private memory through the apertures.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/memory_access.h"
#include "amdgcn/translator/operations.h"
#include "base/llvm_compat.h"

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;
enum class Space { flat, global, scratch };

Value *laneScratch(Wave &w) {
  SmallVector<Constant *, kLanes> offsets;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    offsets.push_back(w.b.getInt64(uint64_t{lane} * w.around.scratchBytes));
  return w.b.CreateAdd(w.splat(w.around.scratch), ConstantVector::get(offsets));
}

Value *scratchAddress(Wave &w, Value *offset) {
  return w.b.CreateAdd(laneScratch(w), w.b.CreateZExt(offset, w.vectorOf(w.i64)));
}

Value *addressOf(Wave &w, I i, Space space, unsigned vectorOperand, const Operand *scalar) {
  const bool hasScalar = scalar && scalar->kind == Operand::Kind::scalar && scalar->index != kNull;
  const int64_t offset = i.number("offset");
  if (space == Space::scratch) {
    Value *place = w.vector(static_cast<uint32_t>(offset));
    if (i.operands[vectorOperand].isVector())
      place = w.b.CreateAdd(place, w.vectorRegister(i.operands[vectorOperand].index));
    if (hasScalar)
      place = w.b.CreateAdd(place, w.splat(w.readScalar(*scalar, 32)));
    return scratchAddress(w, place);
  }
  const unsigned first = i.operands[vectorOperand].index;
  if (hasScalar) {
    Value *base = w.b.CreateAdd(w.readScalar(*scalar, 64), w.b.getInt64(static_cast<uint64_t>(offset)));
    return w.b.CreateAdd(w.splat(base), w.b.CreateZExt(w.vectorRegister(first), w.vectorOf(w.i64)));
  }
  Value *address = w.wide(w.vectorRegister(first), w.vectorRegister(first + 1));
  address = w.b.CreateAdd(address, w.vector64(static_cast<uint64_t>(offset)));
  if (space == Space::global)
    return address;
  Value *low = w.b.CreateAnd(address, w.vector64(0xffffffff)), *high = w.highHalf(address);
  Value *local = w.b.CreateAdd(low, w.splat(w.b.CreatePtrToInt(w.around.local, w.i64)));
  address = w.b.CreateSelect(w.b.CreateICmpEQ(high, w.vector(kSharedAperture)), local, address);
  return w.b.CreateSelect(w.b.CreateICmpEQ(high, w.vector(kPrivateAperture)), w.b.CreateAdd(low, laneScratch(w)),
                          address);
}

void emitAtomic(Wave &w, I i, Space space, const Atomic &atomic) {
  const bool returns = i.has("glc");
  const unsigned at = returns ? 1 : 0;
  const Operand *scalar = space == Space::global && i.operands.size() > at + 2 ? &i.operands[at + 2] : nullptr;
  Value *addresses = addressOf(w, i, space, at, scalar);
  const unsigned data = i.operands[at + 1].index, words = atomic.bits / 32;
  auto number = [&](unsigned first) {
    return words == 1 ? w.vectorRegister(first) : w.wide(w.vectorRegister(first), w.vectorRegister(first + 1));
  };
  Value *compare = atomic.hasTwoOperands() ? number(data + words) : nullptr;
  Value *before = atomicLanes(w, atomic, addresses, number(data), compare, w.lanes());
  if (returns)
    w.writeVector(0, before);
}

} // namespace

bool emitGlobalMemory(Wave &w, const Instruction &i) {
  StringRef name = i.name;
  Space space;
  if (name.consume_front("global_"))
    space = Space::global;
  else if (name.consume_front("flat_"))
    space = Space::flat;
  else if (name.consume_front("scratch_"))
    space = Space::scratch;
  else
    return false;
  if (i.operands.size() < 2)
    w.refuse("it has fewer operands than expected");
  if (name.consume_front("atomic_")) {
    const auto atomic = globalAtomicOf(name);
    if (atomic)
      emitAtomic(w, i, space, *atomic);
    return atomic.has_value();
  }
  const bool isLoad = name.consume_front("load_");
  if (!isLoad && !name.consume_front("store_"))
    return false;
  const auto transfer = transferOf(name);
  if (!transfer)
    return false;
  const Operand *scalar = space != Space::flat && i.operands.size() > 2 ? &i.operands[2] : nullptr;
  if (isLoad && (i.has("glc") || i.has("dlc"))) // somebody may wait for it to change
    w.b.CreateFence(AtomicOrdering::AcquireRelease, SyncScope::SingleThread);
  if (isLoad)
    loadTransfer(w, *transfer, i.operands[0].index, addressOf(w, i, space, 1, scalar), w.lanes());
  else
    storeTransfer(w, *transfer, i.operands[1].index, addressOf(w, i, space, 0, scalar), w.lanes());
  return true;
}

} // namespace hiplz::amdgcn
