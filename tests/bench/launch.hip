// SPDX-License-Identifier: MIT
// The cost of a kernel launch for the host, through HIP and through Level Zero itself on the same device in the same process.
// Asynchronous: time of the call alone, the stream is drained every kBatch launches with the clock stopped. Synchronous:
// launch and wait.
#include "raw_level_zero.h"

#include <benchmark/benchmark.h>
#include <hip/hip_runtime.h>

namespace {

constexpr int kBatch = 512;

__global__ void empty() {}
__global__ void oneArg(int) {}
__global__ void fourArgs(float *, float *, int, float) {}
__global__ void fourPointers(float *, float *, float *, float *) {}
__global__ void sixteenArgs(float *, float *, float *, float *, float *, float *, float *, float *, int, int, int, int,
                            int, int, int, int) {}

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

// The calls that a stream of HIP makes to the driver: the commands of the list in their order.
void asyncLevelZeroOrdered(benchmark::State &state) {
  Raw &ze = raw();
  ze_group_count_t groups{1, 1, 1};
  batches(
      state, [&] { ZE(zeCommandListAppendLaunchKernel(ze.ordered, ze.empty, &groups, nullptr, 0, nullptr)); },
      [&] { ze.drainOrdered(); });
}
BENCHMARK(asyncLevelZeroOrdered)->UseRealTime();

/// Launches of a kernel with arguments: `launch` gets the number of the launch, to change some of them.
template <class Launch> void asyncHipWith(benchmark::State &state, Launch launch) {
  raw();
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  int n = 0;
  batches(
      state, [&] { launch(stream, ++n); }, [&] { HIP(hipStreamSynchronize(stream)); });
  HIP(hipStreamDestroy(stream));
}

template <class... Values>
void rawLaunch(ze_command_list_handle_t list, ze_kernel_handle_t kernel, const Values &...values) {
  ze_group_count_t groups{1, 1, 1};
  uint32_t index = 0;
  (..., [&] { ZE(zeKernelSetArgumentValue(kernel, index++, sizeof values, &values)); }());
  ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
}

/// The same through Level Zero, which does not know what has changed: all arguments are set.
template <class Launch> void asyncLevelZeroWith(benchmark::State &state, Launch launch) {
  Raw &ze = raw();
  int n = 0;
  batches(
      state, [&] { launch(ze, ++n); }, [&] { ze.drainOrdered(); });
}

void asyncHipOneArg(benchmark::State &state) {
  asyncHipWith(state, [](hipStream_t stream, int n) { oneArg<<<1, 1, 0, stream>>>(n); });
}
BENCHMARK(asyncHipOneArg)->UseRealTime();

void asyncLevelZeroOneArg(benchmark::State &state) {
  asyncLevelZeroWith(state, [](Raw &ze, int n) { rawLaunch(ze.ordered, ze.oneArg, n); });
}
BENCHMARK(asyncLevelZeroOneArg)->UseRealTime();

void asyncHipFourArgs(benchmark::State &state) {
  asyncHipWith(state, [](hipStream_t stream, int n) { fourArgs<<<1, 1, 0, stream>>>(nullptr, nullptr, n, 1.0f); });
}
BENCHMARK(asyncHipFourArgs)->UseRealTime();

void asyncLevelZeroFourArgs(benchmark::State &state) {
  asyncLevelZeroWith(state, [](Raw &ze, int n) {
    void *none = nullptr;
    rawLaunch(ze.ordered, ze.fourArgs, none, none, n, 1.0f);
  });
}
BENCHMARK(asyncLevelZeroFourArgs)->UseRealTime();

// Pointers to device memory, all of which change each time.
float *bufferAt(int n) {
  static float *memory = [] {
    void *allocated = nullptr;
    ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    ZE(zeMemAllocDevice(raw().context, &desc, 1 << 20, 4096, raw().device, &allocated));
    return static_cast<float *>(allocated);
  }();
  return memory + 64 * (n % 1024);
}

float *hipBufferAt(int n) {
  static float *memory = [] {
    float *allocated = nullptr;
    HIP(hipMalloc(&allocated, 1 << 20));
    return allocated;
  }();
  return memory + 64 * (n % 1024);
}

void asyncHipFourPointers(benchmark::State &state) {
  asyncHipWith(state, [](hipStream_t stream, int n) {
    fourPointers<<<1, 1, 0, stream>>>(hipBufferAt(n), hipBufferAt(n + 1), hipBufferAt(n + 2), hipBufferAt(n + 3));
  });
}
BENCHMARK(asyncHipFourPointers)->UseRealTime();

void asyncLevelZeroFourPointers(benchmark::State &state) {
  asyncLevelZeroWith(state, [](Raw &ze, int n) {
    rawLaunch(ze.ordered, ze.fourPointers, bufferAt(n), bufferAt(n + 1), bufferAt(n + 2), bufferAt(n + 3));
  });
}
BENCHMARK(asyncLevelZeroFourPointers)->UseRealTime();

void asyncHipSixteenArgs(benchmark::State &state) {
  asyncHipWith(state, [](hipStream_t stream, int n) {
    float *memory = hipBufferAt(0);
    sixteenArgs<<<1, 1, 0, stream>>>(memory, memory, memory, memory, memory, memory, memory, memory, n, 1, 2, 3, 4, 5,
                                     6, 7);
  });
}
BENCHMARK(asyncHipSixteenArgs)->UseRealTime();

void asyncLevelZeroSixteenArgs(benchmark::State &state) {
  asyncLevelZeroWith(state, [](Raw &ze, int n) {
    float *memory = bufferAt(0);
    rawLaunch(ze.ordered, ze.sixteenArgs, memory, memory, memory, memory, memory, memory, memory, memory, n, 1, 2, 3, 4,
              5, 6, 7);
  });
}
BENCHMARK(asyncLevelZeroSixteenArgs)->UseRealTime();

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
