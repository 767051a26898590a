// SPDX-License-Identifier: MIT
// See lane_patterns.h. Steps are found going forward: a vector is taken to have those of the first value that reaches it, and what the code
// contradicts is taken back for good. Steps that a condition depends on are not negative, so a number that does not begin again between the
// first and the largest lane of a row does not in between.
#include "amdgcn/translator/lane_patterns.h"
#include "amdgcn/translator/number_halves.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

using Steps = LanePatterns::Steps;
using Predicate = CmpInst::Predicate;

bool isLanes(const Value *value) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  return type && type->getNumElements() == kLanes && type->getElementType()->isIntegerTy() &&
         type->getScalarSizeInBits() <= 64;
}

unsigned widthOf(const Value *value) { return value->getType()->getScalarSizeInBits(); }

int64_t cut(uint64_t number, unsigned width) {
  return width == 64 ? static_cast<int64_t>(number) : static_cast<int64_t>(number << (64 - width)) >> (64 - width);
}

int64_t largest(const Steps &steps) { return *std::max_element(steps.begin(), steps.end()); }
bool isAscending(const Steps &steps) {
  return std::all_of(steps.begin(), steps.end(), [](int64_t step) { return step >= 0; });
}

/// The lowest bits that steps take up.
uint64_t bitsOf(const Steps &steps) {
  uint64_t all = 0;
  for (const int64_t step : steps)
    all |= static_cast<uint64_t>(step);
  while (all & (all + 1))
    all |= all >> 1;
  return all;
}

ConstantInt *splatOf(Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  return constant ? dyn_cast_or_null<ConstantInt>(constant->getSplatValue()) : nullptr;
}

/// The vectors that an operation computes each lane of the result from.
SmallVector<Value *, 3> inputsOf(Instruction &operation) {
  Value *low, *high;
  if (isJoined(operation, low, high)) {
    if (Value *whole = wholeOf(low, high))
      return {whole};
    return {low, high};
  }
  if (auto *call = dyn_cast<CallInst>(&operation))
    return {call->arg_begin(), call->arg_end()};
  return {operation.op_begin(), operation.op_end()};
}

/// Operations whose result is the same in lanes in which all operands are.
bool goesByLane(const Instruction &operation) {
  if (auto *call = dyn_cast<IntrinsicInst>(&operation))
    return isTriviallyVectorizable(call->getIntrinsicID());
  return isa<BinaryOperator>(operation) || isa<ICmpInst>(operation) || isa<SelectInst>(operation) ||
         isa<ZExtInst>(operation) || isa<SExtInst>(operation) || isa<TruncInst>(operation) ||
         isa<FreezeInst>(operation);
}

/// The comparison of which a minimum or a maximum is the operand that fulfils it, or a bad one.
Predicate boundOf(Instruction &operation) {
  auto *bound = dyn_cast<MinMaxIntrinsic>(&operation);
  return bound ? bound->getPredicate() : CmpInst::BAD_ICMP_PREDICATE;
}

bool isFunnel(const Instruction &operation) {
  auto *call = dyn_cast<IntrinsicInst>(&operation);
  return call && call->getIntrinsicID() == Intrinsic::fshl;
}

} // namespace

LanePatterns::LanePatterns(Function &wave, unsigned rowLanes) : rowLanes_(rowLanes), uniform_(intern(Steps{})) {
  solve(wave);
  findConditional(wave);
}

std::optional<Steps> LanePatterns::constantSteps(const Constant &constant) const {
  Steps steps{};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    auto *own = dyn_cast_or_null<ConstantInt>(constant.getAggregateElement(lane));
    auto *begin = dyn_cast_or_null<ConstantInt>(constant.getAggregateElement(lane / rowLanes_ * rowLanes_));
    if (!own || !begin)
      return std::nullopt;
    steps[lane] = cut(own->getZExtValue() - begin->getZExtValue(), widthOf(&constant));
  }
  return steps;
}

// A scalar that all lanes have, or one for each row.
std::optional<Steps> LanePatterns::shuffleSteps(const ShuffleVectorInst &shuffle) const {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const int own = shuffle.getMaskValue(lane);
    if (own < 0 || own != shuffle.getMaskValue(lane / rowLanes_ * rowLanes_))
      return std::nullopt;
  }
  return Steps{};
}

const Steps *LanePatterns::stepsOf(Value *vector) {
  if (!isLanes(vector))
    return nullptr;
  if (auto *constant = dyn_cast<Constant>(vector)) {
    const auto steps = constantSteps(*constant);
    return steps ? intern(*steps) : nullptr;
  }
  return steps_.lookup(vector);
}

bool LanePatterns::hasStep(Value *vector, int64_t step) {
  const Steps *steps = stepsOf(vector);
  if (!steps)
    return false;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if ((*steps)[lane] != step * (lane % rowLanes_))
      return false;
  return true;
}

void LanePatterns::solve(Function &wave) {
  SmallVector<Instruction *, 256> operations;
  for (Argument &argument : wave.args())
    steps_[&argument] = nullptr;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&wave))
    for (Instruction &operation : *block)
      if (isLanes(&operation))
        operations.push_back(&operation);
  auto isReached = [&](Value *value) { return !isLanes(value) || isa<Constant>(value) || steps_.count(value) > 0; };
  for (bool changes = true; changes;) {
    changes = false;
    for (Instruction *operation : operations) {
      const auto known = steps_.find(operation);
      if (known != steps_.end() && !known->second)
        continue;
      if (!isa<PHINode>(operation) && !all_of(inputsOf(*operation), isReached))
        continue;
      const std::optional<Steps> steps = computed(*operation);
      const Steps *now = steps ? intern(*steps) : nullptr;
      if (known == steps_.end())
        steps_[operation] = now;
      else if (known->second == now)
        continue;
      else
        known->second = nullptr;
      changes = true;
    }
  }
}

std::optional<Steps> LanePatterns::computed(Operation &operation) {
  if (auto *phi = dyn_cast<PHINode>(&operation)) {
    const Steps *all = nullptr;
    for (Value *value : phi->incoming_values()) {
      if (!isa<Constant>(value) && steps_.count(value) == 0)
        continue; // nothing is known of it yet
      const Steps *steps = stepsOf(value);
      if (!steps || (all && steps != all))
        return std::nullopt;
      all = steps;
    }
    return all ? std::optional(*all) : std::nullopt;
  }
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&operation))
    return shuffleSteps(*shuffle);
  if (!goesByLane(operation))
    return std::nullopt;
  SmallVector<const Steps *, 3> in;
  bool areUniform = true;
  for (Value *value : inputsOf(operation)) {
    const bool isScalar = !value->getType()->isVectorTy(); // the condition of a selection
    in.push_back(isScalar ? uniform_ : stepsOf(value));
    if (!in.back())
      return std::nullopt;
    areUniform &= in.back() == uniform_;
  }
  return areUniform ? std::optional(Steps{}) : combined(operation, in);
}

// Some operand is not uniform.
std::optional<Steps> LanePatterns::combined(Operation &operation, ArrayRef<const Steps *> in) {
  const unsigned width = widthOf(&operation);
  Steps result{};
  auto each = [&](auto compute) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      result[lane] = cut(static_cast<uint64_t>(compute(lane)), width);
    return std::optional(result);
  };
  auto step = [&](unsigned n, unsigned lane) { return static_cast<uint64_t>((*in[n])[lane]); };
  auto uniformIfAscending = [&](unsigned n) { return isAscending(*in[n]) ? std::optional(Steps{}) : std::nullopt; };
  auto ifAscending = [&](unsigned n) { return isAscending(*in[n]) ? std::optional(*in[n]) : std::nullopt; };
  Value *low, *high;
  if (isJoined(operation, low, high)) {
    if (in.size() == 1)
      return *in[0];
    if (!isAscending(*in[0]))
      return std::nullopt;
    return each([&](unsigned lane) { return step(0, lane) + (step(1, lane) << 32); });
  }
  if (isFunnel(operation)) { // the upper bits of the second operand come in below those of the first
    const bool isKnown = in[0] == uniform_ && in[2] == uniform_ && splatOf(operation.getOperand(2));
    return isKnown ? uniformIfAscending(1) : std::nullopt;
  }
  if (boundOf(operation) != CmpInst::BAD_ICMP_PREDICATE) // of a number that is inside of its bound
    for (const unsigned n : {0u, 1u})
      if (in[n] == uniform_)
        return ifAscending(1 - n);
  switch (operation.getOpcode()) {
  case Instruction::Add: return each([&](unsigned lane) { return step(0, lane) + step(1, lane); });
  case Instruction::Sub: return each([&](unsigned lane) { return step(0, lane) - step(1, lane); });
  case Instruction::Mul:
    for (const unsigned n : {0u, 1u})
      if (ConstantInt *factor = splatOf(operation.getOperand(n)))
        return each([&](unsigned lane) { return step(1 - n, lane) * factor->getZExtValue(); });
    return std::nullopt;
  case Instruction::Shl:
    if (ConstantInt *by = splatOf(operation.getOperand(1)); by && by->getZExtValue() < width)
      return each([&](unsigned lane) { return step(0, lane) << by->getZExtValue(); });
    return std::nullopt;
  case Instruction::LShr:
  case Instruction::AShr: {
    ConstantInt *by = splatOf(operation.getOperand(1));
    return by && by->getZExtValue() < width ? uniformIfAscending(0) : std::nullopt;
  }
  case Instruction::And:
    for (const unsigned n : {0u, 1u})
      if (ConstantInt *bits = splatOf(operation.getOperand(n)); bits && isAscending(*in[1 - n]))
        return each([&](unsigned lane) { return step(1 - n, lane) & bits->getZExtValue(); });
    return std::nullopt;
  case Instruction::Or:
  case Instruction::Xor:
    for (const unsigned n : {0u, 1u})
      if (in[n] == uniform_)
        return ifAscending(1 - n);
    return std::nullopt;
  case Instruction::ZExt:
  case Instruction::SExt: return ifAscending(0);
  case Instruction::Trunc: return each([&](unsigned lane) { return step(0, lane); });
  case Instruction::ICmp:
    if (in[0] == in[1])
      return uniformIfAscending(0);
    if (cast<ICmpInst>(operation).isEquality())
      return std::nullopt;
    return in[0] == uniform_ ? uniformIfAscending(1) : in[1] == uniform_ ? uniformIfAscending(0) : std::nullopt;
  case Instruction::Select: return in[0] == uniform_ && in[1] == in[2] ? std::optional(*in[1]) : std::nullopt;
  case Instruction::Freeze: return *in[0];
  default: return std::nullopt;
  }
}

// The operations for which addOwnCondition() has something, and what depends on them.
void LanePatterns::findConditional(Function &wave) {
  auto hasOwn = [&](Instruction &operation) {
    if (isa<PHINode>(operation) || isa<ShuffleVectorInst>(operation))
      return false;
    const auto inputs = inputsOf(operation);
    if (all_of(inputs, [&](Value *value) { return !isLanes(value) || isUniform(value); }))
      return false;
    return isFunnel(operation) || isa<MinMaxIntrinsic>(operation) || operation.isShift() ||
           operation.isBitwiseLogicOp() || isa<ZExtInst>(operation) || isa<SExtInst>(operation) ||
           isa<ICmpInst>(operation);
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (Instruction &operation : instructions(wave)) {
      if (!isLanes(&operation) || !steps_.lookup(&operation) || isConditional(&operation))
        continue;
      if (isa<ShuffleVectorInst>(operation))
        continue;
      const bool is =
          hasOwn(operation) || any_of(inputsOf(operation), [&](Value *value) { return isConditional(value); });
      if (is)
        conditional_.insert(&operation);
      changes |= is;
    }
  }
}

Value *LanePatterns::first(Value *vector, unsigned row) {
  if (auto *constant = dyn_cast<Constant>(vector))
    return constant->getType()->isVectorTy() ? constant->getAggregateElement(row * rowLanes_) : constant;
  if (!vector->getType()->isVectorTy())
    return vector;
  if (Value *known = firsts_.lookup({vector, row}))
    return known;
  Value *made = makeFirst(*cast<Instruction>(vector), row);
  firsts_[{vector, row}] = made;
  return made;
}

Value *LanePatterns::makeFirst(Operation &operation, unsigned row) {
  Type *type = operation.getType()->getScalarType();
  if (auto *phi = dyn_cast<PHINode>(&operation)) {
    PHINode *made = PHINode::Create(type, phi->getNumIncomingValues(), "first", phi);
    firsts_[{phi, row}] = made;
    for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
      made->addIncoming(first(phi->getIncomingValue(n), row), phi->getIncomingBlock(n));
    return made;
  }
  if (Value *scalar = getSplatValue(&operation))
    return scalar;
  IRBuilder<> b(operation.getNextNode());
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&operation)) {
    auto *from = cast<FixedVectorType>(shuffle->getOperand(0)->getType());
    const auto lane = static_cast<uint64_t>(shuffle->getMaskValue(row * rowLanes_));
    if (lane < from->getNumElements())
      return b.CreateExtractElement(shuffle->getOperand(0), lane);
    return b.CreateExtractElement(&operation, uint64_t{row} * rowLanes_);
  }
  const auto inputs = inputsOf(operation);
  if (row > 0 && all_of(inputs, [&](Value *value) { return first(value, row) == first(value, 0); }))
    return first(&operation, 0);
  auto in = [&](unsigned n) { return first(inputs[n], row); };
  Value *low, *high;
  if (isJoined(operation, low, high))
    return inputs.size() == 1 ? in(0)
                              : b.CreateOr(b.CreateZExt(in(0), type), b.CreateShl(b.CreateZExt(in(1), type), 32));
  if (auto *binary = dyn_cast<BinaryOperator>(&operation); binary && !binary->isIntDivRem())
    return b.CreateBinOp(binary->getOpcode(), in(0), in(1));
  if (auto *cast = dyn_cast<CastInst>(&operation))
    return b.CreateCast(cast->getOpcode(), in(0), type);
  if (auto *compare = dyn_cast<ICmpInst>(&operation))
    return b.CreateICmp(compare->getPredicate(), in(0), in(1));
  if (isa<SelectInst>(operation))
    return b.CreateSelect(in(0), in(1), in(2));
  if (isFunnel(operation))
    return b.CreateIntrinsic(Intrinsic::fshl, {type}, {in(0), in(1), in(2)});
  if (auto *bound = dyn_cast<MinMaxIntrinsic>(&operation))
    return b.CreateBinaryIntrinsic(bound->getIntrinsicID(), in(0), in(1));
  return b.CreateExtractElement(&operation, uint64_t{row} * rowLanes_);
}

Value *LanePatterns::holds(Value *vector) {
  if (!isConditional(vector))
    return ConstantInt::getTrue(vector->getContext());
  if (Value *known = holds_.lookup(vector))
    return known;
  Value *made = makeHolds(*cast<Instruction>(vector));
  holds_[vector] = made;
  return made;
}

Value *LanePatterns::makeHolds(Operation &operation) {
  if (auto *phi = dyn_cast<PHINode>(&operation)) {
    PHINode *made = PHINode::Create(Type::getInt1Ty(phi->getContext()), phi->getNumIncomingValues(), "holds", phi);
    holds_[phi] = made;
    for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
      made->addIncoming(holds(phi->getIncomingValue(n)), phi->getIncomingBlock(n));
    return made;
  }
  SmallVector<Value *, 8> all;
  for (Value *value : inputsOf(operation))
    if (isConditional(value))
      all.push_back(holds(value));
  for (Value *value : inputsOf(operation)) // they stand in front of what is made now
    for (unsigned row = 0; isLanes(value) && row < rows(); ++row)
      first(value, row);
  IRBuilder<> b(operation.getNextNode());
  addOwnCondition(b, operation, all);
  Value *result = b.getTrue();
  for (Value *condition : all)
    result = match(result, m_One()) ? condition : b.CreateAnd(result, condition);
  return result;
}

void LanePatterns::addOwnCondition(IRBuilder<> &b, Operation &operation, SmallVectorImpl<Value *> &all) {
  const auto inputs = inputsOf(operation);
  auto last = [&](Value *value, unsigned row) { // the largest lane of a row
    Value *begin = first(value, row);
    return b.CreateAdd(begin, ConstantInt::get(begin->getType(), static_cast<uint64_t>(largest(*stepsOf(value)))));
  };
  auto doesNotWrap = [&](Value *value, bool isSigned) {
    for (unsigned row = 0; row < rows(); ++row)
      all.push_back(
          b.CreateICmp(isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE, last(value, row), first(value, row)));
  };
  auto isVarying = [&](Value *value) { return isLanes(value) && !isUniform(value); };
  Value *low, *high;
  if (isJoined(operation, low, high)) { // the lower word must not begin again at 0; of the upper one nothing is lost
    if (inputs.size() == 2 && isVarying(low))
      doesNotWrap(low, false);
    return;
  }
  auto sameAbove = [&](Value *value, Instruction::BinaryOps shift, uint64_t bits) {
    for (unsigned row = 0; row < rows(); ++row) {
      Value *begin = first(value, row), *by = ConstantInt::get(begin->getType(), bits);
      all.push_back(b.CreateICmpEQ(b.CreateBinOp(shift, begin, by), b.CreateBinOp(shift, last(value, row), by)));
    }
  };
  if (isFunnel(operation)) {
    if (const uint64_t by = splatOf(inputs[2])->getZExtValue() % widthOf(&operation); by > 0 && isVarying(inputs[1])) {
      doesNotWrap(inputs[1], false);
      sameAbove(inputs[1], Instruction::LShr, widthOf(&operation) - by);
    }
    return;
  }
  if (const Predicate predicate = boundOf(operation); predicate != CmpInst::BAD_ICMP_PREDICATE) {
    const unsigned n = isVarying(inputs[0]) ? 0 : 1;
    doesNotWrap(inputs[n], CmpInst::isSigned(predicate));
    for (unsigned row = 0; row < rows(); ++row) // each lane is inside if the first and the last one are
      for (Value *lane : {first(inputs[n], row), last(inputs[n], row)})
        all.push_back(b.CreateICmp(CmpInst::getNonStrictPredicate(predicate), lane, first(inputs[1 - n], row)));
    return;
  }
  switch (const unsigned opcode = operation.getOpcode()) {
  case Instruction::LShr:
  case Instruction::AShr:
    if (!isVarying(inputs[0]))
      return;
    doesNotWrap(inputs[0], opcode == Instruction::AShr);
    return sameAbove(inputs[0], static_cast<Instruction::BinaryOps>(opcode), splatOf(inputs[1])->getZExtValue());
  case Instruction::And:
  case Instruction::Or:
  case Instruction::
      Xor: { // the bits of the steps are 0 in the first lane, and in the other operand unless it cuts them
    const unsigned n = isVarying(inputs[0]) ? 0 : 1;
    if (!isVarying(inputs[n]))
      return;
    const uint64_t bits = bitsOf(*stepsOf(inputs[n]));
    for (unsigned row = 0; row < rows(); ++row) {
      Value *begin = first(inputs[n], row);
      if (opcode != Instruction::And)
        begin = b.CreateOr(begin, first(inputs[1 - n], row));
      all.push_back(b.CreateICmpEQ(b.CreateAnd(begin, ConstantInt::get(begin->getType(), bits)),
                                   ConstantInt::get(begin->getType(), 0)));
    }
    return;
  }
  case Instruction::ZExt:
  case Instruction::SExt:
    if (isVarying(inputs[0]))
      doesNotWrap(inputs[0], opcode == Instruction::SExt);
    return;
  case Instruction::ICmp: {
    const Predicate predicate = cast<ICmpInst>(operation).getPredicate();
    if (cast<ICmpInst>(operation).isEquality())
      return; // of the same steps
    for (Value *value : inputs)
      if (isVarying(value))
        doesNotWrap(value, CmpInst::isSigned(predicate));
    if (isVarying(inputs[0]) && isVarying(inputs[1]))
      return; // of the same steps
    for (unsigned row = 0; row < rows(); ++row) {
      auto end = [&](Value *value) { return isVarying(value) ? last(value, row) : first(value, row); };
      all.push_back(b.CreateICmpEQ(b.CreateICmp(predicate, first(inputs[0], row), first(inputs[1], row)),
                                   b.CreateICmp(predicate, end(inputs[0]), end(inputs[1]))));
    }
    return;
  }
  default: return;
  }
}

} // namespace hiplz::amdgcn
