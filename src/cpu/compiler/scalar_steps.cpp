// SPDX-License-Identifier: MIT
// See scalar_steps.h. Lanes that meet at different places are put in order by the places' numbers (exec/fiber_group.h), so those that
// fell behind in a branch catch up.
#include "cpu/compiler/scalar_steps.h"
#include "cpu/compiler/sites.h"
#include "cpu/vectorizer/lanes_in_step.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <utility>
#include <vector>

using namespace llvm;

namespace hiplz::cpu {
namespace {

/// Where memory begins: a parameter, or what a parameter or variable has at an offset (plus one). Both null: unknown.
using Origin = std::pair<const Value *, uint64_t>;
constexpr uint64_t kLocalMemory = uint64_t(1) << 63; // as an offset of the WorkItem

// The pointer that an address is computed from as an integer, such as that of the word around a byte; null if there is none.
const Value *pointerIn(const Value *number, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 6;
  auto *computed = dyn_cast<Operator>(number);
  if (!computed || depth == kMaxDepth)
    return nullptr;
  if (computed->getOpcode() == Instruction::PtrToInt)
    return computed->getOperand(0);
  if (!Instruction::isBinaryOp(computed->getOpcode()))
    return nullptr;
  const Value *left = pointerIn(computed->getOperand(0), depth + 1);
  return left ? left : pointerIn(computed->getOperand(1), depth + 1);
}

void originsOf(const Value *pointer, const DataLayout &layout, SmallVectorImpl<Origin> &origins) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, 0);
  for (const Value *object : objects) {
    if (isa<AllocaInst>(object) || isa<ConstantPointerNull>(object) || isa<UndefValue>(object)) // nobody else's
      continue;
    if (isa<Argument>(object) || isa<GlobalVariable>(object)) {
      origins.push_back({object, 0});
      continue;
    }
    if (Operator::getOpcode(object) == Instruction::IntToPtr)
      if (const Value *base = pointerIn(cast<Operator>(object)->getOperand(0))) {
        originsOf(base, layout, origins);
        continue;
      }
    auto *load = dyn_cast<LoadInst>(object);
    if (load && readsLocalMemory(*load)) {
      origins.push_back({load->getFunction()->getArg(0), kLocalMemory});
      continue;
    }
    APInt offset(64, 0);
    const Value *from =
        load ? load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true) : nullptr;
    if (from && (isa<Argument>(from) || isa<GlobalVariable>(from)))
      origins.push_back({from, offset.getZExtValue() + 1});
    else
      origins.push_back({nullptr, 0});
  }
}

const Value *writtenPointer(const Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return store->getPointerOperand();
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return nullptr;
}

/// Whether a lane may still have to do, behind an instruction, what other lanes wait for in loops.
class Awaited {
public:
  Awaited(Function &body, const LoopInfo &loops) : layout_(body.getParent()->getDataLayout()) {
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
          originsOf(load->getPointerOperand(), layout_, origins);
        else if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction))
          originsOf(writtenPointer(instruction), layout_, origins);
      }
    polled_.insert(origins.begin(), origins.end());
  }

  bool mayEndWaiting(const Instruction &instruction) const {
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      auto *intrinsic = dyn_cast<IntrinsicInst>(call);
      return call->mayWriteToMemory() && !(intrinsic && intrinsic->isAssumeLikeIntrinsic()) && !isYield(*call) &&
             !isBarrier(*call) && !isCollective(*call) && !callsRuntime(*call, runtime::clock);
    }
    const Value *pointer = writtenPointer(instruction);
    if (!pointer)
      return false;
    SmallVector<Origin, 4> origins;
    originsOf(pointer, layout_, origins);
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
  bool any_ = false;
  DenseSet<Origin> polled_;
  DenseSet<const Instruction *> writes_;
  DenseSet<const BasicBlock *> before_; // blocks from which control may come to one of the writes
};

/// What the lanes may have read and written since they last met: nothing (null), one address, or several (the function).
struct Pending {
  const Value *read = nullptr;
  const Value *written = nullptr;
  bool operator==(const Pending &) const = default;
};

class Steps {
public:
  Steps(Function &body, const LoopInfo &loops) : body_(body), awaited_(body, loops) {
    for (Instruction &instruction : instructions(body)) {
      const Value *pointer =
          isa<LoadInst>(instruction) ? getLoadStorePointerOperand(&instruction) : writtenPointer(instruction);
      if (!pointer || !isLocalMemory(pointer))
        continue;
      auto *computed = dyn_cast<Instruction>(pointer);
      // In each round of a loop it is another one.
      const bool one = !computed || !loops.getLoopFor(computed->getParent());
      addresses_[&instruction] = one ? pointer : &body_;
    }
  }

  /// The accesses before which the lanes have to meet.
  const std::vector<Instruction *> &find() {
    for (bool again = true; again;) {
      propagate();
      again = false;
      for (BasicBlock &block : body_)
        again |= through(block, entry_.lookup(&block), true).second;
    }
    return meetings_;
  }

private:
  const Value *both(const Value *a, const Value *b) const { return !a || a == b ? b : !b ? a : &body_; }
  bool differs(const Value *pending, const Value *address) const {
    return pending && (pending != address || address == &body_);
  }

  void propagate() {
    entry_.clear();
    for (bool again = true; again;) {
      again = false;
      for (BasicBlock &block : body_) {
        const Pending out = through(block, entry_.lookup(&block), false).first;
        for (const BasicBlock *next : successors(&block)) {
          Pending &in = entry_[next];
          const Pending joined{both(in.read, out.read), both(in.written, out.written)};
          again |= joined != in;
          in = joined;
        }
      }
    }
  }

  // What is pending behind the block, and whether a meeting was added to those known.
  std::pair<Pending, bool> through(BasicBlock &block, Pending now, bool add) {
    bool added = false;
    for (Instruction &instruction : block) {
      if (auto *call = dyn_cast<CallBase>(&instruction); call && (isBarrier(*call) || isCollective(*call)))
        now = {};
      const Value *address = addresses_.lookup(&instruction);
      if (!address)
        continue;
      const bool writes = !isa<LoadInst>(instruction), reads = !isa<StoreInst>(instruction);
      bool meets = known_.contains(&instruction);
      if (add && !meets && (differs(now.written, address) || (writes && differs(now.read, address))) &&
          !awaited_.mayComeAfter(instruction)) {
        known_.insert(&instruction);
        meetings_.push_back(&instruction);
        meets = added = true;
      }
      if (meets)
        now = {};
      if (reads)
        now.read = both(now.read, address);
      if (writes)
        now.written = both(now.written, address);
    }
    return {now, added};
  }

  Function &body_;
  Awaited awaited_;
  DenseMap<const Instruction *, const Value *> addresses_; // of accesses to local memory
  DenseMap<const BasicBlock *, Pending> entry_;
  DenseSet<const Instruction *> known_;
  std::vector<Instruction *> meetings_;
};

} // namespace

bool keepLanesInStep(Function &body) {
  if (!exchangesWithoutBarrier(body))
    return false;
  DominatorTree tree(body);
  LoopInfo loops(tree);
  Steps steps(body, loops);
  const std::vector<Instruction *> &meetings = steps.find();
  if (meetings.empty())
    return false;
  FunctionCallee meet = declareRuntime(*body.getParent(), runtime::collective);
  cast<Function>(meet.getCallee())->setConvergent();
  body.setConvergent();
  constexpr uint32_t kCode = collectiveCode(CollectiveScope::subgroup, CollectiveKind::sync);
  for (Instruction *access : meetings) {
    IRBuilder<> b(access);
    CallInst *call =
        b.CreateCall(meet, {body.getArg(0), b.getInt32(0), b.getInt32(kCode), b.getInt64(0), b.getInt64(0)});
    call->setConvergent();
    call->addFnAttr(Attribute::NoMerge);
  }
  numberAddedSites(body);
  return true;
}

} // namespace hiplz::cpu
