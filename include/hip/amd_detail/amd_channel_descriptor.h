// SPDX-License-Identifier: MIT
// AMD's HIP has this header here, and programs include it by this path.
#ifndef HIPLZ_AMD_DETAIL_AMD_CHANNEL_DESCRIPTOR_H
#define HIPLZ_AMD_DETAIL_AMD_CHANNEL_DESCRIPTOR_H

#include "hip/channel_descriptor.h"

#endif
