// SPDX-License-Identifier: MIT
// See divergence.h.
#include "cpu/vectorizer/divergence.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>

#include <utility>

using namespace llvm;

namespace hiplz::cpu {
namespace {

using Blocks = SmallSetVector<const BasicBlock *, 16>;

/// The blocks that control may come to behind the branch and before its join; those before a block come first, unless by way of a loop.
Blocks blocksUpTo(const BasicBlock *join, const BasicBlock &branch) {
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const BasicBlock *, 16> left; // when all that is behind them has been
  SmallVector<std::pair<const BasicBlock *, const_succ_iterator>, 16> work{{&branch, succ_begin(&branch)}};
  while (!work.empty()) {
    const auto [block, next] = work.back();
    if (next == succ_end(block)) {
      left.push_back(block);
      work.pop_back();
      continue;
    }
    ++work.back().second;
    if (*next != join && seen.insert(*next).second)
      work.push_back({*next, succ_begin(*next)});
  }
  left.pop_back(); // the branch itself, which is there once more if control may come back to it
  return Blocks(left.rbegin(), left.rend());
}

/// The blocks in front of the join where ways from a branch meet.
class Ways {
public:
  Ways(const BasicBlock &branch, const Blocks &between) : branch_(branch), between_(between) {
    // A way is named by the last block at which it began or met another one. Without loops that have several entries, all is found in the
    // first round.
    constexpr unsigned kMostRounds = 16;
    for (unsigned round = 0; follow(); ++round)
      if (round == kMostRounds) {
        meetings_.insert(between.begin(), between.end());
        break;
      }
  }

  const SmallPtrSetImpl<const BasicBlock *> &meetings() const { return meetings_; }

private:
  bool follow() {
    bool changed = false;
    for (const BasicBlock *block : between_) {
      const BasicBlock *way = meetings_.contains(block) ? block : wayTo(*block);
      const BasicBlock *&known = ways_[block];
      changed = changed || known != way;
      known = way;
    }
    return changed;
  }

  const BasicBlock *wayTo(const BasicBlock &block) {
    const BasicBlock *only = nullptr;
    for (const BasicBlock *before : predecessors(&block)) {
      const BasicBlock *way = before == &branch_ ? &block : ways_.lookup(before);
      if (way && only && way != only) {
        meetings_.insert(&block);
        return &block;
      }
      only = way ? way : only;
    }
    return only;
  }

  const BasicBlock &branch_;
  const Blocks &between_;
  DenseMap<const BasicBlock *, const BasicBlock *> ways_;
  SmallPtrSet<const BasicBlock *, 8> meetings_;
};

} // namespace

BasicBlock *joinOf(const BasicBlock &block, const PostDominatorTree &postDominators) {
  const DomTreeNode *node = postDominators.getNode(&block);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

bool Divergence::part(const BasicBlock &block, const PostDominatorTree &postDominators) {
  if (!branches_.insert(&block))
    return false;
  const BasicBlock *join = joinOf(block, postDominators);
  const Blocks between = blocksUpTo(join, block);
  between_.insert(between.begin(), between.end());
  mixing_.insert(between.begin(), between.end());
  if (join)
    mixing_.insert(join);
  for (const BasicBlock *inner : between)
    for (const Instruction &instruction : *inner)
      if (any_of(instruction.users(),
                 [&](const User *user) { return !between.contains(cast<Instruction>(user)->getParent()); }))
        leaving_.insert(&instruction);
  return true;
}

bool LaneDivergence::part(const BasicBlock &block, const PostDominatorTree &postDominators, const LoopInfo &loops) {
  if (!branches_.insert(&block).second)
    return false;
  const BasicBlock *join = joinOf(block, postDominators);
  const Blocks between = blocksUpTo(join, block);
  const Ways ways(block, between);
  meetings_.insert(ways.meetings().begin(), ways.meetings().end());
  if (join)
    meetings_.insert(join);
  for (const Loop *loop = loops.getLoopFor(&block); loop && !(join && loop->contains(join));
       loop = loop->getParentLoop())
    leftApart_.insert(loop);
  return true;
}

} // namespace hiplz::cpu
