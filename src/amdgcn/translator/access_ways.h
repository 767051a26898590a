// SPDX-License-Identifier: MIT
// The ways to make an access of lanes that stand in front of the call which makes it for any addresses. Tests branch to them; each leaves
// with its result, and a phi behind them all has the one of the way taken.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

namespace hiplz::amdgcn {

class AccessWays {
public:
  /// Parts the block before and behind the call. `b` goes on at the end of the first part, which needs a branch then.
  AccessWays(llvm::IRBuilder<> &b, llvm::CallInst &access)
      : b_(b), access_(access), call_(access.getParent()->splitBasicBlock(access.getIterator(), "scattered")),
        done_(call_->splitBasicBlock(std::next(access.getIterator()), "accessed")) {
    llvm::BasicBlock *head = call_->getSinglePredecessor();
    head->getTerminator()->eraseFromParent();
    b_.SetInsertPoint(head);
  }

  /// The block of the call, and the one behind all ways.
  llvm::BasicBlock *call() const { return call_; }
  llvm::BasicBlock *done() const { return done_; }

  llvm::BasicBlock *block(const char *name) {
    return llvm::BasicBlock::Create(b_.getContext(), name, call_->getParent(), call_);
  }

  /// Weights of a branch whose first way is nearly always taken.
  llvm::MDNode *likely() { return llvm::MDBuilder(b_.getContext()).createBranchWeights(64, 1); }

  /// Ends a way. `result` is what was loaded; nobody looks at that of a store.
  void leave(llvm::Value *result) {
    results_.emplace_back(b_.GetInsertBlock(), result);
    b_.CreateBr(done_);
  }

  /// Puts the results of all ways and of the call in the place of the call's, if it loads.
  void join() {
    if (access_.getType()->isVoidTy())
      return;
    b_.SetInsertPoint(done_, done_->begin());
    llvm::PHINode *result = b_.CreatePHI(access_.getType(), static_cast<unsigned>(results_.size()) + 1);
    access_.replaceAllUsesWith(result);
    for (const auto &[from, value] : results_)
      result->addIncoming(value, from);
    result->addIncoming(&access_, call_);
  }

private:
  llvm::IRBuilder<> &b_;
  llvm::CallInst &access_;
  llvm::BasicBlock *call_, *done_;
  llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::Value *>, 4> results_;
};

} // namespace hiplz::amdgcn
