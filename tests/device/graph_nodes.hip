// SPDX-License-Identifier: MIT
// Every kind of node: what it is made of, reading its parameters back, changing them in the graph and in an executable
// graph, switching it off, and what HIP refuses.
#pragma clang diagnostic ignored "-Wdeprecated-declarations" // contexts
#include "graph.h"

#include <hip/hip_cooperative_groups.h>

#include <algorithm>
#include <atomic>

namespace {

__device__ int variable[4];

struct Pair {
  short a;
  double b;
};

__global__ void store(int *to, Pair pair, char c) { *to = pair.a + static_cast<int>(pair.b) + c; }
__global__ void addTo(int *value, int amount) { *value += amount; }
__global__ void dynamicShared(int *out) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    out[0] = words[blockDim.x - 1] + gridDim.x;
}

__global__ void meet(int *arrived, int *out) {
  atomicAdd(arrived, 1);
  cooperative_groups::this_grid().sync();
  atomicAdd(out, atomicAdd(arrived, 0) % static_cast<int>(gridDim.x) == 0 ? static_cast<int>(gridDim.x) : 0);
}

hipGraphNodeType typeOf(hipGraphNode_t node) {
  hipGraphNodeType type;
  HIP_CHECK(hipGraphNodeGetType(node, &type));
  return type;
}

hipKernelNodeParams kernelParameters(const void *function, void **arguments) {
  hipKernelNodeParams parameters{};
  parameters.func = const_cast<void *>(function);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  return parameters;
}

TEST(kernels) {
  DeviceArray<int> out(1);
  int *to = out;
  Pair pair{20, 300.5};
  char c = 4;
  void *arguments[] = {&to, &pair, &c};
  hipKernelNodeParams parameters = kernelParameters(reinterpret_cast<const void *>(store), arguments), read{};
  Graph graph;
  hipGraphNode_t node;
  HIP_CHECK(hipGraphAddKernelNode(&node, graph.graph, nullptr, 0, &parameters));
  CHECK_EQ(typeOf(node), hipGraphNodeTypeKernel);
  // The arguments were copied.
  pair = {1, 1};
  c = 1;
  HIP_CHECK(hipGraphKernelNodeGetParams(node, &read));
  CHECK(read.func == parameters.func && read.gridDim.x == 1 && read.blockDim.z == 1 && read.sharedMemBytes == 0);
  CHECK(*static_cast<int **>(read.kernelParams[0]) == to);
  CHECK_EQ(static_cast<Pair *>(read.kernelParams[1])->a, 20);
  CHECK_EQ(*static_cast<char *>(read.kernelParams[2]), 4);
  graph.instantiate();
  graph.launch(nullptr);
  CHECK_EQ(out.host()[0], 324);

  // Parameters that were read back can be set again.
  *static_cast<char *>(read.kernelParams[2]) = 7;
  HIP_CHECK(hipGraphKernelNodeSetParams(node, &read));
  graph.launch(nullptr);
  CHECK_EQ(out.host()[0], 324); // not in what was instantiated
  Graph second;
  HIP_CHECK(hipGraphInstantiate(&second.exec, graph.graph, nullptr, nullptr, 0));
  second.launch(nullptr);
  CHECK_EQ(out.host()[0], 327);
  HIP_CHECK(hipGraphExecKernelNodeSetParams(graph.exec, node, &parameters));
  graph.launch(nullptr);
  CHECK_EQ(out.host()[0], 3);
  // Another kernel, with shared memory and a shape, its arguments in a packed buffer.
  size_t bytes = sizeof to;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &to, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
  hipKernelNodeParams other = kernelParameters(reinterpret_cast<const void *>(dynamicShared), nullptr);
  other.extra = extra;
  other.gridDim = dim3(3);
  other.blockDim = dim3(64);
  other.sharedMemBytes = 64 * sizeof(int);
  HIP_CHECK(hipGraphExecKernelNodeSetParams(graph.exec, node, &other));
  graph.launch(nullptr);
  CHECK_EQ(out.host()[0], 66);

  hipGraphNode_t bad;
  CHECK_EQ(hipGraphAddKernelNode(&bad, graph.graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  hipKernelNodeParams wrong = parameters;
  wrong.func = nullptr;
  CHECK_EQ(hipGraphAddKernelNode(&bad, graph.graph, nullptr, 0, &wrong), hipErrorInvalidValue);
  wrong.func = &bad;
  CHECK_EQ(hipGraphAddKernelNode(&bad, graph.graph, nullptr, 0, &wrong), hipErrorInvalidDeviceFunction);
  wrong = parameters;
  wrong.kernelParams = nullptr;
  CHECK_EQ(hipGraphAddKernelNode(&bad, graph.graph, nullptr, 0, &wrong), hipErrorInvalidValue);
  wrong = parameters;
  wrong.gridDim = dim3(0);
  CHECK_EQ(hipGraphAddKernelNode(&bad, graph.graph, nullptr, 0, &wrong), hipErrorInvalidConfiguration);
  wrong.gridDim = dim3(1);
  wrong.blockDim = dim3(1 << 20);
  CHECK_EQ(hipGraphKernelNodeSetParams(node, &wrong), hipErrorInvalidConfiguration);
  CHECK_EQ(hipGraphKernelNodeGetParams(node, nullptr), hipErrorInvalidValue);
  Graph unrelated;
  hipGraphNode_t stranger;
  HIP_CHECK(hipGraphAddKernelNode(&stranger, unrelated.graph, nullptr, 0, &parameters));
  CHECK_EQ(hipGraphExecKernelNodeSetParams(graph.exec, stranger, &parameters), hipErrorInvalidValue);
}

TEST(attributes) {
  DeviceArray<int> out(1);
  Graph graph;
  const hipGraphNode_t first = graph.kernel({}, addTo, out, 1), second = graph.kernel({first}, addTo, out, 2);
  hipLaunchAttributeValue value{};
  HIP_CHECK(hipGraphKernelNodeGetAttribute(first, hipLaunchAttributePriority, &value));
  CHECK_EQ(value.priority, 0);
  value.priority = -1;
  HIP_CHECK(hipGraphKernelNodeSetAttribute(first, hipLaunchAttributePriority, &value));
  hipLaunchAttributeValue window{};
  window.accessPolicyWindow.base_ptr = out;
  window.accessPolicyWindow.num_bytes = 0; // more than hipDeviceAttributeAccessPolicyMaxWindowSize is refused below
  window.accessPolicyWindow.hitRatio = 0.5f;
  HIP_CHECK(hipGraphKernelNodeSetAttribute(first, hipLaunchAttributeAccessPolicyWindow, &window));
  HIP_CHECK(hipGraphKernelNodeCopyAttributes(first, second));
  value.priority = 5;
  HIP_CHECK(hipGraphKernelNodeGetAttribute(second, hipLaunchAttributePriority, &value));
  CHECK_EQ(value.priority, -1);
  HIP_CHECK(hipGraphKernelNodeGetAttribute(second, hipLaunchAttributeAccessPolicyWindow, &value));
  CHECK(value.accessPolicyWindow.base_ptr == out && value.accessPolicyWindow.hitRatio == 0.5f);
  window.accessPolicyWindow.hitRatio = 2;
  CHECK_EQ(hipGraphKernelNodeSetAttribute(first, hipLaunchAttributeAccessPolicyWindow, &window), hipErrorInvalidValue);
  hipLaunchAttributeValue never{};
  never.accessPolicyWindow.num_bytes = 1; // and a hit ratio of 0
  CHECK_EQ(hipGraphKernelNodeSetAttribute(first, hipLaunchAttributeAccessPolicyWindow, &never), hipErrorInvalidValue);
  int largest;
  HIP_CHECK(hipDeviceGetAttribute(&largest, hipDeviceAttributeAccessPolicyMaxWindowSize, 0));
  never.accessPolicyWindow.hitRatio = 0.5f;
  never.accessPolicyWindow.num_bytes = largest + size_t{1};
  CHECK_EQ(hipGraphKernelNodeSetAttribute(first, hipLaunchAttributeAccessPolicyWindow, &never), hipErrorInvalidValue);
  never.accessPolicyWindow.num_bytes = 0;
  never.accessPolicyWindow.missProp = hipAccessPropertyPersisting;
  CHECK_EQ(hipGraphKernelNodeSetAttribute(first, hipLaunchAttributeAccessPolicyWindow, &never), hipErrorInvalidValue);
  CHECK_EQ(hipGraphKernelNodeSetAttribute(first, hipLaunchAttributePriority, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGraphKernelNodeSetAttribute(first, static_cast<hipLaunchAttributeID>(77), &value), hipErrorInvalidValue);
  // Whatever is not 0 is cooperative.
  value.cooperative = 2;
  HIP_CHECK(hipGraphKernelNodeSetAttribute(first, hipLaunchAttributeCooperative, &value));
  value.cooperative = 0;
  HIP_CHECK(hipGraphKernelNodeGetAttribute(first, hipLaunchAttributeCooperative, &value));
  CHECK_EQ(value.cooperative, 2);
  CHECK_EQ(hipGraphKernelNodeGetAttribute(first, static_cast<hipLaunchAttributeID>(77), &value), hipErrorInvalidValue);
  CHECK_EQ(hipGraphKernelNodeGetAttribute(first, hipLaunchAttributePriority, nullptr), hipErrorInvalidValue);
  graph.instantiate();
  graph.launch(nullptr);
  CHECK_EQ(out.host()[0], 3);
}

// The blocks of a cooperative node meet; in a graph each lane of which may launch some.
TEST(cooperative) {
  constexpr int kBlocks = 6, kBranches = 3;
  DeviceArray<int> arrived(kBranches), out(kBranches);
  Graph graph;
  std::vector<hipGraphNode_t> nodes;
  hipGraphNode_t root;
  HIP_CHECK(hipGraphAddEmptyNode(&root, graph.graph, nullptr, 0));
  for (int branch = 0; branch < kBranches; ++branch) {
    int *counter = arrived + branch, *to = out + branch;
    void *arguments[] = {&counter, &to};
    hipKernelNodeParams parameters = kernelParameters(reinterpret_cast<const void *>(meet), arguments);
    parameters.gridDim = dim3(kBlocks);
    nodes.emplace_back();
    HIP_CHECK(hipGraphAddKernelNode(&nodes.back(), graph.graph, &root, 1, &parameters));
    hipLaunchAttributeValue value{};
    value.cooperative = 1;
    HIP_CHECK(hipGraphKernelNodeSetAttribute(nodes.back(), hipLaunchAttributeCooperative, &value));
  }
  graph.instantiate();
  for (int launch = 1; launch <= 5; ++launch) {
    graph.launch(nullptr);
    for (int value : out.host())
      CHECK_EQ(value, launch * kBlocks * kBlocks); // every block saw all of this launch
  }
  // More blocks than can be there at the same time.
  hipKernelNodeParams parameters{};
  HIP_CHECK(hipGraphKernelNodeGetParams(nodes[0], &parameters));
  parameters.gridDim = dim3(1 << 30);
  HIP_CHECK(hipGraphKernelNodeSetParams(nodes[0], &parameters));
  hipGraphExec_t exec;
  hipGraphNode_t culprit = nullptr;
  CHECK_EQ(hipGraphInstantiate(&exec, graph.graph, &culprit, nullptr, 0), hipErrorCooperativeLaunchTooLarge);
  CHECK(culprit == nodes[0]);
}

TEST(linearCopies) {
  std::vector<int> source(64), result(64, -1);
  for (int i = 0; i < 64; ++i)
    source[i] = i * 3;
  DeviceArray<int> device(64);
  Graph graph;
  hipGraphNode_t up, down;
  HIP_CHECK(hipGraphAddMemcpyNode1D(&up, graph.graph, nullptr, 0, device, source.data(), 256, hipMemcpyHostToDevice));
  HIP_CHECK(hipGraphAddMemcpyNode1D(&down, graph.graph, &up, 1, result.data(), device, 256, hipMemcpyDeviceToHost));
  CHECK_EQ(typeOf(up), hipGraphNodeTypeMemcpy);
  hipMemcpy3DParms read{};
  HIP_CHECK(hipGraphMemcpyNodeGetParams(up, &read));
  CHECK(read.dstPtr.ptr == device && read.srcPtr.ptr == source.data() && read.kind == hipMemcpyHostToDevice);
  CHECK(read.extent.width == 256 && read.extent.height == 1 && read.extent.depth == 1);
  graph.instantiate();
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(result == source);
  // Fewer bytes, from another place of the same kind.
  std::vector<int> other(64, 5);
  HIP_CHECK(hipGraphExecMemcpyNodeSetParams1D(graph.exec, up, device, other.data(), 128, hipMemcpyHostToDevice));
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(result[31] == 5 && result[32] == 96);
  HIP_CHECK(hipGraphMemcpyNodeSetParams1D(up, device, other.data(), 256, hipMemcpyHostToDevice));
  HIP_CHECK(hipGraphMemcpyNodeGetParams(up, &read));
  CHECK(read.srcPtr.ptr == other.data());

  hipGraphNode_t bad;
  CHECK_EQ(hipGraphAddMemcpyNode1D(&bad, graph.graph, nullptr, 0, nullptr, source.data(), 4, hipMemcpyDefault),
           hipErrorInvalidValue);
  CHECK_EQ(
      hipGraphAddMemcpyNode1D(&bad, graph.graph, nullptr, 0, device, source.data(), 4, static_cast<hipMemcpyKind>(77)),
      hipErrorInvalidMemcpyDirection);
  CHECK_EQ(hipGraphAddMemcpyNode1D(&bad, graph.graph, nullptr, 0, device, source.data(), 1000, hipMemcpyDefault),
           hipErrorInvalidValue);
  CHECK_EQ(
      hipGraphAddMemcpyNode1D(&bad, graph.graph, nullptr, 0, source.data(), result.data(), 4, hipMemcpyDeviceToHost),
      hipErrorInvalidValue);
  for (hipMemcpyKind kind : {hipMemcpyHostToHost, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice}) {
    CHECK_EQ(hipGraphAddMemcpyNode1D(&bad, graph.graph, nullptr, 0, device, source.data(), 4, kind),
             hipErrorInvalidValue);
    CHECK_EQ(hipGraphMemcpyNodeSetParams1D(up, device, source.data(), 4, kind), hipErrorInvalidValue);
  }
  CHECK_EQ(hipGraphAddMemcpyNode1D(&bad, graph.graph, nullptr, 0, result.data(), device, 4, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  HIP_CHECK(hipGraphAddMemcpyNode1D(&bad, graph.graph, nullptr, 0, device, device + 1, 4, hipMemcpyHostToDevice));
  // Memory of another kind needs a new executable.
  CHECK_EQ(hipGraphExecMemcpyNodeSetParams1D(graph.exec, up, device, device + 32, 128, hipMemcpyDeviceToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipGraphMemcpyNodeGetParams(up, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGraphMemcpyNodeSetParams(up, nullptr), hipErrorInvalidValue);
}

// A box out of pitched memory into packed memory, by the runtime's and by the driver's description.
TEST(boxes) {
  constexpr size_t kWidth = 20, kHeight = 5, kDepth = 3;
  hipPitchedPtr device;
  HIP_CHECK(hipMalloc3D(&device, {kWidth * sizeof(int), kHeight, kDepth}));
  std::vector<int> source(kWidth * kHeight * kDepth), result(source.size(), -1);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<int>(i);
  hipMemcpy3DParms up{};
  up.srcPtr = make_hipPitchedPtr(source.data(), kWidth * sizeof(int), kWidth, kHeight);
  up.dstPtr = device;
  up.extent = {kWidth * sizeof(int), kHeight, kDepth};
  up.kind = hipMemcpyHostToDevice;
  HIP_MEMCPY3D down{};
  down.srcMemoryType = hipMemoryTypeDevice;
  down.srcDevice = device.ptr;
  down.srcPitch = device.pitch;
  down.srcHeight = kHeight;
  down.srcXInBytes = 4 * sizeof(int);
  down.srcY = 1;
  down.srcZ = 1;
  down.dstMemoryType = hipMemoryTypeHost;
  down.dstHost = result.data();
  down.dstPitch = kWidth * sizeof(int);
  down.dstHeight = kHeight;
  down.WidthInBytes = 10 * sizeof(int);
  down.Height = 3;
  down.Depth = 2;
  Graph graph;
  hipGraphNode_t first, second;
  hipCtx_t context;
  HIP_CHECK(hipCtxGetCurrent(&context));
  if (!context)
    HIP_CHECK(hipDevicePrimaryCtxRetain(&context, 0));
  HIP_CHECK(hipGraphAddMemcpyNode(&first, graph.graph, nullptr, 0, &up));
  HIP_CHECK(hipDrvGraphAddMemcpyNode(&second, graph.graph, &first, 1, &down, context));
  graph.instantiate();
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  for (size_t z = 0; z < kDepth; ++z)
    for (size_t y = 0; y < kHeight; ++y)
      for (size_t x = 0; x < kWidth; ++x) {
        const bool inside = x < 10 && y < 3 && z < 2;
        const int expected = inside ? static_cast<int>(((z + 1) * kHeight + y + 1) * kWidth + x + 4) : -1;
        CHECK_EQ(result[(z * kHeight + y) * kWidth + x], expected);
      }
  hipMemcpy3DParms read{};
  HIP_CHECK(hipGraphMemcpyNodeGetParams(first, &read));
  CHECK(read.extent.width == up.extent.width && read.extent.depth == kDepth && read.dstPtr.pitch == device.pitch);
  HIP_MEMCPY3D driver{};
  HIP_CHECK(hipDrvGraphMemcpyNodeGetParams(second, &driver));
  CHECK(driver.srcXInBytes == down.srcXInBytes && driver.srcY == 1 && driver.dstHost == result.data());
  driver.Height = 1;
  driver.Depth = 1;
  HIP_CHECK(hipDrvGraphMemcpyNodeSetParams(second, &driver));
  std::fill(result.begin(), result.end(), -1);
  HIP_CHECK(hipDrvGraphExecMemcpyNodeSetParams(graph.exec, second, &driver, context));
  up.extent.depth = 2;
  HIP_CHECK(hipGraphMemcpyNodeSetParams(first, &up));
  HIP_CHECK(hipGraphExecMemcpyNodeSetParams(graph.exec, first, &up));
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(std::count(result.begin(), result.end(), -1), static_cast<std::ptrdiff_t>(result.size() - 10));
  CHECK_EQ(hipDrvGraphMemcpyNodeGetParams(second, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipDrvGraphAddMemcpyNode(&first, graph.graph, nullptr, 0, &down, reinterpret_cast<hipCtx_t>(&down)),
           hipErrorInvalidContext);
  // Rows longer than their pitch: the driver's description and a change of an executable have no error for them.
  hipGraphNode_t node = first;
  up.dstPtr.pitch = up.extent.width - 1;
  CHECK_EQ(hipGraphAddMemcpyNode(&node, graph.graph, nullptr, 0, &up), hipErrorInvalidPitchValue);
  CHECK_EQ(hipGraphExecMemcpyNodeSetParams(graph.exec, first, &up), hipErrorInvalidValue);
  down.srcPitch = down.WidthInBytes - 1;
  CHECK_EQ(hipDrvGraphAddMemcpyNode(&node, graph.graph, nullptr, 0, &down, context), hipErrorInvalidValue);
  CHECK_EQ(hipDrvGraphMemcpyNodeSetParams(second, &down), hipErrorInvalidValue);
  CHECK_EQ(hipDrvGraphExecMemcpyNodeSetParams(graph.exec, second, &down, context), hipErrorInvalidValue);
  HIP_CHECK(hipFree(device.ptr));
}

TEST(symbols) {
  const int source[2] = {11, 12};
  int result[4] = {};
  const void *symbol = HIP_SYMBOL(variable);
  Graph graph;
  hipGraphNode_t to, from;
  HIP_CHECK(hipGraphAddMemcpyNodeToSymbol(&to, graph.graph, nullptr, 0, symbol, source, 8, 4, hipMemcpyHostToDevice));
  HIP_CHECK(hipGraphAddMemcpyNodeFromSymbol(&from, graph.graph, &to, 1, result, symbol, 16, 0, hipMemcpyDeviceToHost));
  graph.instantiate();
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(result[0] == 0 && result[1] == 11 && result[2] == 12 && result[3] == 0);
  const int other[1] = {40};
  HIP_CHECK(hipGraphExecMemcpyNodeSetParamsToSymbol(graph.exec, to, symbol, other, 4, 12, hipMemcpyHostToDevice));
  HIP_CHECK(hipGraphExecMemcpyNodeSetParamsFromSymbol(graph.exec, from, result, symbol, 4, 12, hipMemcpyDeviceToHost));
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(result[0], 40);
  HIP_CHECK(hipGraphMemcpyNodeSetParamsToSymbol(to, symbol, other, 4, 0, hipMemcpyHostToDevice));
  HIP_CHECK(hipGraphMemcpyNodeSetParamsFromSymbol(from, result, symbol, 4, 0, hipMemcpyDeviceToHost));
  hipGraphNode_t bad;
  CHECK_EQ(hipGraphAddMemcpyNodeToSymbol(&bad, graph.graph, nullptr, 0, nullptr, source, 8, 0, hipMemcpyHostToDevice),
           hipErrorInvalidSymbol);
  CHECK_EQ(hipGraphAddMemcpyNodeToSymbol(&bad, graph.graph, nullptr, 0, symbol, source, 8, 12, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddMemcpyNodeFromSymbol(&bad, graph.graph, nullptr, 0, result, symbol, 8, 0, hipMemcpyHostToDevice),
           hipErrorInvalidMemcpyDirection);
}

TEST(fills) {
  constexpr size_t kPitch = 64, kRows = 40;
  DeviceArray<unsigned char> memory(kPitch * kRows);
  hipMemsetParams parameters{};
  parameters.dst = memory + 4;
  parameters.elementSize = 2;
  parameters.value = 0x1234;
  parameters.width = 5;
  parameters.height = kRows;
  parameters.pitch = kPitch;
  Graph graph;
  hipGraphNode_t node;
  HIP_CHECK(hipGraphAddMemsetNode(&node, graph.graph, nullptr, 0, &parameters));
  CHECK_EQ(typeOf(node), hipGraphNodeTypeMemset);
  hipMemsetParams read{};
  HIP_CHECK(hipGraphMemsetNodeGetParams(node, &read));
  CHECK(read.dst == parameters.dst && read.elementSize == 2 && read.value == 0x1234 && read.width == 5 &&
        read.height == kRows && read.pitch == kPitch);
  graph.instantiate();
  graph.launch(nullptr);
  std::vector<unsigned char> result = memory.host();
  for (size_t row = 0; row < kRows; ++row)
    for (size_t x = 0; x < kPitch; ++x)
      CHECK_EQ(result[row * kPitch + x], x < 4 || x >= 14 ? 0 : x % 2 ? 0x12 : 0x34);
  parameters.dst = memory;
  parameters.elementSize = 1;
  parameters.value = 0x7f;
  parameters.width = 3;
  parameters.height = 1;
  HIP_CHECK(hipGraphExecMemsetNodeSetParams(graph.exec, node, &parameters));
  HIP_CHECK(hipGraphMemsetNodeSetParams(node, &parameters));
  graph.launch(nullptr);
  result = memory.host();
  CHECK(result[2] == 0x7f && result[3] == 0);

#if HIP_VERSION_MAJOR >= 7
  hipMemsetParams driver{};
#else
  HIP_MEMSET_NODE_PARAMS driver{};
#endif
  driver.dst = memory + 8;
  driver.value = 0xabcdef01u;
  driver.elementSize = 4;
  driver.width = driver.height = 1;
  hipCtx_t context;
  HIP_CHECK(hipDevicePrimaryCtxRetain(&context, 0));
  hipGraphNode_t added, bad;
  Graph second;
  HIP_CHECK(hipDrvGraphAddMemsetNode(&added, second.graph, nullptr, 0, &driver, context));
  second.instantiate();
  driver.value = 0x01020304u;
  HIP_CHECK(hipDrvGraphExecMemsetNodeSetParams(second.exec, added, &driver, context));
  second.launch(nullptr);
  result = memory.host();
  CHECK(result[8] == 4 && result[11] == 1);

  auto refused = [&](auto change) {
    hipMemsetParams wrong = parameters;
    change(wrong);
    CHECK_EQ(hipGraphAddMemsetNode(&bad, graph.graph, nullptr, 0, &wrong), hipErrorInvalidValue);
  };
  refused([](hipMemsetParams &p) { p.dst = nullptr; });
  refused([](hipMemsetParams &p) { p.elementSize = 3; });
  refused([](hipMemsetParams &p) { p.width = 0; });
  refused([](hipMemsetParams &p) { p.height = 0; });
  refused([](hipMemsetParams &p) { p.height = 2, p.pitch = 2; });
  refused([&](hipMemsetParams &p) { p.width = kPitch * kRows + 1; });
  CHECK_EQ(hipGraphAddMemsetNode(&bad, graph.graph, nullptr, 0, nullptr), hipErrorInvalidValue);
}

void increment(void *value) { ++*static_cast<int *>(value); }
void decrement(void *value) { --*static_cast<int *>(value); }

TEST(hostFunctions) {
  int value = 10, other = 10;
  Graph graph;
  const hipGraphNode_t node = graph.host({}, increment, &value);
  CHECK_EQ(typeOf(node), hipGraphNodeTypeHost);
  hipHostNodeParams read{};
  HIP_CHECK(hipGraphHostNodeGetParams(node, &read));
  CHECK(read.fn == increment && read.userData == &value);
  graph.instantiate();
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(value, 11);
  const hipHostNodeParams changed{decrement, &other};
  HIP_CHECK(hipGraphHostNodeSetParams(node, &changed));
  HIP_CHECK(hipGraphExecHostNodeSetParams(graph.exec, node, &changed));
  graph.launch(nullptr);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(value == 11 && other == 9);
  const hipHostNodeParams wrong{nullptr, &other};
  hipGraphNode_t bad;
  CHECK_EQ(hipGraphAddHostNode(&bad, graph.graph, nullptr, 0, &wrong), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddHostNode(&bad, graph.graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecHostNodeSetParams(graph.exec, node, &wrong), hipErrorInvalidValue);
}

TEST(events) {
  DeviceArray<int> value(1);
  hipEvent_t recorded, other, never;
  for (hipEvent_t *event : {&recorded, &other, &never})
    HIP_CHECK(hipEventCreate(event));
  std::atomic<int> flag{0};
  int *due;
  HIP_CHECK(hipHostMalloc(&due, sizeof(int), 0));
  Graph graph;
  hipGraphNode_t first = graph.kernel({}, addTo, value, 1), record, wait;
  HIP_CHECK(hipGraphAddEventWaitNode(&wait, graph.graph, nullptr, 0, never)); // never recorded: nothing to wait for
  HIP_CHECK(hipGraphAddEventRecordNode(&record, graph.graph, &first, 1, recorded));
  graph.kernel({record, wait}, addTo, value, 1);
  CHECK_EQ(typeOf(record), hipGraphNodeTypeEventRecord);
  CHECK_EQ(typeOf(wait), hipGraphNodeTypeWaitEvent);
  hipEvent_t read;
  HIP_CHECK(hipGraphEventRecordNodeGetEvent(record, &read));
  CHECK(read == recorded);
  HIP_CHECK(hipGraphEventWaitNodeGetEvent(wait, &read));
  CHECK(read == never);
  graph.instantiate();
  HIP_CHECK(hipEventRecord(other, nullptr));
  graph.launch(nullptr);
  HIP_CHECK(hipEventSynchronize(recorded));
  CHECK(value.host()[0] >= 1);
  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, other, recorded));
  CHECK(milliseconds >= 0);
  HIP_CHECK(hipDeviceSynchronize());

  // A launch records the event anew: it is not complete before the launch gets there.
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  struct Gate {
    static void open(void *flag) {
      while (*static_cast<std::atomic<int> *>(flag) == 0)
        ;
    }
  };
  flag = 0;
  HIP_CHECK(hipLaunchHostFunc(stream, Gate::open, &flag));
  graph.launch(stream);
  CHECK_EQ(hipEventQuery(recorded), hipErrorNotReady);
  // A stream that waits for it waits for this launch.
  hipStream_t waiting;
  HIP_CHECK(hipStreamCreateWithFlags(&waiting, hipStreamNonBlocking));
  HIP_CHECK(hipStreamWaitEvent(waiting, recorded, 0));
  HIP_CHECK(hipMemcpyAsync(due, value, sizeof *due, hipMemcpyDeviceToHost, waiting));
  flag = 1;
  HIP_CHECK(hipStreamSynchronize(waiting));
  CHECK(*due >= 3);
  HIP_CHECK(hipStreamSynchronize(stream));

  // A wait node waits for the last recording at the time of the launch.
  HIP_CHECK(hipGraphEventWaitNodeSetEvent(wait, other));
  HIP_CHECK(hipGraphExecEventWaitNodeSetEvent(graph.exec, wait, other));
  HIP_CHECK(hipGraphEventRecordNodeSetEvent(record, never));
  HIP_CHECK(hipGraphExecEventRecordNodeSetEvent(graph.exec, record, never));
  flag = 0;
  HIP_CHECK(hipLaunchHostFunc(stream, Gate::open, &flag));
  HIP_CHECK(hipEventRecord(other, stream));
  graph.launch(waiting);
  CHECK_EQ(hipStreamQuery(waiting), hipErrorNotReady);
  flag = 1;
  HIP_CHECK(hipStreamSynchronize(waiting));
  CHECK_EQ(value.host()[0], 6);
  HIP_CHECK(hipEventQuery(never));

  hipGraphNode_t bad;
  CHECK_EQ(hipGraphAddEventRecordNode(&bad, graph.graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGraphEventRecordNodeSetEvent(wait, other), hipErrorInvalidValue);
  CHECK_EQ(hipGraphEventWaitNodeGetEvent(wait, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipEventDestroy(other));
  CHECK_EQ(hipGraphAddEventWaitNode(&bad, graph.graph, nullptr, 0, other), hipErrorInvalidValue);
  CHECK_EQ(hipGraphLaunch(graph.exec, nullptr), hipErrorInvalidHandle);
  HIP_CHECK(hipEventDestroy(recorded));
  HIP_CHECK(hipEventDestroy(never));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipStreamDestroy(waiting));
  HIP_CHECK(hipHostFree(due));
}

TEST(wordsInMemory) {
  DeviceArray<int> value(1);
  uint32_t *words;
  HIP_CHECK(hipHostMalloc(&words, 4 * sizeof(uint32_t), 0));
  for (int i = 0; i < 4; ++i)
    words[i] = 0;
  hipStreamBatchMemOpParams operations[3] = {};
  operations[0].operation = hipStreamMemOpWriteValue32;
  operations[0].writeValue.address = words + 2;
  operations[0].writeValue.value = 77;
  operations[1].operation = hipStreamMemOpWaitValue32;
  operations[1].waitValue.address = words;
  operations[1].waitValue.value = 5;
  operations[1].waitValue.flags = hipStreamWaitValueGte;
  operations[2].operation = hipStreamMemOpWaitValue32;
  operations[2].waitValue.address = words;
  operations[2].waitValue.value = 2;
  operations[2].waitValue.flags = hipStreamWaitValueAnd;
  hipBatchMemOpNodeParams parameters{nullptr, 3, operations, 0};
  Graph graph;
  hipGraphNode_t node;
  HIP_CHECK(hipGraphAddBatchMemOpNode(&node, graph.graph, nullptr, 0, &parameters));
  CHECK_EQ(typeOf(node), hipGraphNodeTypeBatchMemOp);
  graph.kernel({node}, addTo, value, 1);
  graph.instantiate();
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  graph.launch(stream);
  CHECK_EQ(hipStreamQuery(stream), hipErrorNotReady);
  __atomic_store_n(words, 6, __ATOMIC_RELEASE);
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(words[2] == 77);
  CHECK_EQ(value.host()[0], 1);
  hipBatchMemOpNodeParams read{};
  HIP_CHECK(hipGraphBatchMemOpNodeGetParams(node, &read));
  CHECK(read.count == 3 && read.paramArray[1].waitValue.value == 5 &&
        read.paramArray[0].operation == hipStreamMemOpWriteValue32);
  parameters.count = 1;
  operations[0].writeValue.value = 78;
  HIP_CHECK(hipGraphExecBatchMemOpNodeSetParams(graph.exec, node, &parameters));
  HIP_CHECK(hipGraphBatchMemOpNodeSetParams(node, &parameters));
  words[0] = 0;
  graph.launch(stream);
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(words[2] == 78);
  hipGraphNode_t bad;
  CHECK_EQ(hipGraphAddBatchMemOpNode(&bad, graph.graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  parameters.paramArray = nullptr;
  CHECK_EQ(hipGraphAddBatchMemOpNode(&bad, graph.graph, nullptr, 0, &parameters), hipErrorInvalidValue);
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipHostFree(words));
}

TEST(anyKind) {
  DeviceArray<int> out(2);
  int *to = out;
  int amount = 4;
  void *arguments[] = {&to, &amount};
  hipGraphNodeParams parameters{};
  parameters.type = hipGraphNodeTypeKernel;
  parameters.kernel = kernelParameters(reinterpret_cast<const void *>(addTo), arguments);
  Graph graph;
  hipGraphNode_t kernel, fill, host, empty, child;
  HIP_CHECK(hipGraphAddNode(&kernel, graph.graph, nullptr, 0, &parameters));
  CHECK_EQ(typeOf(kernel), hipGraphNodeTypeKernel);
  hipGraphNodeParams other{};
  other.type = hipGraphNodeTypeMemset;
  other.memset.dst = to + 1;
  other.memset.elementSize = 4;
  other.memset.value = 9;
  other.memset.width = other.memset.height = 1;
  HIP_CHECK(hipGraphAddNode(&fill, graph.graph, &kernel, 1, &other));
  int calls = 0;
  hipGraphNodeParams call{};
  call.type = hipGraphNodeTypeHost;
  call.host = {increment, &calls};
  HIP_CHECK(hipGraphAddNode(&host, graph.graph, &fill, 1, &call));
  hipGraphNodeParams nothing{};
  nothing.type = hipGraphNodeTypeEmpty;
  HIP_CHECK(hipGraphAddNode(&empty, graph.graph, &host, 1, &nothing));
  Graph inner;
  inner.kernel({}, addTo, to + 1, 100);
  hipGraphNodeParams nested{};
  nested.type = hipGraphNodeTypeGraph;
  nested.graph.graph = inner.graph;
  HIP_CHECK(hipGraphAddNode(&child, graph.graph, &empty, 1, &nested));
  graph.instantiate();
  amount = 5;
  HIP_CHECK(hipGraphExecNodeSetParams(graph.exec, kernel, &parameters));
  HIP_CHECK(hipGraphNodeSetParams(kernel, &parameters));
  graph.launch(nullptr);
  const std::vector<int> result = out.host();
  CHECK(result[0] == 5 && result[1] == 109 && calls == 1);
  CHECK_EQ(hipGraphNodeSetParams(kernel, &other), hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecNodeSetParams(graph.exec, fill, &parameters), hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddNode(&kernel, graph.graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  nothing.type = hipGraphNodeTypeCount;
  CHECK_EQ(hipGraphAddNode(&kernel, graph.graph, nullptr, 0, &nothing), hipErrorInvalidValue);
  nothing.type = hipGraphNodeTypeExtSemaphoreSignal;
  CHECK_EQ(hipGraphAddNode(&kernel, graph.graph, nullptr, 0, &nothing), hipErrorNotSupported);
  CHECK_EQ(hipGraphAddExternalSemaphoresWaitNode(&kernel, graph.graph, nullptr, 0, nullptr), hipErrorNotSupported);
}

TEST(switchingOff) {
  DeviceArray<int> out(1);
  int calls = 0;
  Graph graph;
  const hipGraphNode_t first = graph.kernel({}, addTo, out, 1), second = graph.kernel({first}, addTo, out, 10);
  const hipGraphNode_t third = graph.kernel({second}, addTo, out, 100), host = graph.host({third}, increment, &calls);
  graph.instantiate();
  unsigned enabled = 7;
  HIP_CHECK(hipGraphNodeGetEnabled(graph.exec, second, &enabled));
  CHECK_EQ(enabled, 1u);
  HIP_CHECK(hipGraphNodeSetEnabled(graph.exec, second, 0));
  HIP_CHECK(hipGraphNodeGetEnabled(graph.exec, second, &enabled));
  CHECK_EQ(enabled, 0u);
  graph.launch(nullptr);
  CHECK_EQ(out.host()[0], 101);
  HIP_CHECK(hipGraphNodeSetEnabled(graph.exec, second, 1));
  HIP_CHECK(hipGraphNodeSetEnabled(graph.exec, first, 0));
  graph.launch(nullptr);
  CHECK_EQ(out.host()[0], 211);
  CHECK_EQ(hipGraphNodeSetEnabled(graph.exec, host, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphNodeGetEnabled(graph.exec, second, nullptr), hipErrorInvalidValue);
  Graph other;
  CHECK_EQ(hipGraphNodeSetEnabled(graph.exec, other.kernel({}, addTo, out, 1), 0), hipErrorInvalidValue);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(calls, 2);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
