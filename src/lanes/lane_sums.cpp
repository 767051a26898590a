// SPDX-License-Identifier: MIT
// See lane_addresses.h. An address as a sum, from what LLVM's scalar evolution knows of it.
#include "lanes/lane_addresses.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

using namespace llvm;

namespace hiplz {
namespace {

constexpr unsigned kLeastIndexBits = 32;

} // namespace

// True if all lanes have the same value when they come to it together.
bool LaneAddresses::isUniform(const Value *value, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  if (isa<Constant>(value) || facts_.isOfBlock(*value))
    return true;
  if (isa<Argument>(value))
    return facts_.hasCommonArguments();
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth == kMaxDepth)
    return false;
  // Lanes may have left a loop in different rounds.
  if (const Loop *loop = loops_.getLoopFor(instruction->getParent()); loop && !loop->contains(scope_))
    return false;
  if (facts_.idOf(*instruction))
    return false;
  if (auto *load = dyn_cast<LoadInst>(instruction))
    return !load->isVolatile() && isUniform(load->getPointerOperand(), depth + 1);
  if (auto *phi = dyn_cast<PHINode>(instruction)) { // lanes that are in a loop together have gone round as often
    const Loop *loop = loops_.getLoopFor(phi->getParent());
    if (!loop || loop->getHeader() != phi->getParent() || phi->getNumIncomingValues() != 2)
      return false;
    if (is_contained(assumedUniform_, phi))
      return true;
    assumedUniform_.push_back(phi);
    const bool uniform =
        all_of(phi->incoming_values(), [&](const Use &incoming) { return isUniform(incoming, depth + 1); });
    assumedUniform_.pop_back();
    return uniform;
  }
  if (!isa<BinaryOperator, CastInst, GetElementPtrInst, SelectInst, CmpInst, FreezeInst, ExtractElementInst>(
          instruction))
    return false;
  return all_of(instruction->operands(), [&](const Use &operand) { return isUniform(operand, depth + 1); });
}

// A sum with an id of the lane, and with nothing that is not known.
bool LaneAddresses::isLaneSum(const SCEV *expression) {
  Sum sum;
  add(sum, expression, 1);
  bool any = false;
  for (const auto &[key, factor] : sum.terms) {
    const Kind kind = std::get<0>(key);
    if (kind != Kind::lane && kind != Kind::product && kind != Kind::uniform)
      return false;
    any = any || kind != Kind::uniform;
  }
  return any;
}

LaneAddresses::Kind LaneAddresses::kindOf(const SCEV *expression) {
  const bool uniform = !SCEVExprContains(expression, [&](const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && !isUniform(unknown->getValue());
  });
  if (uniform)
    return Kind::uniform;
  auto *product = dyn_cast<SCEVMulExpr>(expression);
  if (!product)
    return Kind::varying;
  unsigned lanes = 0;
  for (const SCEV *factor : product->operands()) {
    if (kindOf(factor) == Kind::uniform)
      continue;
    if (!isLaneSum(factor))
      return Kind::varying;
    ++lanes;
  }
  return lanes == 1 ? Kind::product : Kind::varying;
}

void LaneAddresses::addTerm(Sum &sum, Key key, int64_t factor) {
  if ((sum.terms[key] += factor) == 0)
    sum.terms.erase(key);
}

// Adds `factor` times the dividend over the divisor. What the divisor divides is taken out: (16 y + x) / 16 is y + x / 16. Returns false,
// with nothing added, for anything but sums of ids. Quotients are rounded down or, of what is not negative, to 0.
bool LaneAddresses::addQuotient(Sum &sum, const SCEV *dividend, int64_t divisor, int64_t factor, bool mayBeNegative) {
  Sum parts, whole;
  add(parts, dividend, 1);
  if (parts.constant < 0 && !mayBeNegative)
    return false;
  Quotient rest;
  rest.divisor = divisor;
  rest.constant = (parts.constant % divisor + divisor) % divisor;
  whole.constant = (parts.constant - rest.constant) / divisor;
  int64_t most = rest.constant;
  for (const auto &[key, times] : parts.terms) {
    const Kind kind = std::get<0>(key);
    const bool isPositive = times > 0 && (kind == Kind::lane || kind == Kind::counter);
    if (kind != Kind::varying && kind != Kind::quotient && times % divisor == 0 && (isPositive || mayBeNegative)) {
      addTerm(whole, key, times / divisor);
    } else if (kind == Kind::lane && times > 0) {
      const unsigned id = idOfKey(std::get<1>(key));
      rest.factors[id] = times;
      most = std::min<int64_t>(
          INT32_MAX, most + times * std::min<int64_t>(id == 0 ? extent_.mostX : INT32_MAX, INT32_MAX / times));
    } else {
      return false;
    }
  }
  if (most >= divisor)
    addTerm(whole, {Kind::quotient, &*quotients_.insert(rest).first, nullptr}, 1);
  sum.constant += factor * whole.constant;
  for (const auto &[key, times] : whole.terms)
    addTerm(sum, key, factor * times);
  return true;
}

// Quotients and remainders by a number, in the forms that they have in LLVM. Of operations with a sign, the dividend may be negative, and
// then a quotient is rounded up: only ids and loops that count upwards are taken apart there.
bool LaneAddresses::addDivision(Sum &sum, const SCEV *expression, int64_t factor) {
  constexpr int64_t kMostDivisor = 1 << 20;
  if (std::abs(factor) > INT32_MAX)
    return false;
  auto addBoth = [&](const SCEV *dividend, int64_t divisor, bool isRemainder, bool mayBeNegative) {
    if (divisor <= 0 || divisor > kMostDivisor)
      return false;
    if (!isRemainder)
      return addQuotient(sum, dividend, divisor, factor, mayBeNegative);
    if (!addQuotient(sum, dividend, divisor, -factor * divisor, mayBeNegative))
      return false;
    add(sum, dividend, factor);
    return true;
  };
  if (auto *quotient = dyn_cast<SCEVUDivExpr>(expression)) {
    auto *divisor = dyn_cast<SCEVConstant>(quotient->getRHS());
    return divisor && addBoth(quotient->getLHS(), divisor->getAPInt().getLimitedValue(kMostDivisor + 1), false, true);
  }
  if (auto *extension = dyn_cast<SCEVZeroExtendExpr>(expression)) { // x & 15
    auto *part = dyn_cast<SCEVTruncateExpr>(extension->getOperand());
    const unsigned bits = part ? part->getType()->getScalarSizeInBits() : 0;
    return bits != 0 && bits < kLeastIndexBits && addBoth(part->getOperand(), int64_t(1) << bits, true, true);
  }
  auto *unknown = dyn_cast<SCEVUnknown>(expression);
  auto *operation = unknown ? dyn_cast<BinaryOperator>(unknown->getValue()) : nullptr;
  auto *number = operation ? dyn_cast<ConstantInt>(operation->getOperand(1)) : nullptr;
  if (!number)
    return false;
  const SCEV *dividend = evolution_.getSCEVAtScope(evolution_.getSCEV(operation->getOperand(0)), scope_);
  const auto by = static_cast<int64_t>(number->getValue().getLimitedValue(kMostDivisor + 1));
  switch (operation->getOpcode()) {
  case Instruction::SDiv: return addBoth(dividend, by, false, false);
  case Instruction::SRem: return addBoth(dividend, by, true, false);
  case Instruction::URem: return addBoth(dividend, by, true, true);
  case Instruction::AShr: return by < 20 && addBoth(dividend, int64_t(1) << by, false, true);
  default: return false;
  }
}

// Casts are taken for what they are where nothing wraps; those to fewer bits than an index has cut something off.
void LaneAddresses::add(Sum &sum, const SCEV *expression, int64_t factor) {
  if (auto *number = dyn_cast<SCEVConstant>(expression)) {
    if (number->getAPInt().getSignificantBits() <= 64)
      sum.constant += factor * number->getAPInt().getSExtValue();
    return;
  }
  if (addDivision(sum, expression, factor))
    return;
  if (auto *cast = dyn_cast<SCEVCastExpr>(expression)) {
    if (!isa<SCEVTruncateExpr>(cast) || cast->getType()->getScalarSizeInBits() >= kLeastIndexBits)
      return add(sum, cast->getOperand(), factor);
  } else if (auto *all = dyn_cast<SCEVAddExpr>(expression)) {
    for (const SCEV *part : all->operands())
      add(sum, part, factor);
    return;
  } else if (auto *product = dyn_cast<SCEVMulExpr>(expression)) {
    auto *number = dyn_cast<SCEVConstant>(product->getOperand(0));
    if (number && number->getAPInt().getSignificantBits() <= kLeastIndexBits && std::abs(factor) < (int64_t(1) << 31)) {
      SmallVector<const SCEV *, 4> rest(drop_begin(product->operands()));
      return add(sum, evolution_.getMulExpr(rest), factor * number->getAPInt().getSExtValue());
    }
  } else if (auto *rounds = dyn_cast<SCEVAddRecExpr>(expression);
             rounds && rounds->isAffine() && rounds->getLoop()->contains(scope_)) {
    add(sum, rounds->getStart(), factor);
    const SCEV *step = rounds->getStepRecurrence(evolution_);
    if (auto *number = dyn_cast<SCEVConstant>(step);
        number && number->getAPInt().getSignificantBits() <= kLeastIndexBits)
      return addTerm(sum, {Kind::counter, rounds->getLoop(), nullptr}, factor * number->getAPInt().getSExtValue());
    return addTerm(sum, {kindOf(step) == Kind::uniform ? Kind::step : Kind::varying, rounds->getLoop(), step}, factor);
  } else if (auto *unknown = dyn_cast<SCEVUnknown>(expression)) {
    if (auto id = facts_.idOf(*unknown->getValue()))
      return addTerm(sum, {Kind::lane, laneKey(*id), nullptr}, factor);
    if (auto *phi = dyn_cast<PHINode>(unknown->getValue()); phi && addMerged(sum, *phi, factor))
      return;
  }
  addTerm(sum, {kindOf(expression), expression, nullptr}, factor);
}

// A value that is computed in each of the branches that join, and is the same sum in all.
bool LaneAddresses::addMerged(Sum &sum, const PHINode &phi, int64_t factor) {
  constexpr unsigned kMostNested = 4;
  const Loop *loop = loops_.getLoopFor(phi.getParent());
  if ((loop && loop->getHeader() == phi.getParent()) || phi.getNumIncomingValues() == 0 || merges_ == kMostNested ||
      !evolution_.isSCEVable(phi.getType()))
    return false;
  ++merges_;
  std::optional<Sum> common;
  const bool isCommon = all_of(phi.incoming_values(), [&](const Use &incoming) {
    Sum one;
    add(one, evolution_.getSCEVAtScope(evolution_.getSCEV(incoming.get()), scope_), factor);
    if (!common)
      common = std::move(one);
    else if (one.constant != common->constant || one.terms != common->terms)
      return false;
    return true;
  });
  --merges_;
  if (!isCommon)
    return false;
  sum.constant += common->constant;
  for (const auto &[key, times] : common->terms)
    addTerm(sum, key, times);
  return true;
}

// A value as it is at a block.
const LaneAddresses::Sum &LaneAddresses::sumOf(const Value *value, const BasicBlock *block) {
  const Loop *loop = loops_.getLoopFor(block);
  auto [place, isNew] = sums_.try_emplace({value, loop});
  if (isNew) {
    scope_ = loop;
    add(place->second, evolution_.getSCEVAtScope(evolution_.getSCEV(const_cast<Value *>(value)), loop), 1);
  }
  return place->second;
}

} // namespace hiplz
