// SPDX-License-Identifier: MIT
// Parts of an array go through copy, kernel and copy in streams of their own, from and to pinned memory.
#include "check.h"

__global__ void scale(int *data, int count, int factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] *= factor;
}

int main() {
  const int streams = 4, part = 1 << 14;
  int least = 0, greatest = 0;
  CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  unsigned flags = 1;
  CALL(cudaStreamGetFlags(nullptr, &flags)); // an error in HIP
  EXPECT(flags == cudaStreamDefault);
  int *host = nullptr, *device = nullptr;
  CALL(cudaMallocHost(&host, streams * part * sizeof(int)));
  CALL(cudaMalloc(&device, streams * part * sizeof(int)));
  for (int i = 0; i < streams * part; ++i)
    host[i] = i;
  cudaStream_t stream[streams];
  for (int s = 0; s < streams; ++s)
    if (s % 2)
      CALL(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
    else
      CALL(cudaStreamCreateWithPriority(&stream[s], cudaStreamDefault, greatest));
  for (int s = 0; s < streams; ++s) {
    int *from = host + s * part, *at = device + s * part;
    CALL(cudaMemcpyAsync(at, from, part * sizeof(int), cudaMemcpyHostToDevice, stream[s]));
    scale<<<32, 128, 0, stream[s]>>>(at, part, s + 2);
    CALL(cudaMemcpyAsync(from, at, part * sizeof(int), cudaMemcpyDeviceToHost, stream[s]));
  }
  for (cudaStream_t s : stream) {
    CALL(cudaStreamSynchronize(s));
    EXPECT(cudaStreamQuery(s) == cudaSuccess);
    CALL(cudaStreamDestroy(s));
  }
  for (int i = 0; i < streams * part; ++i)
    EXPECT(host[i] == i * (i / part + 2));
  CALL(cudaFreeHost(host));
  CALL(cudaFree(device));
}
