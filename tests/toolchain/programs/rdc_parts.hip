// SPDX-License-Identifier: MIT
// The definitions of rdc_parts.h.
#include "rdc_parts.h"

__device__ int table[4] = {3, 1, 4, 1};
__constant__ Settings settings = {0.5, {7, 8, 9}};
__constant__ int limits[2] = {-5, 5};
__managed__ int shared_counter = 11;

__device__ int square(int x) { return x * x; }
__device__ Function chosen = square;
__device__ int Square::area() const { return side * side; }

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__device__ int sum_of_block(int value) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = value;
  __syncthreads();
  int sum = 0;
  for (unsigned i = 0; i < blockDim.x; ++i)
    sum += memory[i];
  __syncthreads();
  return sum;
}

static __device__ int hidden = 40;
namespace {
__constant__ int unnamed = 2;
}
__device__ int counted() { return atomicAdd(&hidden, 1) + unnamed; }

__device__ int warp_sum(int value) {
  __shared__ int places[32];
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_xor(value, step);
  places[threadIdx.x] = value;
  __syncthreads();
  return places[31 - threadIdx.x];
}

__global__ void other_kernel(int *out, int value) {
  out[0] = inlined(value);
  table[3] = twice(value);
  atomicAdd(&shared_counter, 1);
}
