// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_TEXTURE_INDIRECT_FUNCTIONS_H
#define HIPLZ_AMD_DETAIL_TEXTURE_INDIRECT_FUNCTIONS_H

#include "hip/texture_indirect_functions.h"

#endif
