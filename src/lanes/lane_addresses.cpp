// SPDX-License-Identifier: MIT
// Two addresses, compared for all pairs of lanes. lane_sums.cpp makes them sums.
#include "lanes/lane_addresses.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

using namespace llvm;

namespace hiplz {
namespace {

constexpr int64_t kMostApart = 31;     // lanes of a warp, from the first to the last
constexpr unsigned kMostQuotients = 3; // in one address

} // namespace

LaneAddresses::LaneAddresses(Function &body, const LaneFacts &facts, const WarpExtent &extent,
                             ScalarEvolution &evolution, const LoopInfo &loops, const DominatorTree &tree)
    : facts_(facts), evolution_(evolution), loops_(loops), tree_(tree), extent_(extent) {
  unsigned read = facts.idsElsewhere();
  for (Instruction &instruction : instructions(body))
    if (auto id = facts.idOf(instruction))
      read |= 1u << id->id;
  idsRead_ = read == 0 ? 1 : read;
  if ((read >> 2 & 1) && extent_.apart[2] != 0)
    extent_.apart[1] = kMostApart;
}

// True if the expression may have another value in the next round of a loop.
bool LaneAddresses::changes(const SCEV *expression, function_ref<bool(const BasicBlock *)> isRound) const {
  return SCEVExprContains(expression, [&](const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    auto *made = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    if (!made || facts_.idOf(*made) || facts_.isOfBlock(*made))
      return false;
    for (const Loop *loop = loops_.getLoopFor(made->getParent()); loop; loop = loop->getParentLoop())
      if (isRound(loop->getHeader()))
        return true;
    return false;
  });
}

// The ids of the lane that are in an expression, as a set.
unsigned LaneAddresses::idsIn(const SCEV *expression) const {
  unsigned ids = 0;
  SCEVExprContains(expression, [&](const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    if (auto id = unknown ? facts_.idOf(*unknown->getValue()) : std::nullopt)
      ids |= 1u << id->id;
    return false;
  });
  return ids;
}

LaneAddresses::LaneParts LaneAddresses::lanePartsOf(const Sum &sum) const {
  LaneParts parts;
  unsigned seen = 0, all = 0;
  for (const auto &[key, factor] : sum.terms) {
    unsigned ids = 0;
    if (std::get<0>(key) == Kind::lane) {
      ids = 1u << idOfKey(std::get<1>(key));
      parts.bytes[idOfKey(std::get<1>(key))] = factor;
    } else if (std::get<0>(key) == Kind::product) {
      ids = idsIn(static_cast<const SCEV *>(std::get<1>(key)));
      parts.rows |= ids;
    } else if (std::get<0>(key) == Kind::quotient) {
      auto *quotient = static_cast<const Quotient *>(std::get<1>(key));
      parts.quotients.push_back({quotient, factor});
      for (unsigned id = 0; id < kIds; ++id)
        if (quotient->factors[id] != 0)
          parts.divided |= 1u << id;
      all |= parts.divided;
    }
    parts.isMixed = parts.isMixed || (seen & ids) != 0;
    seen |= ids;
    all |= ids;
  }
  parts.isMixed = parts.isMixed || ((all >> kLinear & 1) && all != 1u << kLinear);
  return parts;
}

// True if the lanes that come to the block have an id from `low` to below `limit` for some pair that suits.
bool LaneAddresses::anyLimit(const BasicBlock *block, unsigned id,
                             function_ref<bool(const Sum &low, const Sum &limit)> suits) {
  for (const DomTreeNode *node = tree_.getNode(block); node && node->getIDom(); node = node->getIDom()) {
    const BasicBlock *before = node->getIDom()->getBlock();
    auto *branch = dyn_cast<BranchInst>(before->getTerminator());
    auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!compare || node->getBlock()->getSinglePredecessor() != before ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    const bool isTrue = branch->getSuccessor(0) == node->getBlock();
    for (unsigned operand : {0u, 1u}) {
      Value *compared = compare->getOperand(operand), *with = compare->getOperand(1 - operand);
      if (!compared->getType()->isIntegerTy())
        continue;
      const Sum &sum = sumOf(compared, before);
      if (sum.constant != 0 || sum.terms.size() != 1 || sum.terms.begin()->second != 1 ||
          std::get<0>(sum.terms.begin()->first) != Kind::lane || idOfKey(std::get<1>(sum.terms.begin()->first)) != id)
        continue;
      CmpInst::Predicate predicate = operand == 0 ? compare->getPredicate() : compare->getSwappedPredicate();
      predicate = isTrue ? predicate : CmpInst::getInversePredicate(predicate);
      Sum low, limit = sumOf(with, before);
      if (predicate == CmpInst::ICMP_EQ) {
        low = limit;
        ++limit.constant;
      } else if (ICmpInst::isLE(predicate)) {
        ++limit.constant;
      } else if (!ICmpInst::isLT(predicate)) {
        continue;
      }
      if (suits(low, limit))
        return true;
    }
  }
  return false;
}

LaneAddresses::Intervals LaneAddresses::idsAt(const BasicBlock *block) {
  if (auto known = idsAt_.find(block); known != idsAt_.end())
    return known->second;
  Intervals ids;
  for (unsigned id = 0; id < kIds; ++id) {
    Interval range{0, id == 0 ? extent_.mostX : INT32_MAX};
    anyLimit(block, id, [&](const Sum &low, const Sum &limit) {
      if (low.terms.empty() && limit.terms.empty())
        range = {std::max(range.low, low.constant), std::min(range.high, limit.constant - 1)};
      return false;
    });
    ids[id] = range;
  }
  return idsAt_[block] = ids;
}

// How much larger each id may be in the lane that comes to the second block, if both are lanes of one warp.
LaneAddresses::Intervals LaneAddresses::apartIn(const BasicBlock *first, const BasicBlock *second) {
  const Intervals a = idsAt(first), b = idsAt(second);
  Intervals apart;
  for (unsigned id = 0; id < kIds; ++id) {
    const int64_t most = !(idsRead_ >> id & 1) ? 0 : id == kLinear ? kMostApart : extent_.apart[id];
    apart[id] = {std::max(b[id].low - a[id].high, -most), std::min(b[id].high - a[id].low, most)};
  }
  return apart;
}

// Steps of loops over what the block or the grid goes through together: `i += blockDim.x * gridDim.x`.
bool LaneAddresses::hasBlockSize(const SCEV *expression) const {
  if (auto *cast = dyn_cast<SCEVCastExpr>(expression))
    return hasBlockSize(cast->getOperand());
  if (auto *product = dyn_cast<SCEVMulExpr>(expression))
    return any_of(product->operands(), [&](const SCEV *factor) { return hasBlockSize(factor); });
  auto *unknown = dyn_cast<SCEVUnknown>(expression);
  return unknown && facts_.isBlockSizeX(*unknown->getValue());
}

Overlap LaneAddresses::overlap(const Range &first, const Range &second,
                               function_ref<bool(const BasicBlock *)> isRound) {
  if (first.bytes == 0 || second.bytes == 0) // not known
    return Overlap::scattered;
  const BasicBlock *firstBlock = first.at->getParent(), *secondBlock = second.at->getParent();
  const Sum a = sumOf(first.pointer, firstBlock), b = sumOf(second.pointer, secondBlock);
  Sum apart; // what the second address has more than the first
  for (const auto &[key, factor] : b.terms)
    addTerm(apart, key, factor);
  for (const auto &[key, factor] : a.terms)
    addTerm(apart, key, -factor);
  apart.constant = b.constant - a.constant;

  const Intervals between = apartIn(firstBlock, secondBlock);
  auto isSame = [&](unsigned id) { return between[id].low == 0 && between[id].high == 0; };
  auto isOneLane = [&] {
    return ((idsRead_ >> kLinear & 1) && isSame(kLinear)) ||
           (idsRead_ != 1u << kLinear && isSame(0) && isSame(1) && isSame(2));
  };
  if (isOneLane())
    return Overlap::never;
  for (const Sum *sum : {&a, &b})
    for (const auto &[key, factor] : sum->terms)
      if (std::get<0>(key) == Kind::varying)
        return Overlap::scattered;

  const LaneParts lanes = lanePartsOf(a);
  if (lanes.quotients.size() > kMostQuotients || (lanes.isMixed && !lanes.quotients.empty()) ||
      any_of(apart.terms, [](const auto &term) { return std::get<0>(term.first) == Kind::quotient; }))
    return Overlap::scattered;
  const int64_t along = lanes.bytes[0] != 0 ? lanes.bytes[0] : lanes.bytes[kLinear];
  bool anyStep = false;
  SmallVector<std::pair<int64_t, int64_t>, 2> counters; // step, and the most rounds that two accesses are apart
  for (const auto &[key, factor] : a.terms) {
    const Kind kind = std::get<0>(key);
    if (kind == Kind::uniform || kind == Kind::product) {
      if (changes(static_cast<const SCEV *>(std::get<1>(key)), isRound))
        return Overlap::unknown;
    } else if (kind == Kind::counter || kind == Kind::step) {
      auto *loop = static_cast<const Loop *>(std::get<1>(key));
      if (!isRound(loop->getHeader()))
        continue;
      if (kind == Kind::step) {
        if (!hasBlockSize(static_cast<const SCEV *>(std::get<2>(key))) || along == 0 || factor % along != 0)
          return Overlap::unknown;
        anyStep = true;
        continue;
      }
      const unsigned most = evolution_.getSmallConstantMaxTripCount(const_cast<Loop *>(loop));
      counters.push_back({factor, most == 0 ? INT32_MAX : int64_t(most) - 1});
    }
  }
  // Lanes that differ only in ids that the address does not have come to one place.
  bool sharesPlace = false;
  for (unsigned id = 0; id < kLinear && !lanes.has(kLinear); ++id)
    sharesPlace = sharesPlace || ((idsRead_ >> id & 1) && !lanes.has(id) && !isSame(id));
  if (idsRead_ == 1u << kLinear)
    sharesPlace = !lanes.has(kLinear);

  const auto bytes = static_cast<int64_t>(std::max(first.bytes, second.bytes));
  // Steps of trees: `if (x < width) part[x] += part[x + width]`.
  if (along != 0 && !lanes.isMixed && lanes.quotients.empty() && !sharesPlace && bytes <= std::abs(along) &&
      counters.empty() && !anyStep) {
    auto isDistance = [&](const Sum &low, const Sum &limit) {
      auto isTimes = [&](int64_t factor) {
        return apart.constant == limit.constant * factor && apart.terms.size() == limit.terms.size() &&
               all_of(apart.terms, [&](const auto &term) {
                 auto same = limit.terms.find(term.first);
                 return std::get<0>(term.first) == Kind::uniform && same != limit.terms.end() &&
                        same->second * factor == term.second;
               });
      };
      return low.terms.empty() && low.constant == 0 && (limit.constant != 0 || !limit.terms.empty()) &&
             (isTimes(along) || isTimes(-along));
    };
    const unsigned id = lanes.bytes[0] != 0 ? 0 : kLinear;
    if (anyLimit(firstBlock, id, isDistance) && anyLimit(secondBlock, id, isDistance))
      return Overlap::never;
  }
  if (!apart.terms.empty())
    return Overlap::unknown;
  const int64_t distance = apart.constant;
  // The numbers that loops with constant steps may add, to `from`: does it come to bytes that both touch?
  auto mayMeet = [&](int64_t from) {
    const int64_t most = static_cast<int64_t>(first.bytes) - 1, least = 1 - static_cast<int64_t>(second.bytes);
    if (counters.empty())
      return from >= least && from <= most;
    int64_t divisor = 0;
    for (const auto &[step, rounds] : counters)
      divisor = std::gcd(divisor, step);
    const int64_t rounds = counters.size() == 1 ? counters[0].second : INT32_MAX;
    auto floorDivide = [&](int64_t value) { return value / divisor - (value % divisor < 0 ? 1 : 0); };
    const int64_t from0 = -floorDivide(from - least), to0 = floorDivide(most - from); // rounds that come to such bytes
    return std::max(from0, -rounds) <= std::min(to0, rounds);
  };
  // How much more the second address has by the quotients of a lane whose ids are larger by so much. One by c is larger by what the
  // dividend is over c, rounded up or down.
  auto mayMeetWithQuotients = [&](int64_t from, const std::array<int64_t, kIds> &by) {
    SmallVector<int64_t, 8> places{from};
    for (const auto &[quotient, factor] : lanes.quotients) {
      int64_t larger = 0;
      for (unsigned id = 0; id < kIds; ++id)
        larger += quotient->factors[id] * by[id];
      const int64_t down =
          (larger - ((larger % quotient->divisor + quotient->divisor) % quotient->divisor)) / quotient->divisor;
      const bool isWhole = larger % quotient->divisor == 0;
      for (size_t i = 0, known = places.size(); i < known; ++i) {
        if (!isWhole)
          places.push_back(places[i] + (down + 1) * factor);
        places[i] += down * factor;
      }
    }
    return any_of(places, mayMeet);
  };
  const bool anyLane = along != 0 || lanes.bytes[1] != 0 || lanes.bytes[2] != 0 || lanes.divided != 0;
  if (anyStep && (!anyLane || !lanes.quotients.empty() || std::abs(distance) >= std::abs(along) || !counters.empty()))
    return Overlap::unknown;
  if (lanes.isMixed || (lanes.rows != 0 && !anyLane)) { // rows, and nothing along them: a row for each lane
    if (distance != 0 || !counters.empty() || anyStep)
      return Overlap::unknown;
    return sharesPlace ? Overlap::some : Overlap::never;
  }
  // Other lanes of the warp, by how much their ids are larger. Those of other rows of a matrix are far away.
  auto rangeOf = [&](unsigned id) {
    return (lanes.bytes[id] != 0 || (lanes.divided >> id & 1)) && !(lanes.rows >> id & 1) ? between[id]
                                                                                          : Interval{0, 0};
  };
  if (lanes.has(kLinear)) {
    for (int64_t by = between[kLinear].low; by <= between[kLinear].high; ++by)
      if (by != 0 && mayMeetWithQuotients(distance + by * along, {0, 0, 0, by}))
        return Overlap::some;
    return Overlap::never;
  }
  const Interval xs = rangeOf(0), ys = rangeOf(1), zs = rangeOf(2);
  for (int64_t z = zs.low; z <= zs.high; ++z)
    for (int64_t y = ys.low; y <= ys.high; ++y)
      for (int64_t x = xs.low; x <= xs.high; ++x)
        if ((x != 0 || y != 0 || z != 0 || sharesPlace) &&
            mayMeetWithQuotients(distance + x * lanes.bytes[0] + y * lanes.bytes[1] + z * lanes.bytes[2], {x, y, z, 0}))
          return Overlap::some;
  return Overlap::never;
}

} // namespace hiplz
