// SPDX-License-Identifier: MIT
// Elapsed times do not contain the compilation of the kernels that are launched between the events. Run without the disk cache,
// so that each first launch compiles; how long that takes is measured with the host's clock, in the launch.
#include "check.h"

#include <chrono>
#include <functional>

#include <hip/hip_ext.h>

namespace {

// Little to execute and much to compile. Each number is a kernel that nobody has compiled.
template <int kNumber> __global__ void large(float *data) {
  float x = data[threadIdx.x];
#pragma unroll
  for (int i = 0; i < 6; ++i)
    x = powf(fabsf(x), 0.5f + static_cast<float>(i % 7 + kNumber)) + sinf(x * static_cast<float>(i)) - tanf(x);
  data[threadIdx.x] = x;
}

__global__ void spin(int *data, int rounds) {
  unsigned value = 1;
  for (int i = 0; i < rounds; ++i)
    value = value * 1664525u + 1013904223u + (value >> 7);
  *data = static_cast<int>(value);
}

struct Timer {
  hipStream_t stream;
  hipEvent_t start, middle, stop;
  Timer() {
    HIP_CHECK(hipStreamCreate(&stream));
    for (hipEvent_t *event : {&start, &middle, &stop})
      HIP_CHECK(hipEventCreate(event));
    HIP_CHECK(hipMemsetAsync(data, 0, 256 * sizeof(float), stream));
    HIP_CHECK(hipStreamSynchronize(stream));
  }
  ~Timer() {
    for (hipEvent_t event : {start, middle, stop})
      HIP_CHECK(hipEventDestroy(event));
    HIP_CHECK(hipStreamDestroy(stream));
  }
  DeviceArray<float> data{256};
  float *pointer = data;
  void *arguments[1] = {&pointer};

  float between(hipEvent_t first, hipEvent_t second) {
    float milliseconds = -1;
    HIP_CHECK(hipEventElapsedTime(&milliseconds, first, second));
    return milliseconds;
  }
  // Launches, and compares the time of the events with that of the host: what took long there was the compilation.
  // With `perhaps` the launch need not have compiled anything, which the host's time tells.
  void check(const std::function<void()> &launch, bool records = true, bool perhaps = false) {
    if (records)
      HIP_CHECK(hipEventRecord(start, stream));
    const auto before = std::chrono::steady_clock::now();
    launch();
    const float host = std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - before).count();
    if (records)
      HIP_CHECK(hipEventRecord(stop, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    const float device = between(start, stop);
    std::printf("host %.3f ms, device %.3f ms\n", host, device);
    CHECK(device >= 0);
    constexpr float kLaunch = 10; // ms; a launch without a compilation takes far less
    CHECK(device < host / 2 || (perhaps && host < kLaunch));
  }
};

TEST(launches) {
  Timer timer;
  timer.check([&] { large<0><<<1, 64, 0, timer.stream>>>(timer.data); });
  // Another shape of blocks is compiled anew by the vector path.
  timer.check([&] { large<0><<<1, 33, 0, timer.stream>>>(timer.data); }, true, true);
  // Two kernels, and something in front of them.
  timer.check([&] {
    HIP_CHECK(hipMemsetAsync(timer.data, 0, 256, timer.stream));
    large<1><<<1, 64, 0, timer.stream>>>(timer.data);
    large<2><<<1, 64, 0, timer.stream>>>(timer.data);
  });
}

TEST(eventsOfTheLaunch) {
  Timer timer;
  timer.check(
      [&] {
        HIP_CHECK(hipExtLaunchKernel(reinterpret_cast<const void *>(large<3>), dim3(1), dim3(64), timer.arguments, 0,
                                     timer.stream, timer.start, timer.stop, 0));
      },
      false);
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(large<4>)));
  timer.check(
      [&] {
        HIP_CHECK(hipExtModuleLaunchKernel(function, 64, 1, 1, 64, 1, 1, 0, timer.stream, timer.arguments, nullptr,
                                           timer.start, timer.stop, 0));
      },
      false);
}

TEST(graphs) {
  Timer timer;
  hipGraph_t graph;
  hipGraphExec_t exec;
  hipGraphNode_t node;
  hipKernelNodeParams params{};
  params.func = reinterpret_cast<void *>(large<0>);
  params.gridDim = dim3(1);
  params.blockDim = dim3(64);
  params.kernelParams = timer.arguments;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  HIP_CHECK(hipGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(exec, timer.stream));
  HIP_CHECK(hipStreamSynchronize(timer.stream));
  params.func = reinterpret_cast<void *>(large<5>);
  HIP_CHECK(hipGraphExecKernelNodeSetParams(exec, node, &params));
  timer.check([&] { HIP_CHECK(hipGraphLaunch(exec, timer.stream)); });
  HIP_CHECK(hipGraphExecDestroy(exec));
  HIP_CHECK(hipGraphDestroy(graph));
}

// Work that the stream executes while the host compiles is part of the time, and so is all work outside of the interval's pauses.
TEST(workIsCounted) {
  Timer timer;
  DeviceArray<int> result(1);
  spin<<<1, 1, 0, timer.stream>>>(result, 1);
  HIP_CHECK(hipStreamSynchronize(timer.stream));
  HIP_CHECK(hipEventRecord(timer.start, timer.stream));
  spin<<<1, 1, 0, timer.stream>>>(result, 300'000'000);
  HIP_CHECK(hipEventRecord(timer.middle, timer.stream));
  large<6><<<1, 64, 0, timer.stream>>>(timer.data);
  HIP_CHECK(hipEventRecord(timer.stop, timer.stream));
  HIP_CHECK(hipStreamSynchronize(timer.stream));
  CHECK(timer.between(timer.start, timer.middle) > 0);
  CHECK(timer.between(timer.start, timer.stop) >= timer.between(timer.start, timer.middle));
  // Both directions.
  CHECK_EQ(timer.between(timer.stop, timer.start), -timer.between(timer.start, timer.stop));
  // An interval after the compilation has nothing to leave out.
  HIP_CHECK(hipEventRecord(timer.start, timer.stream));
  spin<<<1, 1, 0, timer.stream>>>(result, 30'000'000);
  HIP_CHECK(hipEventRecord(timer.stop, timer.stream));
  HIP_CHECK(hipStreamSynchronize(timer.stream));
  CHECK(timer.between(timer.start, timer.stop) > 0);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
