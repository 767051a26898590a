// SPDX-License-Identifier: MIT
// Functions of CUDA's kernels beyond HIP's, and those with other rules there: masks of threads have 32 bits.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime.h>

#include "fused_comparisons.h"
#include "scoped_atomics.h"
#include "video.h"

#define __grid_constant__

/// The compute capability that the devices report: programs that ask for it in kernels and on the host get one answer.
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__CUDA_ARCH__)
#define __CUDA_ARCH__ 600
#endif

// Masks of threads
__HIPLZ_DEVICE unsigned __hiplz_cuda_activemask() { return (unsigned)__activemask(); }
__HIPLZ_DEVICE unsigned __hiplz_cuda_ballot(int predicate) { return (unsigned)__ballot(predicate); }
__HIPLZ_DEVICE unsigned __hiplz_cuda_ballot_sync(unsigned mask, int predicate) {
  return (unsigned)__ballot_sync(mask, predicate);
}
template <class T> __HIPLZ_DEVICE unsigned __hiplz_cuda_match_any_sync(unsigned mask, T value) {
  return (unsigned)__match_any_sync(mask, value);
}
template <class T> __HIPLZ_DEVICE unsigned __hiplz_cuda_match_all_sync(unsigned mask, T value, int *predicate) {
  return (unsigned)__match_all_sync(mask, value, predicate);
}
#define __activemask __hiplz_cuda_activemask
#define __ballot __hiplz_cuda_ballot
#define __ballot_sync __hiplz_cuda_ballot_sync
#define __match_any_sync __hiplz_cuda_match_any_sync
#define __match_all_sync __hiplz_cuda_match_all_sync

// Shuffles. CUDA leaves open what comes from a lane that is off; programs that do not use it in the end
// (reductions over fewer lanes than a warp has) count on 0, which is what AMD's GPUs give for a lane that is off.
#define HIPLZ_CUDA_SHUFFLE(name, Lane, lane, source)                                                                   \
  template <class T>                                                                                                   \
  __HIPLZ_DEVICE T __hiplz_cuda_##name##_sync(unsigned mask, T value, Lane lane, int width = warpSize) {               \
    const int self = (int)__lane_id(), first = self & ~(width - 1), from = source;                                     \
    const T moved = __##name##_sync(mask, value, lane, width);                                                         \
    return (mask | __activemask()) >> (from & 31) & 1 ? moved : T();                                                   \
  }
HIPLZ_CUDA_SHUFFLE(shfl, int, lane, first + (lane & (width - 1)))
HIPLZ_CUDA_SHUFFLE(shfl_up, unsigned, delta, self - first < (int)delta ? self : self - (int)delta)
HIPLZ_CUDA_SHUFFLE(shfl_down, unsigned, delta, self - first + (int)delta >= width ? self : self + (int)delta)
HIPLZ_CUDA_SHUFFLE(shfl_xor, int, lanes, (self ^ lanes) - first >= width ? self : self ^ lanes)
#undef HIPLZ_CUDA_SHUFFLE
#define __shfl_sync __hiplz_cuda_shfl_sync
#define __shfl_up_sync __hiplz_cuda_shfl_up_sync
#define __shfl_down_sync __hiplz_cuda_shfl_down_sync
#define __shfl_xor_sync __hiplz_cuda_shfl_xor_sync

namespace __hiplz {
/// The units by which values are read: words, or bytes where they are not aligned.
template <bool aligned> struct CudaWord {
  typedef unsigned type;
};
template <> struct CudaWord<false> {
  typedef unsigned char type;
};
} // namespace __hiplz

// Loads and stores with a hint for the caches, which are ordinary ones here.
template <class T> __HIPLZ_DEVICE T __ldca(const T *address) { return *address; }
template <class T> __HIPLZ_DEVICE T __ldcg(const T *address) { return *address; }
template <class T> __HIPLZ_DEVICE T __ldcs(const T *address) { return *address; }
template <class T> __HIPLZ_DEVICE T __ldlu(const T *address) { return *address; }
/// Reads what is in memory now, each time.
template <class T> __HIPLZ_DEVICE T __ldcv(const T *address) {
  typedef typename __hiplz::CudaWord<(alignof(T) >= 4)>::type Word;
  Word words[sizeof(T) / sizeof(Word)];
  for (unsigned i = 0; i < sizeof(T) / sizeof(Word); ++i)
    words[i] = ((const volatile Word *)address)[i];
  return __builtin_bit_cast(T, words);
}
template <class T> __HIPLZ_DEVICE void __stwb(T *address, T value) { *address = value; }
template <class T> __HIPLZ_DEVICE void __stcg(T *address, T value) { *address = value; }
template <class T> __HIPLZ_DEVICE void __stcs(T *address, T value) { *address = value; }
template <class T> __HIPLZ_DEVICE void __stwt(T *address, T value) { *address = value; }

/// Lets the other threads go on. CUDA leaves open how long it takes, from nothing to twice the nanoseconds.
__HIPLZ_DEVICE void __nanosleep(unsigned) { __builtin_amdgcn_s_sleep(1); }

// Kinds of memory. Constants are in global memory.
__HIPLZ_DEVICE unsigned __isShared(const void *pointer) { return __builtin_amdgcn_is_shared(pointer); }
__HIPLZ_DEVICE unsigned __isLocal(const void *pointer) { return __builtin_amdgcn_is_private(pointer); }
__HIPLZ_DEVICE unsigned __isGlobal(const void *pointer) { return !__isShared(pointer) && !__isLocal(pointer); }
__HIPLZ_DEVICE unsigned __isConstant(const void *) { return 0; }

/// The address in __shared__ memory whose lower half is known, as kernels keep it for inline PTX.
__HIPLZ_DEVICE void *__hiplz_cuda_shared_address(unsigned low) {
  __shared__ char beside;
  const unsigned long long address = (unsigned long long)&beside;
  return (void *)(address + (long long)(int)(low - (unsigned)address));
}
// Addresses of all kinds of memory are generic ones.
#define HIPLZ_CUDA_ADDRESS(space)                                                                                      \
  __HIPLZ_DEVICE size_t __cvta_generic_to_##space(const void *pointer) { return (size_t)pointer; }
HIPLZ_CUDA_ADDRESS(shared)
HIPLZ_CUDA_ADDRESS(global)
HIPLZ_CUDA_ADDRESS(local)
HIPLZ_CUDA_ADDRESS(constant)
#undef HIPLZ_CUDA_ADDRESS
__HIPLZ_DEVICE void *__cvta_global_to_generic(size_t address) { return (void *)address; }
__HIPLZ_DEVICE void *__cvta_local_to_generic(size_t address) { return (void *)address; }
__HIPLZ_DEVICE void *__cvta_constant_to_generic(size_t address) { return (void *)address; }
__HIPLZ_DEVICE void *__cvta_shared_to_generic(size_t address) {
  return address >> 32 ? (void *)address : __hiplz_cuda_shared_address((unsigned)address);
}

// CUDA's type-named forms of minimum and maximum.
__HIPLZ_DEVICE unsigned umin(unsigned x, unsigned y) { return y < x ? y : x; }
__HIPLZ_DEVICE unsigned umax(unsigned x, unsigned y) { return x < y ? y : x; }
__HIPLZ_DEVICE long long llmin(long long x, long long y) { return y < x ? y : x; }
__HIPLZ_DEVICE long long llmax(long long x, long long y) { return x < y ? y : x; }
__HIPLZ_DEVICE unsigned long long ullmin(unsigned long long x, unsigned long long y) { return y < x ? y : x; }
__HIPLZ_DEVICE unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x < y ? y : x; }

#define __prof_trigger(counter) ((void)(counter))
#define __brkpt() __builtin_trap()
#include <hip/spirv/user_macros_on.h>

#include "ptx.h"
