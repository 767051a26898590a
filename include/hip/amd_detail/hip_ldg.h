// SPDX-License-Identifier: MIT
// AMD's HIP has these declarations here, and programs include them by this path.
#ifndef HIPLZ_AMD_DETAIL_HIP_LDG_H
#define HIPLZ_AMD_DETAIL_HIP_LDG_H

#include "hip/device_functions.h"

#endif
