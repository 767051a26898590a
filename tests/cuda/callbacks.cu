// SPDX-License-Identifier: MIT
// Functions of the host in a stream's order: callbacks and host functions.
#include "check.h"

struct Work {
  int *host;
  int count;
  int sum = 0, order = 0;
};
static int calls;

static void CUDART_CB sumUp(cudaStream_t, cudaError_t status, void *data) {
  Work *work = (Work *)data;
  EXPECT(status == cudaSuccess);
  for (int i = 0; i < work->count; ++i)
    work->sum += work->host[i];
  work->order = ++calls;
}
static void CUDART_CB negate(void *data) {
  Work *work = (Work *)data;
  work->sum = -work->sum;
  work->order = 10 * work->order + ++calls;
}

__global__ void ramp(int *data) { data[threadIdx.x] = threadIdx.x; }

int main() {
  cudaStream_t stream;
  CALL(cudaStreamCreate(&stream));
  Work work;
  work.count = 100;
  int *device = nullptr;
  CALL(cudaMallocHost((void **)&work.host, 100 * sizeof(int)));
  CALL(cudaMallocAsync(&device, 100 * sizeof(int), stream));
  ramp<<<1, 100, 0, stream>>>(device);
  CALL(cudaMemcpyAsync(work.host, device, 100 * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CALL(cudaStreamAddCallback(stream, sumUp, &work, 0));
  CALL(cudaLaunchHostFunc(stream, negate, &work));
  CALL(cudaFreeAsync(device, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(work.sum == -4950 && work.order == 12);
  CALL(cudaFreeHost(work.host));
  CALL(cudaStreamDestroy(stream));
}
