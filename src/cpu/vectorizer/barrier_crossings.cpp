// SPDX-License-Identifier: MIT
// See barrier_crossings.h. Liveness is found backwards from the uses, value by value: few values live long.
#include "cpu/vectorizer/barrier_crossings.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Where something is live at the beginning of a block, given the blocks that need it from their beginning on and those
// that provide it.
class LiveBlocks {
public:
  template <typename Provides> LiveBlocks(ArrayRef<BasicBlock *> needing, Provides provides) {
    SmallVector<BasicBlock *, 16> work(needing.begin(), needing.end());
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (!live_.insert(block).second)
        continue;
      for (BasicBlock *before : predecessors(block))
        if (!provides(before))
          work.push_back(before);
    }
  }
  bool contains(BasicBlock *block) const { return live_.contains(block); }

private:
  SmallPtrSet<BasicBlock *, 16> live_;
};

// The block whose end a use belongs to if it is a phi's; else the block that it is in.
BasicBlock *blockOfUse(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  return phi ? phi->getIncomingBlock(use) : user->getParent();
}

// The instructions that may touch private memory; false if its address goes where they cannot be found.
bool findAccesses(AllocaInst &memory, SmallVectorImpl<Instruction *> &accesses) {
  SmallVector<Instruction *, 16> addresses{&memory};
  SmallPtrSet<Instruction *, 16> seen{&memory};
  while (!addresses.empty()) {
    Instruction *address = addresses.pop_back_val();
    for (Use &use : address->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst, InsertElementInst, ShuffleVectorInst>(user)) {
        if (isa<PtrToIntInst>(user))
          return false;
        if (seen.insert(user).second)
          addresses.push_back(user);
        continue;
      }
      bool plain = isa<LoadInst>(user) || (isa<StoreInst>(user) && use.getOperandNo() == 1);
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(user))
        plain = (intrinsic->getIntrinsicID() != Intrinsic::masked_store &&
                 intrinsic->getIntrinsicID() != Intrinsic::masked_scatter) ||
                use.getOperandNo() == 1;
      if (!plain)
        return false;
      accesses.push_back(user);
    }
  }
  return true;
}

bool isLifetime(const Instruction &instruction, Intrinsic::ID id) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->getIntrinsicID() == id;
}

} // namespace

bool isWarpBarrier(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && callsRuntime(*call, runtime::warpBarrier);
}

bool isWarpTurn(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && callsRuntime(*call, runtime::warpTurn);
}

void separateBarriers(Function &warp) {
  SmallVector<Instruction *, 8> barriers;
  for (Instruction &instruction : instructions(warp))
    if (endsRegion(instruction))
      barriers.push_back(&instruction);
  for (Instruction *barrier : barriers)
    SplitBlock(barrier->getParent(), barrier->getNextNode());
}

BarrierCrossings::BarrierCrossings(Function &warp) : warp_(warp) {
  findEntries();
  findBlocks();
  for (Instruction &instruction : warp.getEntryBlock())
    if (auto *memory = dyn_cast<AllocaInst>(&instruction))
      classifyMemory(*memory);
  for (Instruction &value : instructions(warp)) {
    if (isa<AllocaInst>(value) || value.use_empty())
      continue;
    BasicBlock *home = value.getParent();
    SmallVector<BasicBlock *, 8> needing;
    for (Use &use : value.uses())
      if (BasicBlock *block = blockOfUse(use); block != home)
        needing.push_back(block);
    if (needing.empty())
      continue;
    LiveBlocks live(needing, [&](BasicBlock *block) { return block == home; });
    BitVector at(static_cast<unsigned>(entries_.size()));
    for (unsigned region = 1; region < entries_.size(); ++region)
      if (live.contains(entries_[region]))
        at.set(region);
    if (at.any() && !recompute(value))
      kept_.insert({&value, at});
  }
}

void BarrierCrossings::findEntries() {
  entries_.push_back(&warp_.getEntryBlock());
  for (BasicBlock &block : warp_) {
    const Instruction *last = block.getTerminator()->getPrevNode();
    if (!last || !endsRegion(*last))
      continue;
    behind_[&block] = static_cast<unsigned>(entries_.size());
    entries_.push_back(block.getSingleSuccessor());
  }
}

void BarrierCrossings::findBlocks() {
  blocks_.resize(entries_.size());
  for (unsigned region = 0; region < entries_.size(); ++region) {
    SmallVector<BasicBlock *, 16> work{entries_[region]};
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (blocks_[region].insert(block).second && !regionBehind(block))
        append_range(work, successors(block));
    }
  }
}

size_t BarrierCrossings::blockCount() const {
  size_t count = 0;
  for (const auto &blocks : blocks_)
    count += blocks.size();
  return count;
}

// Content that was written before a barrier may be read behind it, unless the memory's lifetime begins in between.
void BarrierCrossings::classifyMemory(AllocaInst &memory) {
  SmallVector<Instruction *, 16> accesses;
  if (!findAccesses(memory, accesses)) {
    keptMemory_.push_back(&memory);
    return;
  }
  SmallPtrSet<BasicBlock *, 8>
      beginning; // the first thing that happens to the memory there is that its lifetime begins
  SmallVector<BasicBlock *, 8> needing;
  SmallPtrSet<BasicBlock *, 8> touched;
  SmallPtrSet<Instruction *, 16> all(accesses.begin(), accesses.end());
  for (Instruction *access : accesses)
    touched.insert(access->getParent());
  for (BasicBlock *block : touched)
    for (Instruction &instruction : *block) {
      if (!all.contains(&instruction) || isLifetime(instruction, Intrinsic::lifetime_end))
        continue;
      if (isLifetime(instruction, Intrinsic::lifetime_start))
        beginning.insert(block);
      else
        needing.push_back(block);
      break;
    }
  // A lifetime that begins behind an access in the same block provides for what follows as well.
  SmallPtrSet<BasicBlock *, 8> providing;
  for (Instruction *access : accesses)
    if (isLifetime(*access, Intrinsic::lifetime_start))
      providing.insert(access->getParent());
  LiveBlocks live(needing, [&](BasicBlock *block) { return providing.contains(block); });
  bool kept = any_of(drop_begin(entries_), [&](BasicBlock *entry) { return live.contains(entry); });
  (kept ? keptMemory_ : otherMemory_).push_back(&memory);
}

// Adds the value and what it is made of to the recomputed ones, if that is cheap.
bool BarrierCrossings::recompute(Instruction &value) {
  constexpr unsigned kMaxInstructions = 8;
  SetVector<Instruction *> chain; // users first
  chain.insert(&value);
  for (unsigned next = 0; next < chain.size(); ++next) {
    Instruction *instruction = chain[next];
    if (auto *load = dyn_cast<LoadInst>(instruction)) {
      // Fields of the warp's state, and of what it points to if they never change.
      const Value *base = getUnderlyingObject(load->getPointerOperand());
      auto *pointer = dyn_cast<LoadInst>(base);
      bool ofState = base == warp_.getArg(0);
      bool ofLaunch = pointer && load->hasMetadata(LLVMContext::MD_invariant_load) &&
                      getUnderlyingObject(pointer->getPointerOperand()) == warp_.getArg(0);
      if (!load->isSimple() || !(ofState || ofLaunch))
        return false;
    } else if (auto *operation = dyn_cast<BinaryOperator>(instruction)) {
      if (operation->isIntDivRem() || operation->getType()->isFPOrFPVectorTy())
        return false;
    } else if (!isa<CastInst, GetElementPtrInst, InsertElementInst, ExtractElementInst, ShuffleVectorInst, SelectInst,
                    CmpInst>(instruction)) {
      return false;
    }
    for (Value *operand : instruction->operands())
      if (auto *other = dyn_cast<Instruction>(operand); other && !isa<AllocaInst>(other))
        chain.insert(other);
    if (chain.size() > kMaxInstructions)
      return false;
  }
  // Operands first.
  SmallVector<Instruction *, 8> order;
  SmallPtrSet<Instruction *, 8> done;
  auto visit = [&](auto &self, Instruction *instruction) -> void {
    if (!done.insert(instruction).second)
      return;
    for (Value *operand : instruction->operands())
      if (auto *other = dyn_cast<Instruction>(operand); other && chain.contains(other))
        self(self, other);
    order.push_back(instruction);
  };
  visit(visit, &value);
  for (Instruction *instruction : order)
    recomputed_.insert(instruction);
  return true;
}

} // namespace hiplz::cpu
