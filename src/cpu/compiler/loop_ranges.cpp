// SPDX-License-Identifier: MIT
// See loop_ranges.h.
#include "cpu/compiler/loop_ranges.h"
#include "cpu/vectorizer/loop_analyses.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

class LoopRanges {
public:
  explicit LoopRanges(Function &function)
      : analyses_(function), expander_(analyses_.evolution, function.getParent()->getDataLayout(), "range") {}

  std::optional<LoopRange> find(const Access &access) {
    const Loop *loop = analyses_.loops.getLoopFor(access.instruction->getParent());
    const uint64_t bytes = constantBytes(access);
    if (!loop || !bytes || !isSimple(*loop) ||
        !analyses_.tree.dominates(access.instruction->getParent(), loop->getExitingBlock()))
      return std::nullopt;
    auto *walk = dyn_cast<SCEVAddRecExpr>(analyses_.evolution.getSCEV(access.instruction->getOperand(access.operand)));
    if (!walk || walk->getLoop() != loop || !walk->isAffine())
      return std::nullopt;
    auto *step = dyn_cast<SCEVConstant>(walk->getStepRecurrence(analyses_.evolution));
    const SCEV *rounds = analyses_.evolution.getBackedgeTakenCount(loop); // but one
    Instruction *before = loop->getLoopPreheader()->getTerminator();
    if (!step || step->getAPInt() != bytes || isa<SCEVCouldNotCompute>(rounds) ||
        rounds->getType()->getIntegerBitWidth() > 64 || !mayExpand(walk->getStart(), *before) ||
        !mayExpand(rounds, *before))
      return std::nullopt;
    Type *const number = Type::getInt64Ty(before->getContext());
    const SCEV *all = analyses_.evolution.getMulExpr(
        analyses_.evolution.getAddExpr(analyses_.evolution.getZeroExtendExpr(rounds, number),
                                       analyses_.evolution.getOne(number)),
        analyses_.evolution.getConstant(number, bytes));
    return LoopRange{before, expander_.expandCodeFor(walk->getStart(), walk->getType(), before),
                     expander_.expandCodeFor(all, number, before)};
  }

private:
  bool mayExpand(const SCEV *value, const Instruction &before) const {
    return expander_.isSafeToExpandAt(value, &before);
  }

  // An innermost loop whose last block alone leaves it, with nothing in it but arithmetic and plain accesses.
  bool isSimple(const Loop &loop) {
    const auto [known, isNew] = simple_.try_emplace(&loop, false);
    if (!isNew)
      return known->second;
    const bool isWhole = loop.isInnermost() && loop.getLoopPreheader() && loop.getLoopLatch() &&
                         loop.getExitingBlock() == loop.getLoopLatch();
    return simple_[&loop] =
               isWhole && all_of(loop.blocks(), [](const BasicBlock *block) {
                 return none_of(*block, [](const Instruction &each) { return mayOrder(each) || each.mayThrow(); });
               });
  }

  LoopAnalyses analyses_;
  SCEVExpander expander_;
  DenseMap<const Loop *, bool> simple_;
};

} // namespace

DenseMap<const Instruction *, LoopRange> findLoopRanges(Function &function, ArrayRef<Access> accesses,
                                                        function_ref<bool(const Access &)> isWanted) {
  DenseMap<const Instruction *, LoopRange> found;
  LoopRanges ranges(function);
  for (const Access &access : accesses)
    if (isWanted(access))
      if (const auto range = ranges.find(access))
        found.insert({access.instruction, *range});
  return found;
}

} // namespace hiplz::cpu
