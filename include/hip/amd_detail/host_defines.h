// SPDX-License-Identifier: MIT
// AMD's HIP has this header here, and programs include it by this path.
#ifndef HIPLZ_AMD_DETAIL_HOST_DEFINES_H
#define HIPLZ_AMD_DETAIL_HOST_DEFINES_H

#include "hip/host_defines.h"

#endif
