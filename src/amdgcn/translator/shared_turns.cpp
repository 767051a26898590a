// SPDX-License-Identifier: MIT
// See shared_turns.h. A turn waits for nobody, so nothing is lost by one more. Values that the first part makes for the second come from
// nowhere for waves that skip both. In a loop without a barrier the rounds of all waves would wait for each other.
#include "amdgcn/translator/shared_turns.h"
#include "amdgcn/translator/join_uses.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

/// The branch around a block that only goes on where the branch would have gone; null if it is no such block.
BranchInst *branchAround(BasicBlock &block) {
  BasicBlock *before = block.getSinglePredecessor(), *behind = block.getSingleSuccessor();
  auto *branch = before && behind ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  const bool isAround = branch && branch->isConditional() && behind != &block && behind != before &&
                        (branch->getSuccessor(0) == behind) != (branch->getSuccessor(1) == behind);
  return isAround ? branch : nullptr;
}

void share(Instruction &turn, BranchInst &branch) {
  BasicBlock *first = turn.getParent(), *before = branch.getParent(), *behind = first->getSingleSuccessor();
  BasicBlock *place = first->splitBasicBlock(turn.getIterator(), "turn");
  BasicBlock *second = place->splitBasicBlock(std::next(turn.getIterator()), "behind.turn");
  const unsigned skips = branch.getSuccessor(0) == behind ? 0 : 1;
  branch.setSuccessor(skips, place);
  place->getTerminator()->eraseFromParent();
  BasicBlock *ways[] = {second, second};
  ways[skips] = behind;
  BranchInst::Create(ways[0], ways[1], branch.getCondition(), place);
  behind->replacePhiUsesWith(before, place);
  for (Instruction &made : *first)
    if (!made.use_empty()) {
      IRBuilder<> b(&place->front());
      joinUses(b, made, {{PoisonValue::get(made.getType()), before}});
    }
}

} // namespace

void turnAtOnePlace(Function &wave, function_ref<bool(const Instruction &)> isTurn,
                    function_ref<bool(const Instruction &)> isBarrier) {
  const DominatorTree dominators(wave);
  const LoopInfo loops(dominators);
  auto hasBarrier = [&](const BasicBlock *block) { return any_of(*block, isBarrier); };
  SmallVector<Instruction *, 8> turns;
  for (Instruction &instruction : instructions(wave))
    if (isTurn(instruction)) {
      const Loop *loop = loops.getLoopFor(instruction.getParent());
      if (!loop || any_of(loop->blocks(), hasBarrier))
        turns.push_back(&instruction);
    }
  for (Instruction *turn : turns)
    if (BranchInst *branch = branchAround(*turn->getParent()))
      share(*turn, *branch);
}

} // namespace hiplz::amdgcn
