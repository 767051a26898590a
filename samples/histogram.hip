// SPDX-License-Identifier: MIT
// How often each byte occurs. Every block counts in shared memory, where its threads rarely wait for each other, and adds
// its counts to the result at the end. The counters live in dynamic shared memory, whose size the launch gives.
#include "common.h"

#include <cstdint>

constexpr unsigned kBins = 256;
constexpr unsigned kBlock = 256;

__global__ void histogram(const uint8_t *data, unsigned *counts, size_t n) {
  extern __shared__ unsigned local[];
  for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
    local[bin] = 0;
  __syncthreads();
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x)
    atomicAdd(&counts[bin], local[bin]);
}

int main() {
  const size_t n = (1 << 22) + 3;
  std::vector<uint8_t> data(n);
  std::vector<unsigned> expected(kBins, 0);
  uint32_t seed = 7;
  for (uint8_t &value : data) {
    seed = seed * 1664525u + 1013904223u;
    value = uint8_t((seed >> 24) & (seed >> 16)); // some values are far more frequent than others
    ++expected[value];
  }

  sample::DeviceArray<uint8_t> deviceData(data);
  sample::DeviceArray<unsigned> deviceCounts(kBins);
  const double seconds = sample::bestSeconds(5, [&] {
    HIP_CHECK(hipMemsetAsync(deviceCounts.get(), 0, kBins * sizeof(unsigned), nullptr));
    histogram<<<128, kBlock, kBins * sizeof(unsigned)>>>(deviceData.get(), deviceCounts.get(), n);
  });
  HIP_CHECK(hipGetLastError());
  return sample::report("histogram", deviceCounts.toHost() == expected, double(n) / seconds / 1e9, "GB/s");
}
