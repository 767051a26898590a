// SPDX-License-Identifier: MIT
#include <hip/hip_runtime.h>

__device__ int offset = 2;
__device__ int twice(int value) { return 2 * value; }
