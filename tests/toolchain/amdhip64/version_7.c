// SPDX-License-Identifier: MIT
// A program of HIP 7, whose parameters of a memset node have another order.
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct MemsetParams7 {
  void *dst;
  size_t pitch;
  unsigned value;
  unsigned elementSize;
  size_t width;
  size_t height;
};

#define HIP(call)                                                                                                      \
  do {                                                                                                                 \
    hipError_t error = (call);                                                                                         \
    if (error != hipSuccess) {                                                                                         \
      printf("line %d: %s: %s\n", __LINE__, #call, hipGetErrorName(error));                                            \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static int runs(hipGraph_t graph, const int *data, int count, int expected) {
  hipGraphExec_t exec;
  int host[64];
  HIP(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
  HIP(hipGraphLaunch(exec, NULL));
  HIP(hipMemcpy(host, data, sizeof host, hipMemcpyDeviceToHost));
  HIP(hipGraphExecDestroy(exec));
  for (int i = 0; i < 64; ++i)
    if (host[i] != (i < count ? expected : -1)) {
      printf("element %d is %d\n", i, host[i]);
      return 0;
    }
  return 1;
}

int main(void) {
  int *data;
  HIP(hipMalloc((void **)&data, 64 * sizeof(int)));
  HIP(hipMemset(data, 0xff, 64 * sizeof(int)));
  hipGraph_t graph;
  hipGraphNode_t node;
  HIP(hipGraphCreate(&graph, 0));
  struct MemsetParams7 params = {data, 64 * sizeof(int), 17, 4, 10, 1}, got;
  HIP(hipGraphAddMemsetNode(&node, graph, NULL, 0, (const hipMemsetParams *)&params));
  int good = runs(graph, data, 10, 17);
  HIP(hipGraphMemsetNodeGetParams(node, (hipMemsetParams *)&got));
  good = good && got.dst == params.dst && got.value == 17 && got.elementSize == 4 && got.width == 10 && got.height == 1;
  params.value = 18;
  params.width = 20;
  HIP(hipGraphMemsetNodeSetParams(node, (const hipMemsetParams *)&params));
  good = good && runs(graph, data, 20, 18);
  hipGraphNodeParams any;
  memset(&any, 0, sizeof any);
  any.type = hipGraphNodeTypeMemset;
  params.value = 19;
  memcpy(&any.memset, &params, sizeof params);
  HIP(hipGraphNodeSetParams(node, &any));
  good = good && runs(graph, data, 20, 19);
  HIP(hipGraphDestroy(graph));
  // By its name it is the same function.
  hipError_t (*add)(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const hipMemsetParams *) = NULL;
  hipDriverProcAddressQueryResult status;
  HIP(hipGetProcAddress("hipGraphAddMemsetNode", (void **)&add, 70000000, 0, &status));
  HIP(hipGraphCreate(&graph, 0));
  params.value = 20;
  HIP(add(&node, graph, NULL, 0, (const hipMemsetParams *)&params));
  good = good && runs(graph, data, 20, 20);
  HIP(hipGraphDestroy(graph));
  HIP(hipFree(data));
  puts(good ? "passed" : "FAILED");
  return good ? 0 : 1;
}
