// SPDX-License-Identifier: MIT
// See lanes_in_step.h. Addresses are not compared, as another lane's address is another number: every read that control comes to after
// a write counts.
#include "cpu/vectorizer/lanes_in_step.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Dynamic shared memory is a parameter. Its address space is no longer in its type, but SPIR-V's translator has also noted it beside the
// function, for all parameters but the hidden first one.
bool isLocalParameter(const Value *value) {
  auto *parameter = dyn_cast<Argument>(value);
  const MDNode *spaces = parameter ? parameter->getParent()->getMetadata("kernel_arg_addr_space") : nullptr;
  if (!spaces || parameter->getArgNo() == 0 || parameter->getArgNo() > spaces->getNumOperands())
    return false;
  constexpr uint64_t kLocal = 3;
  auto *space = mdconst::dyn_extract<ConstantInt>(spaces->getOperand(parameter->getArgNo() - 1));
  return space && space->equalsInt(kLocal);
}

} // namespace

bool isLocalMemory(const Value *pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, 0);
  return any_of(objects, [](const Value *object) {
    auto *load = dyn_cast<LoadInst>(object);
    return (load && readsLocalMemory(*load)) || isLocalParameter(object);
  });
}

bool exchangesWithoutBarrier(Function &body) {
  SmallPtrSet<const Instruction *, 16> reads;
  SmallVector<StoreInst *, 16> writes;
  for (Instruction &instruction : instructions(body))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && isLocalMemory(load->getPointerOperand()))
      reads.insert(load);
    else if (auto *store = dyn_cast<StoreInst>(&instruction); store && isLocalMemory(store->getPointerOperand()))
      writes.push_back(store);
  if (reads.empty())
    return false;
  for (StoreInst *store : writes) {
    SmallVector<BasicBlock::iterator, 16> work{std::next(store->getIterator())};
    SmallPtrSet<BasicBlock *, 32> seen;
    while (!work.empty()) {
      BasicBlock::iterator at = work.pop_back_val();
      BasicBlock *block = at->getParent();
      bool met = false;
      for (; at != block->end() && !met; ++at) {
        if (reads.contains(&*at) && getLoadStorePointerOperand(&*at) != store->getPointerOperand())
          return true;
        auto *call = dyn_cast<CallBase>(&*at);
        met = call && isBarrier(*call);
      }
      if (!met)
        for (BasicBlock *next : successors(block))
          if (seen.insert(next).second)
            work.push_back(next->begin());
    }
  }
  return false;
}

} // namespace hiplz::cpu
