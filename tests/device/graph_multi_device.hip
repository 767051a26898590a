// A graph with nodes on two devices, and graphs launched in streams of another device. The CPU driver shows two devices
// for this test; a machine with one GPU skips it.
#include "graph.h"

#include <cstdlib>

namespace {

__global__ void addTo(int *value, int amount) { *value += amount; }

void nodesOnBoth() {
  int *shared[2], *result;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&result), 2 * sizeof(int), hipHostMallocPortable));
  for (int device = 0; device < 2; ++device) {
    HIP_CHECK(hipSetDevice(device));
    HIP_CHECK(hipMalloc(&shared[device], sizeof(int)));
    HIP_CHECK(hipMemset(shared[device], 0, sizeof(int)));
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

void orderInTheStreamOfAnotherDevice() {
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

} // namespace

int main() {
  setenv("HIPLZ_CPU_DEVICES", "2", 1);
  int count = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  if (count < 2)
    return 77;
  nodesOnBoth();
  orderInTheStreamOfAnotherDevice();
  return testResult();
}
