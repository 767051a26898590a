// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_CHANNEL_DESCRIPTOR_H
#define HIPLZ_AMD_DETAIL_AMD_CHANNEL_DESCRIPTOR_H

#include "hip/channel_descriptor.h"

#endif
