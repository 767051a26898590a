// SPDX-License-Identifier: MIT
// The sum of an array: threads of a warp add through shuffles, warps of a block through shared memory, and blocks through
// one atomic each.
#include "common.h"

#include <cstdint>

constexpr unsigned kBlock = 256;

// After five steps the first thread of the warp holds the sum of all 32.
__device__ unsigned warpSum(unsigned value) {
  for (unsigned distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down(value, distance);
  return value;
}

__global__ void sum(const unsigned *values, unsigned *total, size_t n) {
  __shared__ unsigned warps[kBlock / 32];
  unsigned mine = 0;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    mine += values[i];

  const unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  mine = warpSum(mine);
  if (lane == 0)
    warps[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    mine = warpSum(lane < blockDim.x / warpSize ? warps[lane] : 0);
    if (lane == 0)
      atomicAdd(total, mine);
  }
}

int main() {
  const size_t n = (1 << 24) + 5;
  std::vector<unsigned> values(n);
  unsigned expected = 0; // modulo 2^32, as on the device
  for (size_t i = 0; i < n; ++i)
    expected += values[i] = uint32_t(i * 2654435761u) >> 7;

  sample::DeviceArray<unsigned> deviceValues(values), deviceTotal(1);
  const double seconds = sample::bestSeconds(5, [&] {
    HIP_CHECK(hipMemsetAsync(deviceTotal.get(), 0, sizeof(unsigned), nullptr));
    sum<<<512, kBlock>>>(deviceValues.get(), deviceTotal.get(), n);
  });
  HIP_CHECK(hipGetLastError());
  const bool passed = deviceTotal.toHost()[0] == expected;
  return sample::report("reduction", passed, double(n) * sizeof(unsigned) / seconds / 1e9, "GB/s");
}
