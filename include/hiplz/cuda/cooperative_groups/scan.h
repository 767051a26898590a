// SPDX-License-Identifier: MIT
// Scans of cooperative groups.
#ifndef HIPLZ_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define HIPLZ_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

#endif
