// SPDX-License-Identifier: MIT
#include <hip/hip_runtime.h>

#define KERNEL(name) extern "C" __global__ void name
#define GLOBAL
#define SHARED __shared__
#define RESTRICT __restrict__
#define LOCAL_X int(threadIdx.x)
#define LOCAL_Y int(threadIdx.y)
#define GROUP_X int(blockIdx.x)
#define GROUP_Y int(blockIdx.y)
#define GLOBAL_X int(blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_Y int(blockIdx.y * blockDim.y + threadIdx.y)
#define GLOBAL_SIZE_X int(gridDim.x * blockDim.x)
#define BARRIER __syncthreads()
#define ADD_SHARED atomicAdd
#define ADD_GLOBAL atomicAdd
#define UNROLL _Pragma("unroll")
#define VECTOR4 float4
#define WIDE unsigned long
#define SQRT sqrtf
#define RSQRT rsqrtf
#define EXP expf
#define LOG logf
#define ERFC erfcf
#define SIN sinf
#define COS cosf
#define POW powf
#define FMA fmaf

#include "kernels.h"
