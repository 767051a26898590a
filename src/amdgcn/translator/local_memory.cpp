// SPDX-License-Identifier: MIT
// Local memory: the DS instructions. What lies beyond the end reads as 0 and is not written.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/memory_access.h"
#include "amdgcn/translator/operations.h"
#include "base/llvm_compat.h"

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

// The lanes whose access of so many bytes lies inside, and the addresses. They wrap at 32 bits: compilers write array[i - 1024] as a
// negative register and a positive constant.
Place placeOf(Wave &w, Value *offsets, uint32_t constant, unsigned bytes) {
  offsets = w.b.CreateAdd(offsets, w.vector(constant));
  Value *inside = w.b.CreateICmpULE(offsets, w.vector(w.around.localBytes - bytes));
  offsets = w.b.CreateZExt(offsets, w.vectorOf(w.i64));
  Value *base = w.splat(w.b.CreatePtrToInt(w.around.local, w.i64));
  return {w.b.CreateAdd(base, offsets), w.b.CreateAnd(w.lanes(), inside)};
}

unsigned bytesOf(const Transfer &transfer) { return transfer.bits == 32 ? 4 * transfer.count : transfer.bits / 8; }

// Two accesses of one instruction; their offsets count elements, or 64 of them.
bool emitTwo(Wave &w, I i, StringRef name, bool isRead) {
  const unsigned stride = name.consume_front("st64") ? 64 : 1;
  const auto transfer = transferOf(name.drop_front());
  if (!transfer)
    return false;
  const unsigned bytes = bytesOf(*transfer);
  const auto offset0 = static_cast<uint32_t>(i.number("offset0")) * bytes * stride;
  const auto offset1 = static_cast<uint32_t>(i.number("offset1")) * bytes * stride;
  Value *offsets = w.vectorRegister(i.operands[isRead ? 1 : 0].index);
  const Place first = placeOf(w, offsets, offset0, bytes), second = placeOf(w, offsets, offset1, bytes);
  if (isRead) {
    loadTransfer(w, *transfer, i.operands[0].index, first.addresses, first.mask);
    loadTransfer(w, *transfer, i.operands[0].index + transfer->count, second.addresses, second.mask);
  } else {
    storeTransfer(w, *transfer, i.operands[1].index, first.addresses, first.mask);
    storeTransfer(w, *transfer, i.operands[2].index, second.addresses, second.mask);
  }
  return true;
}

// Two exchanges of one instruction.
bool exchangeTwo(Wave &w, I i, StringRef name) {
  const unsigned stride = name.consume_front("st64") ? 64 : 1, bits = name == "_rtn_b64" ? 64 : 32, words = bits / 32;
  if ((bits == 32 && name != "_rtn_b32") || i.operands.size() < 4)
    return false;
  Value *before[2];
  for (const unsigned n : {0u, 1u}) {
    const auto offset = static_cast<uint32_t>(i.number(n ? "offset1" : "offset0")) * (bits / 8) * stride;
    const Place place = placeOf(w, w.vectorRegister(i.operands[1].index), offset, bits / 8);
    const unsigned data = i.operands[2 + n].index;
    Value *value = words == 1 ? w.vectorRegister(data) : w.wide(w.vectorRegister(data), w.vectorRegister(data + 1));
    before[n] = atomicLanes(w, {Atomic::Kind::swap, bits, true}, place.addresses, value, nullptr, place.mask);
  }
  for (const unsigned n : {0u, 1u}) {
    const unsigned first = i.operands[0].index + n * words;
    w.setVectorRegister(first, words == 1 ? before[n] : w.lowHalf(before[n]));
    if (words == 2)
      w.setVectorRegister(first + 1, w.highHalf(before[n]));
  }
  return true;
}

std::optional<Atomic> atomicOf(StringRef name, bool &returns) {
  using Kind = Atomic::Kind;
  static constexpr std::pair<const char *, Kind> kKinds[] = {
      {"add_u", Kind::add},      {"sub_u", Kind::sub},     {"rsub_u", Kind::reverseSub},
      {"inc_u", Kind::inc},      {"dec_u", Kind::dec},     {"min_i", Kind::smin},
      {"max_i", Kind::smax},     {"min_u", Kind::umin},    {"max_u", Kind::umax},
      {"and_b", Kind::bitAnd},   {"or_b", Kind::bitOr},    {"xor_b", Kind::bitXor},
      {"add_f", Kind::fadd},     {"wrxchg_b", Kind::swap}, {"cmpst_b", Kind::compareSwap},
      {"min_f", Kind::fmin},     {"max_f", Kind::fmax},    {"cmpst_f", Kind::fcompareSwap},
      {"mskor_b", Kind::maskOr}, {"wrap_b", Kind::wrap}};
  const unsigned bits = name.consume_back("64") ? 64 : 32;
  if (bits == 32 && !name.consume_back("32"))
    return std::nullopt;
  std::string plain = name.str();
  const size_t at = plain.find("_rtn");
  returns = at != plain.npos;
  if (returns)
    plain.erase(at, 4);
  for (const auto &[known, kind] : kKinds)
    if (plain == known)
      return Atomic{kind, bits, true};
  return std::nullopt;
}

void emitAtomic(Wave &w, I i, const Atomic &atomic, bool returns) {
  const unsigned at = returns ? 1 : 0;
  const Place place =
      placeOf(w, w.vectorRegister(i.operands[at].index), static_cast<uint32_t>(i.number("offset")), atomic.bits / 8);
  auto number = [&](unsigned operand) {
    const unsigned first = i.operands[operand].index;
    return atomic.bits == 32 ? w.vectorRegister(first) : w.wide(w.vectorRegister(first), w.vectorRegister(first + 1));
  };
  // A comparison has what is expected first and what is to be stored second.
  const bool two = atomic.hasTwoOperands();
  if (i.operands.size() < at + (two ? 3 : 2))
    w.refuse("it has fewer operands than expected");
  Value *value = number(at + (two ? 2 : 1)), *compare = two ? number(at + 1) : nullptr;
  Value *before = atomicLanes(w, atomic, place.addresses, value, compare, place.mask);
  if (returns)
    w.writeVector(0, before);
}

// Counts the active lanes up or down, and gives all of them what was there before.
void countLanes(Wave &w, I i, Atomic::Kind kind) {
  auto &b = w.b;
  Value *base = b.CreateAnd(w.scalarRegister(kM0), b.getInt32(0xffff));
  const Place place = placeOf(w, w.splat(base), static_cast<uint32_t>(i.number("offset")), 4);
  Value *count = b.CreateIntrinsic(Intrinsic::ctpop, {w.i32}, {w.exec()}), *first = w.firstLane();
  Value *isFirst = b.CreateICmpEQ(w.laneNumbers(), w.splat(first));
  Value *before =
      atomicLanes(w, {kind, 32, true}, place.addresses, w.splat(count), nullptr, b.CreateAnd(place.mask, isFirst));
  w.setVectorRegister(i.operands[0].index, w.splat(b.CreateExtractElement(before, first)));
}

// A word for each lane behind the address in M0.
void accessByLane(Wave &w, I i, bool isRead) {
  Value *base = w.b.CreateAnd(w.scalarRegister(kM0), w.b.getInt32(0xffff));
  Value *offsets = w.b.CreateAdd(w.splat(base), w.b.CreateShl(w.laneNumbers(), w.vector(2)));
  const Place place = placeOf(w, offsets, static_cast<uint32_t>(i.number("offset")), 4);
  if (isRead)
    loadTransfer(w, {}, i.operands[0].index, place.addresses, place.mask);
  else
    storeTransfer(w, {}, i.operands[0].index, place.addresses, place.mask);
}

} // namespace

bool emitLocalMemory(Wave &w, const Instruction &i) {
  StringRef name = i.name;
  if (!name.consume_front("ds_"))
    return false;
  if (name == "nop")
    return true;
  if (!i.operands.empty() && (name == "append" || name == "consume")) {
    countLanes(w, i, name == "append" ? Atomic::Kind::add : Atomic::Kind::sub);
    return true;
  }
  if (!i.operands.empty() && (name == "read_addtid_b32" || name == "write_addtid_b32")) {
    accessByLane(w, i, name[0] == 'r');
    return true;
  }
  if (i.operands.size() < 2)
    w.refuse("it has fewer operands than expected");
  const bool isRead = name.consume_front("read");
  if (isRead || name.consume_front("write")) {
    if (name.consume_front("2"))
      return emitTwo(w, i, name, isRead);
    const auto transfer = transferOf(name.drop_front());
    if (!transfer || name[0] != '_')
      return false;
    const Place place = placeOf(w, w.vectorRegister(i.operands[isRead ? 1 : 0].index),
                                static_cast<uint32_t>(i.number("offset")), bytesOf(*transfer));
    if (isRead)
      loadTransfer(w, *transfer, i.operands[0].index, place.addresses, place.mask);
    else
      storeTransfer(w, *transfer, i.operands[1].index, place.addresses, place.mask);
    return true;
  }
  if (name.consume_front("wrxchg2"))
    return exchangeTwo(w, i, name);
  bool returns = false;
  const auto atomic = atomicOf(name, returns);
  if (atomic)
    emitAtomic(w, i, *atomic, returns);
  return atomic.has_value();
}

} // namespace hiplz::amdgcn
