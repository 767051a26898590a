// SPDX-License-Identifier: MIT
// The atomics of rocPRIM 3.4 (ROCm 6.4). Its own file of them, rocprim/intrinsics/atomic.hpp, has two functions for 128 bits that
// are nothing but assembly of AMD's GPUs and end with #error on every other target, although the library needs them only
// where its configuration header finds 128-bit atomics. Later versions leave the two out for unknown targets, earlier ones do
// not have them. So for 3.4 alone this header takes the place of that file, by its include guard, while the library's
// configuration header includes hip_runtime.h; the library itself stays as it is. The names are the library's.
#ifndef HIPLZ_SPIRV_ROCPRIM_ATOMICS_H
#define HIPLZ_SPIRV_ROCPRIM_ATOMICS_H

#if __has_include(<rocprim/rocprim_version.hpp>)
#include <rocprim/rocprim_version.hpp>
#endif

#if defined(ROCPRIM_VERSION_MAJOR) && ROCPRIM_VERSION_MAJOR == 3 && ROCPRIM_VERSION_MINOR == 4 &&                      \
    !defined(ROCPRIM_INTRINSICS_ATOMIC_HPP_)
#define ROCPRIM_INTRINSICS_ATOMIC_HPP_

// No 128-bit atomics, on both sides: the size of the library's look-back state depends on it. The misspelled name is the one
// that the library asks for.
#define ROCPRIM_TARGET_UKNOWN 1

BEGIN_ROCPRIM_NAMESPACE

namespace detail {

#define HIPLZ_ROCPRIM_UPDATE(name, function, T)                                                                        \
  __device__ inline T name(T *address, T value) { return ::function(address, value); }
HIPLZ_ROCPRIM_UPDATE(atomic_add, atomicAdd, int)
HIPLZ_ROCPRIM_UPDATE(atomic_add, atomicAdd, unsigned int)
HIPLZ_ROCPRIM_UPDATE(atomic_add, atomicAdd, unsigned long)
HIPLZ_ROCPRIM_UPDATE(atomic_add, atomicAdd, unsigned long long)
HIPLZ_ROCPRIM_UPDATE(atomic_add, atomicAdd, float)
HIPLZ_ROCPRIM_UPDATE(atomic_add, atomicAdd, double)
HIPLZ_ROCPRIM_UPDATE(atomic_wrapinc, atomicInc, unsigned int)
HIPLZ_ROCPRIM_UPDATE(atomic_exch, atomicExch, unsigned int)
HIPLZ_ROCPRIM_UPDATE(atomic_exch, atomicExch, unsigned long long)
HIPLZ_ROCPRIM_UPDATE(atomic_max, atomicMax, unsigned int)
HIPLZ_ROCPRIM_UPDATE(atomic_max, atomicMax, unsigned long)
HIPLZ_ROCPRIM_UPDATE(atomic_max, atomicMax, unsigned long long)
HIPLZ_ROCPRIM_UPDATE(atomic_min, atomicMin, unsigned int)
HIPLZ_ROCPRIM_UPDATE(atomic_min, atomicMin, unsigned long)
HIPLZ_ROCPRIM_UPDATE(atomic_min, atomicMin, unsigned long long)
#undef HIPLZ_ROCPRIM_UPDATE

// Relaxed, and seen by the whole device.
#define HIPLZ_ROCPRIM_ACCESS(T)                                                                                        \
  __device__ inline T atomic_load(const T *address) {                                                                  \
    return __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                     \
  }                                                                                                                    \
  __device__ inline void atomic_store(T *address, T value) {                                                           \
    __hip_atomic_store(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                    \
  }
HIPLZ_ROCPRIM_ACCESS(unsigned char)
HIPLZ_ROCPRIM_ACCESS(unsigned short)
HIPLZ_ROCPRIM_ACCESS(unsigned int)
HIPLZ_ROCPRIM_ACCESS(unsigned long)
HIPLZ_ROCPRIM_ACCESS(unsigned long long)
#undef HIPLZ_ROCPRIM_ACCESS

#define HIPLZ_ROCPRIM_CAS(T)                                                                                           \
  __device__ inline T atomic_cas(T *address, T compare, T value) { return ::atomicCAS(address, compare, value); }
HIPLZ_ROCPRIM_CAS(unsigned int)
HIPLZ_ROCPRIM_CAS(unsigned long)
HIPLZ_ROCPRIM_CAS(unsigned long long)
#undef HIPLZ_ROCPRIM_CAS

/// Everything written before the call is seen by the device before the atomic accesses that follow.
__device__ inline void atomic_fence_release_vmem_order_only() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent"); }

/// Everything that follows the call is read after the atomic accesses that precede it.
__device__ inline void atomic_fence_acquire_order_only() { __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent"); }

} // namespace detail

END_ROCPRIM_NAMESPACE

#endif

#endif
