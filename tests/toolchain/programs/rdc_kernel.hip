// SPDX-License-Identifier: MIT
// With -fgpu-rdc: the kernel calls a device function and reads a device variable of another file.
#include "check.h"

#include <hip/hip_runtime.h>

__device__ int twice(int value);
extern __device__ int offset;

__global__ void kernel(int *value) { *value = twice(*value) + offset; }

int main() {
  int *device = nullptr, value = 20;
  REQUIRE(hipMalloc(reinterpret_cast<void **>(&device), sizeof value) == hipSuccess);
  REQUIRE(hipMemcpy(device, &value, sizeof value, hipMemcpyHostToDevice) == hipSuccess);
  kernel<<<1, 1>>>(device);
  REQUIRE(hipGetLastError() == hipSuccess);
  REQUIRE(hipMemcpy(&value, device, sizeof value, hipMemcpyDeviceToHost) == hipSuccess);
  REQUIRE(value == 42);
  REQUIRE(hipFree(device) == hipSuccess);
  return 0;
}
