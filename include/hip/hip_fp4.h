// SPDX-License-Identifier: MIT
// Floating point numbers of 4 bits, OCP's e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. One, two or four of them, for host
// and device code. The first of two is in the low bits. HIP has them since version 7.
#ifndef HIPLZ_HIP_FP4_H
#define HIPLZ_HIP_FP4_H

#include "hip_fp8.h"
#include "spirv/user_macros_off.h"

typedef __hip_fp8_storage_t __hip_fp4_storage_t;
typedef __hip_fp8_storage_t __hip_fp4x2_storage_t;
typedef __hip_fp8x2_storage_t __hip_fp4x4_storage_t;

/// The only format: one bit behind the point, two of the exponent.
typedef enum __hip_fp4_interpretation_t { __HIP_E2M1 = 0 } __hip_fp4_interpretation_t;

#if defined(__cplusplus) && defined(__FLT16_MAX__)
#include "spirv/mx_conversions.h"

namespace __hiplz {
inline __HOST_DEVICE__ constexpr MxFormat fp4FormatOf(__hip_fp4_interpretation_t) { return {1, 4, 1}; }
} // namespace __hiplz

HIPLZ_MX_CONVERSIONS(4, 4)
HIPLZ_MX_CLASSES(__hip_fp4_e2m1, __hip_fp4x2_e2m1, __hip_fp4x4_e2m1, 4, 4, __HIP_E2M1)
#endif

#include "spirv/user_macros_on.h"
#endif
