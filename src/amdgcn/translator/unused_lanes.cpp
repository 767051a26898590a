// SPDX-License-Identifier: MIT
// See unused_lanes.h. For each vector the pass finds a mask that covers all lanes that anybody reads: a value of the wave (some EXEC), the
// lanes that are live at the start, or all lanes. It goes from the uses to what they use.
#include "amdgcn/translator/unused_lanes.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/lane_masks.h"
#include "amdgcn/translator/lanes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr unsigned kMostChanges = 32; ///< of the lanes of a vector that are known to be read

bool isVector(const Value *value) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  return type && type->getNumElements() == kLanes;
}

class UnusedLanes {
public:
  UnusedLanes(Function &wave, Value &live) : wave_(wave), masks_(wave, live), all_(masks_.all()) {}

  void run() {
    for (Instruction &instruction : instructions(wave_))
      if (auto *select = dyn_cast<SelectInst>(&instruction); select && isVector(select->getCondition()))
        skipOverwritten(*select);
    for (Instruction &instruction : instructions(wave_))
      if (!isVector(&instruction) || isOtherCall(instruction))
        readOperands(instruction, all_);
    while (!work_.empty()) {
      Instruction *next = work_.pop_back_val();
      if (!isOtherCall(*next))
        readOperands(*next, read_.lookup(next).lanes);
    }
    SmallVector<std::pair<Instruction *, unsigned>, 64> dropped; // and the operand that stands for it
    for (Instruction &instruction : instructions(wave_))
      if (auto *select = dyn_cast<SelectInst>(&instruction); select && dropsOldValue(*select))
        dropped.emplace_back(select, 1);
      else if (const auto kept = keptOperand(instruction))
        dropped.emplace_back(&instruction, *kept);
    for (const auto &[instruction, kept] : dropped) {
      instruction->replaceAllUsesWith(instruction->getOperand(kept));
      instruction->eraseFromParent();
    }
  }

private:
  /// The lanes of a vector that are read; null if none is.
  struct Read {
    Value *lanes = nullptr;
    unsigned changes = 0;
  };

  /// True for a mask that a scalar register holds. All lanes of it are read, so they are right whatever lanes of other values are not. Most masks
  /// have a user for each instruction that runs with them, so each is looked through once.
  bool isInRegister(const Value *mask) const {
    const auto [known, isNew] = inRegister_.try_emplace(mask);
    if (isNew) {
      auto changesType = [](const Value *value) { return isa<BitCastInst>(value) && isMask(value); };
      known->second =
          (changesType(mask) && isMask(cast<User>(mask)->getOperand(0))) || any_of(mask->users(), changesType);
    }
    return known->second;
  }

  static bool isOtherCall(const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && !isa<IntrinsicInst>(call) && !isFunctionOfLanes(*call);
  }

  /// Old values that the selection overwrites in all lanes in which they differ from still older ones are of no use to it.
  void skipOverwritten(SelectInst &select) const {
    for (;;) {
      auto *old = dyn_cast<SelectInst>(select.getFalseValue());
      if (!old || old == &select || !isVector(old->getCondition()) ||
          !masks_.isPart(old->getCondition(), select.getCondition()))
        return;
      select.setFalseValue(old->getFalseValue());
    }
  }

  bool dropsOldValue(SelectInst &select) const {
    Value *read = read_.lookup(&select).lanes, *mask = select.getCondition();
    return isVector(&select) && isVector(mask) && select.getTrueValue() != &select && isInRegister(mask) &&
           (!read || masks_.isPart(read, plainMask(mask)));
  }

  /// Of a mask that is cut to lanes, where nobody reads others: the operand that is cut. Masks of carries are what `and` is for most of the time.
  std::optional<unsigned> keptOperand(Instruction &both) const {
    if (both.getOpcode() != Instruction::And || !isVector(&both) || !isMask(&both))
      return std::nullopt;
    Value *read = read_.lookup(&both).lanes;
    for (const unsigned n : {0u, 1u})
      if (Value *other = both.getOperand(1 - n);
          both.getOperand(n) != &both && isInRegister(other) && read && masks_.isPart(read, plainMask(other)))
        return n;
    return std::nullopt;
  }

  /// These lanes of the value are read.
  void readLanes(Value *value, Value *mask) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !isVector(value))
      return;
    Read &known = read_[instruction];
    Value *both = known.lanes ? masks_.united(known.lanes, plainMask(mask)) : plainMask(mask);
    if (both == known.lanes)
      return;
    known.lanes = ++known.changes < kMostChanges ? both : all_;
    work_.push_back(instruction);
  }

  /// The lanes of its operands that an instruction reads if these lanes of its result are read.
  void readOperands(Instruction &user, Value *mask) {
    if (auto *phi = dyn_cast<PHINode>(&user)) {
      for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
        readLanes(phi->getIncomingValue(n), masks_.onEdge(*phi->getIncomingBlock(n), *phi->getParent(), mask));
      return;
    }
    if (auto *select = dyn_cast<SelectInst>(&user); select && isVector(select->getCondition())) {
      Value *chosen = plainMask(select->getCondition());
      const bool isKnown = isInRegister(select->getCondition()), isAll = isKnown && masks_.isPart(mask, chosen);
      readLanes(select->getCondition(), mask);
      readLanes(select->getTrueValue(), isKnown && !isAll ? chosen : mask);
      if (!isAll)
        readLanes(select->getFalseValue(), mask);
      return;
    }
    if (user.getOpcode() == Instruction::And && isVector(&user) && isMask(&user)) {
      for (const unsigned n : {0u, 1u}) {
        Value *other = user.getOperand(1 - n);
        readLanes(user.getOperand(n), isInRegister(other) && masks_.isPart(other, mask) ? plainMask(other) : mask);
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
    if (auto *call = dyn_cast<CallInst>(&user))
      return isFunctionOfLanes(*call);
    return isVector(&user) && (isa<BinaryOperator>(user) || isa<UnaryOperator>(user) || isa<CastInst>(user) ||
                               isa<CmpInst>(user) || isa<SelectInst>(user) || isa<FreezeInst>(user));
  }

  /// The same for instructions that do not go lane by lane.
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
  LaneMasks masks_;
  Value *all_;
  DenseMap<const Instruction *, Read> read_; // vectors that are read
  mutable DenseMap<const Value *, bool> inRegister_;
  SmallVector<Instruction *, 64> work_;
};

} // namespace

void dropUnusedLanes(Function &wave, Value &live) { UnusedLanes(wave, live).run(); }

} // namespace hiplz::amdgcn
