// SPDX-License-Identifier: MIT
// Pointers to functions, which the compiler cannot resolve.
#include <hip/hip_runtime.h>

__device__ __attribute__((noinline)) int twice(int x) { return 2 * x; }
__device__ __attribute__((noinline)) int square(int x) { return x * x; }

extern "C" __global__ void calls(int *result) {
  int (*function)(int) = threadIdx.x & 1 ? square : twice;
  result[threadIdx.x] = function(threadIdx.x);
}

// In memory that the host could write: the kernel that calls them does not see which they are.
__device__ __attribute__((noinline)) void sum(float *to, float y) { *to += y; }
__device__ __attribute__((noinline)) void product(float *to, float y) { *to *= y; }
__device__ void (*operations[3])(float *, float);

extern "C" __global__ void choose() {
  operations[0] = sum;
  operations[1] = product;
  operations[2] = nullptr;
}
extern "C" __global__ void applies(float *result) {
  float number = threadIdx.x;
  if (auto *operation = operations[threadIdx.x % 3])
    operation(&number, 0.5f);
  else
    number = -1;
  result[threadIdx.x] = number;
}
