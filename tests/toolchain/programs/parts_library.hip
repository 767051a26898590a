// SPDX-License-Identifier: MIT
#include "parts.h"

#include <hip/hip_runtime.h>

static __global__ void kernel(int *value, int amount) { *value += amount; }

bool addOnDevice(int &value, int amount) {
  int *device = nullptr;
  bool good = hipMalloc(reinterpret_cast<void **>(&device), sizeof value) == hipSuccess &&
              hipMemcpy(device, &value, sizeof value, hipMemcpyHostToDevice) == hipSuccess;
  if (good) {
    kernel<<<1, 1>>>(device, amount);
    good =
        hipGetLastError() == hipSuccess && hipMemcpy(&value, device, sizeof value, hipMemcpyDeviceToHost) == hipSuccess;
  }
  return hipFree(device) == hipSuccess && good;
}
