// SPDX-License-Identifier: MIT
// Half precision.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime_api.h"

#include <hip/hip_fp16.h>

#if defined(__cplusplus) && defined(__FLT16_MAX__)
#include "forms/half.h"
#endif

#define CUDART_INF_FP16 HIPRT_INF_FP16
#define CUDART_MAX_NORMAL_FP16 HIPRT_MAX_NORMAL_FP16
#define CUDART_MIN_DENORM_FP16 HIPRT_MIN_DENORM_FP16
#define CUDART_NAN_FP16 HIPRT_NAN_FP16
#define CUDART_NEG_ZERO_FP16 HIPRT_NEG_ZERO_FP16
#define CUDART_ONE_FP16 HIPRT_ONE_FP16
#define CUDART_ZERO_FP16 HIPRT_ZERO_FP16

#endif
