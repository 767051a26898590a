// SPDX-License-Identifier: MIT
// A plain reverse post-order may put the code behind a loop before parts of the loop. So loops are ordered as wholes:
// within a loop (or the function) every inner loop counts as one node.
#include "cpu/compiler/sites.h"
#include "base/llvm_compat.h"
#include "cpu/abi/call_frame.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstddef>
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

constexpr uint32_t kBetween = 256; // room for places that come later

void setSite(CallInst &call, uint32_t site) {
  call.setArgOperand(1, ConstantInt::get(call.getArgOperand(1)->getType(), site));
}

/// Notes which call of a function is in progress.
class CallFrames {
public:
  explicit CallFrames(Function &function) : function_(function) {}

  void surround(CallInst &call, uint32_t site) {
    IRBuilder<> b(&call);
    if (!frame_)
      makeFrame();
    call.setTailCall(false); // or LLVM takes it not to use the frame
    storeField(b, b.getInt64(site), frame_, offsetof(CallFrame, site));
    storeField(b, frame_, fiber_, offsetof(FiberCalls, innermost));
    b.SetInsertPoint(call.getNextNode());
    storeField(b, caller_, fiber_, offsetof(FiberCalls, innermost));
  }

private:
  void makeFrame() {
    IRBuilder<> b(&*function_.getEntryBlock().getFirstInsertionPt());
    frame_ = b.CreateAlloca(ArrayType::get(b.getInt64Ty(), sizeof(CallFrame) / 8));
    fiber_ = loadField(b, b.getPtrTy(), function_.getArg(0), offsetof(WorkItem, fiber), true);
    caller_ = loadField(b, b.getPtrTy(), fiber_, offsetof(FiberCalls, innermost), false);
    storeField(b, caller_, frame_, offsetof(CallFrame, caller));
  }

  Function &function_;
  AllocaInst *frame_ = nullptr;
  Value *fiber_ = nullptr, *caller_ = nullptr;
};

} // namespace

void numberSites(Module &module) {
  Function *collective = module.getFunction(runtime::collective.name);
  if (!collective)
    return;
  DenseSet<Function *> users;
  for (User *user : collective->users())
    if (auto *call = dyn_cast<CallInst>(user))
      users.insert(call->getFunction());
  uint32_t site = 0;
  for (Function &function : module) {
    if (!users.contains(&function))
      continue;
    const ControlFlowOrder order(function);
    for (BasicBlock *block : order.blocks())
      for (Instruction &instruction : *block)
        if (auto *call = dyn_cast<CallInst>(&instruction))
          if (call->getCalledFunction() == collective)
            setSite(*call, site += kBetween);
  }
}

CollectiveCallers::CollectiveCallers(ArrayRef<Function *> functions) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Function *function : functions)
      if (!callers_.contains(function) && any_of(instructions(*function), [&](const Instruction &instruction) {
            auto *call = dyn_cast<CallBase>(&instruction);
            return call && (isCollective(*call) || mayCall(*call));
          })) {
        callers_.insert(function);
        throughPointers_ = throughPointers_ || function->hasAddressTaken();
        changed = true;
      }
  }
}

bool CollectiveCallers::mayCall(const CallBase &call) const {
  const Function *callee = call.getCalledFunction();
  return callee ? callers_.contains(callee) : throughPointers_ && !call.isInlineAsm();
}

void numberCallsAndAddedSites(ArrayRef<Function *> functions) {
  const CollectiveCallers callers(functions);
  for (Function *function : functions) {
    if (!callers.contains(*function))
      continue;
    CallFrames frames(*function);
    const ControlFlowOrder order(*function);
    uint32_t last = 0;
    for (BasicBlock *block : order.blocks())
      for (Instruction &instruction : make_early_inc_range(*block)) {
        auto *call = dyn_cast<CallInst>(&instruction);
        if (!call)
          continue;
        if (!isCollective(*call)) {
          if (callers.mayCall(*call))
            frames.surround(*call, ++last);
          continue;
        }
        const auto site = static_cast<uint32_t>(cast<ConstantInt>(call->getArgOperand(1))->getZExtValue());
        if (site == 0)
          setSite(*call, ++last);
        else
          last = std::max(last, site);
      }
  }
}

} // namespace hiplz::cpu
