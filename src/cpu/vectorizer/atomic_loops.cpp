// SPDX-License-Identifier: MIT
// Loops that add to a floating-point number in memory by comparing and exchanging become `atomicrmw fadd`. As loops of a warp, in which
// of all lanes with one address one wins a round, they would take as many rounds as there are lanes.
#include "cpu/vectorizer/passes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

/// loop:
///   seen = phi [first], [found]
///   sum = fadd (bitcast seen), addend
///   pair = cmpxchg pointer, seen, (bitcast sum)
///   found = extractvalue pair, 0
///   br (extractvalue pair, 1), exit, loop
class AdditionLoop {
public:
  explicit AdditionLoop(Loop &loop) : loop_(loop), block_(*loop.getHeader()) {}

  bool match() {
    if (loop_.getNumBlocks() != 1 || !loop_.getLoopPreheader() || block_.phis().empty())
      return false;
    for (Instruction &instruction : block_)
      if (!matchPart(instruction))
        return false;
    if (!seen_ || !sum_ || !exchange_ || !found_ || !success_ ||
        std::next(block_.phis().begin()) != block_.phis().end())
      return false;
    auto *branch = dyn_cast<BranchInst>(block_.getTerminator());
    if (!branch || !branch->isConditional() || branch->getCondition() != success_ || branch->getSuccessor(1) != &block_)
      return false;
    return exchange_->getCompareOperand() == seen_ && isBitsOf(exchange_->getNewValOperand(), sum_) &&
           loop_.isLoopInvariant(exchange_->getPointerOperand()) &&
           seen_->getIncomingValueForBlock(&block_) == found_ && !exchange_->isVolatile();
  }

  // The update stands before everything else of the block, all of which may be used behind the loop.
  void replace() {
    IRBuilder<> b(&*block_.getFirstInsertionPt());
    Value *addend = sum_->getOperand(isBitsOf(sum_->getOperand(0), seen_) ? 1 : 0);
    auto *first = dyn_cast<LoadInst>(seen_->getIncomingValueForBlock(loop_.getLoopPreheader()));
    AtomicRMWInst *update =
        b.CreateAtomicRMW(AtomicRMWInst::FAdd, exchange_->getPointerOperand(), addend, exchange_->getAlign(),
                          exchange_->getSuccessOrdering(), exchange_->getSyncScopeID());
    Value *bits = b.CreateBitCast(update, seen_->getType());
    found_->replaceAllUsesWith(bits);
    seen_->replaceAllUsesWith(bits);
    success_->replaceAllUsesWith(b.getTrue());
    BasicBlock *exit = block_.getTerminator()->getSuccessor(0);
    block_.getTerminator()->eraseFromParent();
    BranchInst::Create(exit, &block_);
    for (Instruction *dead : {static_cast<Instruction *>(seen_), static_cast<Instruction *>(success_),
                              static_cast<Instruction *>(found_), static_cast<Instruction *>(exchange_)})
      dead->eraseFromParent();
    for (Instruction &instruction : make_early_inc_range(reverse(block_)))
      if (isInstructionTriviallyDead(&instruction)) // an unread update is cheaper
        instruction.eraseFromParent();
    if (first && first->use_empty() && !first->isVolatile())
      first->eraseFromParent();
  }

private:
  static bool isBitsOf(const Value *value, const Value *of) {
    if (value == of)
      return true;
    auto *cast = dyn_cast<BitCastInst>(value);
    return cast && cast->getOperand(0) == of;
  }

  template <typename T> static bool once(T *&slot, Instruction &instruction) {
    auto *part = dyn_cast<T>(&instruction);
    if (!part || slot)
      return false;
    slot = part;
    return true;
  }

  bool matchPart(Instruction &instruction) {
    if (instruction.isTerminator() || isa<BitCastInst>(instruction))
      return true;
    if (auto *part = dyn_cast<ExtractValueInst>(&instruction)) {
      if (part->getAggregateOperand() != exchange_)
        return false;
      return once(part->getIndices()[0] == 0 ? found_ : success_, instruction);
    }
    if (auto *sum = dyn_cast<BinaryOperator>(&instruction)) {
      if (sum->getOpcode() != Instruction::FAdd || !seen_ || !once(sum_, instruction))
        return false;
      for (unsigned i : {0u, 1u})
        if (isBitsOf(sum->getOperand(i), seen_) && loop_.isLoopInvariant(sum->getOperand(1 - i)))
          return true;
      return false;
    }
    return once(seen_, instruction) || once(exchange_, instruction);
  }

  Loop &loop_;
  BasicBlock &block_;
  PHINode *seen_ = nullptr;
  BinaryOperator *sum_ = nullptr;
  AtomicCmpXchgInst *exchange_ = nullptr;
  ExtractValueInst *found_ = nullptr, *success_ = nullptr;
};

} // namespace

PreservedAnalyses AtomicAdditionsPass::run(Function &body, FunctionAnalysisManager &analyses) {
  SmallVector<AdditionLoop, 4> found;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(body).getLoopsInPreorder())
    if (AdditionLoop addition(*loop); addition.match())
      found.push_back(addition);
  for (AdditionLoop &addition : found)
    addition.replace();
  return preservedIfUnchanged(!found.empty());
}

} // namespace hiplz::cpu
