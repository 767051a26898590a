// SPDX-License-Identifier: MIT
// Its own kernel has the name of the library's: both are static.
#include "check.h"
#include "parts.h"

#include <hip/hip_runtime.h>

#include <cstring>

#ifndef TEXT
#define TEXT "a b"
#endif

static __global__ void kernel(int *value) { *value = 1000; }

int main() {
  REQUIRE(std::strcmp(TEXT, "a b") == 0);
  int *device = nullptr, value = 0;
  REQUIRE(hipMalloc(reinterpret_cast<void **>(&device), sizeof value) == hipSuccess);
  kernel<<<1, 1>>>(device);
  REQUIRE(hipMemcpy(&value, device, sizeof value, hipMemcpyDeviceToHost) == hipSuccess);
  REQUIRE(value == 1000);
  REQUIRE(addOnDevice(value, 7));
  REQUIRE(value == 1007);
  REQUIRE(plainC(1) == 2);
  REQUIRE(hipFree(device) == hipSuccess);
  return 0;
}
