// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_DEVICE_FUNCTIONS_H
#define HIPLZ_AMD_DETAIL_AMD_DEVICE_FUNCTIONS_H

#include "hip/device_functions.h"

#endif
