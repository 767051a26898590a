// SPDX-License-Identifier: MIT
// See polling.h.
#include "cpu/vectorizer/polling.h"
#include "base/llvm_compat.h"
#include "cpu/vectorizer/check_calls.h"
#include "cpu/vectorizer/dependents.h"
#include "cpu/vectorizer/loop_analyses.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/uniformity.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// An update that is ordered like a release stays behind what is before it.
LoadInst *loadInstead(Instruction &update, Type *type, Value *pointer, Align align, AtomicOrdering ordering,
                      SyncScope::ID scope) {
  IRBuilder<> builder(&update);
  if (isReleaseOrStronger(ordering))
    builder.CreateFence(AtomicOrdering::SequentiallyConsistent, scope);
  LoadInst *load = builder.CreateAlignedLoad(type, pointer, align);
  load->setAtomic(isAcquireOrStronger(ordering) ? AtomicOrdering::Acquire : AtomicOrdering::Monotonic, scope);
  return load;
}

// One word of memory that others may know.
bool canBeAtomic(const Instruction &access, Align align, const DataLayout &layout) {
  Type *type = getLoadStoreType(const_cast<Instruction *>(&access));
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  return !access.isAtomic() && (type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy()) && bits >= 8 &&
         bits <= 64 && isPowerOf2_64(bits) && align.value() * 8 >= bits &&
         !isa<AllocaInst>(getUnderlyingObject(getLoadStorePointerOperand(&access), 0));
}

/// True if others may see what the instruction writes.
bool writes(const Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand(), 0));
  if (isa<FenceInst>(instruction) || isa<LoadInst>(instruction))
    return false;
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return instruction.mayWriteToMemory();
  if (isYield(*call) || isBarrier(*call) || isCollective(*call) || isAnyCheck(*call) ||
      callsRuntime(*call, runtime::clock))
    return false;
  return call->mayWriteToMemory() && call->getIntrinsicID() != Intrinsic::prefetch;
}

using Blocks = SmallPtrSet<const BasicBlock *, 32>;

/// The blocks that can be reached from the block without passing `end`.
Blocks reachable(const BasicBlock *from, const BasicBlock *end = nullptr) {
  Blocks reached;
  SmallVector<const BasicBlock *, 16> work{from};
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (block != end && reached.insert(block).second)
      append_range(work, successors(block));
  }
  return reached;
}

/// Distances between addresses, by what scalar evolution knows of them. It does not look through extensions of numbers that may wrap;
/// here numbers are taken not to. This is about what programs do, not about what they could do.
class Distances {
public:
  explicit Distances(Function &body) : analyses_(body), number_(Type::getInt64Ty(body.getContext())) {}

  /// In bytes; nothing if it is not a number.
  std::optional<int64_t> between(const Value &from, const Value &to) {
    auto *bytes = dyn_cast<SCEVConstant>(evolution().getMinusSCEV(wide(to), wide(from)));
    return bytes ? std::optional(bytes->getAPInt().getSExtValue()) : std::nullopt;
  }

private:
  ScalarEvolution &evolution() { return analyses_.evolution; }
  const SCEV *wide(const Value &address) { return wide(evolution().getSCEV(const_cast<Value *>(&address))); }

  // The same in 64 bits.
  const SCEV *wide(const SCEV *expression) {
    constexpr unsigned kLeastIndexBits = 32; // what is cut off to fewer is a remainder
    if (auto *number = dyn_cast<SCEVConstant>(expression))
      return evolution().getConstant(number->getAPInt().sextOrTrunc(64));
    if (auto *cast = dyn_cast<SCEVCastExpr>(expression)) {
      const SCEV *inner = cast->getOperand();
      const bool cutsOff =
          isa<SCEVTruncateExpr>(inner) && evolution().getTypeSizeInBits(inner->getType()) < kLeastIndexBits;
      if (!cutsOff && evolution().getTypeSizeInBits(cast->getType()) >= kLeastIndexBits)
        return wide(inner);
    }
    SmallVector<const SCEV *, 4> parts;
    if (auto *several = dyn_cast<SCEVNAryExpr>(expression);
        several && isa<SCEVAddExpr, SCEVMulExpr, SCEVAddRecExpr>(several))
      for (const SCEV *part : several->operands())
        parts.push_back(wide(part));
    if (isa<SCEVAddExpr>(expression))
      return evolution().getAddExpr(parts);
    if (isa<SCEVMulExpr>(expression))
      return evolution().getMulExpr(parts);
    if (auto *rounds = dyn_cast<SCEVAddRecExpr>(expression))
      return evolution().getAddRecExpr(parts, rounds->getLoop(), SCEV::FlagAnyWrap);
    if (expression->getType()->isPointerTy())
      return evolution().getLosslessPtrToIntExpr(expression);
    return evolution().getTruncateOrZeroExtend(expression, number_);
  }

  LoopAnalyses analyses_;
  Type *number_;
};

/// The blocks that can reach the block without passing `end`.
Blocks leadingTo(const BasicBlock *to, const BasicBlock *end) {
  Blocks reached;
  SmallVector<const BasicBlock *, 16> work{to};
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (block != end && reached.insert(block).second)
      append_range(work, predecessors(block));
  }
  return reached;
}

/// Values that lanes have in common even if some wait for others, in another round of a loop or in another branch. The shapes tell only of
/// lanes that are together.
class LanesApart final : public Uniformity {
public:
  LanesApart(Function &body, const ShapeInfo &shapes) : Uniformity(body), shapes_(shapes) { settle(); }

private:
  Rule ruleOf(const Instruction &instruction) const override {
    auto *call = dyn_cast<CallBase>(&instruction);
    const bool isVote = call && isCollective(*call) && shapes_.shapeOf(call).isUniform();
    return isVote && isUniform(call->getArgOperand(kCollectiveOperand)) ? Rule::same : Rule::asOperands;
  }
  bool parts(const Value *decision) const override {
    return !isUniform(decision) || !shapes_.shapeOf(decision).isUniform();
  }

  const ShapeInfo &shapes_;
};

class Polling {
public:
  Polling(Function &body, const WarpOptions &options)
      : layout_(body.getParent()->getDataLayout()), width_(options.width), shapes_(body, options),
        lanes_(body, shapes_), distances_(body) {
    for (Instruction &instruction : instructions(body))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && isYield(*call))
        if (const Loop *loop = shapes_.structure().loops().getLoopFor(instruction.getParent()))
          loops_.insert(loop);
    for (BasicBlock &block : body)
      if (any_of(block, writes))
        writing_.push_back(&block);
  }

  const Instruction *find(std::string &reason) {
    for (const Loop *loop : loops_) {
      const std::optional<OneLane> lane = oneLaneAt(*loop->getHeader());
      const Instruction *inLoop = firstWrite([&](const BasicBlock *block) { return loop->contains(block); });
      if (const Instruction *write = lane ? nullptr : inLoop) {
        reason = "work-items wait in a loop that writes";
        return write;
      }
      if (const Instruction *write = writeBeside(*loop)) {
        reason = "lanes of a warp may wait for those in another branch";
        return write;
      }
      if (const Instruction *write = writeBehind(*loop)) {
        reason = "lanes of a warp wait for each other";
        return write;
      }
    }
    return nullptr;
  }

private:
  /// Which lane it is that alone comes to a block: the one with this id.
  struct OneLane {
    ItemField field;
    uint64_t id;
    bool operator==(const OneLane &) const = default;
  };

  // The number is an id that differs from lane to lane, or has it among what is combined by `or` to be zero.
  std::optional<OneLane> laneWhere(const Value *value, uint64_t number) const {
    while (isa<ZExtInst>(value) || isa<SExtInst>(value))
      value = cast<CastInst>(value)->getOperand(0);
    if (auto *load = dyn_cast<LoadInst>(value))
      if (auto read = itemReadBy(*load);
          read && shapes_.shapeOf(load).isStrided() && shapes_.shapeOf(load).stride() == 1)
        return OneLane{read->field, number};
    if (auto *either = dyn_cast<BinaryOperator>(value); either && either->getOpcode() == Instruction::Or && number == 0)
      for (const Value *operand : either->operands())
        if (auto lane = laneWhere(operand, 0))
          return lane;
    return std::nullopt;
  }

  std::optional<OneLane> laneIf(const Value *condition, bool holds) const {
    using namespace PatternMatch;
    const Value *left = nullptr, *right = nullptr;
    if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
              : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
      auto lane = laneIf(left, holds);
      return lane ? lane : laneIf(right, holds);
    }
    auto *compare = dyn_cast<ICmpInst>(condition);
    auto *number = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
    if (!number || compare->getPredicate() != (holds ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE))
      return std::nullopt;
    return laneWhere(compare->getOperand(0), number->getLimitedValue());
  }

  std::optional<OneLane> oneLaneAt(const BasicBlock &block) const {
    const DominatorTree &dominators = shapes_.structure().dominators();
    for (const DomTreeNode *node = dominators.getNode(&block); node && node->getIDom(); node = node->getIDom()) {
      const BasicBlock *inner = node->getBlock(), *before = inner->getSinglePredecessor();
      auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
      if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1))
        if (auto lane = laneIf(branch->getCondition(), branch->getSuccessor(0) == inner))
          return lane;
    }
    return std::nullopt;
  }

  template <class Condition> const Instruction *firstWrite(Condition condition) const {
    for (const BasicBlock *block : writing_)
      if (condition(block))
        return &*find_if(*block, writes);
    return nullptr;
  }

  // In a branch that some lanes take while others come to the loop, and from which no way leads from one to the other.
  const Instruction *writeBeside(const Loop &loop) const {
    const BasicBlock *header = loop.getHeader();
    const std::optional<OneLane> lane = oneLaneAt(*header);
    for (const BasicBlock *branch : lanes_.branches()) {
      const BasicBlock *join = lanes_.joinOf(*branch);
      Blocks sides;
      for (const BasicBlock *next : successors(branch)) {
        const Blocks side = reachable(next, join);
        sides.insert(side.begin(), side.end());
      }
      if (!sides.contains(header))
        continue;
      const Blocks behind = reachable(header, join), before = leadingTo(header, join);
      const Instruction *write = firstWrite([&](const BasicBlock *block) {
        return sides.contains(block) && !behind.contains(block) && !before.contains(block) &&
               !(lane && lane == oneLaneAt(*block));
      });
      if (write)
        return write;
    }
    return nullptr;
  }

  // To a place where lanes look that may still be in the loop when others have left it or gone past.
  const Instruction *writeBehind(const Loop &loop) {
    if (none_of(lanes_.branches(), [&](const BasicBlock *branch) {
          return any_of(successors(branch), [&](const BasicBlock *next) {
            return reachable(next, lanes_.joinOf(*branch)).contains(loop.getHeader());
          });
        }))
      return nullptr; // all lanes come to the loop, and leave it together
    const std::optional<OneLane> lane = oneLaneAt(*loop.getHeader());
    const Blocks behind = reachable(loop.getHeader());
    for (const BasicBlock *block : writing_)
      if (behind.contains(block) && !(lane && lane == oneLaneAt(*block)))
        for (const Instruction &write : *block)
          if (writes(write) && accessedPointer(write) && meetsPoll(loop, write))
            return &write;
    return nullptr;
  }

  bool meetsPoll(const Loop &loop, const Instruction &write) {
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : *block)
        if (auto *poll = dyn_cast<LoadInst>(&instruction); poll && (poll->isAtomic() || poll->isVolatile()))
          if (meets(*poll->getPointerOperand(), *accessedPointer(write), poll->getType()))
            return true;
    return false;
  }

  // True if a lane is seen to look where another one writes.
  bool meets(const Value &polled, const Value &written, Type *type) {
    const std::optional<int64_t> distance = distances_.between(polled, written);
    if (!distance)
      return false;
    const Shape shape = shapes_.shapeOf(&polled);
    const int64_t apart = *distance;
    const bool knows = lanes_.isUniform(&polled);
    if (knows && shape.isUniform())
      return apart == 0;
    if (knows && shape.isStrided()) // a lane may clear what it has waited for
      return apart != 0 && std::abs(apart) < std::abs(shape.stride()) * int64_t(width_);
    return std::abs(apart) < int64_t(layout_.getTypeStoreSize(type).getFixedValue()) * width_;
  }

  const DataLayout &layout_;
  const unsigned width_;
  ShapeInfo shapes_;
  LanesApart lanes_;
  Distances distances_;
  SetVector<const Loop *> loops_;
  SmallVector<const BasicBlock *, 16> writing_;
};

} // namespace

bool changesNothing(const AtomicRMWInst &update) {
  auto *value = dyn_cast<ConstantInt>(update.getValOperand());
  if (!value)
    return false;
  switch (update.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax: return value->isZero();
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin: return value->isMinusOne();
  case AtomicRMWInst::Max: return value->isMinValue(true);
  case AtomicRMWInst::Min: return value->isMaxValue(true);
  default: return false;
  }
}

bool hasPolls(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && isYield(*call);
  });
}

void makePollsAtomic(Function &body) {
  const DataLayout &layout = body.getParent()->getDataLayout();
  for (Instruction &instruction : make_early_inc_range(instructions(body))) {
    if (auto *load = dyn_cast<LoadInst>(&instruction);
        load && load->isVolatile() && canBeAtomic(*load, load->getAlign(), layout)) {
      load->setAtomic(AtomicOrdering::Monotonic);
      continue;
    }
    if (auto *store = dyn_cast<StoreInst>(&instruction);
        store && store->isVolatile() && canBeAtomic(*store, store->getAlign(), layout)) {
      store->setAtomic(AtomicOrdering::Monotonic);
      continue;
    }
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction); update && changesNothing(*update)) {
      update->replaceAllUsesWith(loadInstead(*update, update->getType(), update->getPointerOperand(),
                                             update->getAlign(), update->getOrdering(), update->getSyncScopeID()));
      update->eraseFromParent();
      continue;
    }
    auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
    if (!exchange || exchange->getCompareOperand() != exchange->getNewValOperand())
      continue;
    LoadInst *seen = loadInstead(*exchange, exchange->getCompareOperand()->getType(), exchange->getPointerOperand(),
                                 exchange->getAlign(), exchange->getSuccessOrdering(), exchange->getSyncScopeID());
    IRBuilder<> builder(exchange);
    Value *pair = builder.CreateInsertValue(PoisonValue::get(exchange->getType()), seen, 0);
    pair = builder.CreateInsertValue(pair, builder.CreateICmpEQ(seen, exchange->getCompareOperand()), 1);
    exchange->replaceAllUsesWith(pair);
    exchange->eraseFromParent();
  }
}

const Instruction *mayWaitForOwnWarp(Function &body, const WarpOptions &options, std::string &reason) {
  return Polling(body, options).find(reason);
}

PreservedAnalyses AtomicPollsPass::run(Function &body, FunctionAnalysisManager &) {
  if (!hasPolls(body))
    return PreservedAnalyses::all();
  makePollsAtomic(body);
  return preservedControlFlow(true);
}

PreservedAnalyses SpinWaitsPass::run(Function &body, FunctionAnalysisManager &) {
  std::string reason;
  if (hasPolls(body))
    if (const Instruction *write = mayWaitForOwnWarp(body, warpOptionsOf(body), reason))
      declineBody(body, reason + sourcePlace(*write));
  return PreservedAnalyses::all();
}

} // namespace hiplz::cpu
