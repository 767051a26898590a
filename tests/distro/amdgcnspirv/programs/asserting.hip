// SPDX-License-Identifier: MIT
// Assertions and traps end the grid and are errors of the next call that waits; a grid without them is not disturbed.
#include "tests/device/check.h"

#include <cassert>

__global__ void demands(const int *values, int limit) { assert(values[threadIdx.x] < limit); }
__global__ void traps(const int *values, int limit) {
  if (values[threadIdx.x] >= limit)
    __builtin_trap();
}

/// The error with which a kernel ends that allows values below the limit, for values up to 8.
static hipError_t endOf(void kernel(const int *, int), int limit) {
  int *values;
  HIP_CHECK(hipMallocManaged(&values, 8 * sizeof *values));
  for (int i = 0; i < 8; ++i)
    values[i] = i + 1;
  kernel<<<1, 8>>>(values, limit);
  return hipDeviceSynchronize(); // a reset frees the values
}

TEST(assertions) {
  HIP_CHECK(endOf(demands, 9));
  CHECK_EQ(endOf(demands, 8), HIP_VERSION_MAJOR < 7 ? hipErrorAssert : hipErrorLaunchFailure);
  HIP_CHECK(hipDeviceReset());
}

TEST(trapsOfTheCompiler) {
  HIP_CHECK(endOf(traps, 9));
  CHECK(endOf(traps, 8) != hipSuccess);
  HIP_CHECK(hipDeviceReset());
}

int main(int argc, char **argv) { return runTests(argc, argv); }
