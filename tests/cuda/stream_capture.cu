// SPDX-License-Identifier: MIT
// A graph from what streams would have done, with a fork and a join.
#include "check.h"

__global__ void scale(float *data, float factor) { data[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }
__global__ void add(float *x, const float *y) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += y[blockIdx.x * blockDim.x + threadIdx.x];
}

int main() {
  const int count = 1024;
  float *x = onDevice(std::vector<float>(count, 1)), *y = onDevice(std::vector<float>(count, 1));
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  CALL(cudaStreamCreate(&first));
  CALL(cudaStreamCreate(&second));
  CALL(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CALL(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CALL(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CALL(cudaEventRecord(fork, first));
  CALL(cudaStreamWaitEvent(second, fork, 0));
  scale<<<count / 256, 256, 0, first>>>(x, 2);
  scale<<<count / 256, 256, 0, second>>>(y, 3);
  CALL(cudaEventRecord(join, second));
  CALL(cudaStreamWaitEvent(first, join, 0));
  add<<<count / 256, 256, 0, first>>>(x, y);
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t captured = nullptr, graph = nullptr;
  const cudaGraphNode_t *last = nullptr;
  size_t lastCount = 0;
  CALL(cudaStreamIsCapturing(first, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  CALL(cudaStreamGetCaptureInfo(first, &status, &id));
  CALL(cudaStreamGetCaptureInfo(first, &status, &id, &captured, &last, &lastCount));
  EXPECT(lastCount == 1);
  CALL(cudaStreamEndCapture(first, &graph));
  size_t nodes = 0, edges = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
  CALL(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
  EXPECT(nodes == 3 && edges == 2 && graph == captured);
  cudaGraphExec_t executable;
  CALL(cudaGraphInstantiate(&executable, graph, NULL, NULL, 0));
  for (int i = 0; i < 2; ++i)
    CALL(cudaGraphLaunch(executable, first));
  CALL(cudaStreamSynchronize(first));
  for (float value : onHost(x, count)) // (1 * 2 + 3) * 2 + 9
    EXPECT(value == 19);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
}
