// SPDX-License-Identifier: MIT
// Blocks, masks, branches and phis of the warp function.
#include "cpu/vectorizer/warp_builder.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include "cpu/abi/compiled_code.h"

using namespace llvm;

namespace hiplz::cpu {

WarpBuilder::WarpBuilder(Function &body, Function &warp, const ShapeInfo &shapes, const WarpOptions &options)
    : body_(body), warp_(warp), shapes_(shapes), layout_(body.getParent()->getDataLayout()), width_(options.width),
      laneLayout_(options.layout), rowLanes_(options.rowLanes), rollsUpdates_(options.rollsUpdates),
      b_(body.getContext()) {}

bool WarpBuilder::build(std::string &reason) {
  createBlocks();
  ReversePostOrderTraversal<Function *> order(&body_);
  for (BasicBlock *block : order) {
    b_.SetInsertPoint(starts_[block]);
    b_.SetCurrentDebugLocation(DebugLoc());
    createPhis(*block);
    mask_ = masks_[block] = maskOf(*block);
    for (const Instruction &instruction : *block) {
      if (isa<PHINode>(instruction))
        continue;
      b_.SetCurrentDebugLocation(instruction.getDebugLoc());
      if (instruction.isTerminator())
        emitTerminator(*block);
      else
        emit(instruction);
      if (!reason_.empty()) {
        reason = reason_;
        return false;
      }
    }
    ends_[block] = b_.GetInsertBlock();
  }
  completePhis();
  reason = reason_;
  return reason_.empty();
}

void WarpBuilder::createBlocks() {
  prologue_ = BasicBlock::Create(warp_.getContext(), "prologue", &warp_);
  ReversePostOrderTraversal<Function *> order(&body_);
  for (BasicBlock *block : order)
    starts_[block] = BasicBlock::Create(warp_.getContext(), block->getName(), &warp_);
  b_.SetInsertPoint(prologue_);
  b_.CreateBr(starts_[&body_.getEntryBlock()]);
  for (Argument &argument : body_.args())
    scalars_[&argument] = warp_.getArg(argument.getArgNo());
}

Value *WarpBuilder::maskVector(Value *mask) const {
  return mask ? mask : ConstantInt::getTrue(FixedVectorType::get(Type::getInt1Ty(warp_.getContext()), width_));
}

Value *WarpBuilder::maskBits(Value *mask) { return b_.CreateBitCast(maskVector(mask), b_.getIntNTy(width_)); }

// Lanes that are not there have any condition, poison included.
Value *WarpBuilder::inMask(Value *mask, Value *condition) {
  return mask ? b_.CreateSelect(mask, condition, ConstantInt::getFalse(condition->getType())) : condition;
}

Value *WarpBuilder::anyLane(Value *mask) {
  return b_.CreateICmpNE(maskBits(mask), ConstantInt::get(b_.getIntNTy(width_), 0), "any");
}

Value *WarpBuilder::firstLane(Value *mask, Type *type) {
  if (!mask)
    return ConstantInt::get(type, 0);
  return b_.CreateZExtOrTrunc(b_.CreateBinaryIntrinsic(Intrinsic::cttz, maskBits(mask), b_.getTrue()), type);
}

Value *WarpBuilder::lastLane(Value *mask) {
  if (!mask)
    return b_.getInt32(width_ - 1);
  Value *zeros = b_.CreateBinaryIntrinsic(Intrinsic::ctlz, maskBits(mask), b_.getTrue());
  return b_.CreateSub(b_.getInt32(width_ - 1), b_.CreateZExtOrTrunc(zeros, b_.getInt32Ty()));
}

// The mask of a block is that of the block that dominates it, unless a divergent branch has just begun something. Where a
// loop has been left, all lanes are there that have come to it.
Value *WarpBuilder::maskOf(const BasicBlock &block) {
  if (&block == &body_.getEntryBlock()) {
    if (laneLayout_ == LaneLayout::rows)
      return nullptr;
    Value *live = b_.CreateTrunc(itemField(b_.getInt32Ty(), offsetof(WarpState, live)), b_.getIntNTy(width_));
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
  return masks_.lookup(before);
}

void WarpBuilder::createPhis(const BasicBlock &block) {
  BasicBlock *start = starts_[&block];
  const LoopInfo &loops = shapes_.structure().loops();
  unsigned predecessorCount = pred_size(&block);
  for (const PHINode &phi : block.phis()) {
    if (trackers_.count(&phi))
      continue;
    bool varying = isVarying(&phi);
    Type *type = varying ? laneType(phi.getType()) : phi.getType();
    IRBuilder<> begin(start, start->begin());
    set(phi, begin.CreatePHI(type, predecessorCount, phi.getName()));
  }
  const Loop *loop = loops.getLoopFor(&block);
  if (!loop || loop->getHeader() != &block || !shapes_.isDivergent(*loop))
    return;
  IRBuilder<> begin(start, start->begin());
  loopMasks_[loop] = begin.CreatePHI(FixedVectorType::get(b_.getInt1Ty(), width_), 2, "running");
  createTrackers(*loop);
}

// What a lane had in its last iteration.
void WarpBuilder::createTrackers(const Loop &loop) {
  BasicBlock *start = starts_[loop.getHeader()];
  IRBuilder<> begin(start, start->begin());
  for (const PHINode &phi : loop.getExitBlock()->phis())
    if (isVarying(&phi))
      trackers_[&phi] = begin.CreatePHI(laneType(phi.getType()), 2, "last");
}

void WarpBuilder::emitTerminator(const BasicBlock &block) {
  const Instruction &terminator = *block.getTerminator();
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
    b_.CreateCondBr(scalar(branch->getCondition()), yes, no);
    return;
  }
  Value *condition = vector(branch->getCondition());
  const ControlStructure &structure = shapes_.structure();
  if (Loop *loop = structure.exitedLoop(block)) {
    bool continues = branch->getSuccessor(0) == loop->getHeader();
    PHINode *running = loopMasks_[loop];
    for (const PHINode &phi : loop->getExitBlock()->phis())
      if (PHINode *tracker = trackers_.lookup(&phi)) {
        Value *now = choose(mask_, vector(phi.getIncomingValueForBlock(&block)), tracker, phi.getType());
        tracker->addIncoming(PoisonValue::get(tracker->getType()), ends_[loop->getLoopPreheader()]);
        tracker->addIncoming(now, b_.GetInsertBlock());
        vectors_[&phi] = now;
      }
    Value *next = inMask(mask_, continues ? condition : b_.CreateNot(condition));
    running->addIncoming(maskVector(masks_[loop->getLoopPreheader()]), ends_[loop->getLoopPreheader()]);
    running->addIncoming(next, b_.GetInsertBlock());
    Value *any = anyLane(next);
    b_.CreateCondBr(any, continues ? yes : no, continues ? no : yes);
    return;
  }
  int guarded = structure.guardedSuccessor(block);
  if (guarded < 0) {
    decline(terminator, "control flow without structure");
    return;
  }
  Value *inside = inMask(mask_, guarded == 0 ? condition : b_.CreateNot(condition));
  guardMasks_[branch->getSuccessor(static_cast<unsigned>(guarded))] = inside;
  Value *any = anyLane(inside);
  b_.CreateCondBr(any, guarded == 0 ? yes : no, guarded == 0 ? no : yes);
}

void WarpBuilder::completePhis() {
  for (const BasicBlock &block : body_)
    for (const PHINode &phi : block.phis())
      if (starts_.count(&block) && !trackers_.count(&phi))
        completePhi(phi);
}

// Where a divergent if joins, what comes from its inside is mixed with what comes past it.
void WarpBuilder::completePhi(const PHINode &phi) {
  const BasicBlock &block = *phi.getParent();
  bool varying = isVarying(&phi);
  auto *made = cast<PHINode>(varying ? vectors_[&phi] : scalars_[&phi]);
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
      incoming = scalar(value);
    } else {
      incoming = vector(value);
      b_.SetInsertPoint(end->second->getTerminator());
      if (branch && from != branch) {
        Value *inside = guardMasks_[shapes_.structure().guardedBlock(*branch)];
        incoming = choose(inside, incoming, vector(phi.getIncomingValueForBlock(branch)), phi.getType());
      }
    }
    made->addIncoming(incoming, end->second);
  }
}

} // namespace hiplz::cpu
