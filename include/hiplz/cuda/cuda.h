// SPDX-License-Identifier: MIT
// The CUDA driver API on HIP, by its names. A CUdeviceptr is a pointer here and not a number; programs compile that
// convert it where they use it as one.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(HIP_API_PER_THREAD_DEFAULT_STREAM)
#define HIP_API_PER_THREAD_DEFAULT_STREAM
#endif

#ifndef HIP_DEPRECATED // what HIP calls deprecated is current in CUDA
#define HIP_DEPRECATED(message)
#endif
#include <hip/hip_runtime.h>

#include "forms/stream_flags.h"
#include "names/driver_attributes.h"
#include "names/driver_functions.h"
#include "names/driver_types.h"
#include "names/driver_values.h"

/// The version of CUDA whose forms of the functions exist here.
#define CUDA_VERSION 12000

#define CUDA_CB
#define CUDAAPI

#endif
