// SPDX-License-Identifier: MIT
// See scalar_steps.h. Lanes that meet at different places are put in order by the places' numbers (exec/fiber_group.h), so those that
// fell behind in a branch catch up.
#include "cpu/compiler/scalar_steps.h"
#include "cpu/abi/call_frame.h"
#include "cpu/compiler/prepare.h"
#include "cpu/compiler/sites.h"
#include "cpu/vectorizer/body_facts.h"
#include "cpu/vectorizer/check_calls.h"
#include "cpu/vectorizer/dependents.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <utility>
#include <vector>

using namespace llvm;

namespace hiplz::cpu {
namespace {

const Value *writtenPointer(const Instruction &instruction) {
  return isa<LoadInst>(instruction) ? nullptr : accessedPointer(instruction);
}

/// True if a lane may still have to do, behind an instruction, what other lanes wait for in loops.
class Awaited {
public:
  /// `elsewhere`: there are such loops in other functions of the kernel.
  Awaited(Function &body, const LoopInfo &loops, const LaneFacts &facts, bool elsewhere)
      : layout_(body.getParent()->getDataLayout()), facts_(facts), any_(elsewhere) {
    if (elsewhere)
      notePolled(nullptr);
    for (Instruction &instruction : instructions(body))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && isYield(*call)) {
        any_ = true;
        notePolled(loops.getLoopFor(call->getParent()));
      }
    if (!any_)
      return;
    for (Instruction &instruction : instructions(body))
      if (mayEndWaiting(instruction)) {
        writes_.insert(&instruction);
        noteBlocksBefore(*instruction.getParent());
      }
  }

  /// True if there are such loops.
  bool any() const { return any_; }

  bool mayComeAfter(const Instruction &instruction) const {
    for (const Instruction *at = &instruction; at; at = at->getNextNode())
      if (writes_.contains(at))
        return true;
    return any_of(successors(instruction.getParent()), [&](const BasicBlock *next) { return before_.contains(next); });
  }

private:
  void notePolled(const Loop *loop) {
    if (!loop) {
      polled_.insert({nullptr, 0});
      return;
    }
    SmallVector<Origin, 4> origins;
    for (const BasicBlock *block : loop->blocks())
      for (const Instruction &instruction : *block) {
        auto *load = dyn_cast<LoadInst>(&instruction);
        if (load && (load->isVolatile() || load->isAtomic()))
          append_range(origins, originsOf(load->getPointerOperand(), layout_, facts_));
        else if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction))
          append_range(origins, originsOf(writtenPointer(instruction), layout_, facts_));
      }
    for (const Origin &origin : origins)
      polled_.insert(origin.first ? origin : Origin());
  }

  bool mayEndWaiting(const Instruction &instruction) const {
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      auto *intrinsic = dyn_cast<IntrinsicInst>(call);
      return call->mayWriteToMemory() && !(intrinsic && intrinsic->isAssumeLikeIntrinsic()) && !isYield(*call) &&
             !isBarrier(*call) && !isCollective(*call) && !isAnyCheck(*call) && !callsRuntime(*call, runtime::clock);
    }
    const Value *pointer = writtenPointer(instruction);
    if (!pointer)
      return false;
    const auto origins = originsOf(pointer, layout_, facts_);
    return any_of(origins, [&](const Origin &origin) {
      return !origin.first || polled_.contains(origin) || polled_.contains({nullptr, 0});
    });
  }

  void noteBlocksBefore(const BasicBlock &block) {
    SmallVector<const BasicBlock *, 16> work{&block};
    while (!work.empty()) {
      const BasicBlock *at = work.pop_back_val();
      if (before_.insert(at).second)
        work.append(pred_begin(at), pred_end(at));
    }
  }

  const DataLayout &layout_;
  const LaneFacts &facts_;
  bool any_;
  DenseSet<Origin> polled_;
  DenseSet<const Instruction *> writes_;
  DenseSet<const BasicBlock *> before_; // blocks from which control may come to one of the writes
};

/// Finds the accesses before which the lanes have to meet: those of an exchange whose other side may have come since they last met.
class Steps {
public:
  /// Without `awaited`, nobody who waits in a loop holds up those who meet.
  Steps(Function &body, const LaneExchanges &exchanges, const LaneFacts &facts, const Awaited *awaited)
      : body_(body), exchanges_(exchanges), facts_(facts), awaited_(awaited) {
    // Where lanes wait for each other in loops, others must not wait elsewhere. Where they exchange by comparison, those that wait would leave
    // states in global memory that last no longer than an update otherwise, and that others give up at.
    const bool localOnly =
        (awaited && awaited->any()) ||
        any_of(instructions(body), [](const Instruction &instruction) { return isa<AtomicCmpXchgInst>(instruction); });
    for (Instruction *access : exchanges.accesses())
      if (!localOnly || touchesLocalMemory(*access)) {
        numbers_[access] = static_cast<unsigned>(members_.size());
        members_.push_back(access);
      }
  }

  std::vector<Instruction *> find() {
    for (bool again = !members_.empty(); again;) {
      propagate();
      again = false;
      for (BasicBlock &block : body_)
        again |= through(block, entryOf(block), true).second;
    }
    return meetings_;
  }

private:
  bool touchesLocalMemory(const Instruction &access) const {
    const Value *pointer = isa<LoadInst>(access) ? getLoadStorePointerOperand(&access) : writtenPointer(access);
    return pointer && isLocalMemory(pointer, facts_);
  }

  bool exchangesWith(const BitVector &touched, const Instruction &access) const {
    for (const unsigned other : touched.set_bits())
      if (exchanges_.between(members_[other], &access))
        return true;
    return false;
  }

  BitVector entryOf(const BasicBlock &block) const {
    auto found = entry_.find(&block);
    return found == entry_.end() ? BitVector(static_cast<unsigned>(members_.size())) : found->second;
  }

  void propagate() {
    entry_.clear();
    for (bool again = true; again;) {
      again = false;
      for (BasicBlock &block : body_) {
        const BitVector out = through(block, entryOf(block), false).first;
        for (const BasicBlock *next : successors(&block)) {
          BitVector in = entryOf(*next);
          const unsigned before = in.count();
          in |= out;
          again |= in.count() != before;
          entry_[next] = std::move(in);
        }
      }
    }
  }

  // The memory touched since the lanes last met, behind the block, and a flag that a meeting was added to those known.
  std::pair<BitVector, bool> through(BasicBlock &block, BitVector now, bool add) {
    bool added = false;
    for (Instruction &instruction : block) {
      if (auto *call = dyn_cast<CallBase>(&instruction); call && (isBarrier(*call) || isCollective(*call)))
        now.reset();
      auto number = numbers_.find(&instruction);
      if (number == numbers_.end())
        continue;
      bool meets = known_.contains(&instruction);
      if (add && !meets && !(awaited_ && awaited_->mayComeAfter(instruction)) && exchangesWith(now, instruction)) {
        known_.insert(&instruction);
        meetings_.push_back(&instruction);
        meets = added = true;
      }
      if (meets)
        now.reset();
      now.set(number->second);
    }
    return {std::move(now), added};
  }

  Function &body_;
  const LaneExchanges &exchanges_;
  const LaneFacts &facts_;
  const Awaited *awaited_;
  std::vector<const Instruction *> members_;
  DenseMap<const Instruction *, unsigned> numbers_;
  DenseMap<const BasicBlock *, BitVector> entry_;
  DenseSet<const Instruction *> known_;
  std::vector<Instruction *> meetings_;
};

bool yields(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && isYield(*call);
  });
}

// The ends of rounds of loops with operations of the warp in them: lanes that are through with a round wait for those that are not, so that
// an operation does not have lanes of different rounds. Loops that wait themselves are left out.
std::vector<Instruction *> endsOfRounds(LoopInfo &loops, DominatorTree &tree, const CollectiveCallers &callers,
                                        const Awaited *awaited) {
  std::vector<Instruction *> ends;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    bool meets = false, waits = false;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block) {
        auto *call = dyn_cast<CallBase>(&instruction);
        meets = meets || (call && (isCollective(*call) || callers.mayCall(*call)));
        waits = waits || (call && isYield(*call) && loops.getLoopFor(block) == loop);
      }
    if (!meets || waits)
      continue;
    simplifyLoop(loop, &tree, &loops, nullptr, nullptr, nullptr, false);
    BasicBlock *latch = loop->getLoopLatch();
    if (latch && !(awaited && awaited->mayComeAfter(*latch->getTerminator())))
      ends.push_back(latch->getTerminator());
  }
  return ends;
}

/// `waits`: also for lanes that wait in a loop.
void addMeetings(ArrayRef<Instruction *> places, bool waits) {
  for (Instruction *place : places) {
    Function &function = *place->getFunction();
    FunctionCallee meet = declareRuntime(*function.getParent(), runtime::collective);
    constexpr uint32_t kCode = collectiveCode(CollectiveScope::subgroup, CollectiveKind::sync);
    IRBuilder<> b(place);
    b.CreateCall(meet,
                 {itemOf(function), b.getInt32(0), b.getInt32(kCode), b.getInt64(waits ? 0 : kStep), b.getInt64(0)});
  }
}

void keepInStep(ArrayRef<Function *> functions, const CalledFunctions &called) {
  if (functions.empty())
    return;
  const auto inEach = [&](auto findPlaces) {
    for (Function *function : functions) {
      const BodyFacts facts(*function, called);
      DominatorTree tree(*function);
      LoopInfo loops(tree);
      if (called.isKernel(*function)) {
        const Awaited awaited(*function, loops, facts,
                              any_of(called.all(), [](Function *each) { return yields(*each); }));
        addMeetings(findPlaces(*function, facts, tree, loops, &awaited), true);
      } else {
        addMeetings(findPlaces(*function, facts, tree, loops, nullptr), false);
      }
    }
  };
  inEach([&](Function &function, const LaneFacts &facts, DominatorTree &, LoopInfo &, const Awaited *awaited) {
    const LaneExchanges exchanges = exchangesIn(function, called);
    return Steps(function, exchanges, facts, awaited).find();
  });
  const CollectiveCallers callers(functions);
  inEach([&](Function &, const LaneFacts &, DominatorTree &tree, LoopInfo &loops, const Awaited *awaited) {
    return endsOfRounds(loops, tree, callers, awaited);
  });
  markConvergent(*functions.front()->getParent());
  numberCallsAndAddedSites(functions);
}

} // namespace

void keepLanesInStep(Function &kernel) {
  const CalledFunctions called(kernel);
  std::vector<Function *> functions = called.all();
  functions.push_back(&kernel);
  keepInStep(functions, called);
}

void keepLanesInStep(Module &shared) {
  const CalledFunctions called(shared);
  keepInStep(called.all(), called);
}

} // namespace hiplz::cpu
