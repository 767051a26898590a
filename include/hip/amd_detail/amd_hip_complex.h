// SPDX-License-Identifier: MIT
// AMD's HIP has this header here, and programs include it by this path.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_COMPLEX_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_COMPLEX_H

#include "hip/hip_complex.h"

#endif
