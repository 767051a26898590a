// SPDX-License-Identifier: MIT
// A program of two files (-fgpu-rdc): kernels that use a variable and a function of the other one.
#include <hip/hip_runtime.h>

#include <cstdio>

extern __device__ int factor;
__device__ int scale(int x);
__global__ void fill(int *out) { out[threadIdx.x] = scale(threadIdx.x); }
__global__ void addToFactor(int n) { factor += n; }

int main() {
  int *out;
  if (hipMallocManaged(&out, 64 * sizeof *out) != hipSuccess)
    return 1;
  for (int expected : {3, 5}) {
    fill<<<1, 64>>>(out);
    addToFactor<<<1, 1>>>(2);
    if (hipDeviceSynchronize() != hipSuccess)
      return 2;
    for (int i = 0; i < 64; ++i)
      if (out[i] != expected * i) {
        std::printf("%d is %d\n", i, out[i]);
        return 3;
      }
  }
  std::puts("passed");
}
