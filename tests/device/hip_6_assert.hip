// SPDX-License-Identifier: MIT
// The error after a failed assertion in HIP 6 (-DHIPLZ_HIP_VERSION=6), and the one after a trap, which is the same in HIP 7.
#include "check.h"

#include <cassert>

namespace {

__global__ void gives(int up) {
  assert(up != 1);
  if (up == 2)
    __builtin_trap();
}

hipError_t errorAfter(int up) {
  gives<<<1, 32>>>(up);
  const hipError_t error = hipDeviceSynchronize();
  CHECK_EQ(hipDeviceReset(), hipSuccess);
  return error;
}

TEST(errors) {
  CHECK_EQ(errorAfter(0), hipSuccess);
  CHECK_EQ(errorAfter(1), hipErrorAssert);
  CHECK_EQ(errorAfter(2), hipErrorLaunchFailure);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
