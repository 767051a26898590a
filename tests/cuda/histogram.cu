// SPDX-License-Identifier: MIT
// A histogram of bytes: one in shared memory for each block, added up by atomics.
#include "check.h"

typedef unsigned int uint;
typedef unsigned char uchar;

#define BINS 256

__global__ void histogram(const uint *data, uint *bins, uint words) {
  __shared__ uint local[BINS];
  for (uint bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    local[bin] = 0;
  __syncthreads();
  for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += blockDim.x * gridDim.x) {
    const uint word = data[i];
    atomicAdd(&local[word & 0xFFU], 1);
    atomicAdd(&local[(word >> 8) & 0xFFU], 1);
    atomicAdd(&local[__byte_perm(word, 0, 0x4442)], 1);
    atomicAdd(local + (word >> 24), 1);
  }
  __syncthreads();
  for (uint bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    atomicAdd(&bins[bin], local[bin]);
}

int main() {
  const size_t bytes = 1 << 18;
  std::vector<uchar> data(bytes);
  std::vector<uint> wanted(BINS);
  uint state = 1;
  for (uchar &byte : data) {
    state = state * 1664525u + 1013904223u;
    byte = (uchar)(state >> 24 & state >> 16);
    ++wanted[byte];
  }
  uchar *device = onDevice(data);
  uint *bins = nullptr;
  CALL(cudaMalloc(&bins, BINS * sizeof(uint)));
  CALL(cudaMemset(bins, 0, BINS * sizeof(uint)));
  histogram<<<40, 192>>>((const uint *)device, bins, bytes / 4);
  EXPECT(onHost(bins, BINS) == wanted);
}
