// SPDX-License-Identifier: MIT
// A captured pipeline of three streams on Intel's driver in capture mode: every call must be taken, and so must the
// execution of the graph.
#include "sequence.h"

namespace {

__global__ void scale(int *data, int n, int factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}

} // namespace

int main() {
  if (int code = requireIntel())
    return code;
  constexpr int n = 1024;
  int *first, *second, *pinned;
  MUST(hipMalloc(&first, n * sizeof(int)));
  MUST(hipMalloc(&second, n * sizeof(int)));
  MUST(hipHostMalloc(&pinned, n * sizeof(int)));
  hipStream_t origin, left, right;
  MUST(hipStreamCreate(&origin));
  MUST(hipStreamCreate(&left));
  MUST(hipStreamCreateWithFlags(&right, hipStreamNonBlocking));
  hipEvent_t forked, leftDone, rightDone, external;
  for (hipEvent_t *event : {&forked, &leftDone, &rightDone, &external})
    MUST(hipEventCreateWithFlags(event, hipEventDisableTiming));

  MUST(hipStreamBeginCapture(origin, hipStreamCaptureModeThreadLocal));
  MUST(hipMemcpyAsync(first, pinned, n * sizeof(int), hipMemcpyHostToDevice, origin));
  MUST(hipEventRecord(forked, origin));
  MUST(hipStreamWaitEvent(left, forked, 0));
  MUST(hipStreamWaitEvent(right, forked, 0));
  scale<<<n / 64, 64, 0, left>>>(first, n, 2);
  MUST(hipGetLastError());
  MUST(hipMemsetAsync(second, 0, n * sizeof(int), right));
  MUST(hipMemcpy2DAsync(second, 128, pinned, 128, 64, 8, hipMemcpyHostToDevice, right));
  MUST(hipEventRecord(leftDone, left));
  MUST(hipEventRecord(rightDone, right));
  MUST(hipStreamWaitEvent(origin, leftDone, 0));
  MUST(hipStreamWaitEvent(origin, rightDone, 0));
  MUST(hipLaunchHostFunc(
      origin, [](void *) {}, nullptr));
  MUST(hipEventRecordWithFlags(external, origin, hipEventRecordExternal));
  scale<<<n / 64, 64, 0, origin>>>(second, n, 3);
  MUST(hipGetLastError());
  hipGraph_t graph;
  MUST(hipStreamEndCapture(origin, &graph));

  hipGraphExec_t exec;
  MUST(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i)
    MUST(hipGraphLaunch(exec, right));
  MUST(hipStreamSynchronize(right));
  MUST(hipGraphExecDestroy(exec));
  MUST(hipGraphDestroy(graph));
  MUST(hipDeviceSynchronize());
  for (hipEvent_t event : {forked, leftDone, rightDone, external})
    MUST(hipEventDestroy(event));
  for (hipStream_t stream : {origin, left, right})
    MUST(hipStreamDestroy(stream));
  MUST(hipFree(first));
  MUST(hipFree(second));
  MUST(hipHostFree(pinned));
  std::printf("all calls were taken\n");
  return 0;
}
