// SPDX-License-Identifier: MIT
// Macros with which every function of the CUDA driver API here is written.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "../names/driver_types.h"
#include "../names/driver_values.h"
#include "results.h"
#include <hip/hip_runtime_api.h>

/// Compression of an allocation.
enum { CU_MEM_ALLOCATION_COMP_NONE = 0, CU_MEM_ALLOCATION_COMP_GENERIC = 1 };

#ifdef __cplusplus
#define HIPLZ_CU inline CUresult
#else
#define HIPLZ_CU static inline CUresult
#endif
#include <hip/spirv/user_macros_on.h>
