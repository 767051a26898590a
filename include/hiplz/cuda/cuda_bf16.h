// SPDX-License-Identifier: MIT
// bfloat16.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include <hip/spirv/user_macros_off.h>

#include "cuda_fp16.h"

#include <hip/hip_bf16.h>

#ifdef __cplusplus
#include "forms/bfloat16.h"
#ifdef __FLT16_MAX__
inline __HOST_DEVICE__ __half::__half(const __hip_bfloat16 &value) : __half(__float2half(__bfloat162float(value))) {}
inline __HOST_DEVICE__ __hip_bfloat16::__hip_bfloat16(const __half &value) : __hip_bfloat16(__half2float(value)) {}
#endif
#endif

#define __nv_bfloat16 __hip_bfloat16
#define __nv_bfloat162 __hip_bfloat162
#define __nv_bfloat16_raw __hip_bfloat16_raw
#define __nv_bfloat162_raw __hip_bfloat162_raw

#ifdef __cplusplus
typedef __hip_bfloat16 nv_bfloat16;
typedef __hip_bfloat162 nv_bfloat162;
#endif

#include <hip/spirv/user_macros_on.h>
#endif
