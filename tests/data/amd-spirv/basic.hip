// SPDX-License-Identifier: MIT
// Indices, barriers, shared memory, atomic operations, structures as arguments, variables that the host names.
#include <hip/hip_runtime.h>

struct Pair {
  int first;
  float rest[3];
  double *where;
};

__device__ int total;
__constant__ float factors[4] = {1, 2, 3, 4};
__managed__ int shared_with_host = 5;

extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

extern "C" __global__ void sum(const int *values, int n, int *result) {
  __shared__ int part;
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&part, values[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(result, part);
    atomicAdd(&total, part);
  }
}

extern "C" __global__ void reverse(int *values) {
  extern __shared__ int copy[];
  copy[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

__device__ __noinline__ float of(Pair pair, int i) { return pair.rest[i] + pair.first; }

extern "C" __global__ void structures(Pair pair, char c, bool flag, float *result) {
  pair.where[threadIdx.x] = pair.rest[threadIdx.x % 3];
  result[threadIdx.x] = of(pair, threadIdx.x % 3) * factors[threadIdx.x % 4] + c + flag;
}

extern "C" __global__ void managed(int *result) {
  *result = shared_with_host;
  shared_with_host = 7;
}

extern "C" __global__ void dimensions(unsigned *result) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  result[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}
