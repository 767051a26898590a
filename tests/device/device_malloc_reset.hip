// SPDX-License-Identifier: MIT
// hipDeviceReset frees what kernels have allocated, and the heap can be used again.
#include "tests/device/check.h"

__global__ void allocateAll(int *got) {
  while (malloc(1 << 16))
    ++*got;
}

int allocated() {
  int *got;
  HIP_CHECK(hipMalloc(&got, sizeof(int)));
  HIP_CHECK(hipMemset(got, 0, sizeof(int)));
  allocateAll<<<1, 1>>>(got);
  int count = -1;
  HIP_CHECK(hipMemcpy(&count, got, sizeof count, hipMemcpyDeviceToHost));
  return count;
}

int main() {
  HIP_CHECK(hipDeviceSetLimit(hipLimitMallocHeapSize, 1)); // the smallest heap
  CHECK_EQ(allocated(), 2);
  CHECK_EQ(allocated(), 0);
  HIP_CHECK(hipDeviceReset());
  CHECK_EQ(allocated(), 2);
  return testResult();
}
