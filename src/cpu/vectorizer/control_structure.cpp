// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/control_structure.h"
#include "cpu/vectorizer/divergence.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace hiplz::cpu {

ControlStructure::ControlStructure(Function &function)
    : dominators_(function), postDominators_(function), loops_(dominators_) {
  for (BasicBlock &block : function)
    if (dominators_.isReachableFromEntry(&block))
      findGuard(block);
}

// One successor has no other predecessor, and all that can run from there before the other successor is dominated by it.
void ControlStructure::findGuard(BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return;
  BasicBlock *join = joinOf(block, postDominators_);
  const Loop *loop = loops_.getLoopFor(&block);
  if (!join || loops_.getLoopFor(join) != loop || loops_.isLoopHeader(join))
    return;
  for (unsigned index : {0u, 1u}) {
    BasicBlock *guarded = branch->getSuccessor(index);
    if (branch->getSuccessor(1 - index) != join || guarded->getSinglePredecessor() != &block ||
        loops_.getLoopFor(guarded) != loop)
      continue;
    SmallVector<BasicBlock *, 8> work{guarded};
    SmallPtrSet<BasicBlock *, 8> region{guarded};
    bool closed = true;
    while (!work.empty() && closed) {
      BasicBlock *next = work.pop_back_val();
      closed = dominators_.dominates(guarded, next) && next->getTerminator()->getNumSuccessors() > 0;
      for (BasicBlock *successor : successors(next))
        if (successor != join && region.insert(successor).second)
          work.push_back(successor);
    }
    for (BasicBlock *predecessor : predecessors(join))
      closed = closed && (predecessor == &block || region.contains(predecessor));
    if (!closed)
      continue;
    guards_[&block] = static_cast<int>(index);
    joins_[join].push_back(&block);
    return;
  }
}

int ControlStructure::guardedSuccessor(const BasicBlock &block) const {
  auto entry = guards_.find(&block);
  return entry == guards_.end() ? -1 : entry->second;
}

const BasicBlock *ControlStructure::guardedBlock(const BasicBlock &block) const {
  int index = guardedSuccessor(block);
  return index < 0 ? nullptr : block.getTerminator()->getSuccessor(static_cast<unsigned>(index));
}

ArrayRef<const BasicBlock *> ControlStructure::branchesJoining(const BasicBlock &join) const {
  auto entry = joins_.find(&join);
  if (entry == joins_.end())
    return {};
  return entry->second;
}

Loop *ControlStructure::exitedLoop(const BasicBlock &block) const {
  Loop *loop = loops_.getLoopFor(&block);
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!loop || !branch || !branch->isConditional() || loop->getLoopLatch() != &block ||
      loop->getExitingBlock() != &block || !loop->getLoopPreheader())
    return nullptr;
  BasicBlock *exit = loop->getExitBlock(); // of its own, and in the loop around it
  return exit && exit->getSinglePredecessor() == &block && loops_.getLoopFor(exit) == loop->getParentLoop() ? loop
                                                                                                            : nullptr;
}

// One walk over the tree, where asking for each pair of blocks would take its square.
void ControlStructure::addDominated(const Blocks &blocks, Blocks &to) const {
  SmallVector<std::pair<const DomTreeNode *, bool>, 16> work;
  if (!blocks.empty())
    work.push_back({dominators_.getRootNode(), false});
  while (!work.empty()) {
    const auto [node, isBehind] = work.pop_back_val();
    const bool isDominated = isBehind || blocks.contains(node->getBlock());
    if (isDominated)
      to.insert(node->getBlock());
    for (const DomTreeNode *child : *node)
      work.push_back({child, isDominated});
  }
}

bool ControlStructure::separateJoins() {
  bool changed = false;
  for (auto &[join, branches] : joins_) {
    // A join of one block that only the if and one other block lead to may have more than one if that ends there: the
    // outermost dominates the others, and what is left has a join of its own then.
    const BasicBlock *outermost = branches.front();
    for (const BasicBlock *branch : branches)
      if (dominators_.dominates(branch, outermost))
        outermost = branch;
    SmallVector<BasicBlock *, 4> others;
    for (BasicBlock *predecessor : predecessors(const_cast<BasicBlock *>(join)))
      if (predecessor != outermost)
        others.push_back(predecessor);
    if (others.size() < 2)
      continue;
    SplitBlockPredecessors(const_cast<BasicBlock *>(join), others, ".join");
    changed = true;
  }
  return changed;
}

} // namespace hiplz::cpu
