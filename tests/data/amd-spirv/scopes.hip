// SPDX-License-Identifier: MIT
// Atomic operations with orders and scopes, and fences.
#include <hip/hip_runtime.h>

extern "C" __global__ void scopes(int *counts, unsigned long long *longs, float *reals) {
  __hip_atomic_fetch_add(&counts[0], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_add(&counts[1], 2, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_fetch_or(&counts[2], 1 << (threadIdx.x & 31), __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_max(&counts[3], (int)threadIdx.x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WAVEFRONT);
  atomicAdd_system(&longs[0], 3ull);
  atomicMin_system(&counts[4], -(int)threadIdx.x);
  atomicExch_system(&counts[5], 9);
  unsafeAtomicAdd(&reals[0], 0.5f);
  atomicAdd_system(&reals[1], 0.25f);
  int expected = 0;
  if (__hip_atomic_compare_exchange_strong(&counts[6], &expected, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED,
                                           __HIP_MEMORY_SCOPE_AGENT))
    __hip_atomic_store(&counts[7], 77, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}

// The first block tells the second one by a flag that its data is there.
extern "C" __global__ void message(int *data, int *flag, int *result) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 3;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
      __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    if (threadIdx.x == 0)
      while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0)
        ;
    __syncthreads();
    result[threadIdx.x] = data[threadIdx.x];
  }
}

// Operations on parts of words.
template <class T> __device__ void small(T *x) {
  __hip_atomic_fetch_add(&x[0], T(1), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_max(&x[1], T(threadIdx.x), __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_xor(&x[2], T(threadIdx.x), __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
  T old = __hip_atomic_load(&x[3], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
  while (!__hip_atomic_compare_exchange_strong(&x[3], &old, T(old + 3), __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __HIP_MEMORY_SCOPE_AGENT)) {
  }
  if (threadIdx.x == 0)
    __hip_atomic_store(&x[4], T(77), __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  if (threadIdx.x == 1)
    x[6] = __hip_atomic_exchange(&x[5], T(9), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
extern "C" __global__ void smallOperations(unsigned char *bytes, short *shorts) {
  small(bytes);
  small(shorts);
}
