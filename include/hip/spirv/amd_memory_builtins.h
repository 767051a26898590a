// SPDX-License-Identifier: MIT
// AMD's built-in functions for the order of memory accesses, and its atomics. Pointers to __shared__ and to global memory
// may have their address spaces as attributes or not.
#pragma once

#include "hip/spirv/atomics.h"
#include "hip/spirv/hip_atomics.h"
#include "hip/spirv/warp.h"

namespace __hiplz {

__HIPLZ_BOTH constexpr bool sameText(const char *x, const char *y) {
  return *x == *y && (*x == 0 || sameText(x + 1, y + 1));
}
/// SPIR-V's number of a scope that LLVM has by name; -1 if there is none.
__HIPLZ_BOTH constexpr int amdScope(const char *name, const char * = nullptr, const char * = nullptr) {
  return sameText(name, "") || sameText(name, "one-as")                            ? 0
         : sameText(name, "agent") || sameText(name, "agent-one-as")               ? 1
         : sameText(name, "workgroup") || sameText(name, "workgroup-one-as")       ? 2
         : sameText(name, "wavefront") || sameText(name, "wavefront-one-as")       ? 3
         : sameText(name, "singlethread") || sameText(name, "singlethread-one-as") ? 4
                                                                                   : -1;
}
/// The memory that a fence orders: both kinds, unless "local" or "global" alone is named after the scope.
__HIPLZ_BOTH constexpr int amdFenceMemory(const char *, const char *first = nullptr, const char *second = nullptr) {
  return !first || second ? 0x300 : sameText(first, "local") ? 0x100 : sameText(first, "global") ? 0x200 : 0x300;
}

template <int order, int scope, int memory> __HIPLZ_DEVICE void amdFence() {
  static_assert(scope >= 0,
                "the scope of a fence is \"\", \"agent\", \"workgroup\", \"wavefront\" or \"singlethread\", "
                "with or without \"-one-as\"");
  static_assert(order >= 2 && order <= 5, "the order of a fence is acquire, release, both or sequentially consistent");
  __spirv_MemoryBarrier(scope, (2 << (order - 2)) | memory);
}

template <int number> struct AmdConstant {
  enum { value = number };
};

} // namespace __hiplz

/// Orders the memory accesses of the thread. Order and scope are constants.
#define __builtin_amdgcn_fence(order, ...)                                                                             \
  __hiplz::amdFence<(order), __hiplz::amdScope(__VA_ARGS__), __hiplz::amdFenceMemory(__VA_ARGS__)>()

// Writes caches back and drops them, so that others see what was written and it sees theirs.
#define __HIPLZ_AMD_CACHE(name)                                                                                        \
  __HIPLZ_DEVICE void __builtin_amdgcn_##name() { __threadfence_system(); }
__HIPLZ_AMD_CACHE(s_dcache_inv)
__HIPLZ_AMD_CACHE(s_dcache_inv_vol)
__HIPLZ_AMD_CACHE(s_dcache_wb)
__HIPLZ_AMD_CACHE(buffer_wbinvl1)
__HIPLZ_AMD_CACHE(buffer_wbinvl1_vol)
#undef __HIPLZ_AMD_CACHE

/// True if a pointer is one to __shared__ memory.
__HIPLZ_SPIRV_PURE __attribute__((address_space(3))) void *__spirv_GenericCastToPtrExplicit_ToLocal(const void *, int);
__HIPLZ_DEVICE bool __builtin_amdgcn_is_shared(const void *pointer) {
  return (size_t)__spirv_GenericCastToPtrExplicit_ToLocal(pointer, 4) != 0;
}

/// True if a pointer is one to a variable of a thread.
__HIPLZ_SPIRV_PURE __attribute__((opencl_private)) void *__spirv_GenericCastToPtrExplicit_ToPrivate(const void *, int);
__HIPLZ_DEVICE bool __builtin_amdgcn_is_private(const void *pointer) {
  return (size_t)__spirv_GenericCastToPtrExplicit_ToPrivate(pointer, 7) != 0;
}

namespace __hiplz {

/// Counts up to a limit and starts again at 0, or down and starts again at the limit; returns the value before.
template <class T> __HIPLZ_DEVICE T amdAtomicWrap(volatile T *address, T limit, bool up, int order, int scope) {
#ifdef __HIP_DEVICE_COMPILE__
  return hipAtomicUpdate(
      address, order, 5 - scope, [=](T old) __attribute__((always_inline)) {
        return up ? (old >= limit ? (T)0 : (T)(old + 1)) : (old == 0 || old > limit ? limit : (T)(old - 1));
      });
#else
  return (void)address, (void)up, (void)order, (void)scope, limit;
#endif
}

typedef _Float16 AmdHalf2 __attribute__((ext_vector_type(2)));
typedef short AmdShort2 __attribute__((ext_vector_type(2)));

__HIPLZ_DEVICE AmdHalf2 amdAdd(AmdHalf2 x, AmdHalf2 y) { return x + y; }
__HIPLZ_DEVICE short amdAddBfloat(short x, short y) {
  const float sum = __builtin_bit_cast(float, (unsigned)(unsigned short)x << 16) +
                    __builtin_bit_cast(float, (unsigned)(unsigned short)y << 16);
  const unsigned bits = __builtin_bit_cast(unsigned, sum);
  return (short)(sum != sum ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
__HIPLZ_DEVICE AmdShort2 amdAdd(AmdShort2 x, AmdShort2 y) {
  return AmdShort2{amdAddBfloat(x.x, y.x), amdAddBfloat(x.y, y.y)};
}
template <class Pair> __HIPLZ_DEVICE Pair amdAtomicAddPair(unsigned *address, Pair value) {
  for (unsigned seen = *address;;) {
    const Pair sum = amdAdd(__builtin_bit_cast(Pair, seen), value);
    const unsigned found = atomicCAS(address, seen, __builtin_bit_cast(unsigned, sum));
    if (found == seen)
      return __builtin_bit_cast(Pair, found);
    seen = found;
  }
}

} // namespace __hiplz

#define __HIPLZ_AMD_WRAP(name, T, up)                                                                                  \
  template <class Pointer> __HIPLZ_DEVICE T __hiplz_amd_##name(Pointer address, T limit, int order, int scope) {       \
    return __hiplz::amdAtomicWrap<T>((volatile T *)address, limit, up, order, scope);                                  \
  }
__HIPLZ_AMD_WRAP(inc32, unsigned, true)
__HIPLZ_AMD_WRAP(inc64, unsigned long, true)
__HIPLZ_AMD_WRAP(dec32, unsigned, false)
__HIPLZ_AMD_WRAP(dec64, unsigned long, false)
#undef __HIPLZ_AMD_WRAP
#define __HIPLZ_AMD_SCOPE(name) (int)__hiplz::AmdConstant<__hiplz::amdScope(name)>::value
#define __builtin_amdgcn_atomic_inc32(address, limit, order, scope, ...)                                               \
  __hiplz_amd_inc32(address, limit, order, __HIPLZ_AMD_SCOPE(scope))
#define __builtin_amdgcn_atomic_inc64(address, limit, order, scope, ...)                                               \
  __hiplz_amd_inc64(address, limit, order, __HIPLZ_AMD_SCOPE(scope))
#define __builtin_amdgcn_atomic_dec32(address, limit, order, scope, ...)                                               \
  __hiplz_amd_dec32(address, limit, order, __HIPLZ_AMD_SCOPE(scope))
#define __builtin_amdgcn_atomic_dec64(address, limit, order, scope, ...)                                               \
  __hiplz_amd_dec64(address, limit, order, __HIPLZ_AMD_SCOPE(scope))

// Additions, minima and maxima without an order, which return the value before.
#define __HIPLZ_AMD_ATOMIC(name, T, function)                                                                          \
  template <class Pointer> __HIPLZ_DEVICE T __builtin_amdgcn_##name(Pointer address, T value) {                        \
    return function((T *)address, value);                                                                              \
  }
#define __HIPLZ_AMD_ATOMICS(where)                                                                                     \
  __HIPLZ_AMD_ATOMIC(where##_atomic_fadd_f32, float, atomicAdd)                                                        \
  __HIPLZ_AMD_ATOMIC(where##_atomic_fadd_f64, double, atomicAdd)                                                       \
  __HIPLZ_AMD_ATOMIC(where##_atomic_fmin_f64, double, __hiplz::atomicLeast)                                            \
  __HIPLZ_AMD_ATOMIC(where##_atomic_fmax_f64, double, __hiplz::atomicMost)                                             \
  template <class Pointer>                                                                                             \
  __HIPLZ_DEVICE __hiplz::AmdHalf2 __builtin_amdgcn_##where##_atomic_fadd_v2f16(Pointer address,                       \
                                                                                __hiplz::AmdHalf2 value) {             \
    return __hiplz::amdAtomicAddPair((unsigned *)address, value);                                                      \
  }                                                                                                                    \
  template <class Pointer>                                                                                             \
  __HIPLZ_DEVICE __hiplz::AmdShort2 __builtin_amdgcn_##where##_atomic_fadd_v2bf16(Pointer address,                     \
                                                                                  __hiplz::AmdShort2 value) {          \
    return __hiplz::amdAtomicAddPair((unsigned *)address, value);                                                      \
  }
__HIPLZ_AMD_ATOMICS(global)
__HIPLZ_AMD_ATOMICS(flat)
__HIPLZ_AMD_ATOMICS(ds)
#undef __HIPLZ_AMD_ATOMICS
#undef __HIPLZ_AMD_ATOMIC

// Those of the LDS that take an order, a scope and "volatile", which have no effect on one word.
#define __HIPLZ_AMD_LDS(name, function)                                                                                \
  template <class Pointer>                                                                                             \
  __HIPLZ_DEVICE float __builtin_amdgcn_##name(Pointer address, float value, int, int, bool) {                         \
    return function((float *)address, value);                                                                          \
  }
__HIPLZ_AMD_LDS(ds_faddf, atomicAdd)
__HIPLZ_AMD_LDS(ds_fminf, __hiplz::atomicLeast)
__HIPLZ_AMD_LDS(ds_fmaxf, __hiplz::atomicMost)
#undef __HIPLZ_AMD_LDS

namespace __hiplz {
/// Adds for each active lane; all get the value before.
__HIPLZ_DEVICE int amdAddLanes(int *address, int each) {
  const unsigned active = (unsigned)__activemask(), first = (unsigned)__builtin_ctz(active);
  int before = 0;
  if (__lane_id() == first)
    before = atomicAdd(address, each * __builtin_popcount(active));
  return shuffleFrom(before, first);
}
} // namespace __hiplz
template <class Pointer> __HIPLZ_DEVICE int __builtin_amdgcn_ds_append(Pointer address) {
  return __hiplz::amdAddLanes((int *)address, 1);
}
template <class Pointer> __HIPLZ_DEVICE int __builtin_amdgcn_ds_consume(Pointer address) {
  return __hiplz::amdAddLanes((int *)address, -1);
}
