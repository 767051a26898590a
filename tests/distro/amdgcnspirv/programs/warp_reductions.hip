// SPDX-License-Identifier: MIT
// Shuffles, votes and ballots of AMD's headers in warps of 32 lanes, with masks of 64 bits.
#include "tests/device/check.h"

__global__ void reduce(const int *in, int *sums, unsigned long long *ballots) {
  const int i = threadIdx.x, lane = i % warpSize;
  int sum = in[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_down(sum, offset);
  if (lane == 0)
    sums[i / warpSize] = sum;
  sums[8 + i] = __shfl(in[i], lane ^ 1) + __shfl_up(in[i], 1) * __any(in[i] == 7);
  ballots[i] = __ballot(in[i] & 1);
}

TEST(lanes) {
  constexpr int n = 128;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 5 % 64;
  DeviceArray<int> data(in), sums(8 + n);
  DeviceArray<unsigned long long> ballots(n);
  reduce<<<1, n>>>(data, sums, ballots);
  for (int warp = 0; warp < n / 32; ++warp) {
    int sum = 0;
    bool any = false;
    unsigned long long odd = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const int value = in[warp * 32 + lane];
      sum += value;
      any = any || value == 7;
      odd |= static_cast<unsigned long long>(value & 1) << lane;
    }
    CHECK_EQ(sums.host()[warp], sum);
    for (int lane = 0; lane < 32; ++lane) {
      const int i = warp * 32 + lane;
      CHECK_EQ(ballots.host()[i], odd);
      CHECK_EQ(sums.host()[8 + i], in[i ^ 1] + (any ? in[lane ? i - 1 : i] : 0));
    }
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
