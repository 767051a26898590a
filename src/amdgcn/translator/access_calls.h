// SPDX-License-Identifier: MIT
// The calls that loads and stores of a wave are at first (memory_access.h), for the stages that work on them later. Their arguments are
// the lanes' addresses, the bits of the lanes that take part, and for stores the elements.
#pragma once
#include "base/llvm_compat.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::amdgcn {

/// How the names of the functions begin; the bits of an element follow.
inline constexpr const char *kLoadOfLanes = "amdgcn.load.", *kStoreOfLanes = "amdgcn.store.";
constexpr unsigned kAccessAddresses = 0, kAccessBits = 1, kAccessElements = 2; ///< their arguments

inline bool callsFunctionOf(const llvm::CallInst &call, const char *names) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && startsWith(callee->getName(), names);
}
inline bool isLoadOfLanes(const llvm::CallInst &call) { return callsFunctionOf(call, kLoadOfLanes); }
inline bool isStoreOfLanes(const llvm::CallInst &call) { return callsFunctionOf(call, kStoreOfLanes); }

} // namespace hiplz::amdgcn
