// SPDX-License-Identifier: MIT
// Compiled with --default-stream per-thread: each thread's launches have an order of their own, also with the null
// stream.
#include "check.h"
#include <thread>

__global__ void repeat(int *data, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    data[i] = data[i] * 3 + 1;
}

static void work(int *result) {
  const int count = 512;
  int *data = nullptr, host[count];
  CALL(cudaMalloc(&data, sizeof(host)));
  CALL(cudaMemsetAsync(data, 0, sizeof(host)));
  for (int i = 0; i < 5; ++i)
    repeat<<<1, 64>>>(data, count);
  CALL(cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, cudaStreamPerThread));
  CALL(cudaStreamSynchronize(0));
  *result = host[0] == host[count - 1] ? host[0] : -1;
  CALL(cudaFree(data));
}

int main() {
  const int threads = 4;
  int results[threads] = {};
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back(work, &results[i]);
  for (std::thread &thread : all)
    thread.join();
  for (int result : results)
    EXPECT(result == 121);
  cudaStreamCaptureStatus status =
      cudaStreamCaptureStatusActive; // an error for the legacy stream, while something is captured
  CALL(cudaStreamIsCapturing(0, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
}
