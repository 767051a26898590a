// SPDX-License-Identifier: MIT
// The other file of variables.hip.
#include <hip/hip_runtime.h>

__device__ int factor = 3;
__device__ int scale(int x) { return x * factor; }
