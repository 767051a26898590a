// SPDX-License-Identifier: MIT
// Copies into shared memory of cooperative groups.
#ifndef HIPLZ_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HIPLZ_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#endif
