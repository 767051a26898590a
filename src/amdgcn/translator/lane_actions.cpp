// SPDX-License-Identifier: MIT
// Operations between the lanes of a wave.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/lane_functions.h"
#include "amdgcn/translator/operations.h"

#include <bit>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

unsigned vectorIndex(Wave &w, I i, unsigned operand) {
  if (!i.operands[operand].isVector())
    w.refuse("a vector operand is expected");
  return i.operands[operand].index;
}

void readFirst(Wave &w, I i) {
  w.writeScalar(i.operands[0], w.b.CreateExtractElement(w.vectorRegister(vectorIndex(w, i, 1)), w.firstLane()));
}

void readLane(Wave &w, I i) {
  Value *lane = w.b.CreateAnd(w.readScalar(i.operands[2], 32), w.b.getInt32(31));
  w.writeScalar(i.operands[0], w.b.CreateExtractElement(w.vectorRegister(vectorIndex(w, i, 1)), lane));
}

// Whatever EXEC is.
void writeLane(Wave &w, I i) {
  Value *lane = w.b.CreateAnd(w.readScalar(i.operands[2], 32), w.b.getInt32(31));
  Value *value = w.readScalar(i.operands[1], 32);
  const unsigned index = vectorIndex(w, i, 0);
  Value *before = w.vectorRegister(index);
  if (isa<ConstantInt>(lane)) // simplifyMasks finds again what compilers keep there for want of scalar registers
    return w.overwriteVectorRegister(index, w.b.CreateInsertElement(before, value, lane));
  Value *which = w.b.CreateICmpEQ(w.laneNumbers(), w.splat(lane));
  w.overwriteVectorRegister(index, w.b.CreateSelect(which, w.splat(value), before));
}

// The bits of a mask below each lane are counted; the low half of it are all lanes of a wave of 32.
void countBelow(Wave &w, I, bool isLow) {
  Value *mask = w.readVector(1, 32), *start = w.readVector(2, 32);
  if (isLow) {
    Value *below = w.b.CreateSub(w.b.CreateShl(w.vector(1), w.laneNumbers()), w.vector(1));
    start = w.b.CreateAdd(start, intrinsicCall(w, Intrinsic::ctpop, {w.b.CreateAnd(mask, below)}));
  }
  w.writeVector(0, start);
}

Value *activeValues(Wave &w, unsigned index) {
  return w.b.CreateSelect(w.toMask(w.exec()), w.vectorRegister(index), w.vector(0));
}

void backwardPermute(Wave &w, I i) {
  Value *address =
      w.b.CreateAdd(w.vectorRegister(vectorIndex(w, i, 1)), w.vector(static_cast<uint32_t>(i.number("offset"))));
  Value *lanes = w.b.CreateAnd(w.b.CreateLShr(address, w.vector(2)), w.vector(31));
  w.writeVector(0, pullLanes(w, activeValues(w, vectorIndex(w, i, 2)), lanes));
}

// The highest lane that sends to a lane wins; lanes that nobody sends to get 0.
void forwardPermute(Wave &w, I i) {
  Value *address =
      w.b.CreateAdd(w.vectorRegister(vectorIndex(w, i, 1)), w.vector(static_cast<uint32_t>(i.number("offset"))));
  Value *targets = w.b.CreateAnd(w.b.CreateLShr(address, w.vector(2)), w.vector(31));
  Value *values = w.vectorRegister(vectorIndex(w, i, 2)), *result = w.vector(0), *active = w.toMask(w.exec());
  for (uint64_t lane = 0; lane < kLanes; ++lane) {
    Value *to = w.b.CreateICmpEQ(w.laneNumbers(), w.splat(w.b.CreateExtractElement(targets, lane)));
    to = w.b.CreateAnd(to, w.b.CreateVectorSplat(kLanes, w.b.CreateExtractElement(active, lane)));
    result = w.b.CreateSelect(to, w.splat(w.b.CreateExtractElement(values, lane)), result);
  }
  w.writeVector(0, result);
}

unsigned reversed5(unsigned value) {
  unsigned result = 0;
  for (unsigned bit = 0; bit < 5; ++bit)
    result |= (value >> bit & 1) << (4 - bit);
  return result;
}

/// The lane that a pattern of ds_swizzle chooses: a step of a Fourier transform, a rotation, a permutation of quads, or masks for
/// the number of the lane.
unsigned swizzled(uint32_t pattern, unsigned lane) {
  const unsigned mask = pattern & 31;
  if ((pattern & 0xe000) == 0xe000)
    return ((reversed5(lane) >> std::popcount(mask)) | (lane & mask)) & 31;
  if ((pattern & 0xe000) == 0xc000) {
    const unsigned by = pattern >> 5 & 31, to = pattern & 0x400 ? lane - by : lane + by;
    return ((lane & mask) | (to & ~mask)) & 31;
  }
  if (pattern & 0x8000)
    return (lane & ~3u) + (pattern >> (2 * (lane & 3)) & 3);
  return ((lane & mask) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
}

void swizzle(Wave &w, I i) {
  SmallVector<int, kLanes> from;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    from.push_back(static_cast<int>(swizzled(i.words[0] & 0xffff, lane)));
  w.writeVector(0, w.b.CreateShuffleVector(activeValues(w, vectorIndex(w, i, 1)), from));
}

// Within rows of 16 lanes, or from the other row of the pair. Eight fields of four bits in two scalars say which.
void permuteRows(Wave &w, I i, bool otherRow) {
  Value *low = w.readScalar(i.operands[2], 32), *high = w.readScalar(i.operands[3], 32);
  const bool readsInactive = i.element("op_sel", 0) != 0, zeroes = i.element("op_sel", 1) != 0;
  Value *places = UndefValue::get(w.vectorOf(w.i32));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    Value *field = w.b.CreateAnd(w.b.CreateLShr(lane % 16 < 8 ? low : high, 4 * (lane % 8)), w.b.getInt32(15));
    const unsigned row = (lane & 16) ^ (otherRow ? 16 : 0);
    places = w.b.CreateInsertElement(places, w.b.CreateOr(field, w.b.getInt32(row)), uint64_t{lane});
  }
  Value *values = w.vectorRegister(vectorIndex(w, i, 1)), *result = pullLanes(w, values, places);
  if (!readsInactive) { // an inactive source: the old value, or 0
    Value *active = w.b.CreateSExt(w.toMask(w.exec()), w.vectorOf(w.i32));
    Value *isThere = w.b.CreateICmpNE(pullLanes(w, active, places), w.vector(0));
    result = w.b.CreateSelect(isThere, result, zeroes ? w.vector(0) : w.vectorRegister(vectorIndex(w, i, 0)));
  }
  w.writeVector(0, result);
}

constexpr ActionRow kLaneActions[] = {
    {"v_readfirstlane_b32", readFirst},
    {"v_readlane_b32", readLane},
    {"v_writelane_b32", writeLane},
    {"v_mbcnt_lo_u32_b32", [](Wave &w, I i) { countBelow(w, i, true); }},
    {"v_mbcnt_hi_u32_b32", [](Wave &w, I i) { countBelow(w, i, false); }},
    {"ds_bpermute_b32", backwardPermute},
    {"ds_permute_b32", forwardPermute},
    {"ds_swizzle_b32", swizzle},
    {"v_permlane16_b32", [](Wave &w, I i) { permuteRows(w, i, false); }},
    {"v_permlanex16_b32", [](Wave &w, I i) { permuteRows(w, i, true); }},
};

} // namespace

ArrayRef<ActionRow> laneActions() { return kLaneActions; }

} // namespace hiplz::amdgcn
