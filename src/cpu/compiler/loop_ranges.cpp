// SPDX-License-Identifier: MIT
// See loop_ranges.h.
#include "cpu/compiler/loop_ranges.h"
#include "base/llvm_compat.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

class LoopRanges {
public:
  explicit LoopRanges(Function &function)
      : libraryOf_(Triple()), library_(libraryOf_), assumptions_(function), tree_(function), loops_(tree_),
        evolution_(function, library_, assumptions_, tree_, loops_),
        expander_(evolution_, function.getParent()->getDataLayout(), "range") {}

  std::optional<LoopRange> find(const Access &access) {
    const Loop *loop = loops_.getLoopFor(access.instruction->getParent());
    const uint64_t bytes = constantBytes(access);
    if (!loop || !bytes || !isSimple(*loop) ||
        !tree_.dominates(access.instruction->getParent(), loop->getExitingBlock()))
      return std::nullopt;
    auto *walk = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(access.instruction->getOperand(access.operand)));
    if (!walk || walk->getLoop() != loop || !walk->isAffine())
      return std::nullopt;
    auto *step = dyn_cast<SCEVConstant>(walk->getStepRecurrence(evolution_));
    const SCEV *rounds = evolution_.getBackedgeTakenCount(loop); // but one
    Instruction *before = loop->getLoopPreheader()->getTerminator();
    if (!step || step->getAPInt() != bytes || isa<SCEVCouldNotCompute>(rounds) ||
        rounds->getType()->getIntegerBitWidth() > 64 || !mayExpand(walk->getStart(), *before) ||
        !mayExpand(rounds, *before))
      return std::nullopt;
    Type *const number = Type::getInt64Ty(before->getContext());
    const SCEV *all = evolution_.getMulExpr(
        evolution_.getAddExpr(evolution_.getZeroExtendExpr(rounds, number), evolution_.getOne(number)),
        evolution_.getConstant(number, bytes));
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
    return simple_[&loop] = isWhole && all_of(loop.blocks(), [](const BasicBlock *block) {
                              return all_of(*block, [](const Instruction &each) {
                                if (isa<LoadInst, StoreInst>(each))
                                  return !each.isAtomic() && !each.isVolatile();
                                return isa<DbgInfoIntrinsic>(each) || !(each.mayReadOrWriteMemory() || each.mayThrow());
                              });
                            });
  }

  TargetLibraryInfoImpl libraryOf_;
  TargetLibraryInfo library_;
  AssumptionCache assumptions_;
  DominatorTree tree_;
  LoopInfo loops_;
  ScalarEvolution evolution_;
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
