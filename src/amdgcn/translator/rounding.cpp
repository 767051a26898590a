// SPDX-License-Identifier: MIT
// See rounding.h. The processor has one direction for all numbers. A function of its own sets it, computes by constrained operations, which
// LLVM neither moves nor computes itself, and sets it back, so that everything else is rounded to the nearest.
#include "amdgcn/translator/rounding.h"
#include "amdgcn/translator/float_values.h"
#include "base/llvm_compat.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

Value *directionOf(Wave &w, unsigned width) {
  return w.b.CreateAnd(w.b.CreateLShr(w.mode(), width == 32 ? 0 : 2), w.b.getInt32(3));
}

/// void(ptr result, i32 direction, operands...)
Function *makeFunction(Wave &w, const std::string &name, ArrayRef<Value *> in,
                       function_ref<Value *(Value *const *)> compute) {
  Module &module = *w.b.GetInsertBlock()->getModule();
  SmallVector<Type *, 6> parameters{w.b.getPtrTy(), w.i32};
  for (Value *operand : in)
    parameters.push_back(operand->getType());
  auto *type = FunctionType::get(w.b.getVoidTy(), parameters, false);
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  for (const Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::NoInline, Attribute::StrictFP})
    function->addFnAttr(kind);
  IRBuilderBase::InsertPointGuard place(w.b);
  IRBuilderBase::FastMathFlagGuard flags(w.b);
  w.b.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", function));
  w.b.setIsFPConstrained(true);
  w.b.setDefaultConstrainedExcept(fp::ebStrict); // code generation moves the others across changes of the direction
  w.b.setDefaultConstrainedRounding(RoundingMode::Dynamic);
  SmallVector<Value *, 4> operands;
  for (unsigned n = 0; n < in.size(); ++n)
    operands.push_back(function->getArg(n + 2));
  w.around.setRounding(w.b, function->getArg(1));
  Value *result = compute(operands.data());
  w.around.setRounding(w.b, w.b.getInt32(0));
  w.b.CreateStore(result, function->getArg(0));
  w.b.CreateRetVoid();
  function->addParamAttr(0, Attribute::getWithStructRetType(module.getContext(), result->getType()));
  return function;
}

} // namespace

bool dependsOnRounding(StringRef name) {
  static constexpr const char *kBeginnings[] = {"v_add_",  "v_sub",     "v_mul_",   "v_fma",
                                                "v_ldexp", "v_cvt_f32", "v_cvt_f16"};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](const char *beginning) { return startsWith(name, beginning); });
}

Value *rounded(Wave &w, const std::string &name, unsigned width, ArrayRef<Value *> in,
               function_ref<Value *(Value *const *)> compute) {
  if (!w.rounds)
    return compute(in.data());
  const std::string whole = "amdgcn.rounded." + name;
  Function *function = w.b.GetInsertBlock()->getModule()->getFunction(whole);
  if (!function)
    function = makeFunction(w, whole, in, compute);
  Type *type = function->getParamStructRetType(0);
  BasicBlock &entry = w.b.GetInsertBlock()->getParent()->getEntryBlock();
  Value *place = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, "rounded");
  SmallVector<Value *, 6> arguments{place, directionOf(w, width)};
  arguments.append(in.begin(), in.end());
  w.b.CreateCall(function, arguments);
  return w.b.CreateLoad(type, place);
}

Value *directedHalf(Wave &w, Value *half, Value *number, Value *direction) {
  auto &b = w.b;
  Value *back = b.CreateFPExt(half, number->getType()), *bits = bitsOf(w, half), *zero = w.constant(bits, 0);
  auto is = [&](uint32_t value) { return w.splat(b.CreateICmpEQ(direction, b.getInt32(value))); };
  Value *isNegative = b.CreateICmpSLT(bitsOf(w, number), w.constant(bitsOf(w, number), 0));
  Value *size = intrinsicCall(w, Intrinsic::fabs, {number}), *nearest = intrinsicCall(w, Intrinsic::fabs, {back});
  Value *isFinite = b.CreateFCmpOLT(size, hiplz::amdgcn::number(number, INFINITY));
  Value *outward = b.CreateSelect(isNegative, is(2), is(1));
  Value *inward = b.CreateOr(is(3), b.CreateSelect(isNegative, is(1), is(2)));
  Value *up = b.CreateAnd(outward, b.CreateFCmpOLT(nearest, size));
  Value *down = b.CreateAnd(b.CreateAnd(inward, isFinite), b.CreateFCmpOGT(nearest, size));
  Value *one = w.constant(bits, 1);
  Value *step = b.CreateSub(b.CreateSelect(up, one, zero), b.CreateSelect(down, one, zero));
  return b.CreateBitCast(b.CreateAdd(bits, step), half->getType());
}

namespace {

/// A double as an f32 that is rounded to the same f16: toward zero, with the lowest bit set if it is not exact. Processors convert f32 to f16, and
/// doubles by a function for each lane.
Value *withOddRest(Wave &w, Value *number) {
  if (!number->getType()->getScalarType()->isDoubleTy())
    return number;
  auto &b = w.b;
  Value *nearest = b.CreateFPTrunc(number, w.typeLike(number, w.f32)),
        *back = b.CreateFPExt(nearest, number->getType());
  Value *bits = bitsOf(w, nearest);
  auto one = [&](Value *condition) { return b.CreateZExt(condition, bits->getType()); };
  Value *isAbove =
      b.CreateFCmpOGT(intrinsicCall(w, Intrinsic::fabs, {back}), intrinsicCall(w, Intrinsic::fabs, {number}));
  bits = b.CreateOr(b.CreateSub(bits, one(isAbove)), one(b.CreateFCmpONE(back, number)));
  return asFloat(w, bits);
}

} // namespace

Value *roundedHalf(Wave &w, Value *number) {
  Value *half = w.b.CreateFPTrunc(withOddRest(w, number), w.typeLike(number, w.f16));
  return w.rounds ? directedHalf(w, half, number, directionOf(w, 16)) : half;
}

} // namespace hiplz::amdgcn
