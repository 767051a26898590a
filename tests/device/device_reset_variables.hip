// SPDX-License-Identifier: MIT
// hipDeviceReset gives the variables of device code the values again that they begin with, for kernels and for the host.
#include "tests/device/check.h"

#include <string>

__device__ int number = 123;
__device__ int zero[1000];
__constant__ float factors[2] = {1.5f, -2.0f};
static __device__ double hidden = 0.25;
__device__ const int *pointer = &number;
__managed__ int managed[3] = {7, 8, 9};
texture<float, hipTextureType1D, hipReadModeElementType> untouched;

struct Values {
  int number, zero, managed, behindPointer, calls;
  float factor;
  double hidden;
};

__device__ int countCalls() {
  static int calls = 40;
  return ++calls;
}

__global__ void read(Values *out) {
  *out = {number, zero[999], managed[1], *pointer, countCalls(), factors[1], hidden};
}

__global__ void overwrite(const int *other) {
  number = 1;
  zero[999] = 2;
  hidden = 3;
  pointer = other;
  managed[1] = 4;
}

Values values() {
  DeviceArray<Values> out(1);
  read<<<1, 1>>>(out);
  HIP_CHECK(hipGetLastError());
  return out.host()[0];
}

void checkInitial() {
  const Values v = values();
  CHECK_EQ(v.number, 123);
  CHECK_EQ(v.zero, 0);
  CHECK_EQ(v.managed, 8);
  CHECK_EQ(v.behindPointer, 123);
  CHECK_EQ(v.calls, 41);
  CHECK_EQ(v.factor, -2.0f);
  CHECK_EQ(v.hidden, 0.25);
  int fromHost = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&fromHost, HIP_SYMBOL(number), sizeof fromHost));
  CHECK_EQ(fromHost, 123);
  CHECK_EQ(managed[1], 8);
}

TEST(beforeTheFirstKernel) {
  HIP_CHECK(hipDeviceReset());
  checkInitial();
}

TEST(valuesReturn) {
  HIP_CHECK(hipDeviceReset());
  checkInitial();
  void *before;
  HIP_CHECK(hipGetSymbolAddress(&before, HIP_SYMBOL(number)));
  CHECK(before != nullptr);
  for (int round = 0; round < 2; ++round) {
    int *other; // the reset frees it
    HIP_CHECK(hipMalloc(&other, sizeof *other));
    HIP_CHECK(hipMemset(other, 0, sizeof *other));
    overwrite<<<1, 1>>>(other);
    const float changed[2] = {5, 6};
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factors), changed, sizeof changed));
    HIP_CHECK(hipDeviceSynchronize());
    CHECK_EQ(managed[1], 4);
    const Values v = values();
    CHECK(v.number == 1 && v.zero == 2 && v.behindPointer == 0 && v.calls == 42 && v.factor == 6 && v.hidden == 3);
    HIP_CHECK(hipSetDeviceFlags(hipDeviceScheduleYield));
    HIP_CHECK(hipDeviceReset());
    checkInitial();
    unsigned flags = 99;
    HIP_CHECK(hipGetDeviceFlags(&flags));
    CHECK_EQ(flags, unsigned{hipDeviceScheduleAuto});
  }
  void *after;
  HIP_CHECK(hipGetSymbolAddress(&after, HIP_SYMBOL(number)));
  hipPointerAttribute_t attributes;
  HIP_CHECK(hipPointerGetAttributes(&attributes, after));
  CHECK_EQ(attributes.type, hipMemoryTypeDevice);
}

// A graph that launches a kernel of the program lives on.
TEST(graphsLiveOn) {
  int *host;
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  HIP_CHECK(hipDeviceReset());
  void *arguments[] = {&host};
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&host), sizeof(Values)));
  hipKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void *>(read);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  hipGraphNode_t node;
  HIP_CHECK(hipGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(exec, nullptr));
  HIP_CHECK(hipDeviceReset());
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&host), sizeof(Values)));
  HIP_CHECK(hipGraphExecKernelNodeSetParams(exec, node, &parameters));
  HIP_CHECK(hipGraphLaunch(exec, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(reinterpret_cast<Values *>(host)->number, 123);
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(graph));
}

// Each device has variables of its own.
TEST(otherDevicesKeepTheirs) {
  int count = 0, value = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  if (count < 2)
    return;
  HIP_CHECK(hipSetDevice(1));
  const int changed = 55;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(number), &changed, sizeof changed));
  HIP_CHECK(hipSetDevice(0));
  HIP_CHECK(hipDeviceReset());
  HIP_CHECK(hipSetDevice(1));
  HIP_CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(number), sizeof value));
  CHECK_EQ(value, 55);
  CHECK_EQ(values().number, 55);
  HIP_CHECK(hipDeviceReset());
  CHECK_EQ(values().number, 123);
  HIP_CHECK(hipSetDevice(0));
}

int main(int argc, char **argv) {
  setenv("HIPLZ_CPU_DEVICES", "2", 1);
  return runTests(argc, argv);
}
