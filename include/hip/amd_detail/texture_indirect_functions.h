// SPDX-License-Identifier: MIT
// AMD's HIP has this header here, and programs include it by this path.
#ifndef HIPLZ_AMD_DETAIL_TEXTURE_INDIRECT_FUNCTIONS_H
#define HIPLZ_AMD_DETAIL_TEXTURE_INDIRECT_FUNCTIONS_H

#include "hip/texture_indirect_functions.h"

#endif
