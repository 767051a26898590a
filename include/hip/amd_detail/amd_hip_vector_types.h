// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_VECTOR_TYPES_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_VECTOR_TYPES_H

#include "hip/hip_vector_types.h"

#endif
