// SPDX-License-Identifier: MIT
// Memory in a stream's order, from the default pool and from one of the program's.
#include "check.h"

__global__ void fill(int *data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }

int main() {
  int supported = 0;
  CALL(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  EXPECT(supported == 1);
  cudaStream_t stream;
  CALL(cudaStreamCreate(&stream));
  cudaMemPool_t pool, own;
  CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = ~0ull, reserved = 0;
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  CALL(cudaMemPoolCreate(&own, &props));
  std::vector<int> host(1024);
  for (int round = 0; round < 3; ++round) {
    int *a = nullptr, *b = nullptr;
    CALL(cudaMallocAsync(&a, 1024 * sizeof(int), stream));
    CALL(cudaMallocFromPoolAsync(&b, 1024 * sizeof(int), own, stream));
    fill<<<4, 256, 0, stream>>>(a, round);
    fill<<<4, 256, 0, stream>>>(b, round + 10);
    CALL(cudaMemcpyAsync(host.data(), a, 512 * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CALL(cudaMemcpyAsync(host.data() + 512, b, 512 * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CALL(cudaFreeAsync(a, stream));
    CALL(cudaFreeAsync(b, stream));
    CALL(cudaStreamSynchronize(stream));
    EXPECT(host[0] == round && host[511] == round && host[512] == round + 10 && host[1023] == round + 10);
  }
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  EXPECT(reserved >= 1024 * sizeof(int));
  CALL(cudaMemPoolTrimTo(pool, 0));
  CALL(cudaMemPoolDestroy(own));
  CALL(cudaStreamDestroy(stream));
}
