// SPDX-License-Identifier: MIT
// Graphs on Intel's driver in capture mode: every call must be accepted. Nothing is executed and no result is looked at.
#include "sequence.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace {

__global__ void addTo(int *value, int amount) { *value += amount; }
__device__ int variable;

std::atomic<int> calls{0};
void onHost(void *) { ++calls; }

} // namespace

int main() {
  if (int code = requireIntel())
    return code;
  int *device, *pinned;
  std::vector<int> pageable(1024);
  MUST(hipMalloc(&device, 4096));
  MUST(hipHostMalloc(&pinned, 4096));
  hipStream_t stream, second;
  MUST(hipStreamCreate(&stream));
  MUST(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  hipEvent_t recorded, awaited;
  MUST(hipEventCreate(&recorded));
  MUST(hipEventCreate(&awaited));
  MUST(hipEventRecord(awaited, second));

  hipGraph_t graph, inner;
  MUST(hipGraphCreate(&graph, 0));
  MUST(hipGraphCreate(&inner, 0));
  int amount = 3;
  void *arguments[] = {&device, &amount};
  hipKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void *>(addTo);
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  hipMemsetParams fill{};
  fill.dst = device;
  fill.elementSize = 4;
  fill.pitch = 256;
  fill.width = 8;
  fill.height = 12;
  hipGraphNode_t node, root, up, branches[5], join, child, record, wait;
  MUST(hipGraphAddKernelNode(&node, inner, nullptr, 0, &kernel));
  MUST(hipGraphAddMemsetNode(&root, graph, nullptr, 0, &fill));
  MUST(hipGraphAddMemcpyNode1D(&up, graph, &root, 1, device, pageable.data(), 4096, hipMemcpyHostToDevice));
  for (hipGraphNode_t &branch : branches)
    MUST(hipGraphAddKernelNode(&branch, graph, &up, 1, &kernel));
  MUST(hipGraphAddChildGraphNode(&child, graph, &branches[1], 1, inner));
  MUST(hipGraphAddEventWaitNode(&wait, graph, &branches[0], 1, awaited));
  MUST(hipGraphAddEventRecordNode(&record, graph, &wait, 1, recorded));
  const hipGraphNode_t ends[] = {branches[2], branches[3], branches[4], child, record};
  MUST(hipGraphAddEmptyNode(&join, graph, ends, 5));
  MUST(hipGraphAddMemcpyNode1D(&node, graph, &join, 1, pinned, device, 4096, hipMemcpyDeviceToHost));
  MUST(hipGraphAddMemcpyNode1D(&node, graph, &node, 1, pageable.data(), device, 64, hipMemcpyDeviceToHost));
  MUST(hipGraphAddMemcpyNodeToSymbol(&node, graph, &node, 1, &variable, pinned, 4, 0, hipMemcpyHostToDevice));
  hipMemAllocNodeParams memory{};
  memory.poolProps.allocType = hipMemAllocationTypePinned;
  memory.poolProps.location = {hipMemLocationTypeDevice, 0};
  memory.bytesize = 1 << 16;
  hipGraphNode_t allocation, release;
  MUST(hipGraphAddMemAllocNode(&allocation, graph, &root, 1, &memory));
  MUST(hipGraphAddMemFreeNode(&release, graph, &allocation, 1, memory.dptr));
  hipStreamBatchMemOpParams write{};
  write.operation = hipStreamMemOpWriteValue32;
  write.writeValue.address = pinned;
  write.writeValue.value = 1;
  hipBatchMemOpNodeParams batch{nullptr, 1, &write, 0};
  MUST(hipGraphAddBatchMemOpNode(&node, graph, &node, 1, &batch));

  hipGraphExec_t exec;
  MUST(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 20; ++i)
    MUST(hipGraphLaunch(exec, i % 4 == 3 ? second : stream));
  MUST(hipStreamSynchronize(stream));
  amount = 4;
  MUST(hipGraphExecKernelNodeSetParams(exec, branches[2], &kernel));
  MUST(hipGraphNodeSetEnabled(exec, branches[3], 0));
  MUST(hipGraphLaunch(exec, stream));
  MUST(hipGraphLaunch(exec, nullptr));
  MUST(hipGraphLaunch(exec, hipStreamPerThread));
  MUST(hipDeviceSynchronize());

  // Other parameters again and again: newer drivers change the closed lists.
  int *nowhere = nullptr;
  hipGraphNode_t changed[4];
  for (int round = 0; round < 12; ++round) {
    amount = round;
    arguments[0] = round % 3 ? static_cast<void *>(&device) : &nowhere;
    kernel.gridDim = dim3(1 + round % 2);
    kernel.blockDim = dim3(round % 4 ? 1 : 64);
    for (int branch = 0; branch <= round % 5; ++branch)
      MUST(hipGraphExecKernelNodeSetParams(exec, branches[branch], &kernel));
    MUST(hipGraphLaunch(exec, stream));
    if (round % 2)
      MUST(hipStreamSynchronize(stream));
  }
  // Without functions of the host nothing is pending behind a wait.
  hipGraph_t kernels;
  hipGraphExec_t changing;
  MUST(hipGraphCreate(&kernels, 0));
  for (hipGraphNode_t &one : changed)
    MUST(hipGraphAddKernelNode(&one, kernels, &changed[0], &one != &changed[0], &kernel));
  MUST(hipGraphInstantiate(&changing, kernels, nullptr, nullptr, 0));
  for (int round = 0; round < 12; ++round) {
    amount = round;
    arguments[0] = round % 3 ? static_cast<void *>(&device) : &nowhere;
    kernel.gridDim = dim3(1 + round % 2);
    kernel.blockDim = dim3(round % 4 ? 1 : 64);
    MUST(hipGraphExecKernelNodeSetParams(changing, changed[round % 4], &kernel));
    MUST(hipGraphLaunch(changing, stream));
    MUST(hipStreamSynchronize(stream));
  }
  MUST(hipGraphExecDestroy(changing));
  MUST(hipGraphDestroy(kernels));
  hipGraphNode_t culprit;
  hipGraphExecUpdateResult result;
  for (int round = 0; round < 6; ++round) {
    for (hipGraphNode_t branch : branches)
      MUST(hipGraphKernelNodeSetParams(branch, &kernel));
    MUST(hipGraphExecUpdate(exec, graph, &culprit, &result));
    MUST(hipGraphLaunch(exec, stream));
  }
  arguments[0] = &device;
  kernel.gridDim = kernel.blockDim = dim3(1);
  MUST(hipDeviceSynchronize());

  // Host functions and a long chain.
  hipGraph_t chain;
  hipGraphExec_t chained;
  MUST(hipGraphCreate(&chain, 0));
  const hipHostNodeParams host{onHost, nullptr};
  MUST(hipGraphAddHostNode(&node, chain, nullptr, 0, &host));
  for (int i = 0; i < 100; ++i)
    MUST(hipGraphAddKernelNode(&node, chain, &node, 1, &kernel));
  MUST(hipGraphInstantiate(&chained, chain, nullptr, nullptr, 0));
  MUST(hipGraphDestroy(chain));
  for (int i = 0; i < 10; ++i)
    MUST(hipGraphLaunch(chained, stream));
  MUST(hipGraphExecDestroy(chained));
  MUST(hipStreamSynchronize(stream));
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  // Intel's driver 22.43 crashes in capture mode when one thread creates an immediate command list while another appends
  // to one, with nothing but Level Zero in the process: so every thread has its stream before the first one launches.
  std::atomic<int> withStream{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      failures += hipStreamQuery(hipStreamPerThread) != hipSuccess;
      for (++withStream; withStream != 4;)
        std::this_thread::yield();
      for (int i = 0; i < 10; ++i)
        failures += hipGraphLaunch(exec, hipStreamPerThread) != hipSuccess;
      failures += hipStreamSynchronize(hipStreamPerThread) != hipSuccess;
    });
  for (std::thread &thread : threads)
    thread.join();
  // No command is executed here, so a wait for the stream tells nothing of the host functions' thread.
  for (int i = 0; i < 1000 && calls != 10; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (failures != 0 || calls != 10) {
    std::printf("%d launches failed, %d host functions ran\n", failures.load(), calls.load());
    return 1;
  }
  MUST(hipGraphExecDestroy(exec));
  MUST(hipGraphDestroy(graph));
  MUST(hipGraphDestroy(inner));
  MUST(hipEventDestroy(recorded));
  MUST(hipEventDestroy(awaited));
  MUST(hipStreamDestroy(stream));
  MUST(hipStreamDestroy(second));
  MUST(hipFree(device));
  MUST(hipHostFree(pinned));
  std::puts("accepted");
  return 0;
}
