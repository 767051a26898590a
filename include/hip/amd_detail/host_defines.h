// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_HOST_DEFINES_H
#define HIPLZ_AMD_DETAIL_HOST_DEFINES_H

#include "hip/host_defines.h"

#endif
