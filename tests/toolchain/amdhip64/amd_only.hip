// SPDX-License-Identifier: MIT
// A kernel of which the fat binary has no code for any device here.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void kernel() {}

int main() {
  kernel<<<1, 1>>>();
  const hipError_t error = hipGetLastError();
  std::puts(hipGetErrorName(error));
  return error == hipErrorNoBinaryForGpu ? 0 : 1;
}
