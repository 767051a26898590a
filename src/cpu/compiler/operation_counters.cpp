// SPDX-License-Identifier: MIT
// See operation_counters.h.
#include "cpu/compiler/operation_counters.h"
#include "base/operation_counts.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/operation_marks.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <array>
#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

using namespace counts;

bool calls(const Instruction &instruction, StringRef name) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name;
}

class CounterBuilder {
public:
  explicit CounterBuilder(Function &function)
      : function_(function), b_(&*function.getEntryBlock().getFirstInsertionPt()) {}

  void run(bool countsItems) {
    SmallVector<CallInst *, 32> marks, accesses;
    SmallVector<ReturnInst *, 4> returns;
    for (Instruction &instruction : instructions(function_))
      if (calls(instruction, kCountMark))
        marks.push_back(cast<CallInst>(&instruction));
      else if (calls(instruction, kAccessMark))
        accesses.push_back(cast<CallInst>(&instruction));
      else if (auto *end = dyn_cast<ReturnInst>(&instruction))
        returns.push_back(end);
    for (CallInst *mark : marks) {
      b_.SetInsertPoint(mark);
      add(cast<ConstantInt>(mark->getArgOperand(0))->getZExtValue(), mark->getArgOperand(1));
      mark->eraseFromParent();
    }
    for (CallInst *access : accesses) {
      addAccess(*access);
      access->eraseFromParent();
    }
    for (ReturnInst *end : returns) {
      b_.SetInsertPoint(end);
      if (countsItems)
        add(items, b_.getInt64(1));
      flush();
    }
    SmallVector<AllocaInst *, counterCount> variables;
    for (AllocaInst *variable : sums_)
      if (variable)
        variables.push_back(variable);
    DominatorTree tree(function_);
    PromoteMemToReg(variables, tree);
  }

private:
  AllocaInst *sum(uint64_t counter) {
    AllocaInst *&variable = sums_[counter];
    if (!variable) {
      IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
      variable = entry.CreateAlloca(entry.getInt64Ty(), nullptr, kColumns[counter]);
      entry.CreateStore(entry.getInt64(0), variable);
    }
    return variable;
  }

  void add(uint64_t counter, Value *amount) {
    AllocaInst *variable = sum(counter);
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), variable), amount), variable);
  }

  // Only now, with everything inlined, is it known which pointers are to variables of the work-item; shared memory is
  // the one range that can be told from all other memory.
  void addAccess(CallInst &access) {
    Value *address = access.getArgOperand(0), *bytes = access.getArgOperand(1);
    const uint64_t global = cast<ConstantInt>(access.getArgOperand(2))->getZExtValue();
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(address, objects);
    if (all_of(objects, [](const Value *object) { return isa<AllocaInst>(object); }))
      return;
    b_.SetInsertPoint(&access);
    Value *worker = loadField(b_, b_.getPtrTy(), function_.getArg(0), offsetof(WorkItem, worker), true);
    Value *local = loadField(b_, b_.getPtrTy(), worker, offsetof(WorkerState, local), true);
    Value *distance =
        b_.CreateSub(b_.CreatePtrToInt(address, b_.getInt64Ty()), b_.CreatePtrToInt(local, b_.getInt64Ty()));
    Value *isLocal = b_.CreateICmpULT(distance, b_.getInt64(kMaxLocalBytes)), *none = b_.getInt64(0);
    add(global == globalLoaded ? localLoaded : localStored, b_.CreateSelect(isLocal, bytes, none));
    add(global, b_.CreateSelect(isLocal, none, bytes));
  }

  void flush() {
    Value *counters = nullptr;
    for (uint64_t counter = 0; counter < counterCount; ++counter) {
      if (!sums_[counter])
        continue;
      if (!counters) {
        Value *launch = loadField(b_, b_.getPtrTy(), function_.getArg(0), offsetof(WorkItem, launch), true);
        counters = loadField(b_, b_.getPtrTy(), launch, offsetof(LaunchState, counters), true);
      }
      Value *to = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), counters, counter * sizeof(uint64_t));
      b_.CreateAtomicRMW(AtomicRMWInst::Add, to, b_.CreateLoad(b_.getInt64Ty(), sums_[counter]), Align(8),
                         AtomicOrdering::Monotonic);
    }
  }

  Function &function_;
  IRBuilder<> b_;
  std::array<AllocaInst *, counterCount> sums_{};
};

} // namespace

void countOperations(Module &module, Function *kernel) {
  for (Function &function : module)
    if (!function.isDeclaration() && function.arg_size() > 0 && function.getArg(0)->getType()->isPointerTy())
      if (&function == kernel || any_of(instructions(function), [](const Instruction &instruction) {
            return calls(instruction, kCountMark) || calls(instruction, kAccessMark);
          }))
        CounterBuilder(function).run(&function == kernel);
}

} // namespace hiplz::cpu
