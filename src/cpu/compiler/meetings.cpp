// SPDX-License-Identifier: MIT
// See meetings.h.
#include "cpu/compiler/meetings.h"
#include "cpu/abi/check_functions.h"
#include "cpu/abi/checked_group.h"
#include "cpu/abi/collective.h"
#include "cpu/compiler/call_shadows.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/compiler/inlining.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/divergence.h"
#include "cpu/vectorizer/group_uniformity.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr StringRef kExpect = "14__hiplz_expect";
constexpr uint64_t kOfGrid = 4;                         // __hiplz_meeting_grid (include/hip/spirv/builtins.h)
constexpr StringRef kMaskOfLane = "hiplz.mask.of.lane"; // of a mask and a lane, which it returns

SmallVector<Function *, 2> expectations(Module &module) {
  SmallVector<Function *, 2> found;
  for (Function &function : module)
    if (function.getName().contains(kExpect))
      found.push_back(&function);
  return found;
}

// The body of the compiled function, if that is empty but for a return.
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
    BasicBlock *next = joinOf(*(from ? from : &expectation)->getParent(), *joins);
    if (!next)
      return nullptr;
    from = &next->front();
  }
}

Value *maskOf(const CallInst &expectation) { return expectation.getArgOperand(expectation.arg_size() - 2); }
Value *kindOf(const CallInst &expectation) { return expectation.getArgOperand(expectation.arg_size() - 1); }
bool isOfGrid(const CallInst &expectation) {
  auto *kind = dyn_cast<ConstantInt>(kindOf(expectation));
  return !kind || kind->equalsInt(kOfGrid);
}
// Code that is not optimised has other kinds in variables, but not this one.
bool isOfWarp(const CallInst &expectation) { return !isa<ConstantInt>(kindOf(expectation)) || !isOfGrid(expectation); }
bool namesAll(const CallInst &expectation) {
  auto *mask = dyn_cast<ConstantInt>(maskOf(expectation));
  return mask && (mask->getZExtValue() == UINT32_MAX || mask->isMinusOne());
}

class Meetings {
public:
  Meetings(Module &module, const ModuleTable &table) : module_(module), table_(table), b_(module.getContext()) {}

  void run() {
    for (Function *function : expectations(module_))
      for (User *user : function->users())
        if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == function)
          calls_.push_back(call);
    dropCertain();
    findCallers();
    for (const auto &[function, blocks] : blocks_)
      watchJoins(*function, blocks.getArrayRef());
    for (CallInst *call : calls_)
      replace(*call);
  }

private:
  // All lanes come there, and all are named.
  void dropCertain() {
    for (const Kernel &kernel : table_.kernels) {
      const auto mayBe = [&](const CallInst *call) {
        return call->getFunction() == kernel.function && namesAll(*call) && !isOfGrid(*call);
      };
      if (!kernel.function->use_empty() || none_of(calls_, mayBe))
        continue;
      const ItemsOfGroup items(*kernel.function,
                               [&](const Argument &argument) { return isByValue(kernel.info, argument); });
      erase_if(calls_, [&](CallInst *call) {
        if (!mayBe(call) || !items.isCommon(*call->getParent()))
          return false;
        call->eraseFromParent();
        return true;
      });
    }
  }

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
      collective(function.getArg(0), CollectiveKind::sync, b_.getInt64(1));
      GlobalVariable *site = checkSite(place, 0, Align(1), 0, "", "a join");
      b_.SetInsertPoint(callIf(b_.CreateICmpNE(incomplete(*function.getArg(0)), b_.getInt32(0)), *at));
      call(runtime::checkGoesOn, {function.getArg(0), site});
    }
  }

  // Lanes come from the block, but others have done so in an earlier round.
  static bool leavesLoop(const LoopInfo &loops, const BasicBlock *block, const BasicBlock *join) {
    const Loop *loop = loops.getLoopFor(block);
    return loop && !loop->contains(join);
  }

  // The arguments are the work-item, the mask and the kind of meeting.
  void replace(CallInst &expectation) {
    Argument *item = expectation.getFunction()->getArg(0);
    b_.SetInsertPoint(&expectation);
    b_.SetCurrentDebugLocation(expectation.getDebugLoc());
    GlobalVariable *site = checkSite(expectation, 0, Align(1), 0, "", "a meeting");
    if (!isOfGrid(expectation))
      b_.SetInsertPoint(callIf(mayLack(expectation, *item), expectation));
    Value *lanes = collective(item, CollectiveKind::ballot, b_.getInt64(1));
    call(runtime::checkMeeting, {item, site, maskOf(expectation), lanes, kindOf(expectation)});
    expectation.eraseFromParent();
  }

  // One answer for the lanes that are here. False if these are all threads of the warp, each named by its mask, and the masks are what tiles of
  // one size have. Then only lanes could be missing elsewhere for which others wait.
  Value *mayLack(const CallInst &expectation, Argument &item) {
    Value *threads = lanesWithThreads(item);
    Value *isRight = b_.CreateICmpEQ(incomplete(item), b_.getInt32(0));
    Value *sameSize = b_.getTrue();
    if (!namesAll(expectation)) {
      Value *mask = maskOf(expectation);
      Value *low = b_.CreateTrunc(mask, b_.getInt32Ty());
      Value *high = b_.CreateTrunc(b_.CreateLShr(b_.CreateZExtOrTrunc(mask, b_.getInt64Ty()), 32), b_.getInt32Ty());
      Value *size = b_.CreateUnaryIntrinsic(Intrinsic::ctpop, low);
      Value *below = b_.CreateSub(size, b_.getInt32(1));
      Value *first = b_.CreateAnd(laneOf(item), b_.CreateNot(below));
      Value *shift = b_.CreateAnd(b_.CreateSub(b_.getInt32(kSubgroupSize), size), b_.getInt32(kSubgroupSize - 1));
      Value *tile = b_.CreateShl(b_.CreateLShr(b_.getInt32(~0u), shift), b_.CreateAnd(first, b_.getInt32(31)));
      auto all = [&](std::initializer_list<Value *> conditions) {
        for (Value *condition : conditions)
          isRight = b_.CreateAnd(isRight, condition);
      };
      all({b_.CreateICmpEQ(low, tile), b_.CreateICmpEQ(b_.CreateAnd(size, below), b_.getInt32(0)),
           b_.CreateICmpULT(b_.CreateAdd(high, b_.getInt32(1)), b_.getInt32(2)),
           b_.CreateOr(b_.CreateICmpEQ(low, b_.getInt32(~0u)),
                       b_.CreateICmpEQ(b_.CreateAnd(low, b_.CreateNot(threads)), b_.getInt32(0)))});
      sameSize = b_.CreateICmpNE(collective(&item, CollectiveKind::allEqual, b_.CreateZExt(size, b_.getInt64Ty())),
                                 b_.getInt64(0));
    }
    Value *right = collective(&item, CollectiveKind::ballot, b_.CreateZExt(isRight, b_.getInt64Ty()));
    Value *allAre = b_.CreateICmpEQ(right, b_.CreateZExt(threads, b_.getInt64Ty()));
    return b_.CreateNot(b_.CreateAnd(allAre, sameSize));
  }

  Value *laneOf(Argument &item) {
    return b_.CreateAnd(loadField(b_, b_.getInt32Ty(), &item, offsetof(WorkItem, linearId), true),
                        b_.getInt32(kSubgroupSize - 1));
  }

  // The lanes of the warp that have threads.
  Value *lanesWithThreads(Argument &item) {
    Value *launch = loadField(b_, b_.getPtrTy(), &item, offsetof(WorkItem, launch), true);
    Value *items = b_.getInt32(1);
    for (unsigned d = 0; d < 3; ++d)
      items =
          b_.CreateMul(items, loadField(b_, b_.getInt32Ty(), launch, offsetof(LaunchState, groupSize) + 4 * d, true));
    Value *linear = loadField(b_, b_.getInt32Ty(), &item, offsetof(WorkItem, linearId), true);
    Value *left = b_.CreateSub(items, b_.CreateAnd(linear, b_.getInt32(~(kSubgroupSize - 1))));
    Value *some = b_.CreateNot(b_.CreateShl(b_.getInt32(~0u), b_.CreateAnd(left, b_.getInt32(kSubgroupSize - 1))));
    return b_.CreateSelect(b_.CreateICmpUGE(left, b_.getInt32(kSubgroupSize)), b_.getInt32(~0u), some);
  }

  // How many meetings of the group lack somebody.
  Value *incomplete(Argument &item) {
    Value *worker = loadField(b_, b_.getPtrTy(), &item, offsetof(WorkItem, worker), true);
    Value *group = loadField(b_, b_.getPtrTy(), worker, offsetof(WorkerState, check), true);
    Value *count = loadField(b_, b_.getInt32Ty(), group, offsetof(CheckedGroup, incompleteMeetings), false);
    cast<LoadInst>(count)->setMetadata(kOfChecks, MDNode::get(module_.getContext(), {}));
    return count;
  }

  // Where to call what is called under the condition, and then goes on.
  Instruction *callIf(Value *condition, Instruction &before) {
    Instruction *then = SplitBlockAndInsertIfThen(condition, &before, false);
    then->getParent()->getSinglePredecessor()->getTerminator()->setMetadata(kOfChecks,
                                                                            MDNode::get(module_.getContext(), {}));
    return then;
  }

  // Of all lanes that are here.
  CallInst *collective(Value *item, CollectiveKind kind, Value *value) {
    const uint32_t code = collectiveCode(CollectiveScope::subgroup, kind, FoldOperator::add, ElementType::u64);
    return call(runtime::collective, {item, b_.getInt32(0), b_.getInt32(code), value, b_.getInt64(0)});
  }

  template <class Signature> CallInst *call(RuntimeFunction<Signature> function, ArrayRef<Value *> arguments) {
    return b_.CreateCall(declareRuntime(module_, function), arguments);
  }

  Module &module_;
  const ModuleTable &table_;
  IRBuilder<> b_;
  SmallVector<CallInst *, 16> calls_;
  MapVector<Function *, SetVector<BasicBlock *>> blocks_;
};

} // namespace

void inlineExpectations(Module &module) {
  constexpr unsigned kDeepest = 4;
  for (unsigned depth = 0; depth < kDeepest; ++depth) {
    SmallPtrSet<const Function *, 8> wanted;
    for (Function *function : expectations(module))
      for (User *user : function->users())
        if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == function &&
                                                   !call->getFunction()->use_empty() && isOfWarp(*call) &&
                                                   !nextOperation(*call))
          wanted.insert(call->getFunction());
    if (wanted.empty())
      return;
    inlineFunctions(module, [&](const Function &function) { return wanted.contains(&function); });
  }
}

DenseMap<const CallInst *, Value *> partialMasks(Module &module) {
  DenseMap<const CallInst *, Value *> masks;
  for (Function *function : expectations(module))
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == function && isOfWarp(*call) && !namesAll(*call))
        if (const CallInst *operation = nextOperation(*call))
          masks[operation] = maskOf(*call);
  return masks;
}

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

void checkMeetings(Module &module, const ModuleTable &table) { Meetings(module, table).run(); }

} // namespace hiplz::cpu
