// SPDX-License-Identifier: MIT
// threadIdx, blockIdx, blockDim, gridDim and their old spellings: objects without storage, whose members read the
// built-in variables. They convert to the types that CUDA and HIP give them, so that `dim3 d = blockDim` works.
#pragma once

#include "hip/hip_vector_types.h"
#include "hip/spirv/builtins.h"

/// Threads in a warp, on every device. In HIP 7 it is no number, but converts to one. AMD's is then no constant expression; this one is,
/// since rocPRIM and hipCUB before 7, which distributions ship, use it as one.
#if HIPLZ_HIP_VERSION >= 7
namespace hiplz {
struct WarpSize {
  __host__ __device__ __attribute__((always_inline)) constexpr operator int() const noexcept { return 32; }
};
} // namespace hiplz
static constexpr hiplz::WarpSize warpSize{};
#else
static constexpr int warpSize = 32;
#endif

/// The same for the preprocessor, in both spellings that AMD's compilers have had; AMD's libraries choose the types of lane masks
/// with them. They do not say that the target is AMD's, which __AMDGCN__ does.
#ifndef __AMDGCN_WAVEFRONT_SIZE
#define __AMDGCN_WAVEFRONT_SIZE 32
#endif
#ifndef __AMDGCN_WAVEFRONT_SIZE__
#define __AMDGCN_WAVEFRONT_SIZE__ __AMDGCN_WAVEFRONT_SIZE
#endif

#define __HIPLZ_COORDINATES(Name, BuiltIn)                                                                             \
  struct __hiplz_##Name##_t {                                                                                          \
    __declspec(property(get = __get_x)) unsigned x;                                                                    \
    __declspec(property(get = __get_y)) unsigned y;                                                                    \
    __declspec(property(get = __get_z)) unsigned z;                                                                    \
    static __HIPLZ_DEVICE unsigned __get_x() { return (unsigned)__spirv_BuiltIn##BuiltIn(0); }                         \
    static __HIPLZ_DEVICE unsigned __get_y() { return (unsigned)__spirv_BuiltIn##BuiltIn(1); }                         \
    static __HIPLZ_DEVICE unsigned __get_z() { return (unsigned)__spirv_BuiltIn##BuiltIn(2); }                         \
    __HIPLZ_DEVICE operator dim3() const { return dim3(__get_x(), __get_y(), __get_z()); }                             \
    __HIPLZ_DEVICE operator uint3() const { return make_uint3(__get_x(), __get_y(), __get_z()); }                      \
  };                                                                                                                   \
  static const __attribute__((device, unused)) __hiplz_##Name##_t Name{};

__HIPLZ_COORDINATES(threadIdx, LocalInvocationId)
__HIPLZ_COORDINATES(blockIdx, WorkgroupId)
__HIPLZ_COORDINATES(blockDim, WorkgroupSize)
__HIPLZ_COORDINATES(gridDim, NumWorkgroups)
#undef __HIPLZ_COORDINATES

namespace __hiplz {
/// The number of the thread in its block, and how many threads the block has.
__HIPLZ_DEVICE unsigned blockRank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__HIPLZ_DEVICE unsigned blockThreads() { return blockDim.x * blockDim.y * blockDim.z; }
} // namespace __hiplz

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)
