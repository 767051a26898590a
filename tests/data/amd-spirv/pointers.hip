// SPDX-License-Identifier: MIT
// A pointer to a function, which the compiler cannot resolve.
#include <hip/hip_runtime.h>

__device__ __attribute__((noinline)) int twice(int x) { return 2 * x; }
__device__ __attribute__((noinline)) int square(int x) { return x * x; }

extern "C" __global__ void calls(int *result) {
  int (*function)(int) = threadIdx.x & 1 ? square : twice;
  result[threadIdx.x] = function(threadIdx.x);
}
