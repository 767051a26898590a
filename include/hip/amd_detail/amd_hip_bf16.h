// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_BF16_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_BF16_H

#include "hip/hip_bf16.h"

#endif
