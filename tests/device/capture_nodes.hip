// SPDX-License-Identifier: MIT
// The nodes that a capture makes of each call: their kinds, their parameters, their dependencies; nothing is executed while
// capturing, and the graph does what the calls would have done.
#include "check.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace {

struct Pair {
  int factor;
  double addend;
};

__global__ void scale(int *data, int n, Pair pair) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * pair.factor + static_cast<int>(pair.addend);
}

__global__ void addInto(int *to, const int *from, int n) {
  extern __shared__ int staged[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    staged[threadIdx.x] = from[i];
    to[i] += staged[threadIdx.x];
  }
}

__device__ int deviceVariable;

constexpr int kCount = 1000;
std::atomic<int> hostCalls{0};

struct Stream {
  hipStream_t stream;
  Stream() { HIP_CHECK(hipStreamCreate(&stream)); }
  ~Stream() { HIP_CHECK(hipStreamDestroy(stream)); }
  operator hipStream_t() const { return stream; }
};

std::vector<hipGraphNode_t> nodesOf(hipGraph_t graph) {
  size_t count = 0;
  HIP_CHECK(hipGraphGetNodes(graph, nullptr, &count));
  std::vector<hipGraphNode_t> nodes(count);
  if (count)
    HIP_CHECK(hipGraphGetNodes(graph, nodes.data(), &count));
  return nodes;
}

hipGraphNodeType typeOf(hipGraphNode_t node) {
  hipGraphNodeType type;
  HIP_CHECK(hipGraphNodeGetType(node, &type));
  return type;
}

std::vector<hipGraphNode_t> dependenciesOf(hipGraphNode_t node) {
  size_t count = 0;
  HIP_CHECK(hipGraphNodeGetDependencies(node, nullptr, &count));
  std::vector<hipGraphNode_t> nodes(count);
  if (count)
    HIP_CHECK(hipGraphNodeGetDependencies(node, nodes.data(), &count));
  return nodes;
}

void launchGraph(hipGraph_t graph, hipStream_t stream, int times = 1) {
  hipGraphExec_t exec;
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < times; ++i)
    HIP_CHECK(hipGraphLaunch(exec, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipGraphExecDestroy(exec));
}

// One call of each kind, in one stream.
TEST(everyCall) {
  Stream stream;
  DeviceArray<int> data(kCount), other(kCount);
  int *pinned;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned), kCount * sizeof(int)));
  uint32_t *words;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&words), 4 * sizeof(uint32_t)));
  std::fill(pinned, pinned + kCount, 3);
  std::fill(words, words + 4, 0);
  hipEvent_t external;
  HIP_CHECK(hipEventCreateWithFlags(&external, hipEventDisableTiming));
  hostCalls = 0;

  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipMemcpyAsync(data, pinned, kCount * sizeof(int), hipMemcpyHostToDevice, stream));
  scale<<<(kCount + 127) / 128, 128, 0, stream>>>(data, kCount, Pair{5, 2.5});
  HIP_CHECK(hipMemsetAsync(other, 1, kCount * sizeof(int), stream));
  addInto<<<(kCount + 63) / 64, 64, 64 * sizeof(int), stream>>>(other, data, kCount);
  HIP_CHECK(hipLaunchHostFunc(
      stream, [](void *calls) { ++*static_cast<std::atomic<int> *>(calls); }, &hostCalls));
  HIP_CHECK(hipMemcpyToSymbolAsync(HIP_SYMBOL(deviceVariable), pinned, sizeof(int), 0, hipMemcpyHostToDevice, stream));
  HIP_CHECK(hipEventRecordWithFlags(external, stream, hipEventRecordExternal));
  HIP_CHECK(hipStreamWaitEvent(stream, external, hipEventWaitExternal));
  HIP_CHECK(hipStreamWriteValue32(stream, words, 17, 0));
  HIP_CHECK(hipStreamWaitValue32(stream, words, 1, hipStreamWaitValueEq, 0xf));
  HIP_CHECK(hipMemcpy2DAsync(pinned, 40, other, 40, 20, 10, hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipMemsetD32Async(reinterpret_cast<hipDeviceptr_t>(static_cast<int *>(data)), 9, 4, stream));
  hipGraph_t graph = nullptr;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));

  // Nothing has happened.
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(hostCalls.load(), 0);
  CHECK_EQ(words[0], 0u);
  CHECK_EQ(data.host()[0], 0);
  CHECK_EQ(pinned[0], 3);

  const hipGraphNodeType expected[] = {
      hipGraphNodeTypeMemcpy,     hipGraphNodeTypeKernel,     hipGraphNodeTypeMemset,      hipGraphNodeTypeKernel,
      hipGraphNodeTypeHost,       hipGraphNodeTypeMemcpy,     hipGraphNodeTypeEventRecord, hipGraphNodeTypeWaitEvent,
      hipGraphNodeTypeBatchMemOp, hipGraphNodeTypeBatchMemOp, hipGraphNodeTypeMemcpy,      hipGraphNodeTypeMemset};
  const std::vector<hipGraphNode_t> nodes = nodesOf(graph);
  CHECK_EQ(nodes.size(), std::size(expected));
  for (size_t i = 0; i < std::min(nodes.size(), std::size(expected)); ++i) {
    CHECK_EQ(typeOf(nodes[i]), expected[i]);
    const std::vector<hipGraphNode_t> dependencies = dependenciesOf(nodes[i]);
    CHECK_EQ(dependencies.size(), i ? 1u : 0u);
    if (i && dependencies.size() == 1)
      CHECK(dependencies[0] == nodes[i - 1]);
  }

  // The parameters, compared with what the calls were given.
  hipKernelNodeParams kernel{};
  HIP_CHECK(hipGraphKernelNodeGetParams(nodes[1], &kernel));
  CHECK(kernel.func == reinterpret_cast<void *>(scale));
  CHECK_EQ(kernel.gridDim.x, (kCount + 127) / 128u);
  CHECK_EQ(kernel.blockDim.x, 128u);
  CHECK_EQ(kernel.sharedMemBytes, 0u);
  CHECK_EQ(*static_cast<int **>(kernel.kernelParams[0]), static_cast<int *>(data));
  CHECK_EQ(*static_cast<int *>(kernel.kernelParams[1]), kCount);
  CHECK_EQ(static_cast<Pair *>(kernel.kernelParams[2])->factor, 5);
  CHECK_EQ(static_cast<Pair *>(kernel.kernelParams[2])->addend, 2.5);
  HIP_CHECK(hipGraphKernelNodeGetParams(nodes[3], &kernel));
  CHECK(kernel.func == reinterpret_cast<void *>(addInto));
  CHECK_EQ(kernel.sharedMemBytes, 64 * sizeof(int));
  hipMemsetParams memset{};
  HIP_CHECK(hipGraphMemsetNodeGetParams(nodes[2], &memset));
  CHECK_EQ(memset.dst, static_cast<void *>(static_cast<int *>(other)));
  CHECK_EQ(memset.elementSize, 1u);
  CHECK_EQ(memset.value, 1u);
  CHECK_EQ(memset.width, kCount * sizeof(int));
  CHECK_EQ(memset.height, 1u);
  HIP_CHECK(hipGraphMemsetNodeGetParams(nodes[11], &memset));
  CHECK_EQ(memset.elementSize, 4u);
  CHECK_EQ(memset.width, 4u);
  hipHostNodeParams host{};
  HIP_CHECK(hipGraphHostNodeGetParams(nodes[4], &host));
  CHECK_EQ(host.userData, static_cast<void *>(&hostCalls));
  hipEvent_t event = nullptr;
  HIP_CHECK(hipGraphEventRecordNodeGetEvent(nodes[6], &event));
  CHECK(event == external);
  HIP_CHECK(hipGraphEventWaitNodeGetEvent(nodes[7], &event));
  CHECK(event == external);
  hipMemcpy3DParms copy{};
  HIP_CHECK(hipGraphMemcpyNodeGetParams(nodes[10], &copy));
  CHECK_EQ(copy.extent.width, 20u);
  CHECK_EQ(copy.extent.height, 10u);
  CHECK_EQ(copy.dstPtr.pitch, 40u);
  CHECK_EQ(copy.dstPtr.ptr, static_cast<void *>(pinned));

  launchGraph(graph, stream, 3);
  CHECK_EQ(hostCalls.load(), 3);
  CHECK_EQ(words[0], 17u);
  // The copy of rows changes the first 100 numbers that the next execution begins with.
  const std::vector<int> result = other.host();
  CHECK_EQ(std::count(result.begin() + 100, result.end(), 0x01010101 + 17), kCount - 100);
  CHECK_EQ(data.host()[0], 9);
  CHECK_EQ(data.host()[500], 17);
  HIP_CHECK(hipEventSynchronize(external));

  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipEventDestroy(external));
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipHostFree(words));
}

// Arguments and copied values are those of the call, not of the launch.
TEST(argumentsAreCopied) {
  Stream stream;
  DeviceArray<int> data(1);
  int *pointer = data, n = 1;
  Pair pair{1, 4};
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  void *arguments[] = {&pointer, &n, &pair};
  HIP_CHECK(hipLaunchKernel(reinterpret_cast<const void *>(scale), dim3(1), dim3(1), arguments, 0, stream));
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  pointer = nullptr;
  n = -1;
  pair = {100, 100};
  launchGraph(graph, stream, 4);
  CHECK_EQ(data.host()[0], 16);
  HIP_CHECK(hipGraphDestroy(graph));
}

// A pageable source is read when the graph is executed.
TEST(pageableMemory) {
  Stream stream;
  DeviceArray<int> data(64);
  std::vector<int> source(64, 1), target(64, 0);
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipMemcpyAsync(data, source.data(), 64 * sizeof(int), hipMemcpyHostToDevice, stream));
  scale<<<1, 64, 0, stream>>>(data, 64, Pair{3, 1});
  HIP_CHECK(hipMemcpyAsync(target.data(), data, 64 * sizeof(int), hipMemcpyDeviceToHost, stream));
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  std::fill(source.begin(), source.end(), 7);
  launchGraph(graph, stream);
  CHECK_EQ(target[0], 22);
  CHECK_EQ(target[63], 22);
  HIP_CHECK(hipGraphDestroy(graph));
}

// A graph that is launched in a captured stream becomes a child.
TEST(childGraphs) {
  Stream stream;
  DeviceArray<int> data(1);
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  scale<<<1, 1, 0, stream>>>(data, 1, Pair{2, 1});
  hipGraph_t inner;
  HIP_CHECK(hipStreamEndCapture(stream, &inner));
  hipGraphExec_t exec;
  HIP_CHECK(hipGraphInstantiate(&exec, inner, nullptr, nullptr, 0));

  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  HIP_CHECK(hipGraphLaunch(exec, stream));
  scale<<<1, 1, 0, stream>>>(data, 1, Pair{10, 0});
  HIP_CHECK(hipGraphLaunch(exec, stream));
  hipGraph_t outer;
  HIP_CHECK(hipStreamEndCapture(stream, &outer));
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(inner));
  const std::vector<hipGraphNode_t> nodes = nodesOf(outer);
  CHECK_EQ(nodes.size(), 3u);
  CHECK_EQ(typeOf(nodes[0]), hipGraphNodeTypeGraph);
  CHECK_EQ(typeOf(nodes[2]), hipGraphNodeTypeGraph);
  CHECK_EQ(data.host()[0], 0);
  launchGraph(outer, stream); // ((0 * 2 + 1) * 10) * 2 + 1
  CHECK_EQ(data.host()[0], 21);
  HIP_CHECK(hipGraphDestroy(outer));
}

// Memory that is allocated and freed in a captured stream belongs to the graph.
TEST(streamOrderedMemory) {
  Stream stream;
  DeviceArray<int> result(256);
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  int *temporary = nullptr;
  HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&temporary), 256 * sizeof(int), stream));
  CHECK(temporary != nullptr);
  HIP_CHECK(hipMemsetAsync(temporary, 0, 256 * sizeof(int), stream));
  scale<<<1, 256, 0, stream>>>(temporary, 256, Pair{1, 6});
  HIP_CHECK(hipMemcpyAsync(result, temporary, 256 * sizeof(int), hipMemcpyDeviceToDevice, stream));
  HIP_CHECK(hipFreeAsync(temporary, stream));
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  const std::vector<hipGraphNode_t> nodes = nodesOf(graph);
  CHECK_EQ(nodes.size(), 5u);
  CHECK_EQ(typeOf(nodes.front()), hipGraphNodeTypeMemAlloc);
  CHECK_EQ(typeOf(nodes.back()), hipGraphNodeTypeMemFree);
  launchGraph(graph, stream, 2);
  CHECK_EQ(result.host()[255], 6);
  HIP_CHECK(hipGraphDestroy(graph));
}

// An empty capture is an empty graph.
TEST(nothing) {
  Stream stream;
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  HIP_CHECK(hipMemcpyAsync(nullptr, nullptr, 0, hipMemcpyDefault, stream));
  hipGraph_t graph;
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  CHECK_EQ(nodesOf(graph).size(), 0u);
  launchGraph(graph, stream);
  HIP_CHECK(hipGraphDestroy(graph));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
