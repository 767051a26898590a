// SPDX-License-Identifier: MIT
// Reductions of cooperative groups.
#ifndef HIPLZ_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define HIPLZ_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#endif
