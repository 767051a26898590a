// SPDX-License-Identifier: MIT
// The results and the device pointers of the CUDA driver API. CUresult is a type of its own, so that programs can overload
// functions on it and on cudaError_t; the numbers are the same. A CUdeviceptr is a number.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/driver_types.h>

/// An address in device memory.
typedef unsigned long long CUdeviceptr;
typedef CUdeviceptr CUdeviceptr_v2;

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

/// The result of a function of the driver API. HIP's own errors keep their numbers.
typedef enum cudaError_enum {
#define HIPLZ_CU_RESULT(name, number) name = number,
#include "results.def"
#undef HIPLZ_CU_RESULT
} CUresult;
#include <hip/spirv/user_macros_on.h>
