// SPDX-License-Identifier: MIT
// See idle_warps.h. Conditions have the forms that the warp builder gives them: a scalar comparison of the first lane's x, or
// "any lane" of a comparison of all lanes'.
#include "cpu/vectorizer/idle_warps.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/barrier_crossings.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <cstddef>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::cpu {
namespace {

// The x of the first lane, which grows from warp to warp. It exists where the lanes of a warp are neighbours in x.
bool isFirstX(const Value *value, const Function &warp) {
  while (auto *wider = dyn_cast<ZExtInst>(value))
    value = wider->getOperand(0);
  auto *load = dyn_cast<LoadInst>(value);
  if (!load || !load->isSimple() || !load->getType()->isIntegerTy(32))
    return false;
  APInt offset(64, 0);
  const Value *base =
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(warp.getParent()->getDataLayout(), offset, true);
  return base == warp.getArg(0) && offset == offsetof(WarpState, firstId);
}

// The first lane's x, if the value is the x of all lanes, ascending by one; else null.
Value *firstOfEveryX(const Value *value, const Function &warp) {
  Value *first = nullptr, *steps = nullptr;
  if (!match(value, m_Add(m_Value(first), m_Value(steps))))
    return nullptr;
  auto *numbers = dyn_cast<ConstantDataVector>(steps);
  Value *x = getSplatValue(first);
  if (!numbers || !x || !isFirstX(x, warp))
    return nullptr;
  for (unsigned lane = 0; lane < numbers->getNumElements(); ++lane)
    if (numbers->getElementAsInteger(lane) != lane)
      return nullptr;
  return x;
}

struct Condition {
  Value *x;                     // the first lane's
  CmpInst::Predicate predicate; // x `predicate` limit
  Value *limit;
  bool anyLane;
};

std::optional<Condition> conditionOf(const BranchInst &branch, const Function &warp) {
  auto *compare = branch.isConditional() ? dyn_cast<ICmpInst>(branch.getCondition()) : nullptr;
  if (!compare)
    return std::nullopt;
  Value *lanes = nullptr, *positive = nullptr;
  const bool anyLane = compare->getPredicate() == CmpInst::ICMP_NE && match(compare->getOperand(1), m_ZeroInt()) &&
                       match(compare->getOperand(0), m_BitCast(m_Value(lanes)));
  const bool inverted = anyLane && match(lanes, m_Not(m_Value(positive)));
  if (anyLane)
    compare = dyn_cast<ICmpInst>(inverted ? positive : lanes);
  if (!compare)
    return std::nullopt;
  for (unsigned operand : {0u, 1u}) {
    Value *value = compare->getOperand(operand), *limit = compare->getOperand(1 - operand);
    Value *x = anyLane ? firstOfEveryX(value, warp) : isFirstX(value, warp) ? value : nullptr;
    if (!x)
      continue;
    CmpInst::Predicate predicate = operand == 0 ? compare->getPredicate() : compare->getSwappedPredicate();
    limit = anyLane ? getSplatValue(limit) : limit;
    return limit ? std::optional(
                       Condition{x, inverted ? CmpInst::getInversePredicate(predicate) : predicate, limit, anyLane})
                 : std::nullopt;
  }
  return std::nullopt;
}

// The value is one of the guarded block, which the comparison comes before.
Value *othersComeIn(BasicBlock &block, const Condition &condition, bool isSigned, bool inclusive, unsigned width) {
  IRBuilder<> builder(&block, block.getFirstInsertionPt());
  auto *constant = dyn_cast<ConstantInt>(condition.limit);
  if (constant && constant->getValue().ult(width + !inclusive)) // room for one warp
    return builder.getFalse();
  Value *next = builder.CreateAdd(condition.x, ConstantInt::get(condition.x->getType(), width));
  const auto predicate = isSigned ? (inclusive ? CmpInst::ICMP_SLE : CmpInst::ICMP_SLT)
                                  : (inclusive ? CmpInst::ICMP_ULE : CmpInst::ICMP_ULT);
  return builder.CreateICmp(predicate, next, condition.limit);
}

std::optional<IdleWarps::Guard> guardAt(const BasicBlock &block, const Function &warp, const WarpsOfGroup &uniformity,
                                        unsigned width) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  auto condition = branch ? conditionOf(*branch, warp) : std::nullopt;
  if (!condition || !uniformity.isUniform(condition->limit))
    return std::nullopt;
  CmpInst::Predicate predicate = condition->predicate;
  unsigned inside = 0;
  if (!condition->anyLane && // that no lane is above says nothing about those of other warps
      (predicate == CmpInst::ICMP_NE || ICmpInst::isGE(predicate) || ICmpInst::isGT(predicate))) {
    predicate = CmpInst::getInversePredicate(predicate);
    inside = 1;
  }
  const bool isZero = predicate == CmpInst::ICMP_EQ && match(condition->limit, m_ZeroInt()); // in the first warp only
  BasicBlock *guarded = branch->getSuccessor(inside);
  if ((!isZero && !ICmpInst::isLT(predicate) && !ICmpInst::isLE(predicate)) ||
      guarded->getSinglePredecessor() != &block)
    return std::nullopt;
  const bool inclusive = isZero || ICmpInst::isLE(predicate);
  return IdleWarps::Guard{guarded, othersComeIn(*guarded, *condition, ICmpInst::isSigned(predicate), inclusive, width)};
}

bool hasEffects(const Instruction &instruction) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return instruction.mayHaveSideEffects() && !isWarpBarrier(instruction) &&
         !(intrinsic && intrinsic->isLifetimeStartOrEnd());
}

} // namespace

IdleWarps::IdleWarps(Function &warp, const WarpsOfGroup &uniformity, unsigned width) {
  if (!uniformity.inStep())
    return;
  DominatorTree dominators(warp);
  for (BasicBlock &block : warp)
    if (auto guard = guardAt(block, warp, uniformity, width))
      guards_[&block] = *guard;
  auto isGuarded = [&](const BasicBlock &block) {
    return any_of(guards_, [&](const auto &guard) { return dominators.dominates(guard.second.block, &block); });
  };
  for (const BasicBlock &block : warp) {
    const Instruction *terminator = block.getTerminator();
    const bool parts =
        terminator->getNumSuccessors() > 1 && !uniformity.isUniform(terminator->getOperand(0)) && !guardOf(&block);
    if ((parts || any_of(block, hasEffects)) && !isGuarded(block))
      working_.insert(&block);
  }
}

} // namespace hiplz::cpu
