// SPDX-License-Identifier: MIT
// See divergence.h.
#include "cpu/vectorizer/divergence.h"
#include "cpu/vectorizer/influence_region.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/STLExtras.h>
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

const BasicBlock *Divergence::joinOf(const BasicBlock &block) const { return cpu::joinOf(block, postDominators_); }

// All phis from the branch to the join, and what is made on the way there and used behind: a lane may have been there in
// another round.
void Divergence::part(const BasicBlock &block) {
  const auto [between, join] = influenceRegion(*block.getTerminator(), postDominators_);
  auto taintPhis = [&](const BasicBlock &where) {
    for (const PHINode &phi : where.phis())
      tainted_.insert(&phi);
  };
  if (join)
    taintPhis(*join);
  for (const BasicBlock *inner : between) {
    taintPhis(*inner);
    for (const Instruction &instruction : *inner)
      if (any_of(instruction.users(), [&, &inside = between](const User *user) {
            return !inside.contains(cast<Instruction>(user)->getParent());
          }))
        tainted_.insert(&instruction);
  }
}

} // namespace hiplz::cpu
