// SPDX-License-Identifier: MIT
// Events: times, queries, and one stream that waits for another.
#include "check.h"

__global__ void fill(int *data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void addTo(int *data, const int *other) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += other[blockIdx.x * blockDim.x + threadIdx.x];
}

int main() {
  const int count = 4096;
  int *x = nullptr, *y = nullptr;
  CALL(cudaMalloc(&x, count * sizeof(int)));
  CALL(cudaMalloc(&y, count * sizeof(int)));
  cudaEvent_t start, filled, stop;
  CALL(cudaEventCreate(&start));
  CALL(cudaEventCreate(&filled, cudaEventDisableTiming));
  CALL(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  cudaStream_t first, second;
  CALL(cudaStreamCreate(&first));
  CALL(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CALL(cudaEventRecord(start, first));
  fill<<<count / 256, 256, 0, first>>>(x, 5);
  CALL(cudaEventRecord(filled, first));
  fill<<<count / 256, 256, 0, second>>>(y, 2);
  CALL(cudaStreamWaitEvent(second, filled));
  addTo<<<count / 256, 256, 0, second>>>(y, x);
  CALL(cudaEventRecord(stop, second));
  CALL(cudaEventSynchronize(stop));
  EXPECT(cudaEventQuery(start) == cudaSuccess);
  float milliseconds = -1;
  CALL(cudaEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds >= 0);
  EXPECT(cudaEventElapsedTime(&milliseconds, start, filled) == cudaErrorInvalidResourceHandle);
  for (int value : onHost(y, count))
    EXPECT(value == 7);
  for (cudaEvent_t event : {start, filled, stop})
    CALL(cudaEventDestroy(event));
  CALL(cudaStreamDestroy(first));
  CALL(cudaStreamDestroy(second));
  CALL(cudaFree(x));
  CALL(cudaFree(y));
}
