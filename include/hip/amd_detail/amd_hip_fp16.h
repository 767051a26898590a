// SPDX-License-Identifier: MIT
// AMD's HIP has this header here, and programs include it by this path.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_FP16_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_FP16_H

#include "hip/hip_fp16.h"

#endif
