// SPDX-License-Identifier: MIT
// See divergence.h.
#include "cpu/vectorizer/divergence.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace hiplz::cpu {

Divergence::Divergence(Function &body, const ShapeInfo &shapes) : shapes_(shapes), postDominators_(body) {
  for (bool changed = true; changed;) {
    const size_t branches = branches_.size(), tainted = tainted_.size();
    for (const Instruction &instruction : instructions(body)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      const bool same =
          call && isCollective(*call) && shapes_.shapeOf(&instruction).isUniform(); // a vote, for instance
      if (instruction.isTerminator()) {
        if (instruction.getNumSuccessors() > 1 && isVarying(instruction.getOperand(0)) &&
            branches_.insert(instruction.getParent()))
          part(*instruction.getParent());
      } else if (!same && any_of(instruction.operands(), [&](const Use &operand) { return isTainted(operand); })) {
        tainted_.insert(&instruction);
      }
    }
    changed = branches != branches_.size() || tainted != tainted_.size();
  }
}

const BasicBlock *Divergence::joinOf(const BasicBlock &block) const {
  const DomTreeNode *node = postDominators_.getNode(&block);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

// All phis from the branch to the join, and what is made on the way there and used behind: a lane may have been there in
// another round.
void Divergence::part(const BasicBlock &block) {
  const BasicBlock *join = joinOf(block);
  SmallPtrSet<const BasicBlock *, 16> between;
  SmallVector<const BasicBlock *, 16> work(successors(&block));
  while (!work.empty()) {
    const BasicBlock *next = work.pop_back_val();
    for (const PHINode &phi : next->phis())
      tainted_.insert(&phi);
    if (next != join && between.insert(next).second)
      append_range(work, successors(next));
  }
  for (const BasicBlock *inner : between)
    for (const Instruction &instruction : *inner)
      if (any_of(instruction.users(),
                 [&](const User *user) { return !between.contains(cast<Instruction>(user)->getParent()); }))
        tainted_.insert(&instruction);
}

} // namespace hiplz::cpu
