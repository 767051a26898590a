// SPDX-License-Identifier: MIT
// A graph whose kernel faults: the error is reported, nothing hangs, host functions after it do not run, and everything
// can be destroyed. The device is lost for the process, so this is a program of its own.
#include "graph.h"

#include <atomic>

namespace {

__global__ void store(int *to) { *to = 1; }

std::atomic<int> calls{0};

} // namespace

int main() {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  if (!properties.pageableMemoryAccess) {
    std::printf("skipped: the device does not share the host's memory\n");
    return 77;
  }
  DeviceArray<int> value(2);
  {
    Graph graph;
    const hipGraphNode_t root = graph.kernel({}, store, value);
    const hipGraphNode_t wild = graph.kernel({root}, store, reinterpret_cast<int *>(uintptr_t{64}));
    const hipGraphNode_t other = graph.kernel({root}, store, value + 1);
    const hipGraphNode_t host = graph.host(
        {wild}, [](void *) { ++calls; }, nullptr);
    graph.kernel({host, other}, store, value);
    graph.instantiate();
    for (int launch = 0; launch < 2; ++launch) { // the kernel may have faulted before the call is over
      const hipError_t error = hipGraphLaunch(graph.exec, nullptr);
      CHECK(error == hipSuccess || error == hipErrorIllegalAddress);
    }
    CHECK_EQ(hipDeviceSynchronize(), hipErrorIllegalAddress);
    CHECK_EQ(hipGraphLaunch(graph.exec, nullptr), hipErrorIllegalAddress);
  }
  CHECK_EQ(calls.load(), 0);
  const int result = testResult();
  std::fflush(stdout);
  std::_Exit(result); // the device array cannot be freed without an error
}
