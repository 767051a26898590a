// SPDX-License-Identifier: MIT
// Updating executable graphs by another graph: what is taken over, and each reason why it is not.
#pragma clang diagnostic ignored "-Wdeprecated-declarations" // contexts
#include "graph.h"

#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

namespace {

__global__ void addTo(int *value, int amount) { *value += amount; }
__global__ void multiply(int *value, int amount) { *value *= amount; }

struct Outcome {
  hipError_t error;
  hipGraphExecUpdateResult result;
  hipGraphNode_t node;
};

Outcome update(hipGraphExec_t exec, hipGraph_t graph) {
  Outcome outcome{};
  outcome.node = reinterpret_cast<hipGraphNode_t>(&outcome);
  outcome.result = hipGraphExecUpdateError;
  outcome.error = hipGraphExecUpdate(exec, graph, &outcome.node, &outcome.result);
  return outcome;
}

TEST(takenOver) {
  DeviceArray<int> value(2);
  int calls = 0;
  hipHostFn_t count = [](void *data) { ++*static_cast<int *>(data); };
  auto build = [&](Graph &graph, int amount, void (*function)(int *, int), unsigned filling) {
    const hipGraphNode_t fill = graph.fill({}, value + 1, filling, 1);
    const hipGraphNode_t first = graph.kernel({fill}, function, value, amount);
    const hipGraphNode_t copied = graph.copy({first}, value + 1, value + 1, 4);
    Graph inner;
    inner.kernel({}, addTo, value, 10 * amount);
    hipGraphNode_t child;
    HIP_CHECK(hipGraphAddChildGraphNode(&child, graph.graph, &copied, 1, inner.graph));
    graph.host({child}, count, &calls);
  };
  Graph graph, changed;
  build(graph, 1, addTo, 3);
  build(changed, 3, multiply, 8);
  graph.instantiate();
  graph.launch(nullptr);
  CHECK(value.host()[0] == 11 && value.host()[1] == 3);
  const Outcome outcome = update(graph.exec, changed.graph);
  CHECK(outcome.error == hipSuccess && outcome.result == hipGraphExecUpdateSuccess && outcome.node == nullptr);
  graph.launch(nullptr);
  CHECK(value.host()[0] == 63 && value.host()[1] == 8);
  // Back again, many times while the former launches are pending.
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMemset(value, 0, 8));
  for (int i = 0; i < 10; ++i) {
    CHECK(update(graph.exec, (i % 2 ? changed : graph).graph).error == hipSuccess);
    graph.launch(stream);
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  int expected = 0;
  for (int i = 0; i < 10; ++i)
    expected = i % 2 ? expected * 3 + 30 : expected + 11;
  CHECK_EQ(value.host()[0], expected);
  CHECK_EQ(calls, 12);
  HIP_CHECK(hipStreamDestroy(stream));
}

TEST(refused) {
  DeviceArray<int> value(4);
  std::vector<int> host(4);
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  Graph graph;
  const hipGraphNode_t first = graph.kernel({}, addTo, value, 1), second = graph.copy({first}, value + 2, value, 4);
  graph.instantiate();

  auto expect = [&](Graph &other, hipGraphExecUpdateResult result, hipGraphNode_t node) {
    const Outcome outcome = update(graph.exec, other.graph);
    CHECK_EQ(outcome.error, hipErrorGraphExecUpdateFailure);
    CHECK_EQ(outcome.result, result);
    CHECK(outcome.node == node);
  };
  {
    Graph other; // a node less
    other.kernel({}, addTo, value, 1);
    expect(other, hipGraphExecUpdateErrorTopologyChanged, nullptr);
  }
  {
    Graph other; // an edge less
    other.kernel({}, addTo, value, 1);
    expect(other, hipGraphExecUpdateErrorTopologyChanged, other.copy({}, value + 2, value, 4));
  }
  {
    Graph other;
    const hipGraphNode_t kernel = other.kernel({}, addTo, value, 1);
    expect(other, hipGraphExecUpdateErrorNodeTypeChanged, other.fill({kernel}, value, 1, 1));
  }
  {
    Graph other; // host memory instead of memory of the device
    const hipGraphNode_t kernel = other.kernel({}, addTo, value, 100);
    expect(other, hipGraphExecUpdateErrorParametersChanged, other.copy({kernel}, value + 2, host.data(), 4));
  }
  // Nothing of a refused update is taken over.
  graph.launch(nullptr);
  CHECK_EQ(value.host()[2], 1);
  {
    // Inside of a child graph.
    Graph inner, otherInner, outer, otherOuter;
    inner.kernel({}, addTo, value, 1);
    otherInner.fill({}, value, 1, 1);
    hipGraphNode_t child, otherChild;
    HIP_CHECK(hipGraphAddChildGraphNode(&child, outer.graph, nullptr, 0, inner.graph));
    HIP_CHECK(hipGraphAddChildGraphNode(&otherChild, otherOuter.graph, nullptr, 0, otherInner.graph));
    outer.instantiate();
    const Outcome outcome = update(outer.exec, otherOuter.graph);
    CHECK(outcome.error == hipErrorGraphExecUpdateFailure && outcome.result == hipGraphExecUpdateErrorNodeTypeChanged);
    CHECK_EQ(hipGraphExecChildGraphNodeSetParams(outer.exec, child, otherInner.graph), hipErrorInvalidValue);
    Graph replacement;
    replacement.kernel({}, multiply, value, 50);
    HIP_CHECK(hipGraphExecChildGraphNodeSetParams(outer.exec, child, replacement.graph));
    HIP_CHECK(hipMemset(value, 0, 4));
    addTo<<<1, 1>>>(value, 2);
    outer.launch(nullptr);
    CHECK_EQ(value.host()[0], 100);
  }
  Outcome outcome{};
  CHECK_EQ(hipGraphExecUpdate(nullptr, graph.graph, &outcome.node, &outcome.result), hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecUpdate(graph.exec, nullptr, &outcome.node, &outcome.result), hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecUpdate(graph.exec, graph.graph, nullptr, &outcome.result), hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecUpdate(graph.exec, graph.graph, &outcome.node, nullptr), hipErrorInvalidValue);
  (void)second;
  HIP_CHECK(hipEventDestroy(event));
}

// Changing nodes of an executable while it runs changes the next launch alone.
TEST(changesWhileRunning) {
  std::atomic<int> flag{0};
  DeviceArray<int> value(1);
  int *to = value;
  int amount = 1000;
  void *arguments[] = {&to, &amount};
  hipKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void *>(addTo);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  Graph graph;
  const hipGraphNode_t wait = graph.host(
      {},
      [](void *data) {
        while (*static_cast<std::atomic<int> *>(data) == 0)
          ;
      },
      &flag);
  const hipGraphNode_t add = graph.kernel({wait}, addTo, value, 1);
  graph.instantiate();
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  graph.launch(stream);
  HIP_CHECK(hipGraphExecKernelNodeSetParams(graph.exec, add, &parameters));
  graph.launch(stream);
  HIP_CHECK(hipGraphNodeSetEnabled(graph.exec, add, 0));
  graph.launch(stream);
  HIP_CHECK(hipGraphUpload(graph.exec, stream));
  flag = 1;
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(value.host()[0], 1001);
  HIP_CHECK(hipStreamDestroy(stream));
}

__device__ int symbolOfCopies[4];

// Updates that a copy or a fill refuses.
TEST(copiesAndFills) {
  DeviceArray<int> one(16), two(16);
  int host[16] = {}, *pinned;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned), sizeof host));
  const void *const symbol = HIP_SYMBOL(symbolOfCopies);
  Graph graph;
  hipGraphNode_t node;
  // No bytes.
  CHECK_EQ(hipGraphAddMemcpyNode1D(&node, graph.graph, nullptr, 0, one, host, 0, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddMemcpyNodeToSymbol(&node, graph.graph, nullptr, 0, symbol, host, 0, 0, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipGraphAddMemcpyNodeFromSymbol(&node, graph.graph, nullptr, 0, host, symbol, 0, 0, hipMemcpyDeviceToHost),
           hipErrorInvalidValue);
  CHECK_EQ(
      hipGraphAddMemcpyNodeFromSymbol(&node, graph.graph, nullptr, 0, nullptr, symbol, 4, 0, hipMemcpyDeviceToHost),
      hipErrorInvalidValue);
  hipGraphNode_t copy, to, from;
  HIP_CHECK(hipGraphAddMemcpyNode1D(&copy, graph.graph, nullptr, 0, one, pinned, 8, hipMemcpyHostToDevice));
  HIP_CHECK(hipGraphAddMemcpyNodeToSymbol(&to, graph.graph, nullptr, 0, symbol, pinned, 8, 0, hipMemcpyHostToDevice));
  HIP_CHECK(
      hipGraphAddMemcpyNodeFromSymbol(&from, graph.graph, nullptr, 0, pinned, symbol, 8, 0, hipMemcpyDeviceToHost));
  graph.instantiate();
  CHECK_EQ(hipGraphMemcpyNodeSetParams1D(copy, one, host, 0, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipGraphMemcpyNodeSetParams1D(copy, one, one, 4, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecMemcpyNodeSetParams1D(graph.exec, copy, one, pinned, 0, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecMemcpyNodeSetParams1D(graph.exec, copy, one, one, 4, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipGraphMemcpyNodeSetParamsToSymbol(to, symbol, pinned, 0, 0, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipGraphMemcpyNodeSetParamsToSymbol(to, nullptr, pinned, 4, 0, hipMemcpyHostToDevice),
           hipErrorInvalidSymbol);
  CHECK_EQ(hipGraphExecMemcpyNodeSetParamsToSymbol(graph.exec, to, symbol, pinned, 0, 0, hipMemcpyHostToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecMemcpyNodeSetParamsFromSymbol(graph.exec, from, pinned, symbol, 0, 0, hipMemcpyDeviceToHost),
           hipErrorInvalidValue);
  // Another direction, even if it means the same copy.
  for (hipMemcpyKind kind : {hipMemcpyDefault, hipMemcpyDeviceToDevice, hipMemcpyDeviceToHost, hipMemcpyHostToHost})
    CHECK_EQ(hipGraphExecMemcpyNodeSetParams1D(graph.exec, copy, one, pinned, 4, kind), hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecMemcpyNodeSetParamsToSymbol(graph.exec, to, symbol, one, 4, 0, hipMemcpyDeviceToDevice),
           hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecMemcpyNodeSetParamsFromSymbol(graph.exec, from, one, symbol, 4, 0, hipMemcpyDeviceToDevice),
           hipErrorInvalidValue);
  HIP_CHECK(hipGraphExecMemcpyNodeSetParams1D(graph.exec, copy, two, pinned + 1, 4, hipMemcpyHostToDevice));
  Graph other;
  HIP_CHECK(hipGraphAddMemcpyNode1D(&node, other.graph, nullptr, 0, one, pinned, 8, hipMemcpyDefault));
  HIP_CHECK(hipGraphAddMemcpyNodeToSymbol(&to, other.graph, nullptr, 0, symbol, pinned, 8, 0, hipMemcpyHostToDevice));
  HIP_CHECK(
      hipGraphAddMemcpyNodeFromSymbol(&from, other.graph, nullptr, 0, pinned, symbol, 8, 0, hipMemcpyDeviceToHost));
  hipGraphNode_t culprit;
  hipGraphExecUpdateResult result;
  CHECK_EQ(hipGraphExecUpdate(graph.exec, other.graph, &culprit, &result), hipErrorGraphExecUpdateFailure);
  CHECK_EQ(result, hipGraphExecUpdateErrorParametersChanged);
  CHECK(culprit == node);

  // The pitch of a single row can be read back; rows keep their number and length in an executable.
  hipMemsetParams parameters{};
  parameters.dst = one;
  parameters.elementSize = 4;
  parameters.width = 4;
  parameters.height = 1;
  parameters.pitch = 48;
  Graph fills;
  hipGraphNode_t row, rows;
  HIP_CHECK(hipGraphAddMemsetNode(&row, fills.graph, nullptr, 0, &parameters));
  hipMemsetParams known{};
  HIP_CHECK(hipGraphMemsetNodeGetParams(row, &known));
  CHECK_EQ(known.pitch, size_t{48});
  parameters.height = 2;
  parameters.pitch = 32;
  parameters.value = 9;
  HIP_CHECK(hipGraphAddMemsetNode(&rows, fills.graph, &row, 1, &parameters));
  fills.instantiate();
  parameters.width = 5;
  CHECK_EQ(hipGraphExecMemsetNodeSetParams(fills.exec, rows, &parameters), hipErrorInvalidValue);
  parameters.width = 4;
  parameters.height = 3;
  CHECK_EQ(hipGraphExecMemsetNodeSetParams(fills.exec, rows, &parameters), hipErrorInvalidValue);
  CHECK_EQ(hipGraphExecMemsetNodeSetParams(fills.exec, row, &parameters),
           hipErrorInvalidValue); // one row becomes three
  parameters.height = 0;
  CHECK_EQ(hipGraphExecMemsetNodeSetParams(fills.exec, row, &parameters), hipErrorInvalidValue);
  parameters.height = 2;
  parameters.value = 7;
  HIP_CHECK(hipGraphExecMemsetNodeSetParams(fills.exec, rows, &parameters));
  fills.launch(nullptr);
  const std::vector<int> filled = one.host();
  CHECK(filled[0] == 7 && filled[3] == 7 && filled[4] == 0 && filled[8] == 7 && filled[11] == 7 && filled[12] == 0);

  // The driver's functions: no context.
  HIP_MEMCPY3D description{};
  description.srcMemoryType = hipMemoryTypeHost;
  description.srcHost = pinned;
  description.dstMemoryType = hipMemoryTypeDevice;
  description.dstDevice = one;
  description.WidthInBytes = 8;
  description.Height = description.Depth = 1;
  hipCtx_t context;
  HIP_CHECK(hipDevicePrimaryCtxRetain(&context, 0));
  CHECK_EQ(hipDrvGraphAddMemcpyNode(&node, other.graph, nullptr, 0, &description, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipDrvGraphAddMemcpyNode(&node, other.graph, nullptr, 0, &description, context));
  HIP_CHECK(hipDevicePrimaryCtxRelease(0));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipHostFree(pinned));
}

// The module with moduleKernel, once more.
std::string ownModule() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string program((std::istreambuf_iterator<char>(file)), {});
  const size_t at = program.find(std::string("__CLANG_OFFLOAD_") + "BUNDLE__"); // but not these words
  CHECK(at != std::string::npos);
  return program.substr(at);
}

// A kernel of a module that is unloaded: executables that were running have finished, and nobody can launch it any more.
TEST(unloadedModules) {
  const std::string image = ownModule();
  hipModule_t module;
  HIP_CHECK(hipModuleLoadData(&module, image.data()));
  hipFunction_t function;
  HIP_CHECK(hipModuleGetFunction(&function, module, "moduleKernel"));
  DeviceArray<int> value(1);
  int *to = value;
  void *arguments[] = {&to};
  hipKernelNodeParams parameters{};
  parameters.func = function;
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  Graph graph, other;
  hipGraphNode_t node;
  HIP_CHECK(hipGraphAddKernelNode(&node, graph.graph, nullptr, 0, &parameters));
  graph.instantiate();
  for (int i = 0; i < 50; ++i)
    graph.launch(nullptr);
  HIP_CHECK(hipModuleUnload(module));
  CHECK_EQ(value.host()[0], 50);
  CHECK_EQ(hipGraphLaunch(graph.exec, nullptr), hipErrorInvalidDeviceFunction);
  hipGraphExec_t exec;
  hipGraphNode_t culprit = nullptr;
  char log[200] = "";
  CHECK_EQ(hipGraphInstantiate(&exec, graph.graph, &culprit, log, sizeof log), hipErrorInvalidDeviceFunction);
  CHECK(culprit == node);
  CHECK(std::strlen(log) > 10);
  HIP_CHECK(hipDeviceSynchronize());
}

// Modules come and go while other threads build, launch and destroy graphs that have nothing to do with them.
TEST(unloadingBesideOtherGraphs) {
  const std::string image = ownModule();
  DeviceArray<int> value(1);
  int *const to = value;
  std::atomic<bool> done{false};
  std::vector<std::thread> builders;
  for (int i = 0; i < 3; ++i)
    builders.emplace_back([&] {
      while (!done) {
        Graph graph;
        std::vector<hipGraphNode_t> after;
        for (int j = 0; j < 300; ++j)
          after = {graph.kernel(after, addTo, to, 0)};
        HIP_CHECK(hipGraphDestroyNode(after[0]));
      }
    });
  for (int i = 0; i < 500; ++i) {
    hipModule_t module;
    hipFunction_t function;
    HIP_CHECK(hipModuleLoadData(&module, image.data()));
    HIP_CHECK(hipModuleGetFunction(&function, module, "moduleKernel"));
    HIP_CHECK(hipModuleUnload(module));
  }
  done = true;
  for (std::thread &builder : builders)
    builder.join();
}

// An executable that no longer launches a kernel still has its handle.
TEST(unloadedAfterUpdate) {
  const std::string image = ownModule();
  DeviceArray<int> value(1);
  int *to = value, amount = 5;
  for (int round = 0; round < 3; ++round) {
    hipModule_t module;
    hipFunction_t function;
    HIP_CHECK(hipModuleLoadData(&module, image.data()));
    HIP_CHECK(hipModuleGetFunction(&function, module, "moduleKernel"));
    void *arguments[] = {&to, &amount};
    hipKernelNodeParams parameters{};
    parameters.func = function;
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = arguments;
    Graph graph;
    hipGraphNode_t node;
    HIP_CHECK(hipGraphAddKernelNode(&node, graph.graph, nullptr, 0, &parameters));
    graph.instantiate();
    graph.launch(nullptr);
    parameters.func = reinterpret_cast<void *>(static_cast<void (*)(int *, int)>(addTo));
    HIP_CHECK(hipGraphExecKernelNodeSetParams(graph.exec, node, &parameters));
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipModuleUnload(module));
    graph.launch(nullptr);
    HIP_CHECK(hipDeviceSynchronize());
  }
  CHECK_EQ(value.host()[0], 3 * 6);
}

// As deep as programs go, with every operation that follows children.
TEST(deepChildren) {
  DeviceArray<int> value(1);
  Graph graph;
  graph.kernel({}, addTo, value, 1);
  for (int depth = 0; depth < 1000; ++depth) {
    Graph outer;
    hipGraphNode_t child;
    HIP_CHECK(hipGraphAddChildGraphNode(&child, outer.graph, nullptr, 0, graph.graph));
    std::swap(outer.graph, graph.graph);
  }
  graph.instantiate();
  graph.launch(nullptr);
  hipGraphNode_t culprit;
  hipGraphExecUpdateResult result;
  HIP_CHECK(hipGraphExecUpdate(graph.exec, graph.graph, &culprit, &result));
  Graph clone;
  HIP_CHECK(hipGraphDestroy(clone.graph));
  HIP_CHECK(hipGraphClone(&clone.graph, graph.graph));
  clone.instantiate();
  clone.launch(nullptr);
  graph.launch(nullptr);
  CHECK_EQ(value.host()[0], 3);
}

} // namespace

extern "C" __global__ void moduleKernel(int *value) { ++*value; }

int main(int argc, char **argv) { return runTests(argc, argv); }
