// SPDX-License-Identifier: MIT
// The cost of many streams: launches from several threads with a stream each, launches in the null stream beside streams that
// have nothing to do, records of events, the way to a host function and back.
#include <benchmark/benchmark.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

#define HIP(call)                                                                                                      \
  do {                                                                                                                 \
    if (hipError_t error = (call)) {                                                                                   \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorName(error));                                                 \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

constexpr int kBatch = 512;

__global__ void empty() {}

/// Runs `call` kBatch times with the clock on and waits for the stream with the clock off.
template <class Call> void batches(benchmark::State &state, hipStream_t stream, Call call) {
  call();
  HIP(hipStreamSynchronize(stream));
  while (state.KeepRunningBatch(kBatch)) {
    for (int i = 0; i < kBatch; ++i)
      call();
    state.PauseTiming();
    HIP(hipStreamSynchronize(stream));
    state.ResumeTiming();
  }
}

/// The rate of all threads together, the execution included.
void streamPerThread(benchmark::State &state) {
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  while (state.KeepRunningBatch(kBatch)) {
    for (int i = 0; i < kBatch; ++i)
      empty<<<1, 1, 0, stream>>>();
    HIP(hipStreamSynchronize(stream));
  }
  state.SetItemsProcessed(state.iterations());
  HIP(hipStreamDestroy(stream));
}
BENCHMARK(streamPerThread)->ThreadRange(1, 8)->UseRealTime();

void nullStreamBesideIdle(benchmark::State &state) {
  std::vector<hipStream_t> idle(state.range(0));
  for (hipStream_t &stream : idle) {
    HIP(hipStreamCreate(&stream));
    empty<<<1, 1, 0, stream>>>();
  }
  HIP(hipDeviceSynchronize());
  batches(state, nullptr, [] { empty<<<1, 1>>>(); });
  for (hipStream_t stream : idle)
    HIP(hipStreamDestroy(stream));
}
BENCHMARK(nullStreamBesideIdle)->Arg(0)->Arg(16)->Arg(64)->UseRealTime();

template <unsigned flags> void eventRecord(benchmark::State &state) {
  hipStream_t stream;
  hipEvent_t event;
  HIP(hipStreamCreate(&stream));
  HIP(hipEventCreateWithFlags(&event, flags));
  batches(state, stream, [&] { HIP(hipEventRecord(event, stream)); });
  HIP(hipEventDestroy(event));
  HIP(hipStreamDestroy(stream));
}
BENCHMARK(eventRecord<hipEventDefault>)->UseRealTime();
BENCHMARK(eventRecord<hipEventDisableTiming>)->UseRealTime();

void hostFunctionRoundTrip(benchmark::State &state) {
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  for (auto _ : state) {
    HIP(hipLaunchHostFunc(
        stream, [](void *) {}, nullptr));
    HIP(hipStreamSynchronize(stream));
  }
  HIP(hipStreamDestroy(stream));
}
BENCHMARK(hostFunctionRoundTrip)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
