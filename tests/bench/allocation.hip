// SPDX-License-Identifier: MIT
// Pairs of allocating and freeing: hipMalloc and hipFree, hipMallocAsync and hipFreeAsync, beside what the driver takes.
#include <benchmark/benchmark.h>
#include <hip/hip_runtime.h>
#include <level_zero/ze_api.h>

#include <cstdio>
#include <cstdlib>

namespace {

void check(bool good, const char *what) {
  if (!good) {
    std::fprintf(stderr, "%s failed\n", what);
    std::exit(1);
  }
}
#define HIP(call) check((call) == hipSuccess, #call)
#define ZE(call) check((call) == ZE_RESULT_SUCCESS, #call)

void hipPair(benchmark::State &state) {
  const size_t bytes = state.range(0);
  for (auto _ : state) {
    void *memory;
    HIP(hipMalloc(&memory, bytes));
    benchmark::DoNotOptimize(memory);
    HIP(hipFree(memory));
  }
}

void hipAsyncPair(benchmark::State &state) {
  const size_t bytes = state.range(0);
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  for (auto _ : state) {
    void *memory;
    HIP(hipMallocAsync(&memory, bytes, stream));
    benchmark::DoNotOptimize(memory);
    HIP(hipFreeAsync(memory, stream));
  }
  HIP(hipStreamDestroy(stream));
}

__global__ void empty(char *) {}

// With work in the stream between them, as programs have it.
void hipAsyncPairWithKernel(benchmark::State &state) {
  const size_t bytes = state.range(0);
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  int submitted = 0;
  for (auto _ : state) {
    void *memory;
    HIP(hipMallocAsync(&memory, bytes, stream));
    empty<<<1, 1, 0, stream>>>(static_cast<char *>(memory));
    HIP(hipFreeAsync(memory, stream));
    if (++submitted % 1000 == 0) {
      state.PauseTiming();
      HIP(hipStreamSynchronize(stream));
      state.ResumeTiming();
    }
  }
  HIP(hipStreamDestroy(stream));
}

void driverPair(benchmark::State &state) {
  HIP(hipInit(0)); // which chooses the driver and initialises the loader
  HIP(hipFree(nullptr));
  uint32_t one = 1;
  ze_driver_handle_t driver;
  ZE(zeDriverGet(&one, &driver));
  one = 1;
  ze_device_handle_t device;
  ZE(zeDeviceGet(driver, &one, &device));
  const ze_context_desc_t contextDescription{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t context;
  ZE(zeContextCreate(driver, &contextDescription, &context));
  const ze_device_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  for (auto _ : state) {
    void *memory;
    ZE(zeMemAllocDevice(context, &description, state.range(0), 256, device, &memory));
    benchmark::DoNotOptimize(memory);
    ZE(zeMemFree(context, memory));
  }
  ZE(zeContextDestroy(context));
}

#define ALLOCATION_BENCHMARK(name) BENCHMARK(name)->Arg(4 << 10)->Arg(1 << 20)->Arg(64 << 20)
ALLOCATION_BENCHMARK(hipPair);
BENCHMARK(hipPair)->Arg(1 << 20)->Threads(8)->UseRealTime();
ALLOCATION_BENCHMARK(hipAsyncPair);
ALLOCATION_BENCHMARK(hipAsyncPairWithKernel);
ALLOCATION_BENCHMARK(driverPair);

} // namespace

BENCHMARK_MAIN();
