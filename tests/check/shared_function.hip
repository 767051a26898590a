// SPDX-License-Identifier: MIT
// A function that two kernels reach, under racecheck: what it knows of a launch's parameters is not what the other kernel has. Both kernels
// end by abort().
#include "tests/device/check.h"

__global__ void readsAndWrites(const int *from, int *to) {
  if (from[threadIdx.x] < 0)
    abort();
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void withoutParameters() {
  if (threadIdx.x == 5)
    abort();
}

TEST(anotherKernelsParametersAreNotLookedAt) {
  {
    DeviceArray<int> from(64), to(64);
    readsAndWrites<<<1, 64>>>(from, to);
    HIP_CHECK(hipDeviceSynchronize());
  }
  withoutParameters<<<1, 64>>>();
  CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
  HIP_CHECK(hipDeviceReset());
}

int main(int argc, char **argv) { return runTests(argc, argv); }
