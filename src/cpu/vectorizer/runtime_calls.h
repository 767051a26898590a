// SPDX-License-Identifier: MIT
// The calls of the runtime in a body, recognised by name, and how wide one lane of a private variable is.
#pragma once
#include "cpu/abi/collective.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Parameters of hiplz_cpu_collective (exec/fiber_group.h).
constexpr unsigned kCollectiveCode = 2, kCollectiveValue = 3, kCollectiveOperand = 4;

inline bool callsRuntime(const llvm::CallBase &call, llvm::StringRef name) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && callee->getName() == name;
}
inline bool isBarrier(const llvm::CallBase &call) { return callsRuntime(call, "hiplz_cpu_barrier"); }
inline bool isYield(const llvm::CallBase &call) { return callsRuntime(call, "hiplz_cpu_yield"); }
inline bool isCollective(const llvm::CallBase &call) { return callsRuntime(call, "hiplz_cpu_collective"); }
inline uint32_t collectiveCodeOf(const llvm::CallBase &call) {
  return static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(kCollectiveCode))->getZExtValue());
}

/// Bytes from one lane's copy of a private variable to the next one's. Interleaved variables, whose elements of all lanes
/// lie side by side, carry the bytes of an element as metadata (private_memory.h).
uint64_t laneBytes(const llvm::AllocaInst &variable);
bool isInterleaved(const llvm::AllocaInst &variable);

} // namespace hiplz::cpu
