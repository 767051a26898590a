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
#include <llvm/Support/MathExtras.h>
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
    SmallVector<CallInst *, 32> marks, accesses, lines;
    SmallVector<ReturnInst *, 4> returns;
    for (Instruction &instruction : instructions(function_))
      if (calls(instruction, kCountMark))
        marks.push_back(cast<CallInst>(&instruction));
      else if (calls(instruction, kAccessMark))
        accesses.push_back(cast<CallInst>(&instruction));
      else if (calls(instruction, kLineMark))
        lines.push_back(cast<CallInst>(&instruction));
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
    for (CallInst *access : lines) {
      b_.SetInsertPoint(access);
      touch(access->getArgOperand(0), access->getArgOperand(1), isStore(*access), nullptr);
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
    touch(b_.CreatePtrToInt(address, b_.getInt64Ty()), bytes, isStore(access), isLocal);
  }

  static bool isStore(const CallInst &mark) {
    return cast<ConstantInt>(mark.getArgOperand(2))->getZExtValue() == globalStored;
  }

  // Notes the lines of an access, unless `ignored`. Everybody writes the same into a slot, so nobody needs an atomic operation. Of a
  // copy whose length only the program knows the first line and the last one are noted.
  void touch(Value *address, Value *bytes, bool stores, Value *ignored) {
    constexpr uint64_t kLongest = 64 * kLineBytes;
    auto *constant = dyn_cast<ConstantInt>(bytes);
    const uint64_t length = constant ? constant->getZExtValue() : 0;
    touchLine(address, stores, ignored);
    if (isPowerOf2_64(length) && length <= kLineBytes) // as it is aligned, it is in one line
      return;
    for (uint64_t offset = kLineBytes; offset < length && length <= kLongest; offset += kLineBytes)
      touchLine(b_.CreateAdd(address, b_.getInt64(offset)), stores, ignored);
    Value *none = b_.CreateICmpEQ(bytes, b_.getInt64(0));
    Value *last = b_.CreateAdd(address, b_.CreateSub(bytes, b_.getInt64(1)));
    touchLine(last, stores, ignored ? b_.CreateOr(ignored, none) : none);
  }

  void touchLine(Value *address, bool stores, Value *ignored) {
    if (!lines_) {
      IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
      Value *launch = loadField(entry, entry.getPtrTy(), function_.getArg(0), offsetof(WorkItem, launch), true);
      lines_ = loadField(entry, entry.getPtrTy(), launch, offsetof(LaunchState, lines), true);
      mask_ = loadField(entry, entry.getInt64Ty(), launch, offsetof(LaunchState, lineMask), true);
    }
    Value *line = b_.CreateAnd(b_.CreateLShr(address, Log2_32(kLineBytes)), mask_);
    Value *slot = b_.CreateAdd(b_.CreateShl(line, 1), b_.getInt64(lineSlot(0, 0, stores))); // lineSlot()
    if (ignored)
      slot = b_.CreateSelect(ignored, b_.getInt64(0), slot);
    b_.CreateStore(b_.getInt8(1), b_.CreateGEP(b_.getInt8Ty(), lines_, slot));
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
  Value *lines_ = nullptr, *mask_ = nullptr;
};

} // namespace

void countOperations(Module &module, Function *kernel) {
  for (Function &function : module)
    if (!function.isDeclaration() && function.arg_size() > 0 && function.getArg(0)->getType()->isPointerTy())
      if (&function == kernel || any_of(instructions(function), [](const Instruction &instruction) {
            return calls(instruction, kCountMark) || calls(instruction, kAccessMark) || calls(instruction, kLineMark);
          }))
        CounterBuilder(function).run(&function == kernel);
}

} // namespace hiplz::cpu
