// SPDX-License-Identifier: MIT
// A plain reverse post-order may put the code behind a loop before parts of the loop. So loops are ordered as wholes:
// within a loop (or the function) every inner loop counts as one node.
#include "cpu/compiler/sites.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

using namespace llvm;

namespace hiplz::cpu {
namespace {

class ControlFlowOrder {
public:
  explicit ControlFlowOrder(Function &function) : tree_(function), loops_(tree_) {
    appendRegion(nullptr, &function.getEntryBlock());
  }
  const std::vector<BasicBlock *> &blocks() const { return blocks_; }

private:
  // The loop directly inside `region` that holds the block; null if the block itself is part of the region.
  Loop *childOf(Loop *region, BasicBlock *block) const {
    Loop *loop = loops_.getLoopFor(block);
    if (loop == region)
      return nullptr;
    while (loop && loop->getParentLoop() != region)
      loop = loop->getParentLoop();
    return loop;
  }

  bool inside(Loop *region, BasicBlock *block) const { return !region || region->contains(block); }

  // Successors of a node: of a block, or the exits of an inner loop.
  SmallVector<BasicBlock *, 4> successorsOf(Loop *region, BasicBlock *entry) const {
    SmallVector<BasicBlock *, 4> result;
    if (Loop *loop = childOf(region, entry))
      loop->getExitBlocks(result);
    else
      result.append(succ_begin(entry), succ_end(entry));
    return result;
  }

  // A node is named by its entry: the block, or the header of the inner loop.
  BasicBlock *nodeOf(Loop *region, BasicBlock *block) const {
    Loop *loop = childOf(region, block);
    return loop ? loop->getHeader() : block;
  }

  void appendRegion(Loop *region, BasicBlock *entry) {
    std::vector<BasicBlock *> finished;
    DenseSet<BasicBlock *> seen{entry};
    struct Step {
      BasicBlock *node;
      SmallVector<BasicBlock *, 4> rest;
    };
    std::vector<Step> stack{{entry, successorsOf(region, entry)}};
    while (!stack.empty()) {
      if (stack.back().rest.empty()) {
        finished.push_back(stack.back().node);
        stack.pop_back();
        continue;
      }
      BasicBlock *next = stack.back().rest.pop_back_val();
      if (!inside(region, next))
        continue;
      next = nodeOf(region, next);
      if (seen.insert(next).second)
        stack.push_back({next, successorsOf(region, next)});
    }
    for (auto node = finished.rbegin(); node != finished.rend(); ++node) {
      if (Loop *loop = childOf(region, *node))
        appendRegion(loop, loop->getHeader());
      else
        blocks_.push_back(*node);
    }
  }

  DominatorTree tree_;
  LoopInfo loops_;
  std::vector<BasicBlock *> blocks_;
};

void setSite(CallInst &call, uint32_t site) {
  call.setArgOperand(1, ConstantInt::get(call.getArgOperand(1)->getType(), site));
}

} // namespace

void numberSites(Module &module, uint32_t first) {
  Function *collective = module.getFunction(runtime::collective.name);
  if (!collective)
    return;
  DenseSet<Function *> users;
  for (User *user : collective->users())
    if (auto *call = dyn_cast<CallInst>(user))
      users.insert(call->getFunction());
  uint32_t site = first;
  for (Function &function : module) {
    if (!users.contains(&function))
      continue;
    const ControlFlowOrder order(function);
    for (BasicBlock *block : order.blocks())
      for (Instruction &instruction : *block)
        if (auto *call = dyn_cast<CallInst>(&instruction))
          if (call->getCalledFunction() == collective)
            setSite(*call, site++);
  }
}

void numberAddedSites(Function &body) {
  constexpr uint32_t kBetween = 256; // and room for as many places as 2^30 / 256
  uint32_t last = kFirstKernelSite;
  const ControlFlowOrder order(body);
  for (BasicBlock *block : order.blocks())
    for (Instruction &instruction : *block) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call || !isCollective(*call))
        continue;
      const uint32_t site = static_cast<uint32_t>(cast<ConstantInt>(call->getArgOperand(1))->getZExtValue());
      if (site < kFirstKernelSite) {
        setSite(*call, ++last);
        continue;
      }
      const uint32_t moved = kFirstKernelSite + (site - kFirstKernelSite + 1) * kBetween;
      setSite(*call, moved);
      last = std::max(last, moved);
    }
}

} // namespace hiplz::cpu
