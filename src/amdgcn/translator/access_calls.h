// SPDX-License-Identifier: MIT
// The calls in a wave that later stages know. Loads and stores (memory_access.h) have as arguments the lanes' addresses, the bits of the lanes
// that take part, and for stores the elements. Functions of lanes (lane_functions.h) compute each lane of the result from that lane of the arguments, exchanges of lanes
// from any lanes.
#pragma once
#include "base/llvm_compat.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::amdgcn {

/// How the names of the functions begin; the bits of an element follow.
inline constexpr const char *kLoadOfLanes = "amdgcn.load.", *kStoreOfLanes = "amdgcn.store.";
constexpr unsigned kAccessAddresses = 0, kAccessBits = 1, kAccessElements = 2; ///< their arguments

inline constexpr const char *kFunctionOfLanes = "amdgcn.each.", *kExchangeOfLanes = "amdgcn.exchange.";

/// Metadata of the load of the pointer to local memory, all of which lanes may read that do not take part.
inline constexpr const char *kLocalMemory = "hiplz.local_memory";

inline bool callsFunctionOf(const llvm::CallInst &call, const char *names) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && startsWith(callee->getName(), names);
}
inline bool isLoadOfLanes(const llvm::CallInst &call) { return callsFunctionOf(call, kLoadOfLanes); }
inline bool isStoreOfLanes(const llvm::CallInst &call) { return callsFunctionOf(call, kStoreOfLanes); }
inline bool isFunctionOfLanes(const llvm::CallInst &call) { return callsFunctionOf(call, kFunctionOfLanes); }

} // namespace hiplz::amdgcn
