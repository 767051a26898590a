// SPDX-License-Identifier: MIT
// One kernel for each type; compiled by clang alone, without the headers and the passes of HIPLZ.
#include "layouts.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))

#define X(name, type)                                                                                                  \
  extern "C" __global__ void k_##name(char first, type value, int last) {}
LAYOUT_TYPES(X)
#undef X

extern "C" __global__ void k_none() {}
extern "C" {
__device__ int numbers[25];
__constant__ double table[3] = {1, 2, 3};
__device__ Nested nested;
}
