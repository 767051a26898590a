// SPDX-License-Identifier: MIT
// Barriers of the grid by AMD's cooperative groups: each round reads what other blocks wrote in the round before.
#include "tests/device/check.h"

#include <hip/hip_cooperative_groups.h>

__global__ void rotate(int *values, int n, int rounds) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int i = int(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    const int next = values[round % 2 * n + (i + 33) % n];
    values[(round + 1) % 2 * n + i] = next + 1;
    grid.sync();
  }
}

TEST(rounds) {
  int blocks = 6, threads = 96, n = blocks * threads, rounds = 10;
  std::vector<int> start(2 * n);
  for (int i = 0; i < n; ++i)
    start[i] = i * 3;
  DeviceArray<int> values(start);
  int *data = values;
  void *arguments[] = {&data, &n, &rounds};
  HIP_CHECK(hipLaunchCooperativeKernel(reinterpret_cast<const void *>(rotate), dim3(blocks), dim3(threads), arguments,
                                       0, nullptr));
  const std::vector<int> found = values.host();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(found[i], (i + 33 * rounds) % n * 3 + rounds);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
