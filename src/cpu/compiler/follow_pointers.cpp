// SPDX-License-Identifier: MIT
// See follow_pointers.h.
#include "cpu/compiler/follow_pointers.h"
#include "cpu/compiler/checks.h"
#include "cpu/compiler/inlining.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

bool isLocalObject(const Value &value) {
  auto *instruction = dyn_cast<Instruction>(&value);
  return instruction && instruction->getMetadata(kLocalObject);
}

Value *withoutOffsets(Value *pointer) {
  while (!isLocalObject(*pointer)) {
    if (auto *element = dyn_cast<GEPOperator>(pointer))
      pointer = element->getPointerOperand();
    else if (auto *cast = dyn_cast<BitCastOperator>(pointer))
      pointer = cast->getOperand(0);
    else
      break;
  }
  return pointer;
}

} // namespace

void promotePointers(Function &function) {
  SmallVector<AllocaInst *, 16> pointers;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && variable->getAllocatedType()->isPointerTy() && isAllocaPromotable(variable))
      pointers.push_back(variable);
  if (pointers.empty())
    return;
  DominatorTree tree(function);
  PromoteMemToReg(pointers, tree);
}

Value *rootOf(Value *pointer) {
  constexpr unsigned kMost = 32;
  pointer = withoutOffsets(pointer);
  SmallSetVector<Value *, 8> choices;
  choices.insert(pointer);
  Value *root = nullptr;
  for (unsigned i = 0; i < choices.size(); ++i) {
    SmallVector<Value *, 4> from;
    if (auto *phi = dyn_cast<PHINode>(choices[i]))
      from.append(phi->op_begin(), phi->op_end());
    else if (auto *select = dyn_cast<SelectInst>(choices[i]))
      from = {select->getTrueValue(), select->getFalseValue()};
    if (from.empty()) {
      if ((root && root != choices[i]) || choices.size() > kMost)
        return pointer;
      root = choices[i];
    }
    for (Value *each : from)
      choices.insert(withoutOffsets(each));
  }
  return root ? root : pointer;
}

namespace {

/// True for a store through a choice between several origins that can be made where the choice comes from.
bool mayBeSeparated(StoreInst &store) {
  const BasicBlock *block = store.getParent();
  auto *choice = dyn_cast<PHINode>(store.getPointerOperand());
  if (!choice || choice->getParent() != block || rootOf(choice) != choice)
    return false;
  auto *value = dyn_cast<Instruction>(store.getValueOperand());
  SmallPtrSet<const BasicBlock *, 4> seen;
  return (!value || isa<PHINode>(value) || value->getParent() != block) &&
         all_of(predecessors(block), [&](const BasicBlock *from) {
           return isa<BranchInst>(from->getTerminator()) && from != block && seen.insert(from).second;
         });
}

} // namespace

void separateStores(Function &function) {
  SmallVector<StoreInst *, 4> stores;
  for (BasicBlock &block : function)
    if (isa<PHINode>(block.front()))
      for (Instruction &each : make_range(block.getFirstNonPHI()->getIterator(), block.end())) {
        if (auto *store = dyn_cast<StoreInst>(&each); store && store->isSimple() && mayBeSeparated(*store)) {
          stores.push_back(store);
          break;
        }
        if (each.mayReadOrWriteMemory() && !isa<DbgInfoIntrinsic>(each))
          break;
      }
  for (StoreInst *store : stores) {
    BasicBlock &block = *store->getParent();
    for (BasicBlock *from : SmallVector<BasicBlock *, 4>(predecessors(&block))) {
      Instruction *end = from->getTerminator();
      if (end->getNumSuccessors() > 1)
        end = SplitEdge(from, &block)->getTerminator();
      Instruction *own = store->clone();
      for (Use &operand : own->operands())
        operand = operand->DoPHITranslation(&block, end->getParent());
      own->insertBefore(end);
    }
    store->eraseFromParent();
  }
}

void inlineUsersOfVariables(Module &module, function_ref<bool(const Function &)> isProgram) {
  SmallPtrSet<const Function *, 16> wanted;
  bool isNew = true;
  while (isNew) { // a function hands on what it has got
    isNew = false;
    for (Function &function : module)
      for (Instruction &instruction : instructions(function)) {
        auto *call = dyn_cast<CallBase>(&instruction);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || callee->isDeclaration() || !isProgram(*callee) || wanted.contains(callee))
          continue;
        for (unsigned i = 1; i < call->arg_size(); ++i) { // behind the WorkItem
          if (!call->getArgOperand(i)->getType()->isPointerTy())
            continue;
          const Value *root = rootOf(call->getArgOperand(i));
          if (isa<AllocaInst, GlobalVariable>(root) || isLocalObject(*root) ||
              (isa<Argument>(root) && wanted.contains(&function)))
            isNew |= wanted.insert(callee).second;
        }
      }
  }
  if (wanted.empty())
    return;
  inlineFunctions(module, [&](const Function &function) { return wanted.contains(&function); });
  for (Function &function : module)
    if (!function.isDeclaration())
      promotePointers(function);
}

} // namespace hiplz::cpu
