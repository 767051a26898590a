// SPDX-License-Identifier: MIT
// Kernels that need more of the runtime than a launch, on Intel's driver in capture mode: the heap of the device, and memory for
// parameters that are larger than the driver's compiler takes.
#include "sequence.h"

struct Large {
  char data[5000];
};

__global__ void allocate(int **out) {
  out[threadIdx.x] = new int(threadIdx.x);
  free(malloc(100 * threadIdx.x));
}
__global__ void large(char *out, Large parameter) { out[threadIdx.x] = parameter.data[threadIdx.x * 3]; }

int main() {
  if (int code = requireIntel())
    return code;
  size_t limit;
  MUST(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
  EXPECT(hipErrorInvalidValue, hipDeviceSetLimit(hipLimitMallocHeapSize, SIZE_MAX));
  (void)hipGetLastError();
  MUST(hipDeviceSetLimit(hipLimitMallocHeapSize, 2 * limit));
  char *memory;
  MUST(hipMalloc(&memory, 4096));
  allocate<<<4, 64>>>(reinterpret_cast<int **>(memory));
  MUST(hipGetLastError());
  MUST(hipDeviceSynchronize());
  EXPECT(hipErrorInvalidValue, hipDeviceSetLimit(hipLimitMallocHeapSize, limit));
  (void)hipGetLastError();

  hipStream_t stream;
  MUST(hipStreamCreate(&stream));
  Large parameter{};
  for (int i = 0; i < 100; ++i) { // more than one block of the stream's memory for parameters
    parameter.data[3] = static_cast<char>(i);
    large<<<1, 32, 0, stream>>>(memory, parameter);
    MUST(hipGetLastError());
  }
  MUST(hipStreamSynchronize(stream));

  hipGraph_t graph;
  hipGraphExec_t exec;
  MUST(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  large<<<1, 32, 0, stream>>>(memory, parameter);
  MUST(hipStreamEndCapture(stream, &graph));
  MUST(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  MUST(hipGraphLaunch(exec, stream));
  MUST(hipGraphLaunch(exec, stream));
  MUST(hipStreamSynchronize(stream));
  MUST(hipGraphExecDestroy(exec));
  MUST(hipGraphDestroy(graph));
  MUST(hipStreamDestroy(stream));
  MUST(hipFree(memory));
  MUST(hipDeviceReset());
  std::printf("passed\n");
  return 0;
}
