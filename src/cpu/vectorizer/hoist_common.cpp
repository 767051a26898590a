// SPDX-License-Identifier: MIT
// LLVM's elimination of redundancies leaves a value that several branches need as one copy in each arm and a phi behind them, with a
// constant where the branch tells what the copy would be:
//
//     if (x == 31 && x < n - 1)    // true here
//       ...
//     else
//       c = x < n - 1              →    c = x < n - 1 before the branch, and `phi [true], [c]` is c
//
// The lanes of a warp come by different ways, so the phi is a select of vectors, and nobody sees any more that c is the same for all
// lanes, or that neighbouring lanes agree on it. So copies move before the branch and become one.
#include "cpu/vectorizer/passes.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

class Hoister {
public:
  explicit Hoister(Function &body) : body_(body), tree_(body) {}

  bool run() {
    bool changed = false;
    while (step()) // copies may need copies
      changed = true;
    return changed;
  }

private:
  bool step() {
    bool changed = false;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&body_))
      for (PHINode &phi : make_early_inc_range(block->phis())) {
        changed |= joinCopies(phi);
        if (Value *same = valueOf(phi)) {
          phi.replaceAllUsesWith(same);
          phi.eraseFromParent();
          changed = true;
        }
      }
    return changed;
  }

  /// Makes one of the copies that the phi joins. False if they are not copies, or already one.
  bool joinCopies(PHINode &phi) {
    SmallPtrSet<Instruction *, 4> copies;
    Instruction *first = nullptr;
    const DomTreeNode *node = tree_.getNode(phi.getParent());
    BasicBlock *before = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    for (Value *value : phi.incoming_values()) {
      if (isa<Constant>(value))
        continue;
      auto *copy = dyn_cast<Instruction>(value);
      if (!copy || !before || !isPure(*copy) || (first && !isCopy(*copy, *first)))
        return false;
      first = first ? first : copy;
      copies.insert(copy);
      before = tree_.findNearestCommonDominator(before, copy->getParent());
    }
    if (copies.size() < 2)
      return false;
    for (Instruction *copy : copies) // the one that is there already, if there is one
      if (copy->getParent() == before && (first->getParent() != before || copy->comesBefore(first)))
        first = copy;
    if (first->getParent() != before) {
      if (any_of(first->operands(), [&](const Use &operand) {
            auto *value = dyn_cast<Instruction>(operand);
            return value && !tree_.dominates(value, before->getTerminator());
          }))
        return false;
      first->moveBefore(before->getTerminator());
    }
    for (Instruction *copy : copies)
      if (copy != first) {
        first->andIRFlags(copy);
        first->applyMergedLocation(first->getDebugLoc(), copy->getDebugLoc());
        copy->replaceAllUsesWith(first);
        copy->eraseFromParent();
      }
    return true;
  }

  /// The value that the phi has in any case, if there is one before it.
  Value *valueOf(const PHINode &phi) const {
    Value *same = nullptr;
    for (Value *value : phi.incoming_values()) {
      if (isa<Constant>(value) || value == &phi)
        continue;
      if (same && value != same)
        return nullptr;
      same = value;
    }
    if (!same || (isa<Instruction>(same) && !tree_.dominates(same, &phi)))
      return nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      auto *constant = dyn_cast<Constant>(phi.getIncomingValue(i));
      if (!constant)
        continue;
      auto *known = dyn_cast<ConstantInt>(constant);
      if (!known || !known->getType()->isIntegerTy(1))
        return nullptr;
      const auto implied = isImpliedByDomCondition(same, phi.getIncomingBlock(i)->getTerminator(), layout());
      if (!implied || *implied != known->isOne())
        return nullptr;
    }
    return same;
  }

  static bool isPure(const Instruction &instruction) {
    return (isa<BinaryOperator>(instruction) || isa<CastInst>(instruction) || isa<CmpInst>(instruction) ||
            isa<GetElementPtrInst>(instruction) || isa<SelectInst>(instruction)) &&
           isSafeToSpeculativelyExecute(&instruction);
  }

  static bool isCopy(const Instruction &a, const Instruction &b) {
    return &a == &b || (a.isSameOperationAs(&b) && equal(a.operand_values(), b.operand_values()));
  }

  const DataLayout &layout() const { return body_.getParent()->getDataLayout(); }

  Function &body_;
  DominatorTree tree_;
};

} // namespace

PreservedAnalyses HoistCommonPass::run(Function &body, FunctionAnalysisManager &) {
  return preservedControlFlow(Hoister(body).run());
}

} // namespace hiplz::cpu
