// SPDX-License-Identifier: MIT
// A program of one file: squares numbers on the device.
#include "check.h"

#include <hip/hip_runtime.h>

__global__ void square(int *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= values[i];
}

int main() {
  int values[100], *device = nullptr;
  for (int i = 0; i < 100; ++i)
    values[i] = i;
  REQUIRE(hipMalloc(reinterpret_cast<void **>(&device), sizeof values) == hipSuccess);
  REQUIRE(hipMemcpy(device, values, sizeof values, hipMemcpyHostToDevice) == hipSuccess);
  square<<<4, 32>>>(device, 100);
  REQUIRE(hipGetLastError() == hipSuccess);
  REQUIRE(hipMemcpy(values, device, sizeof values, hipMemcpyDeviceToHost) == hipSuccess);
  for (int i = 0; i < 100; ++i)
    REQUIRE(values[i] == i * i);
  REQUIRE(hipFree(device) == hipSuccess);
  return 0;
}
