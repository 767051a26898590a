// SPDX-License-Identifier: MIT
// The launch that fits the device best, chosen by the occupancy functions, and the attributes of a kernel.
#include "check.h"

__global__ void __launch_bounds__(256, 2) triple(int *data, int count) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count)
    data[i] *= 3;
}
__global__ void shared(float *out) {
  extern __shared__ float values[];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}

int main() {
  int least = 0, block = 0, active = 0;
  CALL(cudaOccupancyMaxPotentialBlockSize(&least, &block, triple));
  EXPECT(least > 0 && block > 0 && block <= 256);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, triple, block, 0));
  EXPECT(active > 0);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&active, triple, block, 0, cudaOccupancyDefault));
  EXPECT(active > 0);
  CALL(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&least, &block, shared,
                                                      [](int threads) { return threads * sizeof(float); }));
  EXPECT(block > 0);
  cudaFuncAttributes attributes;
  CALL(cudaFuncGetAttributes(&attributes, triple));
  EXPECT(attributes.maxThreadsPerBlock == 256);
  CALL(cudaFuncSetCacheConfig(triple, cudaFuncCachePreferL1));
  const int count = 10007;
  CALL(cudaOccupancyMaxPotentialBlockSize(&least, &block, triple, 0, 0));
  int *data = onDevice(std::vector<int>(count, 14));
  triple<<<(count + block - 1) / block, block>>>(data, count);
  for (int value : onHost(data, count))
    EXPECT(value == 42);
  triple<<<1, 512>>>(data, count); // beyond its bounds
  EXPECT(cudaGetLastError() != cudaSuccess);
}
