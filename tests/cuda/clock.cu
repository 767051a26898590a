// SPDX-License-Identifier: MIT
// Clocks of kernels run forward, and work takes some of their ticks.
#include "check.h"

__global__ void timed(float *data, clock_t *start, long long *ticks) {
  const long long before = clock64();
  if (threadIdx.x == 0)
    start[blockIdx.x] = clock();
  float x = data[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < 1000; ++i)
    x = x * 0.999f + 0.001f;
  data[blockIdx.x * blockDim.x + threadIdx.x] = x;
  __syncthreads();
  if (threadIdx.x == 0)
    ticks[blockIdx.x] = clock64() - before;
}

int main() {
  const int blocks = 8, block = 64;
  float *data = onDevice(std::vector<float>(blocks * block, 1));
  clock_t *start = onDevice(std::vector<clock_t>(blocks));
  long long *ticks = onDevice(std::vector<long long>(blocks));
  timed<<<blocks, block>>>(data, start, ticks);
  for (long long t : onHost(ticks, blocks))
    EXPECT(t > 0);
  for (clock_t t : onHost(start, blocks))
    EXPECT(t != 0);
}
