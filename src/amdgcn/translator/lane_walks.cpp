// SPDX-License-Identifier: MIT
// See lane_walks.h. A loop qualifies if it is one block that only loads, so nobody sees in which order the lanes read, and if no lane looks at
// another one. It ends for all lanes at once, or each lane leaves EXEC when it is done. Then what a lane does in the rounds behind must be
// nothing: registers are written through selections of EXEC, so they keep what was in them (keeps()).
#include "amdgcn/translator/lane_walks.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/lane_masks.h"
#include "amdgcn/translator/lane_patterns.h"
#include "amdgcn/translator/walk_lanes.h"
#include "base/llvm_compat.h"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr size_t kMostOperations = 120; ///< of a loop, with those that move registers around
constexpr size_t kMostLoads = 4;        ///< more of them have a lane's words in the cache for longer
constexpr uint64_t kMostStep = 16;      ///< bytes from one word of a row to the next one

bool isVector(const Value *value) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  return type && type->getNumElements() == kLanes;
}

/// Finds out whether a block is such a loop, and how it ends.
class WalkFinder {
public:
  WalkFinder(BasicBlock &block, LanePatterns &patterns) : block_(block), patterns_(patterns) {}

  std::optional<LaneWalk> find() {
    auto *branch = dyn_cast<BranchInst>(block_.getTerminator());
    if (!branch || !branch->isConditional() || block_.size() > kMostOperations)
      return std::nullopt;
    const bool goesOnIfTrue = branch->getSuccessor(0) == &block_;
    if (goesOnIfTrue == (branch->getSuccessor(1) == &block_) || !block_.hasNPredecessors(2))
      return std::nullopt;
    walk_.loop = &block_;
    if (!collectLoads() || !findEnd(*branch->getCondition(), goesOnIfTrue))
      return std::nullopt;
    findMasks();
    if (!all_of(block_, [&](Instruction &operation) { return isPerLane(operation); }) || !keepLanes() || !findRow())
      return std::nullopt;
    return walk_;
  }

private:
  bool isInside(const Value *value) const {
    auto *made = dyn_cast<Instruction>(value);
    return made && made->getParent() == &block_;
  }
  bool isUsedOutside(const Instruction &made) const {
    return any_of(made.users(), [&](const User *user) { return !isInside(user); });
  }
  Value *next(PHINode &phi) const { return phi.getIncomingValueForBlock(&block_); }

  bool collectLoads() {
    for (Instruction &operation : block_) {
      auto *call = dyn_cast<CallInst>(&operation);
      if (call && isLoadOfLanes(*call))
        walk_.loads.push_back(call);
      else if (operation.mayHaveSideEffects() || (call && (!isa<IntrinsicInst>(call) || call->isConvergent())))
        return false;
      else if (auto *load = dyn_cast<LoadInst>(&operation); load && !load->isSimple())
        return false;
    }
    return !walk_.loads.empty() && walk_.loads.size() <= kMostLoads;
  }

  /// The mask of the lanes that are still there.
  bool findEnd(Value &condition, bool goesOnIfTrue) {
    Value *test = &condition, *rest;
    ends_.insert(test);
    while (isInside(test) && match(test, m_Not(m_Value(test)))) {
      goesOnIfTrue = !goesOnIfTrue;
      ends_.insert(test);
    }
    MatchedPredicate predicate;
    if (match(test, m_ICmp(predicate, m_Value(rest), m_ZeroInt())) && ICmpInst::isEquality(predicate))
      for (PHINode &phi : block_.phis())
        if (next(phi) == rest && isPartOf(*rest, phi)) {
          if (goesOnIfTrue != (predicate == ICmpInst::ICMP_NE))
            return false;
          walk_.lanes = &phi;
          walk_.rest = rest;
          return all_of(ends_, [](Value *end) { return end->hasOneUse(); });
        }
    ends_.clear();
    walk_.lanes = walk_.loads[0]->getArgOperand(kAccessBits); // all lanes leave together
    return !isInside(walk_.lanes);
  }

  /// True if `part` has no bits that `whole` has not.
  bool isPartOf(Value &part, Value &whole) const {
    Value *left, *right;
    return &part == &whole || (isInside(&part) && match(&part, m_And(m_Value(left), m_Value(right))) &&
                               (isPartOf(*left, whole) || isPartOf(*right, whole)));
  }

  void findMasks() {
    if (isInside(walk_.lanes))
      walk_.masks.insert(walk_.lanes);
    for (size_t known = SIZE_MAX; known != walk_.masks.size();) {
      known = walk_.masks.size();
      for (Instruction &operation : block_) {
        const bool isBits = operation.isBitwiseLogicOp() || isa<PHINode>(operation);
        const bool isOfLanes = isa<BitCastInst>(operation) && isVector(operation.getOperand(0));
        if (operation.getType()->isIntegerTy(kLanes) &&
            (isOfLanes || (isBits && any_of(operation.operands(), [&](Value *o) { return walk_.masks.contains(o); }))))
          walk_.masks.insert(&operation);
      }
    }
  }

  bool isMask(Value *value) const {
    return walk_.masks.contains(value) || (value->getType()->isIntegerTy(kLanes) && !isInside(value));
  }
  bool isNumber(Value *value) const { return !isVector(value) && !walk_.masks.contains(value); }

  /// True if a lane can compute the operation by itself.
  bool isPerLane(Instruction &operation) const {
    if (operation.isTerminator() || ends_.contains(&operation))
      return true;
    auto operands = [&](auto is) { return all_of(operation.operands(), [&](Value *o) { return (this->*is)(o); }); };
    if (walk_.masks.contains(&operation))
      return isa<BitCastInst>(operation) || operands(&WalkFinder::isMask);
    if (!isVector(&operation))
      return operands(&WalkFinder::isNumber) && !operation.getType()->isVectorTy() && !isUsedOutside(operation);
    if (auto *call = dyn_cast<CallInst>(&operation)) {
      if (isLoadOfLanes(*call))
        return isMask(call->getArgOperand(kAccessBits));
      return isPerLaneIntrinsic(*call);
    }
    if (isa<BitCastInst>(operation))
      return isVector(operation.getOperand(0)) || isMask(operation.getOperand(0));
    if (isSplat(operation))
      return true;
    if (auto *choice = dyn_cast<SelectInst>(&operation))
      return isVector(choice->getCondition()) || isNumber(choice->getCondition());
    if (operation.getOpcode() == Instruction::InsertElement) // of a splat, which takes the number
      return all_of(operation.users(), [&](User *user) { return isInside(user) && isSplat(*cast<Instruction>(user)); });
    return isa<PHINode>(operation) || isa<BinaryOperator>(operation) || isa<CastInst>(operation) ||
           isa<CmpInst>(operation) || isa<UnaryOperator>(operation) || isa<FreezeInst>(operation);
  }

  bool isSplat(Instruction &operation) const {
    Value *scalar = isa<ShuffleVectorInst>(operation) ? getSplatValue(&operation) : nullptr;
    return scalar && isNumber(scalar);
  }

  /// The phi whose value a lane of `value` has if the loop has lost that lane; null if that is not known.
  PHINode *keeps(Value *value) const {
    for (unsigned depth = 0; depth < kMostOperations && isInside(value); ++depth) {
      if (auto *phi = dyn_cast<PHINode>(value))
        return phi;
      Value *left, *right;
      if (auto *choice = dyn_cast<SelectInst>(value); choice && isZeroElsewhere(choice->getCondition()))
        value = choice->getFalseValue();
      else if (match(value, m_Or(m_Value(left), m_Value(right))) && isZeroElsewhere(right))
        value = left;
      else if (match(value, m_Or(m_Value(left), m_Value(right))) && isZeroElsewhere(left))
        value = right;
      else if (match(value, m_c_And(m_Value(left), m_Not(m_Value(right)))) && walk_.areLanes(right))
        value = left;
      else
        return nullptr;
    }
    return nullptr;
  }

  /// True for masks that have only lanes that are still there.
  bool isZeroElsewhere(Value *mask) const {
    Value *left, *right;
    mask = plainMask(mask);
    return walk_.areLanes(mask) || (isInside(mask) && match(mask, m_And(m_Value(left), m_Value(right))) &&
                                    (isZeroElsewhere(left) || isZeroElsewhere(right)));
  }

  /// True if lanes that are not there, or have left, stay as they are, in what goes round and in what is used behind the loop.
  bool keepLanes() {
    const bool leaveTogether = !walk_.rest, areAll = leaveTogether && match(walk_.lanes, m_AllOnes());
    for (PHINode &phi : block_.phis())
      if (&phi != walk_.lanes && !isNumber(&phi) && !areAll && keeps(next(phi)) != &phi)
        return false;
    for (CallInst *load : walk_.loads)
      if (!areAll && !isZeroElsewhere(load->getArgOperand(kAccessBits)))
        return false;
    for (Instruction &operation : block_) {
      if (!isUsedOutside(operation))
        continue;
      if (&operation == walk_.rest) {
        walk_.results.emplace_back(&operation, nullptr); // 0
        continue;
      }
      PHINode *kept = keeps(&operation);
      // A lane that has left early has gone round: it is what came in then.
      if ((!kept && !areAll) || (!leaveTogether && next(*kept) != &operation) || operation.getType()->isIntegerTy(1))
        return false;
      walk_.results.emplace_back(&operation, kept);
    }
    return true;
  }

  /// Looks whether each lane walks along a row, and whether nothing else is read but what the words of rows lead to.
  bool findRow() {
    for (CallInst *load : walk_.loads) {
      Value *addresses = load->getArgOperand(kAccessAddresses);
      SmallPtrSet<Value *, 32> seen;
      if (leadsToLoad(addresses, seen))
        continue;
      PHINode *row = rowOf(addresses);
      if (!row || patterns_.stepsOf(addresses))
        return false; // the lanes read side by side
      walk_.row = row;
    }
    return walk_.row != nullptr;
  }

  bool leadsToLoad(Value *value, SmallPtrSetImpl<Value *> &seen) const {
    if (!isInside(value) || isa<PHINode>(value) || !seen.insert(value).second)
      return false;
    auto *call = dyn_cast<CallInst>(value);
    return (call && isLoadOfLanes(*call)) ||
           any_of(cast<Instruction>(value)->operands(), [&](Value *o) { return leadsToLoad(o, seen); });
  }

  /// The low half, or all, of a place that goes on by some bytes in each round.
  PHINode *rowOf(Value *place) const {
    Value *left, *right;
    for (uint64_t scale = 1; isInside(place);) {
      if (auto *phi = dyn_cast<PHINode>(place)) {
        const ConstantInt *step = walk_.stepOf(*phi);
        return step && step->getZExtValue() * scale <= kMostStep ? phi : nullptr;
      }
      if (Value * low, *high; isJoined(*place, low, high))
        place = low;
      else if (match(place, m_ZExt(m_Value(left))) || match(place, m_SExt(m_Value(left))))
        place = left;
      else if (match(place, m_Shl(m_Value(left), m_Value(right))) && LaneWalk::constantOf(right)) {
        scale <<= std::min<uint64_t>(LaneWalk::constantOf(right)->getZExtValue(), kLanes);
        place = left;
      } else if (match(place, m_Add(m_Value(left), m_Value(right))) && isInside(left) != isInside(right))
        place = isInside(left) ? left : right;
      else
        return nullptr;
    }
    return nullptr;
  }

  BasicBlock &block_;
  LanePatterns &patterns_;
  LaneWalk walk_;
  SmallPtrSet<Value *, 4> ends_; // what the branch alone needs
};

} // namespace

void walkLaneByLane(Function &wave, unsigned rowLanes) {
  std::optional<LanePatterns> patterns;
  SmallVector<LaneWalk, 4> walks;
  for (BasicBlock &block : wave)
    if (is_contained(successors(&block), &block)) {
      if (!patterns)
        patterns.emplace(wave, rowLanes);
      if (auto walk = WalkFinder(block, *patterns).find())
        walks.push_back(std::move(*walk));
    }
  for (const LaneWalk &walk : walks)
    copyForOneLane(walk);
}

} // namespace hiplz::amdgcn
