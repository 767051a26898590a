// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_BFLOAT16_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_BFLOAT16_H

#include "hip/hip_bfloat16.h"

#endif
