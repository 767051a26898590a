// SPDX-License-Identifier: MIT
// Tests and selections. Truth is i1 for scalars; for vectors the translator uses integers, where true has all bits set.
#include "cpu/compiler/builtins.h"

#include <limits>

using namespace llvm;

namespace hiplz::cpu {
namespace {

Value *truth(BuiltinCall &call, Value *bits) {
  Type *type = call.type();
  return type == bits->getType() ? bits
         : type->isVectorTy()    ? call.builder.CreateSExt(bits, type)
                                 : call.builder.CreateZExt(bits, type);
}

BuiltinLowering compare(CmpInst::Predicate predicate) {
  return [=](BuiltinCall &call) { return truth(call, call.builder.CreateFCmp(predicate, call.arg(0), call.arg(1))); };
}

Value *magnitude(BuiltinCall &call) { return call.builder.CreateUnaryIntrinsic(Intrinsic::fabs, call.arg(0)); }

Value *isNan(BuiltinCall &call) { return truth(call, call.builder.CreateFCmpUNO(call.arg(0), call.arg(0))); }

Value *isInf(BuiltinCall &call) {
  return truth(call, call.builder.CreateFCmpOEQ(magnitude(call), ConstantFP::getInfinity(call.arg(0)->getType())));
}

Value *isFinite(BuiltinCall &call) {
  return truth(call, call.builder.CreateFCmpOLT(magnitude(call), ConstantFP::getInfinity(call.arg(0)->getType())));
}

Value *isNormal(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Type *type = call.arg(0)->getType();
  Value *size = magnitude(call);
  const fltSemantics &semantics = type->getScalarType()->getFltSemantics();
  Value *large = b.CreateFCmpOGE(size, ConstantFP::get(type, APFloat::getSmallestNormalized(semantics)));
  return truth(call, b.CreateAnd(large, b.CreateFCmpOLT(size, ConstantFP::getInfinity(type))));
}

Type *integerLike(IRBuilder<> &b, Type *type) {
  Type *integer = b.getIntNTy(type->getScalarSizeInBits());
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return FixedVectorType::get(integer, vector->getNumElements());
  return integer;
}

Value *signBit(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Type *integer = integerLike(b, call.arg(0)->getType());
  Value *bits = b.CreateBitCast(call.arg(0), integer);
  return truth(call, b.CreateICmpSLT(bits, Constant::getNullValue(integer)));
}

// The highest bit of each element counts.
Value *highestBits(BuiltinCall &call) {
  Value *value = call.arg(0);
  if (value->getType()->getScalarSizeInBits() == 1)
    return value;
  return call.builder.CreateICmpSLT(value, Constant::getNullValue(value->getType()));
}

Value *any(BuiltinCall &call) {
  Value *bits = highestBits(call);
  return truth(call, bits->getType()->isVectorTy() ? call.builder.CreateOrReduce(bits) : bits);
}

Value *all(BuiltinCall &call) {
  Value *bits = highestBits(call);
  return truth(call, bits->getType()->isVectorTy() ? call.builder.CreateAndReduce(bits) : bits);
}

// (a, b, c): b where c is true; for vectors the highest bit of c decides, for scalars any bit.
Value *select(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *condition = call.arg(2);
  Value *zero = Constant::getNullValue(condition->getType());
  Value *chosen =
      condition->getType()->isVectorTy() ? b.CreateICmpSLT(condition, zero) : b.CreateICmpNE(condition, zero);
  return b.CreateSelect(chosen, call.arg(1), call.arg(0));
}

Value *bitSelect(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Type *integer = integerLike(b, call.type());
  Value *first = b.CreateBitCast(call.arg(0), integer), *second = b.CreateBitCast(call.arg(1), integer);
  Value *mask = b.CreateBitCast(call.arg(2), integer);
  return b.CreateBitCast(b.CreateXor(first, b.CreateAnd(b.CreateXor(first, second), mask)), call.type());
}

} // namespace

void addRelationalBuiltins(BuiltinTable &table) {
  table.add("IsNan", isNan);
  table.add("IsInf", isInf);
  table.add("IsFinite", isFinite);
  table.add("IsNormal", isNormal);
  table.add("SignBitSet", signBit);
  table.add("Any", any);
  table.add("All", all);
  table.add("Ordered", compare(CmpInst::FCMP_ORD));
  table.add("Unordered", compare(CmpInst::FCMP_UNO));
  table.add("LessOrGreater", compare(CmpInst::FCMP_ONE));
  table.add("FOrdEqual", compare(CmpInst::FCMP_OEQ));
  table.add("FUnordNotEqual", compare(CmpInst::FCMP_UNE));
  table.add("FOrdNotEqual", compare(CmpInst::FCMP_ONE));
  table.add("FOrdLessThan", compare(CmpInst::FCMP_OLT));
  table.add("FOrdGreaterThan", compare(CmpInst::FCMP_OGT));
  table.add("FOrdLessThanEqual", compare(CmpInst::FCMP_OLE));
  table.add("FOrdGreaterThanEqual", compare(CmpInst::FCMP_OGE));
  table.add("ocl_select", select);
  table.add("ocl_bitselect", bitSelect);
}

} // namespace hiplz::cpu
