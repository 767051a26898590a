// SPDX-License-Identifier: MIT
// See unused_lanes.h. For each vector the pass finds a mask that covers all lanes that anybody reads: a value of the wave (some EXEC), the
// lanes that are live at the start, or all lanes. It goes from the uses to what they use. A mask is the value that it had last; behind the
// start of a loop it may be another one, so only masks from before the loop pass its phis.
#include "amdgcn/translator/unused_lanes.h"
#include "amdgcn/translator/access_calls.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kDepth = 6; ///< how far masks are followed

bool isVector(const Value *value) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  return type && type->getNumElements() == kLanes;
}

/// True for bits of lanes: i32 and <32 x i1>.
bool isMask(const Value *value) {
  return value->getType()->isIntegerTy(kLanes) ||
         (isVector(value) && value->getType()->getScalarType()->isIntegerTy(1));
}

/// True for a mask that a scalar register holds. All lanes of it are read, so they are right whatever lanes of other values are not.
bool isInRegister(const Value *mask) {
  auto changesType = [](const Value *value) { return isa<BitCastInst>(value) && isMask(value); };
  return (changesType(mask) && isMask(cast<User>(mask)->getOperand(0))) || any_of(mask->users(), changesType);
}

/// The mask without changes of its type.
Value *plain(Value *mask) {
  while (auto *cast = dyn_cast<BitCastInst>(mask)) {
    if (!isMask(cast->getOperand(0)))
      break;
    mask = cast->getOperand(0);
  }
  return mask;
}

class UnusedLanes {
public:
  UnusedLanes(Function &wave, Value &live)
      : wave_(wave), live_(&live), all_(ConstantInt::getAllOnesValue(live.getType())), dominators_(wave) {}

  void run() {
    findOutside();
    for (Instruction &instruction : instructions(wave_))
      if (!isVector(&instruction) || isOtherCall(instruction))
        readOperands(instruction, all_);
    while (!work_.empty()) {
      Instruction *next = work_.pop_back_val();
      if (!isOtherCall(*next))
        readOperands(*next, read_.lookup(next));
    }
    SmallVector<SelectInst *, 64> dropped;
    for (Instruction &instruction : instructions(wave_))
      if (auto *select = dyn_cast<SelectInst>(&instruction); select && dropsOldValue(*select))
        dropped.push_back(select);
    for (SelectInst *select : dropped) {
      select->replaceAllUsesWith(select->getTrueValue());
      select->eraseFromParent();
    }
  }

private:
  static bool isOtherCall(const Instruction &instruction) {
    return isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction);
  }

  bool dropsOldValue(SelectInst &select) const {
    Value *read = read_.lookup(&select), *mask = select.getCondition();
    return isVector(&select) && isVector(mask) && select.getTrueValue() != &select && isInRegister(mask) &&
           (!read || isPart(read, plain(mask)));
  }

  // --- masks

  /// True unless it is known that the mask has lanes of `live` alone, as far as that is known of its operands.
  bool mayBeOutside(Value *mask) const {
    auto outside = [&](Value *operand) { return isOutside(operand); };
    Value *a, *b;
    if (match(mask, m_And(m_Value(a), m_Value(b))))
      return outside(a) && outside(b);
    if (match(mask, m_Or(m_Value(a), m_Value(b))) || match(mask, m_Xor(m_Value(a), m_Value(b))) ||
        match(mask, m_Select(m_Value(), m_Value(a), m_Value(b))))
      return outside(a) || outside(b);
    if (auto *phi = dyn_cast<PHINode>(mask))
      return any_of(phi->incoming_values(), outside);
    auto *cast = dyn_cast<BitCastInst>(mask);
    return !cast || !isMask(cast->getOperand(0)) || outside(cast->getOperand(0));
  }

  bool isOutside(Value *mask) const {
    if (mask == live_)
      return false;
    if (auto *constant = dyn_cast<Constant>(mask))
      return !constant->isNullValue();
    return !isa<Instruction>(mask) || outside_.contains(mask);
  }

  /// All masks lie inside until something shows that they may not.
  void findOutside() {
    SmallVector<Instruction *, 64> work;
    for (Instruction &instruction : instructions(wave_))
      if (isMask(&instruction))
        work.push_back(&instruction);
    while (!work.empty()) {
      Instruction *mask = work.pop_back_val();
      if (mask == live_ || outside_.contains(mask) || !mayBeOutside(mask))
        continue;
      outside_.insert(mask);
      for (User *user : mask->users())
        if (isMask(user))
          work.push_back(cast<Instruction>(user));
    }
  }

  /// True if each lane of the mask is known to be one of `whole`.
  bool isPart(Value *mask, Value *whole, unsigned depth = kDepth) const {
    mask = plain(mask);
    if (mask == whole || match(whole, m_AllOnes()) || match(mask, m_Zero()))
      return true;
    if (whole == live_)
      return !isOutside(mask);
    Value *a, *b;
    if (depth == 0)
      return false;
    if (match(mask, m_And(m_Value(a), m_Value(b))))
      return isPart(a, whole, depth - 1) || isPart(b, whole, depth - 1);
    return match(mask, m_Or(m_Value(a), m_Value(b))) && isPart(a, whole, depth - 1) && isPart(b, whole, depth - 1);
  }

  /// A mask for both.
  Value *united(Value *a, Value *b) const {
    if (!a || isPart(a, b))
      return b;
    if (isPart(b, a))
      return a;
    return isPart(a, live_) && isPart(b, live_) ? live_ : all_;
  }

  /// A mask from before the block that has all lanes of this one.
  Value *before(const BasicBlock *block, Value *mask) const {
    if (Value *known = knownBefore(block, mask, kDepth))
      return known;
    return isPart(mask, live_) ? live_ : all_;
  }

  Value *knownBefore(const BasicBlock *block, Value *mask, unsigned depth) const {
    mask = plain(mask);
    auto *instruction = dyn_cast<Instruction>(mask);
    if (!instruction || dominators_.properlyDominates(instruction->getParent(), block))
      return mask;
    Value *a, *b;
    if (depth == 0 || !match(mask, m_And(m_Value(a), m_Value(b))))
      return nullptr;
    for (Value *operand : {a, b})
      if (Value *known = knownBefore(block, operand, depth - 1); known && known != all_)
        return known;
    return nullptr;
  }

  // --- uses

  /// These lanes of the value are read.
  void readLanes(Value *value, Value *mask) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !isVector(value))
      return;
    Value *&known = read_[instruction];
    Value *both = united(known, plain(mask));
    if (both == known)
      return;
    known = both;
    work_.push_back(instruction);
  }

  /// What an instruction reads of its operands if these lanes of its result are read.
  void readOperands(Instruction &user, Value *mask) {
    if (auto *phi = dyn_cast<PHINode>(&user)) {
      Value *outer = before(phi->getParent(), mask);
      for (Value *value : phi->incoming_values())
        readLanes(value, outer);
      return;
    }
    if (auto *select = dyn_cast<SelectInst>(&user); select && isVector(select->getCondition())) {
      Value *chosen = plain(select->getCondition());
      const bool isKnown = isInRegister(select->getCondition()), isAll = isKnown && isPart(mask, chosen);
      readLanes(select->getCondition(), mask);
      readLanes(select->getTrueValue(), isKnown && !isAll && isPart(chosen, mask) ? chosen : mask);
      if (!isAll)
        readLanes(select->getFalseValue(), mask);
      return;
    }
    if (user.getOpcode() == Instruction::And && isVector(&user) && isMask(&user)) {
      for (const unsigned n : {0u, 1u}) {
        Value *other = user.getOperand(1 - n);
        readLanes(user.getOperand(n), isInRegister(other) && isPart(other, mask) ? plain(other) : mask);
      }
      return;
    }
    Value *lanes = isLaneByLane(user) ? mask : lanesOf(user);
    for (Value *operand : user.operands())
      readLanes(operand, lanes);
  }

  static bool isLaneByLane(const Instruction &user) {
    if (auto *call = dyn_cast<IntrinsicInst>(&user))
      return isVector(call) && isTriviallyVectorizable(call->getIntrinsicID());
    return isVector(&user) && (isa<BinaryOperator>(user) || isa<UnaryOperator>(user) || isa<CastInst>(user) ||
                               isa<CmpInst>(user) || isa<SelectInst>(user) || isa<FreezeInst>(user));
  }

  /// What is read of the operands of instructions that do not go lane by lane.
  Value *lanesOf(Instruction &user) const {
    Value *mask;
    // The first active lane (Wave::firstLane); compilers read it only where there is one.
    if (isa<ExtractElementInst>(user) &&
        match(user.getOperand(1), m_And(m_Intrinsic<Intrinsic::cttz>(m_Value(mask)), m_SpecificInt(kLanes - 1))))
      return mask;
    if (auto *call = dyn_cast<CallInst>(&user); call && (isLoadOfLanes(*call) || isStoreOfLanes(*call)))
      return call->getArgOperand(kAccessBits);
    return all_;
  }

  Function &wave_;
  Value *live_, *all_;
  DominatorTree dominators_;
  SmallPtrSet<Value *, 32> outside_;            // masks that may have lanes which are not live
  DenseMap<const Instruction *, Value *> read_; // for vectors that are read
  SmallVector<Instruction *, 64> work_;
};

} // namespace

void dropUnusedLanes(Function &wave, Value &live) { UnusedLanes(wave, live).run(); }

} // namespace hiplz::amdgcn
