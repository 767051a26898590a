// SPDX-License-Identifier: MIT
// Most warps agree at a guard such as `if (i < n)`: all of their lanes come in, or none. So the guarded code is there twice, and a
// warp that is whole runs the copy without a mask:
//
//     br c, guarded, join                    br all(c), whole, test
//                                          whole:  the copy, under the mask of the branch; br join
//                                   →      test:   br c, guarded, inner
//                                          inner:  what c decides is joined here; br join
//
// On processors that have no masks of their own, a masked access costs more than a branch: AMD's before Zen 4 take 42
// micro-operations for a masked store, some 80 cycles as measured, as against one.
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
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kMostCopied = 256; // instructions in one kernel

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

bool hasMaskedAccess(const SetVector<BasicBlock *> &region, const ShapeInfo &shapes) {
  return any_of(region, [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      const Value *pointer = getLoadStorePointerOperand(&instruction);
      return pointer && !shapes.shapeOf(pointer).isUniform();
    });
  });
}

bool isBarrierCall(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && isBarrier(*call);
}

/// An if without else whose condition may be asked of the whole warp.
struct Guard {
  BasicBlock *block, *guarded, *join;
  SetVector<BasicBlock *> region;
};

class Versioner {
public:
  explicit Versioner(Function &body) : body_(body), meets_(any_of(instructions(body), isBarrierCall)) {}

  /// Makes one guard coherent. False if there is none left.
  bool step(const ShapeInfo &shapes) {
    for (BasicBlock &block : body_)
      if (shapes.isDivergent(block) && !done_.contains(&block))
        if (auto guard = guardOf(block, shapes)) {
          version(*guard);
          return true;
        }
    return false;
  }

private:
  std::optional<Guard> guardOf(BasicBlock &block, const ShapeInfo &shapes) const {
    const int index = shapes.structure().guardedSuccessor(block);
    const Value *condition = index < 0 ? nullptr : cast<BranchInst>(block.getTerminator())->getCondition();
    if (!condition || !isCoherent(condition, shapes) || (meets_ && comparesThread(condition)))
      return std::nullopt;
    Guard guard{&block,
                block.getTerminator()->getSuccessor(static_cast<unsigned>(index)),
                block.getTerminator()->getSuccessor(static_cast<unsigned>(1 - index)),
                {}};
    guard.region = guardedRegion(*guard.guarded, *guard.join);
    size_t size = 0;
    for (const BasicBlock *each : guard.region)
      size += each->size();
    // Two copies of a barrier would be two barriers.
    if (copied_ + size > kMostCopied || !hasMaskedAccess(guard.region, shapes) ||
        any_of(guard.region, [](const BasicBlock *each) { return any_of(*each, isBarrierCall); }))
      return std::nullopt;
    return guard;
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
    const uint32_t code = collectiveCode(CollectiveScope::subgroup, CollectiveKind::all);
    Value *all = b.CreateCall(
        declareRuntime(*body_.getParent(), runtime::collective),
        {itemOf(body_), b.getInt32(0), b.getInt32(code), b.CreateZExt(comesIn, b.getInt64Ty()), b.getInt64(0)});
    b.CreateCondBr(b.CreateICmpNE(all, b.getInt64(0), "all"), whole.front(), test);
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
  SmallPtrSet<const BasicBlock *, 16> done_;
  unsigned copied_ = 0;
};

} // namespace

PreservedAnalyses CoherentBranchesPass::run(Function &body, FunctionAnalysisManager &analyses) {
  const WarpOptions options = warpOptionsOf(body);
  if (!options.masksCost || options.layout != LaneLayout::rows || hasPolls(body)) // which access memory lane by lane
    return PreservedAnalyses::all();
  Versioner versioner(body);
  bool changed = false;
  while (!analyses.getResult<ShapeAnalysis>(body).unstructured() &&
         versioner.step(analyses.getResult<ShapeAnalysis>(body))) {
    changed = true;
    analyses.invalidate(body, PreservedAnalyses::none());
  }
  return preservedIfUnchanged(changed);
}

} // namespace hiplz::cpu
