// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/work_item_fields.h"
#include "cpu/abi/compiled_code.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

const Value *baseOf(const Value *pointer, const DataLayout &layout, int64_t &offset) {
  APInt total(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, total, true);
  offset = total.getSExtValue();
  return base;
}

// True if the load reads so many bytes behind where a field of the WorkItem points to.
bool readsBehind(const LoadInst &load, ItemField field, int64_t wanted) {
  int64_t offset = 0;
  auto *pointer = dyn_cast<LoadInst>(baseOf(load.getPointerOperand(), load.getModule()->getDataLayout(), offset));
  auto read = pointer && offset == wanted ? itemReadBy(*pointer) : std::nullopt;
  return read && read->field == field;
}

} // namespace

bool isItemAddress(const Value *pointer, const Function &function) {
  if (!pointer->getType()->isPointerTy())
    return false;
  int64_t offset = 0;
  return baseOf(pointer, function.getParent()->getDataLayout(), offset) == function.getArg(0);
}

std::optional<ItemRead> itemReadBy(const LoadInst &load) {
  const Function &function = *load.getFunction();
  int64_t offset = 0;
  if (baseOf(load.getPointerOperand(), function.getParent()->getDataLayout(), offset) != function.getArg(0))
    return std::nullopt;
  if (load.getType()->isPointerTy()) {
    if (offset == offsetof(WorkItem, launch))
      return ItemRead{ItemField::launch, 0};
    if (offset == offsetof(WorkItem, worker))
      return ItemRead{ItemField::worker, 0};
    return std::nullopt;
  }
  if (!load.getType()->isIntegerTy(32))
    return std::nullopt;
  for (unsigned d = 0; d < 3; ++d) {
    if (offset == static_cast<int64_t>(offsetof(WorkItem, groupId)) + 4 * d)
      return ItemRead{ItemField::groupId, d};
    if (offset == static_cast<int64_t>(offsetof(WorkItem, localId)) + 4 * d)
      return ItemRead{ItemField::localId, d};
  }
  if (offset == offsetof(WorkItem, linearId))
    return ItemRead{ItemField::linearId, 0};
  if (offset == offsetof(WorkItem, globalX))
    return ItemRead{ItemField::globalX, 0};
  return std::nullopt;
}

std::optional<ItemRead> itemReadBy(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  return load ? itemReadBy(*load) : std::nullopt;
}

bool readsLocalMemory(const LoadInst &load) {
  return load.getType()->isPointerTy() && readsBehind(load, ItemField::worker, offsetof(WorkerState, local));
}

bool isWorkGroupLocal(const Value *pointer) {
  auto *base = dyn_cast<LoadInst>(getUnderlyingObject(pointer, 0));
  return base && readsLocalMemory(*base);
}

std::optional<unsigned> groupSizeReadBy(const LoadInst &load) {
  if (load.getType()->isIntegerTy(32))
    for (unsigned d = 0; d < 3; ++d)
      if (readsBehind(load, ItemField::launch, offsetof(LaunchState, groupSize) + 4 * d))
        return d;
  return std::nullopt;
}

} // namespace hiplz::cpu
