// SPDX-License-Identifier: MIT
// See choices.h.
#include "cpu/compiler/choices.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kLargestArm = 8; // instructions of an arm

bool mayBeEarlier(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && isa<AllocaInst>(load->getPointerOperand()) &&
           cast<AllocaInst>(load->getPointerOperand())->getAllocatedType() == load->getType();
  return isa<CastInst>(instruction) && isSafeToSpeculativelyExecute(&instruction);
}

// True if the block only leads from `head` to `join`.
bool isArm(BasicBlock &block, const BasicBlock &head, const BasicBlock *join) {
  if (block.getSinglePredecessor() != &head || block.getSingleSuccessor() != join || isa<PHINode>(block.front()))
    return false;
  unsigned count = 0;
  for (const Instruction &instruction : block)
    if (!instruction.isTerminator() && !instruction.isDebugOrPseudoInst() &&
        (!mayBeEarlier(instruction) || ++count > kLargestArm))
      return false;
  return true;
}

// The block behind the branch, if both ways come together there and do nothing before; else null.
BasicBlock *joinBehind(const BranchInst &branch) {
  BasicBlock &head = *const_cast<BasicBlock *>(branch.getParent());
  BasicBlock *then = branch.getSuccessor(0), *otherwise = branch.getSuccessor(1);
  if (then == otherwise)
    return nullptr;
  for (BasicBlock *join : {then->getSingleSuccessor(), then, otherwise}) {
    if (!join || join == &head || !join->hasNPredecessors(2) || !isa<PHINode>(join->front()))
      continue;
    const auto leads = [&](BasicBlock *way) { return way == join || isArm(*way, head, join); };
    if (leads(then) && leads(otherwise))
      return join;
  }
  return nullptr;
}

void choose(BranchInst &branch, BasicBlock &join) {
  BasicBlock *head = branch.getParent();
  SmallVector<BasicBlock *, 2> arms;
  BasicBlock *ways[] = {head, head};
  for (unsigned i = 0; i < 2; ++i)
    if (BasicBlock *arm = branch.getSuccessor(i); arm != &join) {
      ways[i] = arm;
      arms.push_back(arm);
      for (Instruction &instruction : make_early_inc_range(*arm))
        if (!instruction.isTerminator() && !instruction.isDebugOrPseudoInst())
          instruction.moveBefore(&branch);
    }
  IRBuilder<> b(&branch);
  while (auto *phi = dyn_cast<PHINode>(&join.front())) {
    b.SetCurrentDebugLocation(branch.getDebugLoc());
    Value *chosen = b.CreateSelect(branch.getCondition(), phi->getIncomingValueForBlock(ways[0]),
                                   phi->getIncomingValueForBlock(ways[1]));
    phi->replaceAllUsesWith(chosen);
    phi->eraseFromParent();
  }
  b.CreateBr(&join);
  branch.eraseFromParent();
  for (BasicBlock *arm : arms) {
    arm->dropAllReferences();
    arm->eraseFromParent();
  }
  MergeBlockIntoPredecessor(&join);
}

} // namespace

void chooseWithoutBranches(Function &function) {
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (BasicBlock &block : function) {
      auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      BasicBlock *join = branch && branch->isConditional() ? joinBehind(*branch) : nullptr;
      if (!join)
        continue;
      choose(*branch, *join);
      isNew = true;
      break;
    }
  }
}

} // namespace hiplz::cpu
