// SPDX-License-Identifier: MIT
// Multiplications and additions of numbers of 16 and 32 bits: v_fma_mix, which takes either as its operands and computes in 32 bits,
// and products of two halves.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/operations.h"
#include "amdgcn/translator/rounding.h"

#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;
enum class Into { whole, low, high };

Value *fma32(Wave &w, ArrayRef<Value *> in) {
  return rounded(w, "fma", 32, in, [&](Value *const *of) {
    return intrinsicCall(w, Intrinsic::fma, {of[0], of[1], of[2]});
  });
}

void multiplyAdd(Wave &w, I i, Into into) {
  if (i.operands.size() < 4)
    w.refuse("it has fewer operands than expected");
  Value *in[3];
  for (unsigned n = 0; n < 3; ++n)
    in[n] = floatOf(w, w.readMixed(n + 1));
  Value *sum = fma32(w, in);
  if (into == Into::whole)
    return w.writeVector(0, floatResult(w, sum, 32));
  Value *half = w.b.CreateZExt(bitsOf(w, floatResult(w, sum, 16)), w.vectorOf(w.i32));
  Value *before = w.vectorRegister(i.operands[0].index);
  w.writeVector(0, into == Into::low
                       ? w.b.CreateOr(half, w.b.CreateAnd(before, w.vector(0xffff0000)))
                       : w.b.CreateOr(w.b.CreateShl(half, w.vector(16)), w.b.CreateAnd(before, w.vector(0xffff))));
}

// The manual does not say where the sum is rounded: here once after each product.
void dot(Wave &w, I i, unsigned sumOperand) {
  if (i.operands.size() <= sumOperand)
    w.refuse("it has fewer operands than expected");
  Value *sum = floatOf(w, w.readVector(sumOperand, 32, true));
  for (const unsigned half : {0u, 1u})
    sum = fma32(w, {floatOf(w, w.readHalf(1, half, true)), floatOf(w, w.readHalf(2, half, true)), sum});
  w.writeVector(0, floatResult(w, sum, 32));
}

constexpr ActionRow kMixedActions[] = {
    {"v_fma_mix_f32", [](Wave &w, I i) { multiplyAdd(w, i, Into::whole); }},
    {"v_fma_mixlo_f16", [](Wave &w, I i) { multiplyAdd(w, i, Into::low); }},
    {"v_fma_mixhi_f16", [](Wave &w, I i) { multiplyAdd(w, i, Into::high); }},
    {"v_dot2_f32_f16", [](Wave &w, I i) { dot(w, i, 3); }},
    {"v_dot2c_f32_f16", [](Wave &w, I i) { dot(w, i, 0); }},
};

} // namespace

ArrayRef<ActionRow> mixedActions() { return kMixedActions; }

} // namespace hiplz::amdgcn
