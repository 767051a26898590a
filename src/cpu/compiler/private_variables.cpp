// SPDX-License-Identifier: MIT
// See private_variables.h.
#include "cpu/compiler/private_variables.h"
#include "cpu/abi/check_functions.h"
#include "cpu/compiler/follow_pointers.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// True if an access may have the variable's address without anybody seeing that it is this variable's.
bool mayBeLost(const Value &variable) {
  SmallVector<const Value *, 16> work{&variable};
  SmallPtrSet<const Value *, 16> seen{&variable};
  while (!work.empty()) {
    const Value *pointer = work.pop_back_val();
    for (const Use &use : pointer->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (isa<GetElementPtrInst, BitCastInst, PHINode, SelectInst>(user)) {
        if (isa<PHINode, SelectInst>(user) && rootOf(user) != &variable)
          return true;
        if (seen.insert(user).second)
          work.push_back(user);
      } else if (auto *store = dyn_cast<StoreInst>(user)) {
        if (store->getValueOperand() == pointer)
          return true;
      } else if (auto *call = dyn_cast<CallBase>(user)) {
        const Function *callee = call->getCalledFunction();
        const bool isCopied = call->isArgOperand(&use) && call->isByValArgument(call->getArgOperandNo(&use));
        if (!isCopied && (!callee || !callee->isDeclaration()))
          return true;
      } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(user)) {
        if (use.getOperandNo() != 0)
          return true;
      } else if (isa<ReturnInst, PtrToIntInst, InsertValueInst, InsertElementInst>(user)) {
        return true;
      }
    }
  }
  return false;
}

bool isEnd(const IntrinsicInst *mark) { return mark->getIntrinsicID() == Intrinsic::lifetime_end; }

// The last of the marks in a block, or in front of an instruction of it; null: none.
const IntrinsicInst *lastMark(ArrayRef<IntrinsicInst *> marks, const BasicBlock &block, const Instruction *before) {
  const IntrinsicInst *last = nullptr;
  for (const IntrinsicInst *mark : marks)
    if (mark->getParent() == &block && (!before || mark->comesBefore(before)) && (!last || last->comesBefore(mark)))
      last = mark;
  return last;
}

bool hasLateAccess(const AllocaInst &variable, const Lifetimes &lifetimes) {
  if (none_of(lifetimes.of(variable), isEnd))
    return false;
  SmallVector<const Value *, 16> work{&variable};
  SmallPtrSet<const Value *, 16> seen{&variable};
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users()) {
      if (isa<GetElementPtrInst, BitCastInst, PHINode, SelectInst>(user) && seen.insert(user).second)
        work.push_back(user);
      if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst, MemIntrinsic>(user) &&
          lifetimes.mayBeGone(variable, *cast<Instruction>(user)))
        return true;
    }
  return false;
}

} // namespace

Lifetimes::Lifetimes(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (auto *mark = dyn_cast<IntrinsicInst>(&instruction); mark && mark->isLifetimeStartOrEnd())
      if (auto *variable = dyn_cast<AllocaInst>(mark->getArgOperand(mark->arg_size() - 1)->stripPointerCasts()))
        marks_[variable].push_back(mark);
}

ArrayRef<IntrinsicInst *> Lifetimes::of(const AllocaInst &variable) const {
  const auto found = marks_.find(&variable);
  return found == marks_.end() ? ArrayRef<IntrinsicInst *>() : ArrayRef<IntrinsicInst *>(found->second);
}

bool Lifetimes::mayBeGone(const AllocaInst &variable, const Instruction &instruction) const {
  const ArrayRef<IntrinsicInst *> marks = of(variable);
  if (none_of(marks, isEnd))
    return false;
  if (const IntrinsicInst *mark = lastMark(marks, *instruction.getParent(), &instruction))
    return isEnd(mark);
  SmallVector<const BasicBlock *, 16> work{instruction.getParent()};
  SmallPtrSet<const BasicBlock *, 16> seen;
  while (!work.empty())
    for (const BasicBlock *before : predecessors(work.pop_back_val())) {
      if (!seen.insert(before).second)
        continue;
      const IntrinsicInst *mark = lastMark(marks, *before, nullptr);
      if (mark && isEnd(mark))
        return true;
      if (!mark)
        work.push_back(before);
    }
  return false;
}

void watchPrivateVariables(Function &function, bool isKernel) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  const Lifetimes lifetimes(function);
  SmallVector<std::pair<Value *, uint64_t>, 8> variables;
  for (Argument &argument : function.args()) // copies, which are the function's
    if (Type *type = isKernel ? nullptr : argument.getParamByValType(); type && mayBeLost(argument))
      variables.push_back({&argument, layout.getTypeAllocSize(type).getFixedValue()});
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && (mayBeLost(*variable) || hasLateAccess(*variable, lifetimes)))
      if (const auto bytes = variable->getAllocationSizeInBits(layout); bytes && bytes->getFixedValue() >= 8)
        variables.push_back({variable, bytes->getFixedValue() / 8});
  if (variables.empty())
    return;
  SmallVector<ReturnInst *, 4> returns;
  for (Instruction &instruction : instructions(function))
    if (auto *last = dyn_cast<ReturnInst>(&instruction); last && !isKernel)
      returns.push_back(last);
  IRBuilder<> b(function.getContext());
  const auto call = [&](Instruction &before, auto runtimeFunction, ArrayRef<Value *> arguments) {
    b.SetInsertPoint(&before);
    b.SetCurrentDebugLocation(before.getDebugLoc());
    FunctionCallee callee = declareRuntime(*function.getParent(), runtimeFunction);
    cast<Function>(callee.getCallee())->addFnAttr(Attribute::NoUnwind);
    b.CreateCall(callee, arguments);
  };
  Value *item = function.getArg(0);
  const auto begin = [&](Instruction &before, Value &variable, uint64_t bytes) {
    call(before, runtime::checkPrivateVariable, {item, &variable, b.getInt64(bytes)});
  };
  Instruction *first = &*function.getEntryBlock().getFirstInsertionPt();
  while (isa<AllocaInst>(first))
    first = first->getNextNode();
  for (auto [variable, bytes] : variables) {
    auto *local = dyn_cast<AllocaInst>(variable);
    const ArrayRef<IntrinsicInst *> marks = local ? lifetimes.of(*local) : ArrayRef<IntrinsicInst *>();
    const bool isElsewhere = local && local->getParent() != &function.getEntryBlock();
    if (marks.empty())
      begin(isElsewhere ? *local->getNextNode() : *first, *variable, bytes);
    for (IntrinsicInst *mark : marks)
      if (isEnd(mark))
        call(*mark, runtime::checkPrivateEnd, {item, variable});
      else
        begin(*mark->getNextNode(), *variable, bytes);
    if (isElsewhere) // it does not dominate the returns
      continue;
    for (ReturnInst *last : returns)
      call(*last, runtime::checkPrivateEnd, {item, variable});
  }
}

} // namespace hiplz::cpu
