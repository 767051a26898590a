// SPDX-License-Identifier: MIT
// AMD's HIP has these declarations here, and programs include them by this path.
#ifndef HIPLZ_AMD_DETAIL_AMD_WARP_FUNCTIONS_H
#define HIPLZ_AMD_DETAIL_AMD_WARP_FUNCTIONS_H

#include "hip/device_functions.h"

#endif
