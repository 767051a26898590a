// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/lane_addresses.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr int64_t kMostApart = 31; // lanes of a warp, from the first to the last
constexpr unsigned kLeastIndexBits = 32;

std::optional<ItemRead> itemRead(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  return load ? itemReadBy(*load) : std::nullopt;
}

bool isLaneId(ItemField field) {
  return field == ItemField::localId || field == ItemField::linearId || field == ItemField::globalX;
}

const void *laneKey(const ItemRead &read) {
  return reinterpret_cast<const void *>(uintptr_t(read.field) * 4 + read.dimension + 1);
}

// The id that grows by one from lane to lane of a row.
bool isAlongRow(const void *key) {
  return key == laneKey({ItemField::localId, 0}) || key == laneKey({ItemField::linearId, 0}) ||
         key == laneKey({ItemField::globalX, 0});
}

} // namespace

// Whether all lanes have the same value when they come to it together.
bool LaneAddresses::isUniform(const Value *value, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  if (isa<Constant>(value) || isa<Argument>(value))
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth == kMaxDepth)
    return false;
  if (auto read = itemRead(instruction))
    return !isLaneId(read->field);
  if (auto *load = dyn_cast<LoadInst>(instruction))
    return !load->isVolatile() && isUniform(load->getPointerOperand(), depth + 1);
  if (isItemAddress(instruction, body_))
    return true;
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

// Casts are taken for what they are where nothing wraps; those to fewer bits than an index has cut something off.
void LaneAddresses::add(Sum &sum, const SCEV *expression, int64_t factor) {
  if (auto *number = dyn_cast<SCEVConstant>(expression)) {
    if (number->getAPInt().getSignificantBits() <= 64)
      sum.constant += factor * number->getAPInt().getSExtValue();
    return;
  }
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
  } else if (auto *rounds = dyn_cast<SCEVAddRecExpr>(expression); rounds && rounds->isAffine()) {
    add(sum, rounds->getStart(), factor);
    const SCEV *step = rounds->getStepRecurrence(evolution_);
    if (auto *number = dyn_cast<SCEVConstant>(step);
        number && number->getAPInt().getSignificantBits() <= kLeastIndexBits)
      return addTerm(sum, {Kind::counter, rounds->getLoop(), nullptr}, factor * number->getAPInt().getSExtValue());
    return addTerm(sum, {kindOf(step) == Kind::uniform ? Kind::step : Kind::varying, rounds->getLoop(), step}, factor);
  } else if (auto *unknown = dyn_cast<SCEVUnknown>(expression)) {
    if (auto read = itemRead(unknown->getValue()); read && isLaneId(read->field))
      return addTerm(sum, {Kind::lane, laneKey(*read), nullptr}, factor);
  }
  addTerm(sum, {kindOf(expression), expression, nullptr}, factor);
}

const LaneAddresses::Sum &LaneAddresses::sumOf(const Value *pointer) {
  auto [place, isNew] = sums_.try_emplace(pointer);
  if (isNew)
    add(place->second, evolution_.getSCEV(const_cast<Value *>(pointer)), 1);
  return place->second;
}

// Whether the expression may have another value in the next round of a loop.
bool LaneAddresses::changes(const SCEV *expression, function_ref<bool(const BasicBlock *)> isRound) const {
  return SCEVExprContains(expression, [&](const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    auto *made = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    if (!made || itemRead(made))
      return false;
    for (const Loop *loop = loops_.getLoopFor(made->getParent()); loop; loop = loop->getParentLoop())
      if (isRound(loop->getHeader()))
        return true;
    return false;
  });
}

// Whether only lanes with an x below a limit that suits come to the block.
bool LaneAddresses::isBelow(const BasicBlock *block, function_ref<bool(const Sum &limit)> suits) {
  const DomTreeNode *node = tree_.getNode(block);
  for (; node && node->getIDom(); node = node->getIDom()) {
    auto *branch = dyn_cast<BranchInst>(node->getIDom()->getBlock()->getTerminator());
    auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!compare || node->getBlock()->getSinglePredecessor() != branch->getParent())
      continue;
    const bool isTrue = branch->getSuccessor(0) == node->getBlock();
    if (branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    for (unsigned operand : {0u, 1u}) {
      Value *x = compare->getOperand(operand), *limit = compare->getOperand(1 - operand);
      if (!x->getType()->isIntegerTy())
        continue;
      const Sum &id = sumOf(x);
      if (id.constant != 0 || id.terms.size() != 1 || id.terms.begin()->second != 1 ||
          std::get<0>(id.terms.begin()->first) != Kind::lane || !isAlongRow(std::get<1>(id.terms.begin()->first)))
        continue;
      CmpInst::Predicate predicate = operand == 0 ? compare->getPredicate() : compare->getSwappedPredicate();
      predicate = isTrue ? predicate : CmpInst::getInversePredicate(predicate);
      Sum bound = sumOf(limit);
      if (predicate == CmpInst::ICMP_EQ && bound.terms.empty()) // one lane
        bound.constant = 1;
      else if (ICmpInst::isLE(predicate))
        ++bound.constant;
      else if (!ICmpInst::isLT(predicate))
        continue;
      if (suits(bound))
        return true;
    }
  }
  return false;
}

// Steps of loops over what the block or the grid goes through together: `i += blockDim.x * gridDim.x`.
bool LaneAddresses::hasBlockSize(const SCEV *expression) {
  if (auto *cast = dyn_cast<SCEVCastExpr>(expression))
    return hasBlockSize(cast->getOperand());
  if (auto *product = dyn_cast<SCEVMulExpr>(expression))
    return any_of(product->operands(), hasBlockSize);
  auto *unknown = dyn_cast<SCEVUnknown>(expression);
  auto *load = unknown ? dyn_cast<LoadInst>(unknown->getValue()) : nullptr;
  return load && readsGroupSizeX(*load);
}

Overlap LaneAddresses::overlap(const Range &first, const Range &second,
                               function_ref<bool(const BasicBlock *)> isRound) {
  if (first.bytes == 0 || second.bytes == 0) // not known
    return Overlap::unknown;
  const Sum a = sumOf(first.pointer), b = sumOf(second.pointer);
  int64_t along = 0; // bytes from one lane of a row to the next
  bool anyLane = false, anyStep = false;
  SmallVector<std::pair<int64_t, int64_t>, 2> counters; // step, and the most rounds that two accesses are apart
  Sum apart;                                            // what the second address has more than the first
  for (const auto &[key, factor] : b.terms)
    addTerm(apart, key, factor);
  for (const auto &[key, factor] : a.terms)
    addTerm(apart, key, -factor);
  apart.constant = b.constant - a.constant;
  for (const auto &[key, factor] : a.terms) {
    const Kind kind = std::get<0>(key);
    const void *what = std::get<1>(key);
    switch (kind) {
    case Kind::varying: return Overlap::unknown;
    case Kind::uniform:
    case Kind::product:
      if (changes(static_cast<const SCEV *>(what), isRound))
        return Overlap::unknown;
      anyLane = anyLane || kind == Kind::product;
      break;
    case Kind::lane:
      if (isAlongRow(what)) {
        if (along != 0)
          return Overlap::unknown;
        along = factor;
      }
      anyLane = true;
      break;
    case Kind::counter:
    case Kind::step: {
      auto *loop = static_cast<const Loop *>(what);
      if (!isRound(loop->getHeader()))
        break;
      if (kind == Kind::step) {
        if (!hasBlockSize(static_cast<const SCEV *>(std::get<2>(key))) || along == 0 || factor % along != 0)
          return Overlap::unknown;
        anyStep = true;
        break;
      }
      const unsigned most = evolution_.getSmallConstantMaxTripCount(const_cast<Loop *>(loop));
      counters.push_back({factor, most == 0 ? INT32_MAX : int64_t(most) - 1});
      break;
    }
    }
  }
  const auto bytes = static_cast<int64_t>(std::max(first.bytes, second.bytes));
  // Steps of trees: `if (x < width) part[x] += part[x + width]`.
  if (along != 0 && bytes <= std::abs(along) && counters.empty() && !anyStep) {
    auto isDistance = [&](const Sum &limit) {
      auto isTimes = [&](int64_t factor) {
        return apart.constant == limit.constant * factor && apart.terms.size() == limit.terms.size() &&
               all_of(apart.terms, [&](const auto &term) {
                 auto same = limit.terms.find(term.first);
                 return std::get<0>(term.first) == Kind::uniform && same != limit.terms.end() &&
                        same->second * factor == term.second;
               });
      };
      return (limit.constant != 0 || !limit.terms.empty()) && (isTimes(along) || isTimes(-along));
    };
    if (isBelow(first.at->getParent(), isDistance) && isBelow(second.at->getParent(), isDistance))
      return Overlap::never;
  }
  // How far lanes that come to both are apart, along a row.
  int64_t mostApart = kMostApart;
  auto isFewer = [&](const Sum &limit) { return limit.terms.empty() && limit.constant <= mostApart; };
  while (mostApart > 0 && isBelow(first.at->getParent(), isFewer) && isBelow(second.at->getParent(), isFewer))
    --mostApart;
  if (mostApart == 0) // a single lane of each row
    return Overlap::never;
  if (!apart.terms.empty())
    return Overlap::unknown;
  const int64_t distance = apart.constant;
  auto overlap = [&](int64_t between) {
    return between < static_cast<int64_t>(first.bytes) && -between < static_cast<int64_t>(second.bytes);
  };
  // What loops with constant steps may add, to `from`: does it come to bytes that both touch?
  auto mayMeet = [&](int64_t from) {
    if (counters.empty())
      return overlap(from);
    int64_t divisor = 0;
    for (const auto &[step, most] : counters)
      divisor = std::gcd(divisor, step);
    const int64_t needed = (std::abs(from) + bytes) / divisor + 1;
    const int64_t rounds = std::min(counters.size() == 1 ? counters[0].second : INT32_MAX, needed);
    constexpr int64_t kMostRounds = 1 << 12;
    if (rounds > kMostRounds)
      return true;
    for (int64_t round = -rounds; round <= rounds; ++round)
      if (overlap(from + round * divisor))
        return true;
    return false;
  };
  if (!anyLane) { // one place for all lanes, in each round
    if (anyStep)
      return Overlap::unknown;
    return first.at == second.at && counters.empty() ? Overlap::some
           : mayMeet(distance)                       ? Overlap::some
                                                     : Overlap::never;
  }
  if (along == 0) // rows, and nothing along them: a row for each lane
    return distance == 0 && counters.empty() && !anyStep ? Overlap::never : Overlap::unknown;
  if (anyStep && (std::abs(distance) >= std::abs(along) || !counters.empty()))
    return Overlap::unknown;
  for (int64_t lanes = 1; lanes <= mostApart; ++lanes)
    if (mayMeet(distance + lanes * along) || mayMeet(distance - lanes * along))
      return Overlap::some;
  return Overlap::never;
}

} // namespace hiplz::cpu
