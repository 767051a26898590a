// SPDX-License-Identifier: MIT
// Barriers of a block and of a warp, and memory fences. All of them order __shared__ and global memory alike.
#pragma once

#include "hip/spirv/builtins.h"

/// Waits for all threads of the block that have not returned; what they wrote before is visible after.
__HIPLZ_DEVICE void __syncthreads() {
  __spirv_ControlBarrier(__hiplz_scope_block, __hiplz_scope_block, __hiplz_acquire_release);
}

/// Like __syncthreads; returns the number of threads of the block whose predicate is not zero.
__HIPLZ_DEVICE int __syncthreads_count(int predicate) {
  __syncthreads();
  return __spirv_GroupIAdd(__hiplz_scope_block, __hiplz_reduce, predicate != 0);
}

/// Like __syncthreads; not zero if the predicate of every thread of the block is not zero.
__HIPLZ_DEVICE int __syncthreads_and(int predicate) {
  __syncthreads();
  return __spirv_GroupAll(__hiplz_scope_block, predicate != 0);
}

/// Like __syncthreads; not zero if the predicate of at least one thread of the block is not zero.
__HIPLZ_DEVICE int __syncthreads_or(int predicate) {
  __syncthreads();
  return __spirv_GroupAny(__hiplz_scope_block, predicate != 0);
}

/// Waits for the threads of the warp and orders their memory accesses. All threads named in `mask` must call it.
__HIPLZ_DEVICE void __syncwarp(unsigned long long mask = ~0ull) {
  (void)mask;
  __spirv_ControlBarrier(__hiplz_scope_warp, __hiplz_scope_warp, __hiplz_acquire_release);
}

/// Orders the memory accesses of the calling thread as seen by its block, its device, or everyone.
__HIPLZ_DEVICE void __threadfence_block() { __spirv_MemoryBarrier(__hiplz_scope_block, __hiplz_sequential); }
__HIPLZ_DEVICE void __threadfence() { __spirv_MemoryBarrier(__hiplz_scope_device, __hiplz_sequential); }
__HIPLZ_DEVICE void __threadfence_system() { __spirv_MemoryBarrier(__hiplz_scope_system, __hiplz_sequential); }
