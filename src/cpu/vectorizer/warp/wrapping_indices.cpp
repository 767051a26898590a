// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/wrapping_indices.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/MDBuilder.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kMost = 64; // in one kernel; each has its code twice

} // namespace

std::optional<WrappingIndices::NoWrap> WrappingIndices::stridedUnlessWrapping(const Value *pointer, Type *accessed) {
  auto *address = dyn_cast<GetElementPtrInst>(pointer);
  if (!address || values_.isAssumed(pointer) || assumptions_ == kMost || !values_.isVarying(pointer))
    return std::nullopt;
  const CastInst *extension = nullptr;
  int64_t stride = 0;
  SmallVector<Value *, 4> indices;
  for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
    const Value *operand = index.getOperand();
    if (values_.shapeOf(operand).isUniform()) {
      indices.push_back(values_.scalar(operand));
      continue;
    }
    auto *cast = dyn_cast<CastInst>(operand);
    if (extension || !cast || !(isa<SExtInst>(cast) || isa<ZExtInst>(cast)) ||
        !values_.shapeOf(cast->getOperand(0)).isStrided())
      return std::nullopt;
    extension = cast;
    stride = values_.shapeOf(cast->getOperand(0)).stride();
    const int64_t scale = static_cast<int64_t>(layout_.getTypeAllocSize(index.getIndexedType()).getFixedValue());
    if (MulOverflow(stride, scale, stride))
      return std::nullopt;
    indices.push_back(nullptr);
  }
  // Worth it where the lanes' elements are neighbours or nearly so.
  const int64_t whole = static_cast<int64_t>(layout_.getTypeStoreSize(accessed).getFixedValue()),
                element = static_cast<int64_t>(layout_.getTypeStoreSize(accessed->getScalarType()).getFixedValue());
  if (!extension || !values_.shapeOf(address->getPointerOperand()).isUniform() ||
      (stride != whole && stride != -whole && (stride % element != 0 || stride < 0 || stride > 4 * element)))
    return std::nullopt;
  const Value *narrow = extension->getOperand(0);
  const unsigned bits = narrow->getType()->getIntegerBitWidth();
  const bool isSigned = isa<SExtInst>(extension), grows = values_.shapeOf(narrow).stride() > 0;
  const APInt distance(128, static_cast<uint64_t>(values_.shapeOf(narrow).stride() * (int64_t(width_) - 1)), true);
  if (bits > 64 || distance.abs().uge(APInt::getOneBitSet(128, bits - 1)))
    return std::nullopt;
  const APInt end = grows ? (isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits))
                          : (isSigned ? APInt::getSignedMinValue(bits) : APInt::getZero(bits));
  const CmpInst::Predicate within =
      grows ? (isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE) : (isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE);
  Value *first = values_.scalar(narrow);
  NoWrap result;
  result.stride = stride;
  result.holds = b_.CreateICmp(within, first, b_.getInt(end - distance.trunc(bits)), "no.wrap");
  for (Value *&index : indices)
    index = index ? index : b_.CreateCast(extension->getOpcode(), first, extension->getType());
  result.first = b_.CreateGEP(address->getSourceElementType(), values_.scalar(address->getPointerOperand()), indices);
  ++assumptions_;
  return result;
}

void WrappingIndices::emitEitherWay(const Instruction &access, const Value *pointer, const NoWrap &condition,
                                    function_ref<void()> emitAccess) {
  BasicBlock *plain = context_.newBlock("plain"), *wrapping = context_.newBlock("wrapping"),
             *done = context_.newBlock("accessed");
  b_.CreateCondBr(condition.holds, plain, wrapping, MDBuilder(b_.getContext()).createBranchWeights(1 << 20, 1));
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
  const auto one = emitIn(plain, Shape::strided(condition.stride), condition.first);
  const auto other = emitIn(wrapping, Shape::varying(), nullptr);
  b_.SetInsertPoint(done);
  if (!one.first || !other.first)
    return;
  PHINode *result = b_.CreatePHI(one.first->getType(), 2);
  result->addIncoming(one.first, one.second);
  result->addIncoming(other.first, other.second);
  values_.setVector(access, result);
}

} // namespace hiplz::cpu
