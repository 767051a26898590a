// SPDX-License-Identifier: MIT
// Loops whose loads advance by a step that is not known before they run, such as grid-stride loops and walks along the columns of a
// matrix, leap from page to page, where processors do not look ahead by themselves. They fetch what they will load some rounds
// later. The address of a later round is the address of this one, computed from the counter of that round: a copy of
// the few instructions between them. It may be any address, since prefetches have no faults. Scalar evolution knows the bytes that an
// address advances by only where the index cannot wrap; the 32-bit counters of grid-stride loops can.
//
// Rounds of all warps are long, so they are fetched few rounds before. On their way to the second cache that is as many as it takes to
// have enough bytes on their way; in a short loop, two, since nobody fetches what its first rounds load.
//
// Where lanes walk down lists, and nothing is known of where these begin, some lanes fetch for all: those at the beginnings of lines if
// the lists lie side by side. Rows of a block are no lists; they share lines.
#include "cpu/vectorizer/prefetch.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/shape_analysis.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kRoundsAhead = 8;
constexpr unsigned kRoundsAheadInStep = 1; // where a round is one of all warps of the work-group
constexpr unsigned kRoundsAheadFar = 2;    // the same, into the second cache
constexpr uint64_t kBytesAheadFar = 24;    // of each work-item, if that is more rounds
constexpr unsigned kMostRoundsAheadFar = 6;
constexpr unsigned kLongLoop = 32;                     // rounds
constexpr unsigned kMaxChain = 8;                      // instructions from the counter to the address
constexpr unsigned kMaxPerLoop = 2;                    // more would cost more than they gain
constexpr const char *kSomeLanes = "hiplz.some-lanes"; // on a prefetch, with the bytes of a lane's element

/// A loop's counter, which all rounds change by the same number.
struct Counter {
  PHINode *phi;
  BinaryOperator *change; // phi + step or phi - step
  Value *step;
};

std::optional<Counter> counterOf(const Loop &loop, PHINode &phi) {
  BasicBlock *latch = loop.getLoopLatch();
  auto *change = latch ? dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch)) : nullptr;
  if (!change || !phi.getType()->isIntegerTy())
    return std::nullopt;
  bool adds = change->getOpcode() == Instruction::Add;
  if (!adds && change->getOpcode() != Instruction::Sub)
    return std::nullopt;
  unsigned own = adds && change->getOperand(1) == &phi ? 1 : 0;
  Value *step = change->getOperand(1 - own);
  if (change->getOperand(own) != &phi || !loop.isLoopInvariant(step))
    return std::nullopt;
  return Counter{&phi, change, step};
}

/// The way from a counter to the address of a load.
class Leap {
public:
  Leap(const Loop &loop, LoadInst &load, bool scattered) : loop_(loop), load_(load), scattered_(scattered) {}

  bool find() {
    auto *address = dyn_cast<GetElementPtrInst>(load_.getPointerOperand());
    if (!address || !loop_.contains(address) || !loop_.isLoopInvariant(address->getPointerOperand()))
      return false;
    chain_.insert(address);
    for (unsigned next = 0; next < chain_.size(); ++next)
      for (Value *operand : chain_[next]->operands())
        if (!visit(operand))
          return false;
    return counter_ && (scaled_ || (!scattered_ && !isa<ConstantInt>(counter_->step)));
  }

  const Value *base() const { return cast<GetElementPtrInst>(load_.getPointerOperand())->getPointerOperand(); }

  uint64_t bytes() const { return load_.getModule()->getDataLayout().getTypeStoreSize(load_.getType()); }

  /// Prefetches what the loop loads `rounds` later, or `roundsIfShort`; also `beyond` its end if that may be.
  void prefetch(unsigned rounds, unsigned roundsIfShort, unsigned cache, bool beyond) {
    IRBuilder<> b(&load_);
    BasicBlock *before = loop_.getLoopPreheader();
    IRBuilder<> outside(before ? before->getTerminator() : &load_);
    Value *distance = steps(roundsIfShort, outside);
    if (rounds != roundsIfShort) {
      Value *longer = steps(rounds, outside), *hasMore = isLong(outside);
      distance = outside.CreateSelect(hasMore, longer, distance);
    }
    DenseMap<Value *, Value *> later;
    Value *then = b.CreateBinOp(counter_->change->getOpcode(), counter_->phi, distance);
    later[counter_->phi] = beyond ? then : unlessBeyond(then, b);
    copy(*chain_[0], later, b);
    Value *address = later[chain_[0]];
    CallInst *call = b.CreateIntrinsic(Intrinsic::prefetch, {address->getType()},
                                       {address, b.getInt32(0), b.getInt32(cache), b.getInt32(1)});
    if (scattered_)
      call->setMetadata(kSomeLanes, MDNode::get(b.getContext(), {ConstantAsMetadata::get(b.getInt64(bytes()))}));
  }

private:
  Value *steps(unsigned rounds, IRBuilder<> &b) const {
    Value *step = counter_->step;
    return rounds > 1 ? b.CreateMul(step, ConstantInt::get(step->getType(), rounds)) : step;
  }

  // The loop goes on with that counter, or ends; null if nobody knows.
  Value *goesOn(Value *counter, IRBuilder<> &b) const {
    for (User *user : counter_->change->users()) {
      auto *compare = dyn_cast<ICmpInst>(user);
      if (!compare || compare->getOperand(0) != counter_->change || !loop_.isLoopInvariant(compare->getOperand(1)))
        continue;
      for (User *end : compare->users())
        if (auto *branch = dyn_cast<BranchInst>(end); branch && loop_.isLoopExiting(branch->getParent())) {
          Value *same = b.CreateICmp(compare->getPredicate(), counter, compare->getOperand(1));
          return loop_.contains(branch->getSuccessor(0)) ? same : b.CreateNot(same);
        }
    }
    return nullptr;
  }

  // A later counter, or this round's if the loop will have ended: few long rounds would fetch much for nothing.
  Value *unlessBeyond(Value *then, IRBuilder<> &b) const {
    Value *more = goesOn(then, b);
    return more ? b.CreateSelect(more, then, counter_->phi) : then;
  }

  Value *isLong(IRBuilder<> &b) const {
    PHINode &phi = *counter_->phi;
    Value *first = phi.getIncomingValue(phi.getIncomingValue(0) == counter_->change ? 1 : 0);
    Value *late = b.CreateBinOp(counter_->change->getOpcode(), first, steps(kLongLoop, b));
    Value *more = goesOn(late, b);
    return more ? more : b.getFalse();
  }

  bool visit(Value *operand) {
    if (loop_.isLoopInvariant(operand))
      return true;
    auto *instruction = dyn_cast<Instruction>(operand);
    if (auto *phi = dyn_cast<PHINode>(operand)) {
      if (counter_)
        return counter_->phi == phi;
      if (phi->getParent() == loop_.getHeader())
        counter_ = counterOf(loop_, *phi);
      return counter_.has_value();
    }
    if (instruction->getOpcode() == Instruction::Mul)
      scaled_ = scaled_ || none_of(instruction->operands(), [](const Use &use) { return isa<ConstantInt>(use); });
    else if (!isIndexArithmetic(*instruction))
      return false;
    chain_.insert(instruction);
    return chain_.size() <= kMaxChain;
  }

  void copy(Instruction &original, DenseMap<Value *, Value *> &later, IRBuilder<> &b) {
    if (later.count(&original))
      return;
    for (Value *operand : original.operands())
      if (auto *other = dyn_cast<Instruction>(operand); other && chain_.contains(other))
        copy(*other, later, b);
    Instruction *made = original.clone();
    made->dropPoisonGeneratingFlags();
    for (Use &operand : made->operands())
      if (Value *other = later.lookup(operand))
        operand.set(other);
    b.Insert(made);
    later[&original] = made;
  }

  const Loop &loop_;
  LoadInst &load_;
  bool scattered_;                 // nothing is known of how the lanes' addresses lie
  SetVector<Instruction *> chain_; // the address first
  std::optional<Counter> counter_;
  bool scaled_ = false; // multiplied by something that is known only when the loop runs
};

} // namespace

bool isIndexArithmetic(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Shl:
  case Instruction::Or:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc: return true;
  default: return false;
  }
}

uint64_t someLanesBytes(const CallInst &prefetch) {
  MDNode *bytes = prefetch.getMetadata(kSomeLanes);
  return bytes ? mdconst::extract<ConstantInt>(bytes->getOperand(0))->getZExtValue() : 0;
}

PreservedAnalyses PrefetchPass::run(Function &body, FunctionAnalysisManager &analyses) {
  const ShapeInfo &shapes = analyses.getResult<ShapeAnalysis>(body);
  const bool fetchesFar = warpOptionsOf(body).fetchesFar;
  bool changed = false;
  for (Loop *loop : shapes.structure().loops().getLoopsInPreorder()) {
    const bool inStep = any_of(loop->blocks(), [](const BasicBlock *block) { return any_of(*block, isBarrierCall); });
    if (!loop->isInnermost() || (!inStep && !loop->getLoopPreheader()))
      continue;
    SmallVector<Leap, 4> leaps;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block) {
        auto *load = dyn_cast<LoadInst>(&instruction);
        if (!load || !load->isSimple())
          continue;
        const bool scattered = shapes.shapeOf(load->getPointerOperand()).isVarying();
        if (scattered ? inStep : !shapes.shapeOf(load->getPointerOperand()).isStrided())
          continue;
        Leap leap(*loop, *load, scattered);
        if (leaps.size() < kMaxPerLoop && leap.find() && (!scattered || shapes.shapeOf(leap.base()).isVarying()) &&
            none_of(leaps, [&](const Leap &other) { return other.base() == leap.base(); }))
          leaps.push_back(leap);
      }
    uint64_t bytes = 0;
    for (const Leap &leap : leaps)
      bytes += leap.bytes();
    for (Leap &leap : leaps)
      if (inStep && fetchesFar) {
        const auto enough = static_cast<unsigned>(std::min<uint64_t>(kBytesAheadFar / bytes, kMostRoundsAheadFar));
        leap.prefetch(std::max(enough, kRoundsAheadFar), kRoundsAheadFar, kSecondCache, false);
      } else {
        const unsigned rounds = inStep ? kRoundsAheadInStep : kRoundsAhead;
        leap.prefetch(rounds, rounds, kFirstCache, !inStep);
      }
    changed = changed || !leaps.empty();
  }
  return preservedControlFlow(changed);
}

} // namespace hiplz::cpu
