// SPDX-License-Identifier: MIT
// A kernel to be stopped in, at lines that an optimising compiler keeps.
#include "check.h"

#include <hip/hip_runtime.h>

__device__ void store(volatile int *place, int value) {
  *place = value; // break in the function
}

__global__ void kernel(volatile int *out, int factor) {
  out[0] = factor; // break in the kernel
  store(out + 1, 2 * factor);
}

int main() {
  int *out = nullptr, values[2] = {};
  REQUIRE(hipMalloc(reinterpret_cast<void **>(&out), sizeof values) == hipSuccess);
  kernel<<<1, 1>>>(out, 5);
  REQUIRE(hipGetLastError() == hipSuccess);
  REQUIRE(hipMemcpy(values, out, sizeof values, hipMemcpyDeviceToHost) == hipSuccess);
  REQUIRE(values[0] == 5 && values[1] == 10);
  return hipFree(out) != hipSuccess;
}
