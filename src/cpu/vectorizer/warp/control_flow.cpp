// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/control_flow.h"
#include "cpu/abi/compiled_code.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {

void ControlFlow::createBlocks() {
  ReversePostOrderTraversal<Function *> order(&body_);
  for (BasicBlock *block : order)
    starts_[block] = context_.newBlock(block->getName());
  b_.SetInsertPoint(context_.prologue);
  b_.CreateBr(starts_[&body_.getEntryBlock()]);
}

void ControlFlow::begin(const BasicBlock &block) {
  b_.SetInsertPoint(starts_[&block]);
  b_.SetCurrentDebugLocation(DebugLoc());
  createPhis(block);
  context_.mask = blockMasks_[&block] = maskOf(block);
}

// The mask of a block is that of the block that dominates it, unless a divergent branch has just begun something. Where a
// loop has been left, all lanes are there that have come to it.
Value *ControlFlow::maskOf(const BasicBlock &block) {
  if (&block == &body_.getEntryBlock()) {
    if (options_.layout == LaneLayout::rows)
      return nullptr;
    Value *live = b_.CreateTrunc(items_.field(b_.getInt32Ty(), offsetof(WarpState, live)), b_.getIntNTy(width_));
    return b_.CreateBitCast(live, FixedVectorType::get(b_.getInt1Ty(), width_), "live");
  }
  const LoopInfo &loops = shapes_.structure().loops();
  if (const Loop *loop = loops.getLoopFor(&block); loop && loop->getHeader() == &block)
    if (PHINode *phi = loopMasks_.lookup(loop))
      return phi;
  if (Value *guarded = guardMasks_.lookup(&block))
    return guarded;
  const BasicBlock *before = shapes_.structure().dominators().getNode(&block)->getIDom()->getBlock();
  for (Loop *loop = loops.getLoopFor(before); loop && !loop->contains(&block); loop = loop->getParentLoop())
    if (loop->getLoopPreheader())
      before = loop->getLoopPreheader();
  return blockMasks_.lookup(before);
}

void ControlFlow::createPhis(const BasicBlock &block) {
  BasicBlock *start = starts_[&block];
  const LoopInfo &loops = shapes_.structure().loops();
  unsigned predecessorCount = pred_size(&block);
  for (const PHINode &phi : block.phis()) {
    if (trackers_.count(&phi))
      continue;
    bool varying = values_.isVarying(&phi);
    Type *type = varying ? laneType(phi.getType()) : phi.getType();
    IRBuilder<> begin(start, start->begin());
    values_.set(phi, phis_[&phi] = begin.CreatePHI(type, predecessorCount, phi.getName()));
  }
  const Loop *loop = loops.getLoopFor(&block);
  if (!loop || loop->getHeader() != &block || !shapes_.isDivergent(*loop))
    return;
  IRBuilder<> begin(start, start->begin());
  loopMasks_[loop] = begin.CreatePHI(FixedVectorType::get(b_.getInt1Ty(), width_), 2, "running");
  createTrackers(*loop);
}

// The values of a lane in its last iteration.
void ControlFlow::createTrackers(const Loop &loop) {
  BasicBlock *start = starts_[loop.getHeader()];
  IRBuilder<> begin(start, start->begin());
  for (const PHINode &phi : loop.getExitBlock()->phis())
    if (values_.isVarying(&phi))
      trackers_[&phi] = begin.CreatePHI(laneType(phi.getType()), 2, "last");
}

void ControlFlow::emitTerminator(const BasicBlock &block) {
  const Instruction &terminator = *block.getTerminator();
  ends_[&block] = b_.GetInsertBlock();
  if (isa<ReturnInst>(terminator)) {
    b_.CreateRetVoid();
    return;
  }
  auto *branch = dyn_cast<BranchInst>(&terminator);
  if (!branch) {
    decline(terminator, Twine("no vector form for ") + terminator.getOpcodeName());
    return;
  }
  if (branch->isUnconditional()) {
    b_.CreateBr(starts_[branch->getSuccessor(0)]);
    return;
  }
  BasicBlock *yes = starts_[branch->getSuccessor(0)], *no = starts_[branch->getSuccessor(1)];
  if (!shapes_.isDivergent(block)) {
    b_.CreateCondBr(values_.scalar(branch->getCondition()), yes, no);
    return;
  }
  Value *condition = values_.vector(branch->getCondition());
  const ControlStructure &structure = shapes_.structure();
  if (Loop *loop = structure.exitedLoop(block)) {
    bool continues = branch->getSuccessor(0) == loop->getHeader();
    PHINode *running = loopMasks_[loop];
    for (const PHINode &phi : loop->getExitBlock()->phis())
      if (PHINode *tracker = trackers_.lookup(&phi)) {
        Value *now =
            values_.choose(mask_, values_.vector(phi.getIncomingValueForBlock(&block)), tracker, phi.getType());
        tracker->addIncoming(PoisonValue::get(tracker->getType()), ends_[loop->getLoopPreheader()]);
        tracker->addIncoming(now, b_.GetInsertBlock());
        values_.setVector(phi, now);
      }
    Value *next = masks_.within(mask_, continues ? condition : b_.CreateNot(condition));
    running->addIncoming(masks_.vector(blockMasks_[loop->getLoopPreheader()]), ends_[loop->getLoopPreheader()]);
    running->addIncoming(next, b_.GetInsertBlock());
    Value *any = masks_.any(next);
    b_.CreateCondBr(any, continues ? yes : no, continues ? no : yes);
    return;
  }
  int guarded = structure.guardedSuccessor(block);
  if (guarded < 0) {
    decline(terminator, "control flow without structure");
    return;
  }
  Value *inside = masks_.within(mask_, guarded == 0 ? condition : b_.CreateNot(condition));
  guardMasks_[branch->getSuccessor(static_cast<unsigned>(guarded))] = inside;
  Value *any = masks_.any(inside);
  b_.CreateCondBr(any, guarded == 0 ? yes : no, guarded == 0 ? no : yes);
}

void ControlFlow::completePhis() {
  for (const BasicBlock &block : body_)
    for (const PHINode &phi : block.phis())
      if (starts_.count(&block) && !trackers_.count(&phi))
        completePhi(phi);
}

// Where a divergent if joins, what comes from its inside is mixed with what comes past it.
void ControlFlow::completePhi(const PHINode &phi) {
  const BasicBlock &block = *phi.getParent();
  bool varying = values_.isVarying(&phi);
  PHINode *made = phis_.lookup(&phi);
  const BasicBlock *branch = nullptr;
  for (const BasicBlock *joining : shapes_.structure().branchesJoining(block))
    if (shapes_.isDivergent(*joining))
      branch = joining;
  for (const BasicBlock *from : predecessors(&block)) {
    auto end = ends_.find(from);
    if (end == ends_.end())
      continue;
    const Value *value = phi.getIncomingValueForBlock(from);
    b_.SetInsertPoint(end->second->getTerminator());
    Value *incoming = nullptr;
    if (!varying) {
      incoming = values_.scalar(value);
    } else {
      incoming = values_.vector(value);
      b_.SetInsertPoint(end->second->getTerminator());
      if (branch && from != branch) {
        Value *inside = guardMasks_[shapes_.structure().guardedBlock(*branch)];
        incoming =
            values_.choose(inside, incoming, values_.vector(phi.getIncomingValueForBlock(branch)), phi.getType());
      }
    }
    made->addIncoming(incoming, end->second);
  }
}

} // namespace hiplz::cpu
