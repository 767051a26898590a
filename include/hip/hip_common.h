// SPDX-License-Identifier: MIT
// Needed by every public header: the qualifiers, the version, visibility, deprecation, default arguments that vanish
// in C, and the feature macros that portable code asks for.
#ifndef HIPLZ_HIP_COMMON_H
#define HIPLZ_HIP_COMMON_H

#include "hip_version.h"
#include "host_defines.h"

#define HIP_PUBLIC_API __attribute__((visibility("default")))
#define HIP_INTERNAL_EXPORTED_API __attribute__((visibility("default")))

#ifndef HIP_DEPRECATED
#define HIP_DEPRECATED(msg) __attribute__((deprecated(msg)))
#endif
#define HIP_DEPRECATED_MSG "kept for programs that were written for an older HIP or for CUDA"

// Sources that HIP 7 declares to be unchanged.
#if HIPLZ_HIP_VERSION >= 7
#define HIPLZ_CONST_SINCE_7 const
#else
#define HIPLZ_CONST_SINCE_7
#endif

#ifdef __cplusplus
#define __dparm(x) = x
#else
#define __dparm(x)
#endif

// Features of device code. They are 0 while host code is compiled.
#ifdef __HIP_DEVICE_COMPILE__
#define HIPLZ_DEVICE_HAS 1
#else
#define HIPLZ_DEVICE_HAS 0
#endif
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_DOUBLES__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_WARP_VOTE__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_WARP_BALLOT__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ 0
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ 0
#define __HIP_ARCH_HAS_SURFACE_FUNCS__ 0
#define __HIP_ARCH_HAS_3DGRID__ HIPLZ_DEVICE_HAS
#define __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ 0

#endif
