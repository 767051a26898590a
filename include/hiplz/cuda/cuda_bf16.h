// SPDX-License-Identifier: MIT
// bfloat16.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_runtime_api.h"

#include <hip/hip_bf16.h>

#define __nv_bfloat16 __hip_bfloat16
#define __nv_bfloat162 __hip_bfloat162
#define __nv_bfloat16_raw __hip_bfloat16_raw
#define __nv_bfloat162_raw __hip_bfloat162_raw

#ifdef __cplusplus
typedef __hip_bfloat16 nv_bfloat16;
typedef __hip_bfloat162 nv_bfloat162;
#endif

#endif
