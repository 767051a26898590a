// SPDX-License-Identifier: MIT
// Most warps agree at a guard such as `if (i < n)`: all of their lanes come in, or none. So the guarded code is there twice, and a
// warp that is whole runs the copy without a mask:
//
//     br c, guarded, join                    br all(c), whole, test
//                                          whole:  the copy, under the mask of the branch; br join
//                                   →      test:   br c, guarded, inner
//                                          inner:  what c decides is joined here; br join
//
// A loop whose lanes leave it one after the other, as that over a row does in its last round, goes on without a mask as long as all of
// them do:
//
//     do ...                                 do the copy
//     while c                                while all(c)
//                                   →        if c
//                                              do ...
//                                              while c
//
// Where processors have no masks of their own, a masked access costs more than a branch: AMD's before Zen 4 take 42 micro-operations for
// a masked store, some 80 cycles as measured, as against one. The later ones do not look ahead in memory where accesses are masked:
// Zen 5 reads 31 GB/s with masks that have all bits, and 53 GB/s without any.
#include "cpu/abi/collective.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/polling.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::cpu {
namespace {

constexpr unsigned kMostCopied = 256; // instructions in one kernel
constexpr int64_t kFarthestNeighbour = 16;

/// True if neighbouring lanes are likely to agree: a comparison of ids with something that is the same for all, or several of these.
bool isCoherent(const Value *condition, const ShapeInfo &shapes) {
  if (shapes.shapeOf(condition).isUniform())
    return true;
  if (auto *compare = dyn_cast<ICmpInst>(condition))
    return all_of(compare->operands(), [&](const Use &side) { return shapes.shapeOf(side).isRegular(); });
  auto *operation = dyn_cast<Instruction>(condition);
  const bool combines = operation && (isa<SelectInst>(operation) || operation->isBitwiseLogicOp());
  return combines && all_of(operation->operands(), [&](const Use &part) { return isCoherent(part, shapes); });
}

/// True if the condition cannot be `wanted` for all lanes at once: not that a number which differs from lane to lane equals one which is
/// the same for all.
bool leavesLanesOut(const Value *condition, bool wanted, const ShapeInfo &shapes) {
  const Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return leavesLanesOut(left, !wanted, shapes);
  if (wanted ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
             : match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return leavesLanesOut(left, wanted, shapes) || leavesLanesOut(right, wanted, shapes);
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || compare->getPredicate() != (wanted ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE))
    return false;
  const Shape a = shapes.shapeOf(compare->getOperand(0)), b = shapes.shapeOf(compare->getOperand(1));
  return (a.isStrided() && b.isUniform()) || (a.isUniform() && b.isStrided());
}

/// True for a comparison of threadIdx.x itself. Where warps meet, such a guard tells which of them have nothing to do (idle_warps.h).
bool comparesThread(const Value *condition) {
  auto *compare = dyn_cast<ICmpInst>(condition);
  return compare && any_of(compare->operands(), [](const Use &side) {
           const Value *value = side;
           while (auto *wider = dyn_cast<ZExtInst>(value))
             value = wider->getOperand(0);
           const auto read = itemReadBy(value);
           return read && read->field == ItemField::localId;
         });
}

/// The blocks that run only if the branch at the end of `block` goes to `guarded`.
SetVector<BasicBlock *> guardedRegion(BasicBlock &guarded, const BasicBlock &join) {
  SetVector<BasicBlock *> region;
  region.insert(&guarded);
  for (unsigned i = 0; i < region.size(); ++i)
    for (BasicBlock *next : successors(region[i]))
      if (next != &join)
        region.insert(next);
  return region;
}

/// True if there are accesses that cost more under a mask. Where masks only hide accesses from the processor, a gather does not.
bool hasMaskedAccess(const SetVector<BasicBlock *> &region, const ShapeInfo &shapes, bool masksCost) {
  return any_of(region, [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      const Value *pointer = getLoadStorePointerOperand(&instruction);
      if (!pointer)
        return false;
      const Shape shape = shapes.shapeOf(pointer);
      return masksCost ? !shape.isUniform() : shape.isStrided() && std::abs(shape.stride()) <= kFarthestNeighbour;
    });
  });
}

/// An if without else whose condition may be asked of the whole warp.
struct Guard {
  BasicBlock *block, *guarded, *join;
  SetVector<BasicBlock *> region;
};

class Versioner {
public:
  Versioner(Function &body, bool masksCost)
      : body_(body), meets_(any_of(instructions(body), isBarrierCall)), masksCost_(masksCost) {}

  /// Makes one guard or loop coherent. False if there is none left.
  bool step(const ShapeInfo &shapes) {
    for (BasicBlock &block : body_)
      if (shapes.isDivergent(block) && !done_.contains(&block)) {
        if (auto guard = guardOf(block, shapes)) {
          version(*guard);
          return true;
        }
        if (Loop *loop = shapes.structure().exitedLoop(block); loop && startsWhole(*loop, shapes)) {
          split(*loop);
          return true;
        }
      }
    return false;
  }

private:
  std::optional<Guard> guardOf(BasicBlock &block, const ShapeInfo &shapes) const {
    const int index = shapes.structure().guardedSuccessor(block);
    const Value *condition = index < 0 ? nullptr : cast<BranchInst>(block.getTerminator())->getCondition();
    if (!condition || !isCoherent(condition, shapes) || leavesLanesOut(condition, index == 0, shapes) ||
        (meets_ && comparesThread(condition)))
      return std::nullopt;
    Guard guard{&block,
                block.getTerminator()->getSuccessor(static_cast<unsigned>(index)),
                block.getTerminator()->getSuccessor(static_cast<unsigned>(1 - index)),
                {}};
    guard.region = guardedRegion(*guard.guarded, *guard.join);
    size_t size = 0;
    for (const BasicBlock *each : guard.region)
      size += each->size();
    if (copied_ + size > kMostCopied || !gains(guard.region, shapes))
      return std::nullopt;
    return guard;
  }

  /// True if there are accesses that a mask would make dear. Not with barriers: two copies would be two barriers.
  bool gains(const SetVector<BasicBlock *> &region, const ShapeInfo &shapes) const {
    return hasMaskedAccess(region, shapes, masksCost_) &&
           none_of(region, [](const BasicBlock *each) { return any_of(*each, isBarrierCall); });
  }

  /// True for an innermost loop that all lanes of a warp enter, and leave at nearly the same time.
  bool startsWhole(const Loop &loop, const ShapeInfo &shapes) const {
    const BasicBlock *before = loop.getLoopPreheader();
    size_t size = 0;
    for (const BasicBlock *each : loop.blocks())
      size += each->size();
    return before && loop.isInnermost() && shapes.isUnmasked(*before) && !shapes.isDivergent(*before) &&
           isCoherent(cast<BranchInst>(loop.getLoopLatch()->getTerminator())->getCondition(), shapes) &&
           copied_ + size <= kMostCopied &&
           gains(SetVector<BasicBlock *>(loop.blocks().begin(), loop.blocks().end()), shapes);
  }

  void split(const Loop &loop) {
    BasicBlock *latch = loop.getLoopLatch(), *header = loop.getHeader(), *exit = loop.getExitBlock();
    auto *branch = cast<BranchInst>(latch->getTerminator());
    ValueToValueMapTy copies;
    SmallVector<BasicBlock *, 8> rounds;
    for (BasicBlock *block : loop.blocks()) {
      rounds.push_back(CloneBasicBlock(block, copies, ".rest", &body_));
      copies[block] = rounds.back();
      copied_ += static_cast<unsigned>(block->size());
      done_.insert(rounds.back());
    }
    done_.insert(latch);
    remapInstructionsInBlocks(rounds, copies);
    auto *latchCopy = cast<BasicBlock>(copies[latch]), *headerCopy = cast<BasicBlock>(copies[header]);

    // Where some lanes go on: the copy begins with what the last whole round has left.
    auto *test = BasicBlock::Create(body_.getContext(), latch->getName() + ".test", &body_, exit);
    auto *enter = BasicBlock::Create(body_.getContext(), latch->getName() + ".enter", &body_, exit);
    done_.insert(test);
    const bool onTrue = branch->getSuccessor(0) == header;
    IRBuilder<> b(test);
    b.CreateCondBr(branch->getCondition(), onTrue ? enter : exit, onTrue ? exit : enter);
    b.SetInsertPoint(enter);
    b.CreateBr(headerCopy);
    for (PHINode &phi : header->phis()) {
      auto *copy = cast<PHINode>(copies[&phi]);
      const int before = copy->getBasicBlockIndex(loop.getLoopPreheader());
      copy->setIncomingBlock(static_cast<unsigned>(before), enter);
      copy->setIncomingValue(static_cast<unsigned>(before), phi.getIncomingValueForBlock(latch));
    }
    for (PHINode &phi : exit->phis()) {
      Value *value = phi.getIncomingValueForBlock(latch), *copy = copies.lookup(value);
      phi.addIncoming(copy ? copy : value, latchCopy);
      phi.replaceIncomingBlockWith(latch, test);
    }
    b.SetInsertPoint(branch);
    Value *all = allLanes(b, onTrue ? branch->getCondition() : b.CreateNot(branch->getCondition()));
    b.CreateCondBr(all, header, test);
    branch->eraseFromParent();
    SplitBlockPredecessors(exit, {test, latchCopy}, ".inner");

    DominatorTree dominators(body_);
    LoopInfo loops(dominators);
    for (BasicBlock *of : {header, headerCopy}) {
      formDedicatedExitBlocks(loops.getLoopFor(of), &dominators, &loops, nullptr, false);
      formLCSSA(*loops.getLoopFor(of), dominators, &loops, nullptr);
    }
  }

  /// An i1 that is the same for all lanes: whether the condition holds for each of them.
  Value *allLanes(IRBuilder<> &b, Value *condition) {
    const uint32_t code = collectiveCode(CollectiveScope::subgroup, CollectiveKind::all);
    Value *all = b.CreateCall(
        declareRuntime(*body_.getParent(), runtime::collective),
        {itemOf(body_), b.getInt32(0), b.getInt32(code), b.CreateZExt(condition, b.getInt64Ty()), b.getInt64(0)});
    return b.CreateICmpNE(all, b.getInt64(0), "all");
  }

  void version(const Guard &guard) {
    auto *branch = cast<BranchInst>(guard.block->getTerminator());
    ValueToValueMapTy copies;
    SmallVector<BasicBlock *, 8> whole;
    for (BasicBlock *block : guard.region) {
      whole.push_back(CloneBasicBlock(block, copies, ".whole", &body_));
      copies[block] = whole.back();
      copied_ += static_cast<unsigned>(block->size());
      done_.insert(block); // the copy for some of the lanes stays as it is
    }
    remapInstructionsInBlocks(whole, copies);
    for (PHINode &phi : guard.join->phis())
      for (BasicBlock *block : guard.region)
        if (const int from = phi.getBasicBlockIndex(block); from >= 0) {
          Value *value = phi.getIncomingValue(static_cast<unsigned>(from)), *copy = copies.lookup(value);
          phi.addIncoming(copy ? copy : value, cast<BasicBlock>(copies[block]));
        }
    auto *test = BasicBlock::Create(body_.getContext(), guard.block->getName() + ".test", &body_, guard.guarded);
    IRBuilder<> b(branch);
    Value *comesIn = branch->getCondition();
    if (branch->getSuccessor(0) != guard.guarded)
      comesIn = b.CreateNot(comesIn);
    b.CreateCondBr(allLanes(b, comesIn), whole.front(), test);
    branch->removeFromParent();
    IRBuilder<>(test).Insert(branch);
    guard.guarded->replacePhiUsesWith(guard.block, test);
    guard.join->replacePhiUsesWith(guard.block, test);
    done_.insert(test);
    SmallVector<BasicBlock *, 4> masked{test};
    for (BasicBlock *block : predecessors(guard.join))
      if (guard.region.contains(block))
        masked.push_back(block);
    SplitBlockPredecessors(guard.join, masked, ".inner");
  }

  Function &body_;
  const bool meets_; // its warps
  const bool masksCost_;
  SmallPtrSet<const BasicBlock *, 16> done_;
  unsigned copied_ = 0;
};

} // namespace

PreservedAnalyses CoherentBranchesPass::run(Function &body, FunctionAnalysisManager &analyses) {
  const WarpOptions options = warpOptionsOf(body);
  if (!(options.masksCost || options.masksHide) || options.layout != LaneLayout::rows ||
      hasPolls(body)) // which access memory lane by lane
    return PreservedAnalyses::all();
  Versioner versioner(body, options.masksCost);
  bool changed = false;
  while (!analyses.getResult<ShapeAnalysis>(body).unstructured() &&
         versioner.step(analyses.getResult<ShapeAnalysis>(body))) {
    changed = true;
    analyses.invalidate(body, PreservedAnalyses::none());
  }
  return preservedIfUnchanged(changed);
}

} // namespace hiplz::cpu
