// SPDX-License-Identifier: MIT
// CUDA 13's vectors of four wide elements, whose names say how they are aligned.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime_api.h>

#define HIPLZ_CUDA_ALIGNED(element, name, bytes)                                                                       \
  struct __attribute__((aligned(bytes))) name {                                                                        \
    element x, y, z, w;                                                                                                \
  };
#define HIPLZ_CUDA_ALIGNED_PAIR(element, prefix)                                                                       \
  HIPLZ_CUDA_ALIGNED(element, prefix##4_16a, 16)                                                                       \
  HIPLZ_CUDA_ALIGNED(element, prefix##4_32a, 32)
HIPLZ_CUDA_ALIGNED_PAIR(long, long)
HIPLZ_CUDA_ALIGNED_PAIR(unsigned long, ulong)
HIPLZ_CUDA_ALIGNED_PAIR(long long, longlong)
HIPLZ_CUDA_ALIGNED_PAIR(unsigned long long, ulonglong)
HIPLZ_CUDA_ALIGNED_PAIR(double, double)
#undef HIPLZ_CUDA_ALIGNED_PAIR
#undef HIPLZ_CUDA_ALIGNED

#ifdef __HIP__
#define HIPLZ_CUDA_BOTH static inline __attribute__((host, device))
#else
#define HIPLZ_CUDA_BOTH static inline
#endif
#define HIPLZ_CUDA_MAKE(element, name)                                                                                 \
  HIPLZ_CUDA_BOTH struct name make_##name(element x, element y, element z, element w) {                                \
    struct name made = {x, y, z, w};                                                                                   \
    return made;                                                                                                       \
  }
#define HIPLZ_CUDA_MAKE_PAIR(element, prefix)                                                                          \
  HIPLZ_CUDA_MAKE(element, prefix##4_16a)                                                                              \
  HIPLZ_CUDA_MAKE(element, prefix##4_32a)
HIPLZ_CUDA_MAKE_PAIR(long, long)
HIPLZ_CUDA_MAKE_PAIR(unsigned long, ulong)
HIPLZ_CUDA_MAKE_PAIR(long long, longlong)
HIPLZ_CUDA_MAKE_PAIR(unsigned long long, ulonglong)
HIPLZ_CUDA_MAKE_PAIR(double, double)
#undef HIPLZ_CUDA_MAKE_PAIR
#undef HIPLZ_CUDA_MAKE
#undef HIPLZ_CUDA_BOTH

#ifndef __cplusplus
typedef struct long4_16a long4_16a;
typedef struct long4_32a long4_32a;
typedef struct ulong4_16a ulong4_16a;
typedef struct ulong4_32a ulong4_32a;
typedef struct longlong4_16a longlong4_16a;
typedef struct longlong4_32a longlong4_32a;
typedef struct ulonglong4_16a ulonglong4_16a;
typedef struct ulonglong4_32a ulonglong4_32a;
typedef struct double4_16a double4_16a;
typedef struct double4_32a double4_32a;
#endif

#include <hip/spirv/user_macros_on.h>
