// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_RUNTIME_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_RUNTIME_H

#include "hip/hip_runtime.h"

#endif
