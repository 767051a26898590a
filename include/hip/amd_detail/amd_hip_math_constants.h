// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_MATH_CONSTANTS_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_MATH_CONSTANTS_H

#include "hip/hip_math_constants.h"

#endif
