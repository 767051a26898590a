// SPDX-License-Identifier: MIT
// Code that depends on the size of a warp, which AMD's SPIR-V leaves open.
#include <hip/hip_runtime.h>

extern "C" __global__ void ballots(unsigned long long *result, unsigned *counts) {
  result[threadIdx.x] = __ballot(threadIdx.x & 1);
  if (threadIdx.x == 0)
    counts[0] = warpSize;
  if (threadIdx.x % 3 == 0)
    counts[1 + threadIdx.x] = __popcll(__ballot(1));
  else
    counts[1 + threadIdx.x] = 0;
}

extern "C" __global__ void sums(int *values) {
  int value = values[threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down(value, offset);
  values[threadIdx.x] = value;
}

extern "C" __global__ void shuffles(int *up, int *crossed, int *first, double *doubles) {
  const int i = threadIdx.x;
  up[i] = __shfl_up(i, 3);
  crossed[i] = __shfl_xor(i, 5);
  first[i] = __shfl(i * 10, 2, 8);
  doubles[i] = __shfl(i * 0.5, 31 - i % 32);
}

extern "C" __global__ void votes(int *result) {
  result[threadIdx.x] = __any(threadIdx.x == 5) + 2 * __all(threadIdx.x < 32) +
                        4 * __syncthreads_or(threadIdx.x == 40) + 8 * (__syncthreads_count(threadIdx.x < 10) == 10) +
                        16 * __syncthreads_and(threadIdx.x < 9);
}
