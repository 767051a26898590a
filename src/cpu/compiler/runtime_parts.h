// SPDX-License-Identifier: MIT
// Functions in a module that are no part of the program: checks leave them alone, or follow what they do.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

// include/hip/spirv/malloc.h: what allocates and frees memory of the device's heap, and what that is made of.
inline bool isNamed(const llvm::Function &function, llvm::StringRef part) { return function.getName().contains(part); }
inline bool allocates(const llvm::Function &function) { return isNamed(function, "7__hiplz12heapAllocateEm"); }
inline bool releases(const llvm::Function &function) { return isNamed(function, "7__hiplz11heapReleaseEPv"); }
/// Made by the passes of the link: printf, assert.
inline bool isOfRuntime(const llvm::Function &function) { return isNamed(function, "hiplz."); }
inline bool isOfHeap(const llvm::Function &function) {
  return allocates(function) || releases(function) || isNamed(function, "7__hiplz4Heap");
}

} // namespace hiplz::cpu
