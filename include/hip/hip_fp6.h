// SPDX-License-Identifier: MIT
// Floating point numbers of 6 bits, OCP's e2m3 and e3m2: one, two or four of them, for host and device code. Each is in a byte of its
// own; the first one is in the lowest. HIP has them since version 7.
#ifndef HIPLZ_HIP_FP6_H
#define HIPLZ_HIP_FP6_H

#include "hip_fp8.h"
#include "spirv/user_macros_off.h"

typedef __hip_fp8_storage_t __hip_fp6_storage_t;
typedef __hip_fp8x2_storage_t __hip_fp6x2_storage_t;
typedef __hip_fp8x4_storage_t __hip_fp6x4_storage_t;

/// Bits of the exponent and behind the point: up to 28 in steps of at least 1/16, or up to 7.5 in steps of at least 1/8.
typedef enum __hip_fp6_interpretation_t { __HIP_E3M2 = 0, __HIP_E2M3 = 1 } __hip_fp6_interpretation_t;

#if defined(__cplusplus) && defined(__FLT16_MAX__)
#include "spirv/mx_conversions.h"

namespace __hiplz {
inline __HOST_DEVICE__ constexpr MxFormat fp6FormatOf(__hip_fp6_interpretation_t interpretation) {
  return interpretation == __HIP_E2M3 ? MxFormat{3, 6, 1} : MxFormat{2, 6, 3};
}
} // namespace __hiplz

HIPLZ_MX_CONVERSIONS(6, 8)
HIPLZ_MX_CLASSES(__hip_fp6_e2m3, __hip_fp6x2_e2m3, __hip_fp6x4_e2m3, 6, 8, __HIP_E2M3)
HIPLZ_MX_CLASSES(__hip_fp6_e3m2, __hip_fp6x2_e3m2, __hip_fp6x4_e3m2, 6, 8, __HIP_E3M2)
#endif

#include "spirv/user_macros_on.h"
#endif
