// SPDX-License-Identifier: MIT
// Memory that graphs allocate: addresses, lifetimes, what is counted, and what HIP refuses.
#include "graph.h"

#include <cstdint>

namespace {

__global__ void fill(int *to, int value, int count) {
  for (int i = 0; i < count; ++i)
    to[i] = value + i;
}
__global__ void sum(int *out, const int *from, int count) {
  for (int i = 0; i < count; ++i)
    *out += from[i];
}

hipMemAllocNodeParams request(size_t bytes) {
  hipMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = hipMemAllocationTypePinned;
  parameters.poolProps.location = {hipMemLocationTypeDevice, 0};
  parameters.bytesize = bytes;
  return parameters;
}

uint64_t attribute(hipGraphMemAttributeType which) {
  uint64_t value = ~uint64_t{0};
  HIP_CHECK(hipDeviceGetGraphMemAttribute(0, which, &value));
  return value;
}

TEST(insideOfAGraph) {
  constexpr int kCount = 1000;
  DeviceArray<int> out(1);
  Graph graph;
  hipMemAllocNodeParams parameters = request(kCount * sizeof(int));
  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  parameters.accessDescs = &access;
  parameters.accessDescCount = 1;
  hipGraphNode_t allocation, release;
  HIP_CHECK(hipGraphAddMemAllocNode(&allocation, graph.graph, nullptr, 0, &parameters));
  int *memory = static_cast<int *>(parameters.dptr);
  CHECK(memory != nullptr);
  const hipGraphNode_t filled = graph.kernel({allocation}, fill, memory, 1, kCount);
  const hipGraphNode_t used = graph.kernel({filled}, sum, out, memory, kCount);
  HIP_CHECK(hipGraphAddMemFreeNode(&release, graph.graph, &used, 1, memory));
  hipGraphNodeType type;
  HIP_CHECK(hipGraphNodeGetType(allocation, &type));
  CHECK_EQ(type, hipGraphNodeTypeMemAlloc);
  HIP_CHECK(hipGraphNodeGetType(release, &type));
  CHECK_EQ(type, hipGraphNodeTypeMemFree);
  hipMemAllocNodeParams read{};
  HIP_CHECK(hipGraphMemAllocNodeGetParams(allocation, &read));
  CHECK(read.dptr == memory && read.bytesize == parameters.bytesize);
  CHECK(read.accessDescs == &access && read.accessDescCount == 1);
  void *pointer = nullptr;
  HIP_CHECK(hipGraphMemFreeNodeGetParams(release, &pointer));
  CHECK(pointer == memory);
  CHECK(attribute(hipGraphMemAttrReservedMemCurrent) >= parameters.bytesize);
  graph.instantiate();
  for (int i = 0; i < 10; ++i)
    graph.launch(nullptr);
  CHECK_EQ(out.host()[0], 10 * (kCount * (kCount + 1) / 2));
  CHECK_EQ(attribute(hipGraphMemAttrUsedMemCurrent), uint64_t{0});
  CHECK_EQ(attribute(hipGraphMemAttrUsedMemHigh), uint64_t{parameters.bytesize});

  // HIP lets such a graph have one executable, no clone, no parent, and all of its nodes and edges.
  hipGraphExec_t exec;
  hipGraph_t clone;
  hipGraphNode_t child;
  CHECK_EQ(hipGraphInstantiate(&exec, graph.graph, nullptr, nullptr, 0), hipErrorNotSupported);
  CHECK_EQ(hipGraphClone(&clone, graph.graph), hipErrorNotSupported);
  Graph parent;
  CHECK_EQ(hipGraphAddChildGraphNode(&child, parent.graph, nullptr, 0, graph.graph), hipErrorNotSupported);
  CHECK_EQ(hipGraphDestroyNode(release), hipErrorNotSupported);
  CHECK_EQ(hipGraphRemoveDependencies(graph.graph, &allocation, &filled, 1), hipErrorNotSupported);
  HIP_CHECK(hipGraphExecDestroy(graph.exec));
  graph.instantiate();
}

TEST(freedOutside) {
  DeviceArray<int> out(1);
  Graph graph;
  hipMemAllocNodeParams parameters = request(64);
  hipGraphNode_t allocation;
  HIP_CHECK(hipGraphAddMemAllocNode(&allocation, graph.graph, nullptr, 0, &parameters));
  int *memory = static_cast<int *>(parameters.dptr);
  graph.kernel({allocation}, fill, memory, 5, 16);
  graph.instantiate();
  CHECK_EQ(hipFree(memory), hipErrorInvalidValue); // not allocated yet
  graph.launch(nullptr);
  CHECK_EQ(attribute(hipGraphMemAttrUsedMemCurrent), uint64_t{64});
  CHECK_EQ(hipGraphLaunch(graph.exec, nullptr), hipErrorInvalidValue); // not freed yet
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  sum<<<1, 1, 0, stream>>>(out, memory, 16);
  HIP_CHECK(hipFreeAsync(memory, stream));
  CHECK_EQ(attribute(hipGraphMemAttrUsedMemCurrent), uint64_t{0});
  graph.launch(nullptr);
  HIP_CHECK(hipFree(memory));
  CHECK_EQ(hipFree(memory), hipErrorInvalidValue);
  CHECK_EQ(out.host()[0], 5 * 16 + 120);
  HIP_CHECK(hipStreamDestroy(stream));
  // By another graph, which may be launched only after this one.
  Graph other;
  hipGraphNode_t release;
  HIP_CHECK(hipDrvGraphAddMemFreeNode(&release, other.graph, nullptr, 0, memory));
  other.instantiate();
  CHECK_EQ(hipGraphLaunch(other.exec, nullptr), hipErrorInvalidValue);
  graph.launch(nullptr);
  other.launch(nullptr);
  CHECK_EQ(hipGraphLaunch(other.exec, nullptr), hipErrorInvalidValue);
  // The allocation outlives the graph and its executable.
  graph.launch(nullptr);
  HIP_CHECK(hipGraphExecDestroy(graph.exec));
  HIP_CHECK(hipGraphDestroy(graph.graph));
  graph.exec = nullptr;
  graph.graph = nullptr;
  std::vector<int> result(16);
  HIP_CHECK(hipMemcpy(result.data(), memory, 64, hipMemcpyDeviceToHost));
  CHECK_EQ(result[15], 20);
  HIP_CHECK(hipFree(memory));
}

TEST(freedByTheNextLaunch) {
  Graph graph;
  hipMemAllocNodeParams parameters = request(4096);
  hipGraphNode_t allocation;
  HIP_CHECK(hipGraphAddMemAllocNode(&allocation, graph.graph, nullptr, 0, &parameters));
  HIP_CHECK(hipGraphInstantiateWithFlags(&graph.exec, graph.graph, hipGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 5; ++i)
    graph.launch(nullptr);
  CHECK_EQ(attribute(hipGraphMemAttrUsedMemCurrent), uint64_t{4096});
  HIP_CHECK(hipFree(parameters.dptr));
}

TEST(counting) {
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipDeviceGraphMemTrim(0));
  CHECK_EQ(attribute(hipGraphMemAttrReservedMemCurrent), uint64_t{0});
  uint64_t zero = 0, one = 1;
  HIP_CHECK(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrReservedMemHigh, &zero));
  HIP_CHECK(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &zero));
  CHECK_EQ(attribute(hipGraphMemAttrReservedMemHigh), uint64_t{0});
  CHECK_EQ(attribute(hipGraphMemAttrUsedMemHigh), uint64_t{0});
  CHECK_EQ(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &one), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &zero), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, nullptr), hipErrorInvalidValue);
  // The attribute is looked at before the value, which may be anything then.
  void *const nowhere = reinterpret_cast<void *>(uintptr_t{8});
  CHECK_EQ(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrReservedMemCurrent, nowhere), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceSetGraphMemAttribute(0, static_cast<hipGraphMemAttributeType>(7), nowhere), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceGetGraphMemAttribute(-1, hipGraphMemAttrUsedMemHigh, &zero), hipErrorInvalidDevice);
  CHECK_EQ(hipDeviceGraphMemTrim(99), hipErrorInvalidDevice);

  // A graph that is gone leaves its memory for the next one.
  uint64_t reserved;
  {
    Graph graph;
    hipMemAllocNodeParams parameters = request(1 << 20);
    hipGraphNode_t allocation;
    HIP_CHECK(hipGraphAddMemAllocNode(&allocation, graph.graph, nullptr, 0, &parameters));
    reserved = attribute(hipGraphMemAttrReservedMemCurrent);
    CHECK(reserved >= 1 << 20);
  }
  CHECK_EQ(attribute(hipGraphMemAttrReservedMemCurrent), reserved);
  {
    Graph graph;
    hipMemAllocNodeParams parameters = request(1 << 20);
    hipGraphNode_t allocation;
    HIP_CHECK(hipGraphAddMemAllocNode(&allocation, graph.graph, nullptr, 0, &parameters));
    CHECK_EQ(attribute(hipGraphMemAttrReservedMemCurrent), reserved);
  }
  HIP_CHECK(hipDeviceGraphMemTrim(0));
  CHECK_EQ(attribute(hipGraphMemAttrReservedMemCurrent), uint64_t{0});
  CHECK_EQ(attribute(hipGraphMemAttrReservedMemHigh), reserved);
}

TEST(wrongParameters) {
  Graph graph;
  hipGraphNode_t node;
  auto refused = [&](auto change, hipError_t error) {
    hipMemAllocNodeParams parameters = request(16);
    change(parameters);
    CHECK_EQ(hipGraphAddMemAllocNode(&node, graph.graph, nullptr, 0, &parameters), error);
  };
  refused([](hipMemAllocNodeParams &p) { p.bytesize = 0; }, hipErrorInvalidValue);
  refused([](hipMemAllocNodeParams &p) { p.poolProps.allocType = hipMemAllocationTypeInvalid; }, hipErrorInvalidValue);
  refused([](hipMemAllocNodeParams &p) { p.poolProps.location.type = hipMemLocationTypeInvalid; },
          hipErrorInvalidValue);
  refused([](hipMemAllocNodeParams &p) { p.poolProps.location.id = 77; }, hipErrorInvalidValue);
  refused([](hipMemAllocNodeParams &p) { p.bytesize = SIZE_MAX; }, hipErrorOutOfMemory);
  refused([](hipMemAllocNodeParams &p) { p.accessDescCount = 1; }, hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddMemAllocNode(&node, graph.graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  DeviceArray<int> other(1);
  CHECK_EQ(hipGraphAddMemFreeNode(&node, graph.graph, nullptr, 0, other), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddMemFreeNode(&node, graph.graph, nullptr, 0, nullptr), hipErrorInvalidValue);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
