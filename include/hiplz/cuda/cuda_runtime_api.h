// SPDX-License-Identifier: MIT
// The CUDA runtime API on HIP: each name of CUDA's is a macro for the HIP name that means the same, so that a
// program's calls are calls of HIP. names/ has the tables. It compiles with any C and C++ compiler.
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

// Programs ask for the guards of these headers to see which types there are.
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__

#include "cuda_source.h"

#include <hip/hip_runtime.h>

#include "forms/mipmapped_arrays.h"
#include "forms/numbers.h"
#include "forms/stream_flags.h"
#include "forms/vectors.h"
#include "names/runtime_attributes.h"
#include "names/runtime_functions.h"
#include "names/runtime_types.h"
#include "names/runtime_values.h"

#ifndef __HIPCC_RTC__
#include "forms/attributes.h"
#include "forms/errors.h"
#endif

/// The version of CUDA whose forms of the functions exist here.
#define CUDART_VERSION 13000

#ifdef __cplusplus
#define cudaMallocHost hipHostMalloc
#else
#define cudaMallocHost(ptr, size) hipHostMalloc(ptr, size, hipHostMallocDefault)
#endif

// Macros with which CUDA's declarations, and so the prototypes of callbacks, are written.
#define CUDART_CB
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define __device_builtin__
#define __cudart_builtin__
#define __builtin_align__(size) __align__(size)

#endif
