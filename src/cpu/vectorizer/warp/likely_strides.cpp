// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/likely_strides.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kMost = 64;   // in one kernel; each has its code twice
constexpr unsigned kDeepest = 8; // operations behind an address

} // namespace

// How far the last lane's number is from the first one's. Nothing if that may be more than half of the type's numbers.
std::optional<APInt> LikelyStrides::distance(const Progression &numbers) const {
  const unsigned bits = numbers.first->getType()->getIntegerBitWidth();
  const APInt wide(128, static_cast<uint64_t>(numbers.stride), true);
  const APInt whole = wide * APInt(128, width_ - 1);
  if (bits > 64 || whole.abs().uge(APInt::getOneBitSet(128, bits - 1)))
    return std::nullopt;
  return whole.trunc(bits);
}

// True if no lane's number is on the other side of the type's largest or smallest one.
Value *LikelyStrides::staysWithin(const Progression &numbers, const APInt &distance, bool isSigned) {
  const unsigned bits = distance.getBitWidth();
  const bool grows = numbers.stride > 0;
  const APInt end = grows ? (isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits))
                          : (isSigned ? APInt::getSignedMinValue(bits) : APInt::getZero(bits));
  const CmpInst::Predicate within =
      grows ? (isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE) : (isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE);
  return b_.CreateICmp(within, numbers.first, b_.getInt(end - distance), "no.wrap");
}

std::optional<LikelyStrides::Progression> LikelyStrides::ofExtension(const CastInst &cast, Conditions &conditions,
                                                                     unsigned depth) {
  const auto narrow = progressionOf(cast.getOperand(0), conditions, depth + 1);
  const auto far = narrow ? distance(*narrow) : std::nullopt;
  if (!far)
    return std::nullopt;
  if (narrow->stride != 0)
    conditions.push_back(staysWithin(*narrow, *far, isa<SExtInst>(cast)));
  return Progression{b_.CreateCast(cast.getOpcode(), narrow->first, cast.getType()), narrow->stride};
}

// Numbers are sums modulo the size of their type. The sum of the first lane's parts is made here, and promises nothing.
std::optional<LikelyStrides::Progression> LikelyStrides::ofSum(const BinaryOperator &sum, Conditions &conditions,
                                                               unsigned depth) {
  const auto a = progressionOf(sum.getOperand(0), conditions, depth + 1);
  const auto b = a ? progressionOf(sum.getOperand(1), conditions, depth + 1) : std::nullopt;
  if (!b)
    return std::nullopt;
  int64_t stride = 0;
  switch (sum.getOpcode()) {
  case Instruction::Add:
    if (AddOverflow(a->stride, b->stride, stride))
      return std::nullopt;
    break;
  case Instruction::Sub:
    if (SubOverflow(a->stride, b->stride, stride))
      return std::nullopt;
    break;
  case Instruction::Mul: {
    auto *factor = dyn_cast<ConstantInt>(sum.getOperand(1));
    if (!factor || factor->getBitWidth() > 64 || MulOverflow(a->stride, factor->getSExtValue(), stride))
      return std::nullopt;
    break;
  }
  case Instruction::Shl: {
    auto *places = dyn_cast<ConstantInt>(sum.getOperand(1));
    if (!places || places->getValue().uge(32) || places->getValue().uge(sum.getType()->getIntegerBitWidth()) ||
        MulOverflow(a->stride, int64_t(1) << places->getZExtValue(), stride))
      return std::nullopt;
    break;
  }
  default: return std::nullopt;
  }
  return Progression{b_.CreateBinOp(sum.getOpcode(), a->first, b->first), stride};
}

// A bound that all lanes share changes nothing if the first lane and the last one are on its good side, and no lane between them wraps.
// With a first number below the bound, the difference of the two is one without a sign, so that it cannot overflow.
std::optional<LikelyStrides::Progression> LikelyStrides::ofClamp(const MinMaxIntrinsic &clamp, Conditions &conditions,
                                                                 unsigned depth) {
  const bool boundIsLeft = values_.shapeOf(clamp.getLHS()).isUniform();
  const Value *number = boundIsLeft ? clamp.getRHS() : clamp.getLHS();
  const Value *bound = boundIsLeft ? clamp.getLHS() : clamp.getRHS();
  if (!values_.shapeOf(bound).isUniform())
    return std::nullopt;
  const auto numbers = progressionOf(number, conditions, depth + 1);
  const auto far = numbers ? distance(*numbers) : std::nullopt;
  if (!far || numbers->stride <= 0)
    return std::nullopt;
  Value *limit = values_.scalar(bound);
  const bool isSigned = clamp.isSigned();
  if (clamp.getPredicate() == CmpInst::ICMP_SLT || clamp.getPredicate() == CmpInst::ICMP_ULT) {
    conditions.push_back(
        b_.CreateICmp(isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, numbers->first, limit, "not.clamped"));
    conditions.push_back(b_.CreateICmpUGE(b_.CreateSub(limit, numbers->first), b_.getInt(*far), "not.clamped"));
  } else {
    conditions.push_back(
        b_.CreateICmp(isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE, numbers->first, limit, "not.clamped"));
    conditions.push_back(staysWithin(*numbers, *far, isSigned));
  }
  return numbers;
}

std::optional<LikelyStrides::Progression> LikelyStrides::ofAddress(const GetElementPtrInst &address,
                                                                   Conditions &conditions, unsigned depth) {
  const auto base = progressionOf(address.getPointerOperand(), conditions, depth + 1);
  if (!base)
    return std::nullopt;
  int64_t stride = base->stride;
  SmallVector<Value *, 4> indices;
  for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
    const auto numbers = progressionOf(index.getOperand(), conditions, depth + 1);
    if (!numbers)
      return std::nullopt;
    indices.push_back(numbers->first);
    if (numbers->stride == 0)
      continue;
    const auto scale = static_cast<int64_t>(layout_.getTypeAllocSize(index.getIndexedType()).getFixedValue());
    int64_t distance = 0;
    if (!numbers->first->getType()->isIntegerTy(64) || MulOverflow(numbers->stride, scale, distance) ||
        AddOverflow(stride, distance, stride))
      return std::nullopt;
  }
  return Progression{b_.CreateGEP(address.getSourceElementType(), base->first, indices), stride};
}

std::optional<LikelyStrides::Progression> LikelyStrides::progressionOf(const Value *value, Conditions &conditions,
                                                                       unsigned depth) {
  const Shape shape = values_.shapeOf(value);
  if (shape.isRegular())
    return Progression{values_.scalar(value), shape.stride()};
  if (depth == kDeepest || !shape.isVarying())
    return std::nullopt;
  if (auto *address = dyn_cast<GetElementPtrInst>(value))
    return ofAddress(*address, conditions, depth);
  if (!value->getType()->isIntegerTy())
    return std::nullopt;
  if (isa<SExtInst>(value) || isa<ZExtInst>(value))
    return ofExtension(*cast<CastInst>(value), conditions, depth);
  if (auto *sum = dyn_cast<BinaryOperator>(value))
    return ofSum(*sum, conditions, depth);
  if (auto *clamp = dyn_cast<MinMaxIntrinsic>(value))
    return ofClamp(*clamp, conditions, depth);
  return std::nullopt;
}

std::optional<LikelyStrides::Likely> LikelyStrides::strideOf(const Value *pointer, Type *accessed) {
  if (!isa<GetElementPtrInst>(pointer) || !pointer->getType()->isPointerTy() || values_.isAssumed(pointer) ||
      assumptions_ == kMost || !values_.isVarying(pointer))
    return std::nullopt;
  Conditions conditions;
  BasicBlock &block = *b_.GetInsertBlock();
  const Instruction *before = block.empty() ? nullptr : &block.back();
  const auto addresses = progressionOf(pointer, conditions, 0);
  // Worth it where the lanes' elements are neighbours or nearly so.
  const int64_t whole = static_cast<int64_t>(layout_.getTypeStoreSize(accessed).getFixedValue()),
                element = static_cast<int64_t>(layout_.getTypeStoreSize(accessed->getScalarType()).getFixedValue());
  const int64_t stride = addresses ? addresses->stride : 0;
  if (stride == 0 || conditions.empty() ||
      (stride != whole && stride != -whole && (stride % element != 0 || stride < 0 || stride > 4 * element))) {
    while (!block.empty() && &block.back() != before) // made for nothing
      block.back().eraseFromParent();
    return std::nullopt;
  }
  ++assumptions_;
  return Likely{b_.CreateAnd(conditions), addresses->first, stride};
}

void LikelyStrides::emitEitherWay(const Instruction &access, const Value *pointer, const Likely &likely,
                                  function_ref<void()> emitAccess) {
  BasicBlock *plain = context_.newBlock("plain"), *apart = context_.newBlock("apart"),
             *done = context_.newBlock("accessed");
  b_.CreateCondBr(likely.holds, plain, apart, MDBuilder(b_.getContext()).createBranchWeights(1 << 20, 1));
  auto emitIn = [&](BasicBlock *start, Shape shape, Value *first) {
    b_.SetInsertPoint(start);
    values_.assume(*pointer, shape, first);
    emitAccess();
    values_.endAssumption();
    Value *made = values_.takeVector(access);
    BasicBlock *end = b_.GetInsertBlock();
    b_.CreateBr(done);
    return std::pair(made, end);
  };
  const auto one = emitIn(plain, Shape::strided(likely.stride), likely.first);
  const auto other = emitIn(apart, Shape::varying(), nullptr);
  b_.SetInsertPoint(done);
  if (!one.first || !other.first)
    return;
  PHINode *result = b_.CreatePHI(one.first->getType(), 2);
  result->addIncoming(one.first, one.second);
  result->addIncoming(other.first, other.second);
  values_.setVector(access, result);
}

} // namespace hiplz::cpu
