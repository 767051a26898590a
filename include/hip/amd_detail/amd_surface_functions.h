// SPDX-License-Identifier: MIT
// AMD's HIP has this header here, and programs include it by this path.
#ifndef HIPLZ_AMD_DETAIL_AMD_SURFACE_FUNCTIONS_H
#define HIPLZ_AMD_DETAIL_AMD_SURFACE_FUNCTIONS_H

#include "hip/surface_functions.h"

#endif
