// SPDX-License-Identifier: MIT
// Operations that gfx11 has and gfx10 does not. The others have rows beside gfx10's, under its names (generation11.cpp).
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/operations.h"

#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using In = Value *const *;
using I = const Instruction &;

Value *choose(Wave &w, Intrinsic::ID id, Value *a, Value *b) { return w.b.CreateBinaryIntrinsic(id, a, b); }

Value *packed(Wave &w, Value *low, Value *high) {
  auto extend = [&](Value *value) { return w.b.CreateZExt(value, w.vectorOf(w.i32)); };
  return w.b.CreateOr(extend(low), w.b.CreateShl(extend(high), w.vector(16)));
}

// Two signed numbers of 16 bits as bytes.
Value *saturatedBytes(Wave &w, Value *value) {
  auto byte = [&](Value *number) {
    return choose(w, Intrinsic::umin, choose(w, Intrinsic::smax, number, w.constant(number, 0)),
                  w.constant(number, 255));
  };
  Value *low = byte(w.b.CreateTrunc(value, w.vectorOf(w.i16)));
  Value *high = byte(w.b.CreateTrunc(w.b.CreateLShr(value, w.vector(16)), w.vectorOf(w.i16)));
  return w.b.CreateOr(low, w.b.CreateShl(high, w.constant(high, 8)));
}

// Products of elements, each operand's signed or not as its "neg" says, and the third operand.
void dot(Wave &w, I i, unsigned bits) {
  if (i.operands.size() < 4)
    w.refuse("it has fewer operands than expected");
  for (const char *modifier : {"neg_hi", "op_sel", "op_sel_hi"})
    w.refuseModifier(modifier);
  if (i.element("neg_lo", 2) != 0)
    w.refuse("its modifier neg is not implemented for the sum");
  Type *wide = w.vectorOf(w.i64);
  auto element = [&](unsigned operand, Value *value, unsigned n) {
    value = w.b.CreateShl(value, w.vector(32 - bits * (n + 1)));
    Value *down = w.vector(32 - bits);
    const bool isSigned = i.element("neg_lo", operand - 1) != 0;
    return w.b.CreateSExt(isSigned ? w.b.CreateAShr(value, down) : w.b.CreateLShr(value, down), wide);
  };
  Value *a = w.readVector(1, 32), *b = w.readVector(2, 32), *sum = w.b.CreateSExt(w.readVector(3, 32), wide);
  for (unsigned n = 0; n < 32 / bits; ++n)
    sum = w.b.CreateAdd(sum, w.b.CreateMul(element(1, a, n), element(2, b, n)));
  if (i.has("clamp")) {
    sum = choose(w, Intrinsic::smax, sum, w.vector64(static_cast<uint64_t>(INT32_MIN)));
    sum = choose(w, Intrinsic::smin, sum, w.vector64(INT32_MAX));
  }
  w.writeVector(0, w.lowHalf(sum));
}

void swapHalves(Wave &w, I i) {
  Instruction other = i; // whose result is the second operand
  std::swap(other.operands[0], other.operands[1]);
  Value *a = w.readVector(0, 16), *b = w.readVector(1, 16);
  w.writeVector(0, b);
  w.begin(other);
  w.writeVector(0, a);
  w.begin(i);
}

// clang-format off
#define HIPLZ_EXTREMA(type, signature, least, most)                                                                    \
  {"v_minmax_" type, signature, [](Wave &w, In in) { return most(w, least(w, in[0], in[1]), in[2]); }},                \
  {"v_maxmin_" type, signature, [](Wave &w, In in) { return least(w, most(w, in[0], in[1]), in[2]); }}

template <Intrinsic::ID id> Value *extremum(Wave &w, Value *a, Value *b) { return choose(w, id, a, b); }

constexpr ValueRow kGeneration11Rows[] = {
    HIPLZ_EXTREMA("f32", "f32=f32,f32,f32", minimum, maximum),
    HIPLZ_EXTREMA("f16", "f16=f16,f16,f16", minimum, maximum),
    HIPLZ_EXTREMA("i32", "32=32,32,32", extremum<Intrinsic::smin>, extremum<Intrinsic::smax>),
    HIPLZ_EXTREMA("u32", "32=32,32,32", extremum<Intrinsic::umin>, extremum<Intrinsic::umax>),
    {"v_mov_b16", "16=16", [](Wave &, In in) { return in[0]; }},
    {"v_not_b16", "16=16", [](Wave &w, In in) { return w.b.CreateNot(in[0]); }},
    {"v_and_b16", "16=16,16", [](Wave &w, In in) { return w.b.CreateAnd(in[0], in[1]); }},
    {"v_or_b16", "16=16,16", [](Wave &w, In in) { return w.b.CreateOr(in[0], in[1]); }},
    {"v_xor_b16", "16=16,16", [](Wave &w, In in) { return w.b.CreateXor(in[0], in[1]); }},
    {"v_cndmask_b16", "16=16,16,m", [](Wave &w, In in) { return w.b.CreateSelect(in[2], in[1], in[0]); }},
    {"v_cvt_i32_i16", "32=16", [](Wave &w, In in) { return w.b.CreateSExt(in[0], w.vectorOf(w.i32)); }},
    {"v_cvt_u32_u16", "32=16", [](Wave &w, In in) { return w.b.CreateZExt(in[0], w.vectorOf(w.i32)); }},
    {"v_cvt_pk_i16_f32", "32=f32,f32", [](Wave &w, In in) { return packed(w, toInteger(w, in[0], 16, true), toInteger(w, in[1], 16, true)); }},
    {"v_cvt_pk_u16_f32", "32=f32,f32", [](Wave &w, In in) { return packed(w, toInteger(w, in[0], 16, false), toInteger(w, in[1], 16, false)); }},
    {"v_sat_pk_u8_half", "16=32", [](Wave &w, In in) { return saturatedBytes(w, in[0]); }},
    {"s_pack_hl_b32_b16", "32=32,32", [](Wave &w, In in) { return w.b.CreateOr(w.b.CreateLShr(in[0], 16), w.b.CreateShl(in[1], 16)); }},
};
// clang-format on

constexpr ActionRow kActions[] = {
    {"v_dot4_i32_iu8", [](Wave &w, I i) { dot(w, i, 8); }},
    {"v_dot8_i32_iu4", [](Wave &w, I i) { dot(w, i, 4); }},
    {"v_swap_b16", swapHalves},
};

} // namespace

ArrayRef<ValueRow> generation11Rows() { return kGeneration11Rows; }
ArrayRef<ActionRow> generation11Actions() { return kActions; }

} // namespace hiplz::amdgcn
