// SPDX-License-Identifier: MIT
// A graph made node by node, in the forms of CUDA 11 and 12: copies, a kernel, a host function, an update.
#include "check.h"

__global__ void addTo(int *data, int value) { data[threadIdx.x] += value; }

static void CUDART_CB count(void *counter) { ++*(int *)counter; }

int main() {
  const int threads = 128;
  std::vector<int> in(threads, 3), out(threads);
  int *data = nullptr, value = 4, calls = 0;
  CALL(cudaMalloc(&data, threads * sizeof(int)));
  cudaGraph_t graph;
  CALL(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t upload, kernel, download, host;
  CALL(cudaGraphAddMemcpyNode1D(&upload, graph, nullptr, 0, data, in.data(), threads * sizeof(int),
                                cudaMemcpyHostToDevice));
  void *arguments[] = {&data, &value};
  cudaKernelNodeParams params = {};
  params.func = (void *)addTo;
  params.gridDim = dim3(1);
  params.blockDim = dim3(threads);
  params.kernelParams = arguments;
  CALL(cudaGraphAddKernelNode(&kernel, graph, &upload, 1, &params));
  CALL(cudaGraphAddMemcpyNode1D(&download, graph, &kernel, 1, out.data(), data, threads * sizeof(int),
                                cudaMemcpyDeviceToHost));
  cudaHostNodeParams hostParams = {};
  hostParams.fn = count;
  hostParams.userData = &calls;
  CALL(cudaGraphAddHostNode(&host, graph, &download, 1, &hostParams));
  size_t nodes = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 4);

  cudaGraphExec_t executable, older;
  CALL(cudaGraphInstantiate(&executable, graph));
  CALL(cudaGraphInstantiate(&older, graph, nullptr, nullptr, 0));
  cudaStream_t stream;
  CALL(cudaStreamCreate(&stream));
  for (int i = 0; i < 3; ++i)
    CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaGraphLaunch(older, stream));
  CALL(cudaStreamSynchronize(stream));
  for (int x : out)
    EXPECT(x == 7);
  EXPECT(calls == 4);

  value = 10;
  CALL(cudaGraphKernelNodeSetParams(kernel, &params));
  cudaGraphExecUpdateResultInfo info;
  CALL(cudaGraphExecUpdate(executable, graph, &info));
  EXPECT(info.result == cudaGraphExecUpdateSuccess);
  value = 20;
  CALL(cudaGraphExecKernelNodeSetParams(older, kernel, &params));
  CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(out[5] == 13);
  CALL(cudaGraphLaunch(older, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(out[5] == 23);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphExecDestroy(older));
  CALL(cudaGraphDestroy(graph));
}
