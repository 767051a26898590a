// SPDX-License-Identifier: MIT
// Cooperative groups; cooperative_groups/ has the headers of their algorithms, all of which HIP's header brings.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime_api.h"

#include <hip/hip_cooperative_groups.h>

#ifdef __cplusplus
#include "forms/warp_tiles.h"
#endif

#endif
