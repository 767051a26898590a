// SPDX-License-Identifier: MIT
// The atomic functions with an order and a scope that CUDA 12.8 has, __nv_atomic_load and the others. They are those of
// hip/spirv/hip_atomics.h under other names.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime.h>

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST

// There are no clusters of blocks, so their scope is the device.
#define __NV_THREAD_SCOPE_THREAD __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __NV_THREAD_SCOPE_BLOCK __HIP_MEMORY_SCOPE_WORKGROUP
#define __NV_THREAD_SCOPE_CLUSTER __HIP_MEMORY_SCOPE_AGENT
#define __NV_THREAD_SCOPE_DEVICE __HIP_MEMORY_SCOPE_AGENT
#define __NV_THREAD_SCOPE_SYSTEM __HIP_MEMORY_SCOPE_SYSTEM

// Host code does not call these functions; there they only have to compile.
#ifdef __HIP_DEVICE_COMPILE__
#define HIPLZ_CUDA_ON_DEVICE(...) return __VA_ARGS__
#else
#define HIPLZ_CUDA_ON_DEVICE(...) __builtin_unreachable()
#endif

// A parameter of this type takes its type from another one.
template <class T> struct hiplzCudaSameType {
  typedef T type;
};
template <class T> using hiplzCudaSame = typename hiplzCudaSameType<T>::type;

__HIPLZ_DEVICE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED || scope == __NV_THREAD_SCOPE_THREAD)
    return;
  if (scope == __NV_THREAD_SCOPE_BLOCK)
    __threadfence_block();
  else if (scope == __NV_THREAD_SCOPE_DEVICE)
    __threadfence();
  else
    __threadfence_system();
}

template <class T>
__HIPLZ_DEVICE T __nv_atomic_load_n(const volatile T *address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  HIPLZ_CUDA_ON_DEVICE(__hiplz::hipAtomicLoad(0, address, order, scope));
}
template <class T>
__HIPLZ_DEVICE void __nv_atomic_load(const volatile T *address, T *result, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_load_n(address, order, scope);
}
template <class T>
__HIPLZ_DEVICE void __nv_atomic_store_n(volatile T *address, hiplzCudaSame<T> value, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  HIPLZ_CUDA_ON_DEVICE(__hiplz::hipAtomicStore(0, address, value, order, scope));
}
template <class T>
__HIPLZ_DEVICE void __nv_atomic_store(volatile T *address, T *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(address, *value, order, scope);
}
template <class T>
__HIPLZ_DEVICE T __nv_atomic_exchange_n(volatile T *address, hiplzCudaSame<T> value, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  HIPLZ_CUDA_ON_DEVICE(__hiplz::hipAtomicExchange(0, address, value, order, scope));
}
template <class T>
__HIPLZ_DEVICE void __nv_atomic_exchange(volatile T *address, T *value, T *result, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_exchange_n(address, *value, order, scope);
}
template <class T>
__HIPLZ_DEVICE bool __nv_atomic_compare_exchange_n(volatile T *address, T *expected, hiplzCudaSame<T> value, bool,
                                                   int order, int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  HIPLZ_CUDA_ON_DEVICE(__hiplz::hipAtomicCompareExchange(0, address, expected, value, order, failure, scope));
}
template <class T>
__HIPLZ_DEVICE bool __nv_atomic_compare_exchange(volatile T *address, T *expected, T *value, bool weak, int order,
                                                 int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(address, expected, *value, weak, order, failure, scope);
}
#define HIPLZ_CUDA_FETCH(name, Name)                                                                                   \
  template <class T>                                                                                                   \
  __HIPLZ_DEVICE T __nv_atomic_fetch_##name(volatile T *address, hiplzCudaSame<T> value, int order,                    \
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {                                    \
    HIPLZ_CUDA_ON_DEVICE(__hiplz::hipAtomicFetch##Name(0, address, value, order, scope));                              \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __HIPLZ_DEVICE void __nv_atomic_##name(volatile T *address, hiplzCudaSame<T> value, int order,                       \
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {                                       \
    __nv_atomic_fetch_##name(address, value, order, scope);                                                            \
  }
HIPLZ_CUDA_FETCH(add, Add)
HIPLZ_CUDA_FETCH(sub, Sub)
HIPLZ_CUDA_FETCH(and, And)
HIPLZ_CUDA_FETCH(or, Or)
HIPLZ_CUDA_FETCH(xor, Xor)
HIPLZ_CUDA_FETCH(min, Min)
HIPLZ_CUDA_FETCH(max, Max)
#undef HIPLZ_CUDA_FETCH
#undef HIPLZ_CUDA_ON_DEVICE

#include <hip/spirv/user_macros_on.h>
