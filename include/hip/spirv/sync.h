// SPDX-License-Identifier: MIT
// Barriers of a block and of a warp, and memory fences. All of them order __shared__ and global memory alike.
#pragma once

#include "hip/spirv/atomics.h"
#include "hip/spirv/builtins.h"

/// Waits for all threads of the block that have not returned; what they wrote before is visible after.
__HIPLZ_DEVICE void __syncthreads() {
  __spirv_ControlBarrier(__hiplz_scope_block, __hiplz_scope_block, __hiplz_acquire_release);
}

/// Like __syncthreads; returns the number of threads of the block whose predicate is not zero. Written out rather than left to SPIR-V's
/// operations of work-groups, for which the CPU device's compiler has no vector form: it then runs the lanes of a warp one by one, and
/// kernels that come here from a reduction in step (rocPRIM's, Kokkos') need them in step.
__HIPLZ_DEVICE int __syncthreads_count(int predicate) {
  __shared__ int count;
  count = 0; // by each thread: any of them may have returned
  __syncthreads();
  if (predicate != 0)
    atomicAdd(&count, 1);
  __syncthreads();
  const int result = count;
  __syncthreads(); // the next call clears it
  return result;
}

/// Like __syncthreads; not zero if the predicate of every thread of the block is not zero.
__HIPLZ_DEVICE int __syncthreads_and(int predicate) { return __syncthreads_count(predicate == 0) == 0; }

/// Like __syncthreads; not zero if the predicate of at least one thread of the block is not zero.
__HIPLZ_DEVICE int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }

/// Tells hiplz-check which threads have to come to what follows; `meeting` is a __hiplz_meeting. An empty function in SPIR-V: drivers'
/// compilers inline it, and so nothing is left of it. Clang must not, so that it stands in SPIR-V.
__attribute__((device, noinline, optnone, nomerge)) inline void __hiplz_expect(unsigned long long, int) {}

/// Waits for the threads of the warp and orders their memory accesses. All threads named in `mask` must call it.
__HIPLZ_DEVICE void __syncwarp(unsigned long long mask = ~0ull) {
  __hiplz_expect(mask, __hiplz_meeting_sync);
  __spirv_ControlBarrier(__hiplz_scope_warp, __hiplz_scope_warp, __hiplz_acquire_release);
}

/// Orders the memory accesses of the calling thread as seen by its block, its device, or everyone.
__HIPLZ_DEVICE void __threadfence_block() { __spirv_MemoryBarrier(__hiplz_scope_block, __hiplz_sequential); }
__HIPLZ_DEVICE void __threadfence() { __spirv_MemoryBarrier(__hiplz_scope_device, __hiplz_sequential); }
__HIPLZ_DEVICE void __threadfence_system() { __spirv_MemoryBarrier(__hiplz_scope_system, __hiplz_sequential); }
