// SPDX-License-Identifier: MIT
// What a kernel launch costs the host, through HIP and through Level Zero itself on the same device in the same process.
// Asynchronous: time of the call alone, the stream is drained every kBatch launches with the clock stopped. Synchronous:
// launch and wait.
#include "raw_level_zero.h"

#include <benchmark/benchmark.h>
#include <hip/hip_runtime.h>

namespace {

constexpr int kBatch = 512;

__global__ void empty() {}
__global__ void fourArgs(float *, float *, int, float) {}

/// Runs `launch` kBatch times with the clock on and `drain` with the clock off.
template <class Launch, class Drain> void batches(benchmark::State &state, Launch launch, Drain drain) {
  launch();
  drain();
  while (state.KeepRunningBatch(kBatch)) {
    for (int i = 0; i < kBatch; ++i)
      launch();
    state.PauseTiming();
    drain();
    state.ResumeTiming();
  }
}

void asyncHip(benchmark::State &state) {
  raw();
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  batches(
      state, [&] { empty<<<1, 1, 0, stream>>>(); }, [&] { HIP(hipStreamSynchronize(stream)); });
  HIP(hipStreamDestroy(stream));
}
BENCHMARK(asyncHip)->UseRealTime();

void asyncHipNullStream(benchmark::State &state) {
  raw();
  batches(
      state, [&] { empty<<<1, 1>>>(); }, [&] { HIP(hipStreamSynchronize(nullptr)); });
}
BENCHMARK(asyncHipNullStream)->UseRealTime();

void asyncLevelZero(benchmark::State &state) {
  Raw &ze = raw();
  ze_group_count_t groups{1, 1, 1};
  batches(
      state, [&] { ZE(zeCommandListAppendLaunchKernel(ze.list, ze.empty, &groups, nullptr, 0, nullptr)); },
      [&] { ze.drain(); });
}
BENCHMARK(asyncLevelZero)->UseRealTime();

// What a stream of HIP asks of the driver: the commands of the list in their order.
void asyncLevelZeroOrdered(benchmark::State &state) {
  Raw &ze = raw();
  ze_group_count_t groups{1, 1, 1};
  batches(
      state, [&] { ZE(zeCommandListAppendLaunchKernel(ze.ordered, ze.empty, &groups, nullptr, 0, nullptr)); },
      [&] { ze.drainOrdered(); });
}
BENCHMARK(asyncLevelZeroOrdered)->UseRealTime();

void asyncHipFourArgs(benchmark::State &state) {
  raw();
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  int n = 0;
  batches(
      state, [&] { fourArgs<<<1, 1, 0, stream>>>(nullptr, nullptr, ++n, 1.0f); },
      [&] { HIP(hipStreamSynchronize(stream)); });
  HIP(hipStreamDestroy(stream));
}
BENCHMARK(asyncHipFourArgs)->UseRealTime();

void asyncLevelZeroFourArgs(benchmark::State &state) {
  Raw &ze = raw();
  ze_group_count_t groups{1, 1, 1};
  int n = 0;
  float f = 1.0f;
  void *none = nullptr;
  batches(
      state,
      [&] {
        ++n;
        ZE(zeKernelSetArgumentValue(ze.fourArgs, 0, sizeof none, &none));
        ZE(zeKernelSetArgumentValue(ze.fourArgs, 1, sizeof none, &none));
        ZE(zeKernelSetArgumentValue(ze.fourArgs, 2, sizeof n, &n));
        ZE(zeKernelSetArgumentValue(ze.fourArgs, 3, sizeof f, &f));
        ZE(zeCommandListAppendLaunchKernel(ze.list, ze.fourArgs, &groups, nullptr, 0, nullptr));
      },
      [&] { ze.drain(); });
}
BENCHMARK(asyncLevelZeroFourArgs)->UseRealTime();

void syncHip(benchmark::State &state) {
  raw();
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  for (auto _ : state) {
    empty<<<1, 1, 0, stream>>>();
    HIP(hipStreamSynchronize(stream));
  }
  HIP(hipStreamDestroy(stream));
}
BENCHMARK(syncHip)->UseRealTime();

void syncLevelZero(benchmark::State &state) {
  Raw &ze = raw();
  ze_group_count_t groups{1, 1, 1};
  for (auto _ : state) {
    ZE(zeCommandListAppendLaunchKernel(ze.list, ze.empty, &groups, ze.event, 0, nullptr));
    ZE(zeEventHostSynchronize(ze.event, UINT64_MAX));
    ZE(zeEventHostReset(ze.event));
  }
}
BENCHMARK(syncLevelZero)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
