// SPDX-License-Identifier: MIT
// More than 2^31 blocks, of one thread each: HIP's limit is on the number of threads.
#include "tests/device/check.h"

#include <hip/hip_ext.h>

namespace {

constexpr unsigned kBlocks = 0x80000000u + 1000;
constexpr int kSeen = 256; // blocks in front of number 2^31

// `below` and `above` are as far from the numbers' place as these are from zero.
__global__ void count(int *high, int *below, int *above, int *last) {
  const unsigned block = blockIdx.x;
  const int number = int(block);
  if (block >= 0x80000000u)
    atomicAdd(high, 1);
  if (number >= std::numeric_limits<int>::max() - (kSeen - 1))
    below[number] = number;
  if (number < 0)
    above[number] = number;
  if (block == gridDim.x - 1)
    *last = int(block - 0x80000000u);
}

TEST(moreBlocksThanSignedNumbers) {
  DeviceArray<int> high(1), below(kSeen), above(1000), last(1);
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(count)));
  auto shifted = [](int *data, long long elements) {
    return reinterpret_cast<int *>(reinterpret_cast<uintptr_t>(data) + uintptr_t(elements) * sizeof(int));
  };
  int *counter = high, *end = last, *low = shifted(below, -(0x80000000ll - kSeen)), *up = shifted(above, 0x80000000ll);
  void *arguments[] = {&counter, &low, &up, &end};
  HIP_CHECK(
      hipExtModuleLaunchKernel(function, kBlocks, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr, nullptr, nullptr, 0));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(high.host()[0], 1000);
  CHECK_EQ(last.host()[0], 999);
  const std::vector<int> lowest = below.host(), highest = above.host();
  for (int i = 0; i < kSeen; ++i)
    CHECK_EQ(lowest[i], std::numeric_limits<int>::max() - (kSeen - 1) + i);
  for (int i = 0; i < 1000; ++i)
    CHECK_EQ(highest[i], std::numeric_limits<int>::min() + i);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
