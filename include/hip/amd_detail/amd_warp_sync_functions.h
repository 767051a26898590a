// SPDX-License-Identifier: MIT
// The place where AMD's HIP has these declarations; programs include them from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_WARP_SYNC_FUNCTIONS_H
#define HIPLZ_AMD_DETAIL_AMD_WARP_SYNC_FUNCTIONS_H

#include "hip/device_functions.h"

#endif
