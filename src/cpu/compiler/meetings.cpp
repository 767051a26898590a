// SPDX-License-Identifier: MIT
// See meetings.h.
#include "cpu/compiler/meetings.h"
#include "cpu/abi/check_functions.h"
#include "cpu/abi/collective.h"
#include "cpu/compiler/call_shadows.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr StringRef kExpect = "14__hiplz_expect";
constexpr StringRef kMaskOfLane = "hiplz.mask.of.lane"; // of a mask and a lane, which it returns

SmallVector<Function *, 2> expectations(Module &module) {
  SmallVector<Function *, 2> found;
  for (Function &function : module)
    if (function.getName().contains(kExpect))
      found.push_back(&function);
  return found;
}

// What the compiled function consists of, if that is empty but for a return.
bool isReturn(const BasicBlock &block) {
  return all_of(block, [](const Instruction &instruction) {
    return isa<ReturnInst, PHINode>(instruction) || instruction.isDebugOrPseudoInst() ||
           instruction.isLifetimeStartOrEnd();
  });
}

// The operation of the warp that a call of the function is for: the next one on all ways. Null if that is not clear.
CallInst *nextOperation(CallInst &expectation) {
  Function &function = *expectation.getFunction();
  Instruction *from = expectation.getNextNode();
  std::optional<PostDominatorTree> joins;
  while (true) {
    for (Instruction *at = from; at; at = at->getNextNode()) {
      auto *call = dyn_cast<CallInst>(at);
      if (call && isCollective(*call))
        return DominatorTree(function).dominates(&expectation, call) ? call : nullptr;
      if (call && call->getCalledFunction() && call->getCalledFunction()->getName().contains(kExpect))
        return nullptr;
    }
    if (!joins)
      joins.emplace(function);
    const auto *node = joins->getNode((from ? from : &expectation)->getParent());
    BasicBlock *next = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!next)
      return nullptr;
    from = &next->front();
  }
}

class Meetings {
public:
  explicit Meetings(Module &module) : module_(module), b_(module.getContext()) {}

  void run() {
    for (Function *function : expectations(module_))
      for (User *user : function->users())
        if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == function)
          calls_.push_back(call);
    findCallers();
    for (const auto &[function, blocks] : blocks_)
      watchJoins(*function, blocks.getArrayRef());
    for (CallInst *call : calls_)
      replace(*call);
  }

private:
  // The blocks with meetings, and those with calls of functions that have some.
  void findCallers() {
    SetVector<Function *> work;
    for (CallInst *call : calls_) {
      blocks_[call->getFunction()].insert(call->getParent());
      work.insert(call->getFunction());
    }
    for (size_t index = 0; index < work.size(); ++index)
      for (User *user : work[index]->users())
        if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == work[index]) {
          blocks_[call->getFunction()].insert(call->getParent());
          work.insert(call->getFunction());
        }
  }

  // Wherever lanes come that may have gone past one of the blocks. Lanes that have nothing left to do but to return count as returned.
  void watchJoins(Function &function, ArrayRef<BasicBlock *> blocks) {
    const DominatorTree dominators(function);
    const PostDominatorTree joins(function);
    const LoopInfo loops(dominators);
    SetVector<BasicBlock *> watched;
    for (BasicBlock *block : blocks)
      for (const auto *node = joins.getNode(block); node; node = node->getIDom())
        if (BasicBlock *join = node->getBlock();
            join && (!dominators.dominates(block, join) || leavesLoop(loops, block, join)) && !isReturn(*join))
          watched.insert(join);
    for (BasicBlock *join : watched) {
      Instruction *at = &*join->getFirstInsertionPt();
      while (isa<AllocaInst>(at))
        at = at->getNextNode();
      const auto located = find_if(make_range(at->getIterator(), join->end()),
                                   [](const Instruction &instruction) { return bool(instruction.getDebugLoc()); });
      Instruction &place = located == join->end() ? *at : *located;
      b_.SetInsertPoint(at);
      b_.SetCurrentDebugLocation(place.getDebugLoc());
      // Fibers wait for each other here, so that nobody is past it before those in front of it have met.
      collective(function.getArg(0), CollectiveKind::sync);
      call(runtime::checkGoesOn, {function.getArg(0), checkSite(place, 0, Align(1), 0, "", "a join")});
    }
  }

  // Lanes come from the block, but others have done so in an earlier round.
  static bool leavesLoop(const LoopInfo &loops, const BasicBlock *block, const BasicBlock *join) {
    const Loop *loop = loops.getLoopFor(block);
    return loop && !loop->contains(join);
  }

  // The arguments are the work-item, the mask and the kind of meeting.
  void replace(CallInst &expectation) {
    Value *item = expectation.getFunction()->getArg(0);
    b_.SetInsertPoint(&expectation);
    b_.SetCurrentDebugLocation(expectation.getDebugLoc());
    const unsigned first = expectation.arg_size() - 2;
    Value *lanes = collective(item, CollectiveKind::ballot);
    call(runtime::checkMeeting, {item, checkSite(expectation, 0, Align(1), 0, "", "a meeting"),
                                 expectation.getArgOperand(first), lanes, expectation.getArgOperand(first + 1)});
    expectation.eraseFromParent();
  }

  // Of all lanes that are here.
  CallInst *collective(Value *item, CollectiveKind kind) {
    const uint32_t code = collectiveCode(CollectiveScope::subgroup, kind);
    return call(runtime::collective, {item, b_.getInt32(0), b_.getInt32(code), b_.getInt64(1), b_.getInt64(0)});
  }

  template <class Signature> CallInst *call(RuntimeFunction<Signature> function, ArrayRef<Value *> arguments) {
    return b_.CreateCall(declareRuntime(module_, function), arguments);
  }

  Module &module_;
  IRBuilder<> b_;
  SmallVector<CallInst *, 16> calls_;
  MapVector<Function *, SetVector<BasicBlock *>> blocks_;
};

} // namespace

void keepShuffleMasks(Module &module) {
  IRBuilder<> b(module.getContext());
  Type *word = b.getInt64Ty();
  for (Function *function : expectations(module))
    for (User *user : make_early_inc_range(function->users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != function)
        continue;
      CallInst *shuffle = nextOperation(*call);
      if (!shuffle || !isShuffle(*shuffle) || shuffleMaskOf(*shuffle))
        continue;
      b.SetInsertPoint(shuffle);
      FunctionCallee keep = module.getOrInsertFunction(kMaskOfLane, word, word, word);
      Value *mask = b.CreateZExtOrTrunc(call->getArgOperand(call->arg_size() - 2), word);
      shuffle->setArgOperand(kCollectiveOperand,
                             b.CreateCall(keep, {mask, shuffle->getArgOperand(kCollectiveOperand)}));
    }
}

Value *shuffleMaskOf(const CallInst &shuffle) {
  auto *kept = dyn_cast<CallInst>(shuffle.getArgOperand(kCollectiveOperand));
  const Function *function = kept ? kept->getCalledFunction() : nullptr;
  return function && function->getName() == kMaskOfLane ? kept->getArgOperand(0) : nullptr;
}

void forgetShuffleMasks(Module &module) {
  Function *function = module.getFunction(kMaskOfLane);
  if (!function)
    return;
  for (User *user : make_early_inc_range(function->users())) {
    auto *call = cast<CallInst>(user);
    call->replaceAllUsesWith(call->getArgOperand(1));
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

void forgetMeetings(Module &module) {
  for (Function *function : expectations(module)) {
    for (User *user : make_early_inc_range(function->users()))
      if (auto *call = dyn_cast<CallInst>(user))
        call->eraseFromParent();
    if (function->use_empty())
      function->eraseFromParent();
  }
}

void checkMeetings(Module &module) { Meetings(module).run(); }

} // namespace hiplz::cpu
