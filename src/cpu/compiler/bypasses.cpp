// SPDX-License-Identifier: MIT
// Work-items that have returned need not come to a barrier, on AMD's hardware and NVIDIA's. Those that go around it and on are a defect, but
// at the end of a work-group both have just not come. So what a missing work-item may have done is found out beforehand.
#include "cpu/compiler/bypasses.h"
#include "cpu/abi/collective.h"
#include "cpu/compiler/inlining.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

/// All blocks that the edges of `next` lead to from `start` on, that included, in their order.
template <class Next> SetVector<const BasicBlock *> reached(const BasicBlock &start, Next next) {
  SetVector<const BasicBlock *> all;
  all.insert(&start);
  for (unsigned i = 0; i < all.size(); ++i)
    for (const BasicBlock *other : next(all[i]))
      all.insert(other);
  return all;
}

/// The condition that decides who comes to the block from above; null if there is none.
const Value *conditionAbove(const BasicBlock &block) {
  for (const BasicBlock *at = &block; at; at = at->getSinglePredecessor()) {
    if (auto *branch = dyn_cast<BranchInst>(at->getTerminator()); branch && branch->isConditional())
      return branch->getCondition();
    if (auto *choice = dyn_cast<SwitchInst>(at->getTerminator()))
      return choice->getCondition();
  }
  return nullptr;
}

/// Adds what is stored in a variable of the work-item, as in code that is not optimised, and what decides about that. False: that is not known.
bool addStored(const Value &pointer, SmallSetVector<const Value *, 32> &parts) {
  if (!isa<AllocaInst>(pointer.stripPointerCasts()))
    return false;
  SmallVector<const User *, 8> work(pointer.stripPointerCasts()->users());
  while (!work.empty()) {
    const User *user = work.pop_back_val();
    if (auto *store = dyn_cast<StoreInst>(user);
        store && isa<AllocaInst>(store->getPointerOperand()->stripPointerCasts())) {
      if (isa<AllocaInst>(store->getValueOperand()->stripPointerCasts()))
        return false; // its address, perhaps this one's
      parts.insert(store->getValueOperand());
      const BasicBlock *above = store->getParent()->getSinglePredecessor();
      if (const Value *condition = above ? conditionAbove(*above) : nullptr)
        parts.insert(condition);
    } else if (isa<CastInst>(user)) {
      work.append(user->user_begin(), user->user_end());
    } else if (auto *other = dyn_cast<Instruction>(user);
               !isa<LoadInst>(user) && !(other && (other->isLifetimeStartOrEnd() || other->isDebugOrPseudoInst()))) {
      return false;
    }
  }
  return true;
}

/// False if the value is made of nothing but arguments of the kernel, constants and what is the same for the work-group.
bool mayDiffer(const Value *value) {
  SmallSetVector<const Value *, 32> parts;
  parts.insert(value);
  for (unsigned i = 0; i < parts.size(); ++i) {
    auto *instruction = dyn_cast<Instruction>(parts[i]);
    if (!instruction)
      continue;
    if (auto *load = dyn_cast<LoadInst>(instruction)) {
      const auto read = itemReadBy(*load);
      if (read ? isLaneId(read->field)
               : !load->hasMetadata(LLVMContext::MD_invariant_load) && !addStored(*load->getPointerOperand(), parts))
        return true;
      continue;
    }
    if (instruction->mayReadFromMemory() || isa<AllocaInst>(instruction))
      return true;
    if (auto *phi = dyn_cast<PHINode>(instruction))
      for (const BasicBlock *from : phi->blocks())
        if (const Value *condition = conditionAbove(*from))
          parts.insert(condition);
    parts.insert(instruction->op_begin(), instruction->op_end());
  }
  return false;
}

bool hasEffect(const Instruction &instruction) {
  if (isa<DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd() || !instruction.mayWriteToMemory())
    return false;
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  return !pointer || !isa<AllocaInst>(getUnderlyingObject(pointer));
}

bool branchesDifferently(const BasicBlock &block) {
  const Instruction *end = block.getTerminator();
  return end->getNumSuccessors() > 1 && mayDiffer(end->getOperand(0));
}

/// Ways around a barrier from branches on, without coming to these again, as in the next round of a loop.
struct Bypass {
  const BasicBlock &barrier;
  const BasicBlock *branches[2];

  bool comes(const BasicBlock &start) const {
    return reached(start,
                   [&](const BasicBlock *each) {
                     return each == branches[0] || each == branches[1]
                                ? SmallVector<const BasicBlock *, 2>()
                                : SmallVector<const BasicBlock *, 2>(successors(each));
                   })
        .contains(&barrier);
  }

  /// The effects of work-items that go around the barrier, while others of the same branch come to it.
  const Instruction *effectBehind(const BasicBlock &branch) const {
    if (none_of(successors(&branch), [&](const BasicBlock *each) { return comes(*each); }))
      return nullptr;
    for (const BasicBlock *past : successors(&branch))
      if (!comes(*past))
        for (const BasicBlock *later : reached(*past, [](const BasicBlock *each) { return successors(each); }))
          for (const Instruction &instruction : *later)
            if (hasEffect(instruction))
              return &instruction;
    return nullptr;
  }
};

// A barrier or an operation of the work-group, before built-in functions are lowered. The scope comes first.
bool isBuiltinOfGroup(const CallBase &call) {
  constexpr uint64_t kWorkgroup = 2; // of SPIR-V
  const StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : StringRef();
  if (!name.contains("__spirv_ControlBarrier") && !name.contains("__spirv_Group"))
    return false;
  auto *scope = call.arg_empty() ? nullptr : dyn_cast<ConstantInt>(call.getArgOperand(0));
  return scope && scope->getZExtValue() == kWorkgroup;
}

} // namespace

bool isGroupBarrier(const CallBase &call) {
  return isBarrier(call) ||
         (isCollective(call) && collectiveScope(collectiveCodeOf(call)) == CollectiveScope::workgroup);
}

void inlineBarriers(Module &module) {
  SetVector<const Function *> found;
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && isBuiltinOfGroup(*call))
        found.insert(&function);
  for (size_t index = 0; index < found.size(); ++index)
    for (const User *user : found[index]->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == found[index])
        found.insert(call->getFunction());
  if (found.empty())
    return;
  inlineFunctions(module, [&](const Function &function) { return found.contains(&function); });
  expandConstantExpressions(module); // which the inliner has folded
}

const Instruction *effectPast(const CallInst &barrier) {
  const BasicBlock *const at = barrier.getParent();
  for (const BasicBlock *block : reached(*at, [](const BasicBlock *each) { return predecessors(each); })) {
    if (!branchesDifferently(*block)) {
      if (block->getTerminator()->getNumSuccessors() < 2)
        continue;
      // Or all go the same way, but only some of them come here, such as by `if (threadIdx.x > 5 && i == 2) continue;`.
      const BasicBlock *below = block;
      while (const BasicBlock *above = below->getSinglePredecessor()) {
        const Bypass bypass{*at, {block, above}};
        if (branchesDifferently(*above) &&
            any_of(successors(above), [&](const BasicBlock *other) { return other != below && bypass.comes(*other); }))
          if (const Instruction *effect = bypass.effectBehind(*block))
            return effect;
        below = above;
      }
    } else if (const Instruction *effect = Bypass{*at, {block, block}}.effectBehind(*block)) {
      return effect;
    }
  }
  return nullptr;
}

} // namespace hiplz::cpu
