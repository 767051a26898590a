// SPDX-License-Identifier: MIT
// The function and variable qualifiers of HIP. A compiler in HIP mode gets attributes; for any other compiler they are
// empty, so that host code can share headers with device code.
#ifndef HIPLZ_HOST_DEFINES_H
#define HIPLZ_HOST_DEFINES_H

#ifndef __HIP_PLATFORM_SPIRV__
#define __HIP_PLATFORM_SPIRV__ 1
#endif
// Programs and libraries (hipCUB, for one) ask for the platform to tell HIP from CUDA, and know these two names.
#if !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__)
#define __HIP_PLATFORM_AMD__
#endif
// The guard of AMD's header: rocThrust takes the qualifiers away and expects this header to bring them back unless it is set.
#define HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H

// clang's own wrapper header, which it includes when it compiles the host side, defines some of these with the same meaning.
#undef __host__
#undef __device__
#undef __global__
#undef __shared__
#undef __constant__
#undef __managed__
#undef __forceinline__

#ifdef __HIP__
// AMD's attributes mean nothing to other devices, but clang checks their values everywhere: zero threads, negative numbers and
// fractions are errors, as they are with AMD's headers.
#define __HIPLZ_BOUNDS_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define __HIPLZ_BOUNDS_2(threads, warps)                                                                               \
  __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(warps)))
#define __HIPLZ_CHOOSE_BOUNDS(one, two, chosen, ...) chosen
#define __HIPLZ_CHECKED_BOUNDS(...)                                                                                    \
  __HIPLZ_CHOOSE_BOUNDS(__VA_ARGS__, __HIPLZ_BOUNDS_2, __HIPLZ_BOUNDS_1, )(__VA_ARGS__)

#define __host__ __attribute__((host))
#ifdef __HIP_DEVICE_COMPILE__
// The annotations tell the link-time passes which variables the host may look up by name, which ones are managed (clang's
// own attribute cannot stand beside an annotation: the compiler dies), and what launch bounds a kernel has (0 is
// added because an annotation takes values only, and a bound may be the member of a temporary object).
#define __device__ __attribute__((device, annotate("hiplz.device")))
#define __constant__ __attribute__((constant, annotate("hiplz.device")))
#define __managed__ __attribute__((device, annotate("hiplz.managed")))
#define __launch_bounds__(...)                                                                                         \
  __HIPLZ_CHECKED_BOUNDS(__VA_ARGS__) __attribute__((annotate("hiplz.launch_bounds", 0 + __VA_ARGS__ + 0)))
// clang 15 gives kernels a calling convention of their own in the type, and host code, which it reads for the device
// too, could not assign them to function pointers. A convention that no target has leaves the ordinary one.
#define __global__                                                                                                     \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-attributes\"")                        \
      __attribute__((stdcall, global)) _Pragma("clang diagnostic pop")
#else
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __HIPLZ_CHECKED_BOUNDS(__VA_ARGS__)
#define __global__ __attribute__((global))
#endif
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __forceinline__ inline
#endif

// In HIP mode __noinline__ is a keyword. Elsewhere it is empty and not an attribute, because the C++ library writes
// __attribute__((__noinline__)), which would not survive a macro that expands to an attribute.
#if !defined(__HIP__) && !defined(__noinline__)
#if defined(__cplusplus) && __cplusplus >= 202002L
#include <version>
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE >= 16
#include <format> // which writes [[__gnu__::__noinline__]], and is part of <chrono>
#endif
#endif
#define __noinline__
#endif

#ifdef __HIP__
#define __align__(x) __attribute__((aligned(x)))
#endif

#endif
