// SPDX-License-Identifier: MIT
// Operations on the bytes of several registers: sums of differences between four bytes and each of the four positions in eight bytes.
#include "amdgcn/translator/operations.h"

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

Value *byteOf(Wave &w, Value *value, unsigned number) {
  return w.b.CreateAnd(w.b.CreateLShr(value, w.constant(value, 8 * number)), w.constant(value, 0xff));
}

// The differences between four bytes behind position `first` and the bytes of `reference`. Masked ones, whose reference is 0, do not count.
Value *differences(Wave &w, Value *bytes, unsigned first, Value *reference, bool isMasked) {
  Value *sum = w.vector(0);
  for (unsigned n = 0; n < 4; ++n) {
    Value *a = w.lowHalf(byteOf(w, bytes, first + n)), *b = byteOf(w, reference, n);
    Value *isMore = w.b.CreateICmpUGT(a, b);
    Value *difference = w.b.CreateSelect(isMore, w.b.CreateSub(a, b), w.b.CreateSub(b, a));
    if (isMasked)
      difference = w.b.CreateSelect(w.b.CreateICmpEQ(b, w.vector(0)), w.vector(0), difference);
    sum = w.b.CreateAdd(sum, difference);
  }
  return sum;
}

// Added to the four 16-bit parts of the third operand.
void addToHalves(Wave &w, bool isMasked) {
  w.refuseModifier("clamp");
  Value *bytes = w.readVector(1, 64), *reference = w.readVector(2, 32), *sums = w.readVector(3, 64);
  Value *result = w.vector64(0);
  for (unsigned n = 0; n < 4; ++n) {
    Value *part = w.b.CreateTrunc(w.b.CreateLShr(sums, w.vector64(16 * n)), w.vectorOf(w.i16));
    Value *sum = differences(w, bytes, n, reference, isMasked);
    part = w.b.CreateAdd(part, w.b.CreateTrunc(sum, part->getType()));
    result = w.b.CreateOr(result, w.b.CreateShl(w.b.CreateZExt(part, w.vectorOf(w.i64)), w.vector64(16 * n)));
  }
  w.writeVector(0, result);
}

// Added to the four registers of the third operand.
void addToWords(Wave &w, I i) {
  w.refuseModifier("clamp");
  if (!i.operands[0].isVector() || !i.operands[3].isVector() || i.operands[0].count != 4 || i.operands[3].count != 4)
    w.refuse("four registers are expected");
  Value *bytes = w.readVector(1, 64), *reference = w.readVector(2, 32), *results[4];
  for (unsigned n = 0; n < 4; ++n)
    results[n] = w.b.CreateAdd(w.vectorRegister(i.operands[3].index + n), differences(w, bytes, n, reference, true));
  for (unsigned n = 0; n < 4; ++n)
    w.setVectorRegister(i.operands[0].index + n, results[n]);
}

constexpr ActionRow kByteActions[] = {
    {"v_qsad_pk_u16_u8", [](Wave &w, I) { addToHalves(w, false); }},
    {"v_mqsad_pk_u16_u8", [](Wave &w, I) { addToHalves(w, true); }},
    {"v_mqsad_u32_u8", addToWords},
};

} // namespace

ArrayRef<ActionRow> byteActions() { return kByteActions; }

} // namespace hiplz::amdgcn
