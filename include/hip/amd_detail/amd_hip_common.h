// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_COMMON_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_COMMON_H

#include "hip/hip_common.h"

#endif
