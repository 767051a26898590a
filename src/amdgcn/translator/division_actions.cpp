// SPDX-License-Identifier: MIT
// The steps of a division: scaling, the last step, and special cases. What the manual says of them does not end in right quotients in three
// places. For the factor of v_div_fmas, RDNA 2's manual has a number that does not undo what v_div_scale does; RDNA 3's has one that does.
// v_div_scale scales a denominator whose inverse and quotient are denormal down and not up, which would be infinity. v_div_fixup is not given
// a NaN for a quotient that is too large, but compiled code leaves it one. The quotients of compiled code show all three
// (tests/device/machine_models/numbers.h).
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/operations.h"
#include "amdgcn/translator/rounding.h"
#include "base/llvm_compat.h"

#include <cmath>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

struct Format {
  unsigned width, mantissa;
  uint64_t exponents;
  int bias, nearMost, tiny, scale;
};
constexpr Format kHalf{16, 10, 0x1f, 15, 0, 0, 0}; // for the last step alone
constexpr Format kSingle{32, 23, 0xff, 127, 96, 23, 64}, kDouble{64, 52, 0x7ff, 1023, 768, 53, 128};

Format formatOf(I i) {
  const StringRef name = i.name;
  return name.contains("_f64") ? kDouble : name.contains("_f16") ? kHalf : kSingle;
}

Value *exponentOf(Wave &w, const Format &format, Value *number) {
  Value *bits = bitsOf(w, number);
  return w.b.CreateAnd(w.b.CreateLShr(bits, w.constant(bits, format.mantissa)), w.constant(bits, format.exponents));
}

Value *isDenormal(Wave &w, const Format &format, Value *value) {
  Value *size = intrinsicCall(w, Intrinsic::fabs, {value});
  Value *below = w.b.CreateFCmpOLT(size, number(value, std::ldexp(1.0, 1 - format.bias)));
  return w.b.CreateAnd(below, w.b.CreateFCmpONE(value, number(value, 0)));
}

// D, mask = S0, which is S1 (the denominator) or S2 (the numerator), scaled so that the steps neither overflow nor lose bits.
void scale(Wave &w, I i) {
  const Format format = formatOf(i);
  auto &b = w.b;
  auto read = [&](unsigned operand) { return asFloat(w, w.readVector(operand, format.width, true)); };
  Value *s0 = read(2), *s1 = read(3), *s2 = read(4);
  Value *up = b.CreateFMul(s0, number(s0, std::ldexp(1.0, format.scale)));
  Value *down = b.CreateFMul(s0, number(s0, std::ldexp(1.0, -format.scale)));
  Value *isDenominator = b.CreateFCmpOEQ(s0, s1), *isNumerator = b.CreateFCmpOEQ(s0, s2);
  Value *exponent1 = exponentOf(w, format, s1), *exponent2 = exponentOf(w, format, s2);
  auto is = [&](CmpInst::Predicate predicate, Value *value, int constant) {
    return b.CreateICmp(predicate, value, ConstantInt::getSigned(value->getType(), constant));
  };
  Value *zero = number(s0, 0), *never = ConstantInt::getFalse(w.vectorOf(w.i1)),
        *always = ConstantInt::getTrue(w.vectorOf(w.i1));
  Value *isZero = b.CreateOr(b.CreateFCmpOEQ(s1, zero), b.CreateFCmpOEQ(s2, zero));
  Value *nearMost = is(CmpInst::ICMP_SGE, b.CreateSub(exponent2, exponent1), format.nearMost);
  Value *inverseDenormal = isDenormal(w, format, b.CreateFDiv(number(s0, 1), s1));
  Value *quotientDenormal = isDenormal(w, format, b.CreateFDiv(s2, s1));
  Value *tiny = is(CmpInst::ICMP_SLE, exponent2, format.tiny);
  struct Case {
    Value *condition, *result, *mask;
  };
  const Case cases[] = {
      {isZero, number(s0, NAN), never},
      {nearMost, b.CreateSelect(isDenominator, up, s0), always},
      {isDenormal(w, format, s1), up, never},
      {b.CreateAnd(inverseDenormal, quotientDenormal), b.CreateSelect(isDenominator, down, s0), always},
      {inverseDenormal, down, never},
      {quotientDenormal, b.CreateSelect(isNumerator, up, s0), always},
      {tiny, up, never},
  };
  Value *result = s0, *mask = never;
  for (auto each = std::rbegin(cases); each != std::rend(cases); ++each) {
    result = b.CreateSelect(each->condition, each->result, result);
    mask = b.CreateSelect(each->condition, each->mask, mask);
  }
  w.writeVector(0, result);
  w.writeMask(i.operands[1], mask);
}

// S0 * S1 + S2, scaled back where VCC says so. Denormal quotients are rounded once, for f64 as far as that goes without wider numbers.
void multiplyAdd(Wave &w, I i) {
  const Format format = formatOf(i);
  auto read = [&](unsigned operand) { return floatOf(w, w.readVector(operand, format.width, true)); };
  Value *s0 = read(1), *s1 = read(2), *s2 = read(3);
  Value *sum = rounded(w, i.name, format.width, {s0, s1, s2}, [&](Value *const *in) {
    return intrinsicCall(w, Intrinsic::fma, {in[0], in[1], in[2]});
  });
  Value *scaled = rounded(w, i.name + ".scaled", format.width, {s0, s1, s2}, [&](Value *const *in) -> Value * {
    Type *type = in[2]->getType(), *wide = w.vectorOf(w.f64);
    auto extend = [&](Value *value) { return format.width == 64 ? value : w.b.CreateFPExt(value, wide); };
    Value *exact = intrinsicCall(w, Intrinsic::fma, {extend(in[0]), extend(in[1]), extend(in[2])});
    Value *exponent = exponentOf(w, format, in[2]);
    Value *isLarge = w.b.CreateICmpUGT(exponent, w.constant(exponent, static_cast<uint64_t>(format.bias)));
    Value *factor = w.b.CreateSelect(isLarge, number(exact, std::ldexp(1.0, format.scale)),
                                     number(exact, std::ldexp(1.0, -format.scale)));
    Value *product = w.b.CreateFMul(exact, factor);
    return format.width == 32 ? w.b.CreateFPTrunc(product, type) : product;
  });
  w.writeVector(0, floatResult(w, w.b.CreateSelect(w.toMask(w.scalarRegister(kVcc)), scaled, sum), format.width));
}

// The quotient S0, or what it has to be for special S1 (the denominator) and S2 (the numerator).
void fixup(Wave &w, I i) {
  const Format format = formatOf(i);
  auto &b = w.b;
  auto read = [&](unsigned operand) { return asFloat(w, w.readVector(operand, format.width, true)); };
  Value *s0 = read(1), *s1 = read(2), *s2 = read(3);
  auto size = [&](Value *value) { return intrinsicCall(w, Intrinsic::fabs, {value}); };
  Value *bits1 = bitsOf(w, s1), *bits2 = bitsOf(w, s2);
  Value *sign = asFloat(w, b.CreateXor(bits1, bits2));
  auto withSign = [&](Value *value) { return intrinsicCall(w, Intrinsic::copysign, {value, sign}); };
  auto quiet = [&](Value *bits) {
    return asFloat(w, b.CreateOr(bits, w.constant(bits, uint64_t{1} << (format.mantissa - 1))));
  };
  Value *zero = number(s0, 0), *infinity = number(s0, INFINITY);
  auto isZero = [&](Value *value) { return b.CreateFCmpOEQ(value, zero); };
  auto isInfinite = [&](Value *value) { return b.CreateFCmpOEQ(size(value), infinity); };
  Value *difference = b.CreateSub(exponentOf(w, format, s2), exponentOf(w, format, s1));
  // Numbers so far apart that the steps have lost the quotient: it is below every denormal number.
  Value *vanishes =
      b.CreateICmpSLT(difference, ConstantInt::getSigned(difference->getType(), format.width == 32 ? -150 : -1075));
  // The steps of a quotient that is too large may end in infinity minus infinity.
  Value *result = withSign(b.CreateSelect(b.CreateFCmpUNO(s0, s0), infinity, size(s0)));
  if (format.width > 16)
    result = b.CreateSelect(vanishes, withSign(zero), result);
  result = b.CreateSelect(b.CreateOr(isInfinite(s1), isZero(s2)), withSign(zero), result);
  result = b.CreateSelect(b.CreateOr(isZero(s1), isInfinite(s2)), withSign(infinity), result);
  Value *none = b.CreateOr(b.CreateAnd(isZero(s1), isZero(s2)), b.CreateAnd(isInfinite(s1), isInfinite(s2)));
  result = b.CreateSelect(none, b.CreateFNeg(number(s0, NAN)), result);
  result = b.CreateSelect(b.CreateFCmpUNO(s1, s1), quiet(bits1), result);
  result = b.CreateSelect(b.CreateFCmpUNO(s2, s2), quiet(bits2), result);
  if (format.width == 16)
    result = b.CreateFPExt(result, w.vectorOf(w.f32));
  w.writeVector(0, floatResult(w, result, format.width));
}

constexpr ActionRow kDivisionActions[] = {
    {"v_div_scale_f32", scale},      {"v_div_scale_f64", scale}, {"v_div_fmas_f32", multiplyAdd},
    {"v_div_fmas_f64", multiplyAdd}, {"v_div_fixup_f32", fixup}, {"v_div_fixup_f64", fixup},
    {"v_div_fixup_f16", fixup},
};

} // namespace

ArrayRef<ActionRow> divisionActions() { return kDivisionActions; }

} // namespace hiplz::amdgcn
