// SPDX-License-Identifier: MIT
// An assertion that fails in a kernel: the error stays until the device is reset.
#include "check.h"
#include <cassert>

__global__ void check(const int *values, int limit) { assert(values[threadIdx.x] < limit && "below the limit"); }

int main() {
  int *values = onDevice(std::vector<int>{1, 2, 3, 4});
  check<<<1, 4>>>(values, 5);
  CALL(cudaDeviceSynchronize());
  check<<<1, 4>>>(values, 4);
  EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  EXPECT(cudaMalloc(&values, 16) == cudaErrorAssert);
  CALL(cudaDeviceReset());
  cudaGetLastError();
  values = onDevice(std::vector<int>{0, 0, 0, 0});
  check<<<1, 4>>>(values, 1);
  CALL(cudaDeviceSynchronize());
}
