// SPDX-License-Identifier: MIT
// A graph with nodes on two devices, and graphs launched in streams of another device. The CPU driver shows two devices
// for this test; a machine with one GPU skips it.
#include "graph.h"

#include <cstdlib>

namespace {

__global__ void addTo(int *value, int amount) { *value += amount; }

TEST(nodesOnBoth) {
  int *shared[2], *result;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&result), 2 * sizeof(int), hipHostMallocPortable));
  for (int device = 0; device < 2; ++device) {
    HIP_CHECK(hipSetDevice(device));
    HIP_CHECK(hipMalloc(&shared[device], sizeof(int)));
    HIP_CHECK(hipMemset(shared[device], 0, sizeof(int)));
    HIP_CHECK(hipDeviceSynchronize()); // streams of the other device do not wait for it
  }
  HIP_CHECK(hipSetDevice(0));
  Graph graph;
  const hipGraphNode_t first = graph.kernel({}, addTo, shared[0], 3);
  HIP_CHECK(hipSetDevice(1));
  const hipGraphNode_t across = graph.copy({first}, shared[1], shared[0], sizeof(int));
  const hipGraphNode_t second = graph.kernel({across}, addTo, shared[1], 100);
  HIP_CHECK(hipSetDevice(0));
  const hipGraphNode_t back = graph.copy({second}, result, shared[1], sizeof(int));
  const hipGraphNode_t other = graph.copy({first}, result + 1, shared[0], sizeof(int));
  graph.kernel({back, other}, addTo, shared[0], 1);
  graph.instantiate();
  // In streams of either device.
  for (int launch = 0; launch < 6; ++launch) {
    HIP_CHECK(hipSetDevice(launch % 2));
    HIP_CHECK(hipGraphLaunch(graph.exec, launch % 3 ? nullptr : hipStreamPerThread));
  }
  for (int device = 0; device < 2; ++device) {
    HIP_CHECK(hipSetDevice(device));
    HIP_CHECK(hipDeviceSynchronize());
  }
  CHECK_EQ(result[0], 6 * 4 - 1 + 100);
  CHECK_EQ(result[1], 6 * 4 - 1);
  HIP_CHECK(hipSetDevice(0));
  for (int *memory : shared)
    HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipHostFree(result));
}

TEST(orderInTheStreamOfAnotherDevice) {
  HIP_CHECK(hipSetDevice(0));
  int *value;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&value), sizeof(int), hipHostMallocPortable));
  *value = 0;
  Graph graph;
  graph.kernel({}, addTo, value, 10);
  graph.instantiate();
  HIP_CHECK(hipSetDevice(1));
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  for (int i = 0; i < 20; ++i) {
    addTo<<<1, 1, 0, stream>>>(value, 1);
    graph.launch(stream);
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(*value, 220);
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipSetDevice(0));
  HIP_CHECK(hipHostFree(value));
}

// An event of another device in a node, from the beginning or later.
TEST(eventsOfAnotherDevice) {
  hipEvent_t events[2];
  for (int device = 0; device < 2; ++device) {
    HIP_CHECK(hipSetDevice(device));
    HIP_CHECK(hipEventCreate(&events[device]));
  }
  HIP_CHECK(hipSetDevice(0));
  int *value;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&value), sizeof(int), hipHostMallocPortable));
  *value = 0;
  Graph graph;
  const hipGraphNode_t add = graph.kernel({}, addTo, value, 10);
  graph.kernel({graph.kernel({add}, addTo, value, 10)}, addTo, value, 10);
  hipGraphNode_t record;
  HIP_CHECK(hipGraphAddEventRecordNode(&record, graph.graph, &add, 1, events[0]));
  graph.instantiate();
  HIP_CHECK(hipGraphExecEventRecordNodeSetEvent(graph.exec, record, events[1]));
  graph.launch(nullptr);
  HIP_CHECK(hipEventSynchronize(events[1]));
  CHECK(*value >= 10);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(*value, 30);
  HIP_CHECK(hipGraphEventRecordNodeSetEvent(record, events[1]));
  HIP_CHECK(hipGraphExecDestroy(graph.exec));
  graph.instantiate();
  graph.launch(nullptr);
  HIP_CHECK(hipEventSynchronize(events[1]));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(*value, 60);
  for (hipEvent_t event : events)
    HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipHostFree(value));
}

// The device of the memory stays what it is.
TEST(movedMemory) {
  int *memory[2];
  for (int device = 0; device < 2; ++device) {
    HIP_CHECK(hipSetDevice(device));
    HIP_CHECK(hipMalloc(&memory[device], 16 * sizeof(int)));
  }
  HIP_CHECK(hipSetDevice(0));
  Graph graph;
  const hipGraphNode_t fill = graph.fill({}, memory[0], 1, 16);
  hipGraphNode_t copy;
  int host[2] = {};
  HIP_CHECK(hipGraphAddMemcpyNode1D(&copy, graph.graph, &fill, 1, host, memory[0], 4, hipMemcpyDeviceToHost));
  graph.instantiate();
  hipMemsetParams parameters{};
  HIP_CHECK(hipGraphMemsetNodeGetParams(fill, &parameters));
  parameters.dst = memory[1];
  CHECK_EQ(hipGraphExecMemsetNodeSetParams(graph.exec, fill, &parameters), hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecMemcpyNodeSetParams1D(graph.exec, copy, host, memory[1], 4, hipMemcpyDeviceToHost),
           hipErrorInvalidValue);
  parameters.dst = memory[0] + 1;
  parameters.width = 15;
  HIP_CHECK(hipGraphExecMemsetNodeSetParams(graph.exec, fill, &parameters));
  for (int *each : memory)
    HIP_CHECK(hipFree(each));
}

} // namespace

int main(int argc, char **argv) {
  setenv("HIPLZ_CPU_DEVICES", "2", 1);
  int count = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  if (count < 2)
    return 77;
  return runTests(argc, argv);
}
