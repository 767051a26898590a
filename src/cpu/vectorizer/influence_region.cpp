// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/influence_region.h"

#include <llvm/IR/CFG.h>

using namespace llvm;

namespace hiplz::cpu {

BasicBlock *joinOf(const BasicBlock &block, const PostDominatorTree &postDominators) {
  const DomTreeNode *node = postDominators.getNode(&block);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

InfluenceRegion influenceRegion(const Instruction &branch, const PostDominatorTree &postDominators) {
  InfluenceRegion region{{}, joinOf(*branch.getParent(), postDominators)};
  SmallVector<const BasicBlock *, 16> work(successors(branch.getParent()));
  while (!work.empty()) {
    const BasicBlock *next = work.pop_back_val();
    if (next != region.join && region.between.insert(next))
      work.append(succ_begin(next), succ_end(next));
  }
  return region;
}

} // namespace hiplz::cpu
