// SPDX-License-Identifier: MIT
// Conditional nodes of graphs: if, else, while and switch, within each other, by capture, launched several times; and what is refused.
#include "check.h"

__global__ void decide(const int *number, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, (unsigned)*number);
}
__global__ void add(int *sum, int value) { *sum += value; }
__global__ void countDown(int *counter, cudaGraphConditionalHandle handle) {
  if (--*counter == 0)
    cudaGraphSetConditional(handle, 0);
}
__global__ void start(int *counter, int from) { *counter = from; }

static cudaGraphNode_t addKernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, void *kernel,
                                 void **arguments) {
  cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
  params.kernel.func = kernel;
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CALL(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &params));
  return node;
}

static cudaGraph_t *addCondition(cudaGraph_t graph, std::vector<cudaGraphNode_t> after,
                                 cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned bodies,
                                 cudaGraphNode_t *node = nullptr) {
  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = bodies;
  cudaGraphNode_t added;
  CALL(cudaGraphAddNode(&added, graph, after.data(), nullptr, after.size(), &params));
  cudaGraphNodeType stored;
  CALL(cudaGraphNodeGetType(added, &stored));
  EXPECT(stored == cudaGraphNodeTypeConditional);
  if (node)
    *node = added;
  return params.conditional.phGraph_out;
}

// *number chooses what is added to *sum: the bodies add 1, 10, 100.
static void choice(cudaGraphConditionalNodeType type, unsigned bodies, std::vector<int> expected) {
  int *number = onDevice<int>({0}), *sum = onDevice<int>({0});
  cudaGraph_t graph;
  CALL(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  CALL(cudaGraphConditionalHandleCreate(&handle, graph));
  void *decideArguments[] = {&number, &handle};
  cudaGraphNode_t first = addKernel(graph, {}, (void *)decide, decideArguments), condition;
  cudaGraph_t *body = addCondition(graph, {first}, handle, type, bodies, &condition);
  int value = 1;
  void *addArguments[] = {&sum, &value};
  for (unsigned i = 0; i < bodies; ++i, value *= 10)
    addKernel(body[i], {}, (void *)add, addArguments);
  value = 1000; // after the condition
  addKernel(graph, {condition}, (void *)add, addArguments);
  cudaGraphExec_t executable;
  CALL(cudaGraphInstantiate(&executable, graph));
  for (size_t i = 0; i < expected.size(); ++i) {
    const int chosen = (int)i, zero = 0;
    CALL(cudaMemcpy(number, &chosen, sizeof chosen, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(sum, &zero, sizeof zero, cudaMemcpyHostToDevice));
    CALL(cudaGraphLaunch(executable, 0));
    EXPECT(onHost(sum, 1)[0] == expected[i] + 1000);
  }
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
}

// Begins with its default each time; the body is captured and runs 5 times. In it, another loop adds 1 three times.
static void loops() {
  int *outer = onDevice<int>({0}), *inner = onDevice<int>({0}), *sum = onDevice<int>({0});
  cudaGraph_t graph;
  CALL(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  CALL(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraph_t body = addCondition(graph, {}, handle, cudaGraphCondTypeWhile, 1)[0];
  cudaStream_t stream;
  CALL(cudaStreamCreate(&stream));
  CALL(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  start<<<1, 1, 0, stream>>>(inner, 3);
  countDown<<<1, 1, 0, stream>>>(outer, handle);
  CALL(cudaStreamEndCapture(stream, nullptr));
  size_t count = 2;
  cudaGraphNode_t nodes[2];
  CALL(cudaGraphGetNodes(body, nodes, &count));
  EXPECT(count == 2);
  cudaGraphConditionalHandle innerHandle;
  CALL(cudaGraphConditionalHandleCreate(&innerHandle, body));
  int *three = onDevice<int>({3});
  void *decideArguments[] = {&three, &innerHandle}, *downArguments[] = {&inner, &innerHandle};
  int one = 1;
  void *addArguments[] = {&sum, &one};
  const cudaGraphNode_t decided = addKernel(body, {nodes[1]}, (void *)decide, decideArguments);
  cudaGraph_t innerBody = addCondition(body, {decided}, innerHandle, cudaGraphCondTypeWhile, 1)[0];
  addKernel(innerBody, {addKernel(innerBody, {}, (void *)add, addArguments)}, (void *)countDown, downArguments);
  cudaGraphExec_t executable;
  CALL(cudaGraphInstantiate(&executable, graph));
  for (int launch = 1; launch <= 3; ++launch) {
    const int five = 5;
    CALL(cudaMemcpyAsync(outer, &five, sizeof five, cudaMemcpyHostToDevice, stream));
    CALL(cudaGraphLaunch(executable, stream));
    CALL(cudaStreamSynchronize(stream));
    EXPECT(onHost(sum, 1)[0] == 15 * launch);
  }
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaStreamDestroy(stream));
}

static void refusals() {
  cudaGraph_t graph, other;
  CALL(cudaGraphCreate(&graph, 0));
  CALL(cudaGraphCreate(&other, 0));
  cudaGraphConditionalHandle handle;
  EXPECT(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2) == cudaErrorInvalidValue);
  CALL(cudaGraphConditionalHandleCreate(&handle, graph));
  cudaGraphNode_t node;
  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 2;
  EXPECT(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params) == cudaErrorInvalidValue);
  params.conditional.size = 1;
  EXPECT(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &params) == cudaErrorInvalidValue);
  CALL(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  EXPECT(cudaGraphDestroy(params.conditional.phGraph_out[0]) != cudaSuccess);
  cudaGraph_t copy;
  EXPECT(cudaGraphClone(&copy, graph) == cudaErrorNotSupported);
  cudaGraphExec_t executable, second;
  CALL(cudaGraphInstantiate(&executable, graph));
  EXPECT(cudaGraphInstantiate(&second, graph) == cudaErrorNotSupported);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaGraphDestroy(other));
}

int main() {
  choice(cudaGraphCondTypeIf, 1, {0, 1, 1});
  choice(cudaGraphCondTypeIf, 2, {10, 1, 1});
  choice(cudaGraphCondTypeSwitch, 3, {1, 10, 100, 0});
  loops();
  refusals();
  return 0;
}
