// SPDX-License-Identifier: MIT
// A shared library with a kernel; FACTOR differs between the libraries, the names do not.
#include <hip/hip_runtime.h>

__global__ void kernel(int *value) { *value *= FACTOR; }

extern "C" int compute(int value) {
  int *device = nullptr;
  if (hipMalloc(reinterpret_cast<void **>(&device), sizeof value) != hipSuccess ||
      hipMemcpy(device, &value, sizeof value, hipMemcpyHostToDevice) != hipSuccess)
    return -1;
  kernel<<<1, 1>>>(device);
  if (hipGetLastError() != hipSuccess || hipMemcpy(&value, device, sizeof value, hipMemcpyDeviceToHost) != hipSuccess)
    return -2;
  return hipFree(device) == hipSuccess ? value : -3;
}
