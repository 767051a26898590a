// SPDX-License-Identifier: MIT
// A graph that the device tests build node by node; its executable and itself are destroyed at the end of the scope.
#pragma once

#include "check.h"

namespace {

// Keeps arguments from taking part in the deduction.
template <class T> struct Same {
  using Type = T;
};

struct Graph {
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  Graph() { HIP_CHECK(hipGraphCreate(&graph, 0)); }
  ~Graph() {
    if (exec)
      HIP_CHECK(hipGraphExecDestroy(exec));
    if (graph)
      HIP_CHECK(hipGraphDestroy(graph));
  }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  void instantiate() { HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0)); }
  void launch(hipStream_t stream) { HIP_CHECK(hipGraphLaunch(exec, stream)); }

  template <class... Arguments>
  hipGraphNode_t kernel(std::vector<hipGraphNode_t> after, void (*function)(Arguments...),
                        typename Same<Arguments>::Type... arguments) {
    void *pointers[] = {static_cast<void *>(&arguments)..., nullptr};
    hipKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void *>(function);
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = pointers;
    hipGraphNode_t node;
    HIP_CHECK(hipGraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters));
    return node;
  }
  hipGraphNode_t host(std::vector<hipGraphNode_t> after, hipHostFn_t function, void *data) {
    const hipHostNodeParams parameters{function, data};
    hipGraphNode_t node;
    HIP_CHECK(hipGraphAddHostNode(&node, graph, after.data(), after.size(), &parameters));
    return node;
  }
  hipGraphNode_t copy(std::vector<hipGraphNode_t> after, void *to, const void *from, size_t bytes) {
    hipGraphNode_t node;
    HIP_CHECK(hipGraphAddMemcpyNode1D(&node, graph, after.data(), after.size(), to, from, bytes, hipMemcpyDefault));
    return node;
  }
  hipGraphNode_t fill(std::vector<hipGraphNode_t> after, void *to, unsigned value, size_t count) {
    hipMemsetParams parameters{};
    parameters.dst = to;
    parameters.elementSize = 4;
    parameters.value = value;
    parameters.width = count;
    parameters.height = 1;
    hipGraphNode_t node;
    HIP_CHECK(hipGraphAddMemsetNode(&node, graph, after.data(), after.size(), &parameters));
    return node;
  }
};

} // namespace
