// SPDX-License-Identifier: MIT
// Reads of the WorkItem: which field a load asks for.
#pragma once
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace hiplz::cpu {

enum class ItemField { launch, worker, groupId, localId, linearId, globalX };

struct ItemRead {
  ItemField field;
  unsigned dimension; ///< of groupId and localId
};

/// The WorkItem of a body or the WarpState of a warp function: the first parameter.
inline llvm::Argument *itemOf(llvm::Function &function) { return function.getArg(0); }

/// True if `pointer` is the WorkItem or an address in it.
bool isItemAddress(const llvm::Value *pointer, const llvm::Function &function);

/// The field of the WorkItem that the load reads; nothing if it reads something else, or no whole field.
std::optional<ItemRead> itemReadBy(const llvm::LoadInst &load);
/// The same; nothing for values that are not loads.
std::optional<ItemRead> itemReadBy(const llvm::Value *value);

/// True if the field differs between the lanes of a warp of one work-group.
inline bool isLaneId(ItemField field) {
  return field == ItemField::localId || field == ItemField::linearId || field == ItemField::globalX;
}

/// True if the load reads WorkerState::local.
bool readsLocalMemory(const llvm::LoadInst &load);

/// True if `pointer` leads into the work-group's local memory. That belongs to the thread that runs the work-group, so its atomics need not
/// be atomic.
bool isWorkGroupLocal(const llvm::Value *pointer);

/// The dimension whose LaunchState::groupSize the load reads; nothing if it reads something else.
std::optional<unsigned> groupSizeReadBy(const llvm::LoadInst &load);

} // namespace hiplz::cpu
