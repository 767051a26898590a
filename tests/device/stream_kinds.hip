// SPDX-License-Identifier: MIT
// Every kind of stream beside every other: who waits for whom, with all priorities; short kernels beside long ones; default
// streams of threads that have ended; streams that do nothing.
#include "check.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

__global__ void append(int *log, int *length, int value) { log[atomicAdd(length, 1)] = value; }
__global__ void nothing() {}

struct Gate {
  std::atomic<bool> open{false}, reached{false};
  static void wait(void *argument) {
    Gate &gate = *static_cast<Gate *>(argument);
    gate.reached = true;
    while (!gate.open)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
};

struct Kind {
  const char *name;
  hipStream_t stream;
  bool legacy, waitsForLegacy;
};

// Work of the second stream while the first one stands still behind a gate.
bool goesOnBeside(const Kind &first, const Kind &second, bool expected) {
  Gate gate;
  hipEvent_t done;
  HIP_CHECK(hipEventCreateWithFlags(&done, hipEventDisableTiming));
  HIP_CHECK(hipLaunchHostFunc(first.stream, Gate::wait, &gate));
  nothing<<<1, 1, 0, second.stream>>>();
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipEventRecord(done, second.stream));
  // One that must go on gets its time; of one that must not a little is enough.
  const auto patience = std::chrono::milliseconds(expected ? 5000 : 3);
  const auto end = std::chrono::steady_clock::now() + patience;
  hipError_t state = hipErrorNotReady;
  while (state == hipErrorNotReady && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    state = hipEventQuery(done);
  }
  gate.open = true;
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipEventQuery(done));
  HIP_CHECK(hipEventDestroy(done));
  return state == hipSuccess;
}

TEST(everyPair) {
  std::vector<Kind> kinds = {{"legacy", nullptr, true, false}, {"per-thread", hipStreamPerThread, false, true}};
  int least, greatest;
  HIP_CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(greatest <= 0 && least >= 0);
  for (int priority = greatest; priority <= least; ++priority)
    for (unsigned flags : {hipStreamDefault, hipStreamNonBlocking}) {
      hipStream_t stream;
      HIP_CHECK(hipStreamCreateWithPriority(&stream, flags, priority));
      kinds.push_back({flags ? "non-blocking" : "blocking", stream, false, flags == hipStreamDefault});
    }
  for (const Kind &first : kinds)
    for (const Kind &second : kinds) {
      if (first.stream == second.stream)
        continue;
      const bool ordered = (first.legacy && second.waitsForLegacy) || (second.legacy && first.waitsForLegacy);
      if (goesOnBeside(first, second, !ordered) == ordered) {
        ++checkFailures;
        std::fprintf(stderr, "%s stream beside %s stream: %s\n", second.name, first.name,
                     ordered ? "did not wait" : "waited");
      }
    }
  for (const Kind &kind : kinds)
    if (kind.stream && kind.stream != hipStreamPerThread)
      HIP_CHECK(hipStreamDestroy(kind.stream));
}

// Blocks that begin before another kernel has told them to end count, and take some ten microseconds. No step of the loop can
// be computed together with the next one: where it could, LLVM left nothing of the loop.
__global__ void untilTold(volatile int *told, int *untold, unsigned *sink) {
  if (*told)
    return;
  unsigned value = blockIdx.x;
  for (int round = 0; round < 5'000; ++round)
    value = (value ^ value >> 15) * 1664525u + 1013904223u;
  *sink = value;
  atomicAdd(untold, 1);
}
__global__ void tell(int *told) { *told = 1; }

// The long kernel ends early because the short one, launched while it runs, does not have to wait for its end. The host only
// looks, so that it is the device that executes both.
TEST(shortKernelsBesideLongOnes) {
  constexpr int kBlocks = 20'000'000; // many seconds, if nobody tells them: the short kernel may be compiled first
  int *told, *untold;
  unsigned *sink;
  HIP_CHECK(hipHostMalloc(&told, sizeof *told));
  HIP_CHECK(hipHostMalloc(&untold, sizeof *untold));
  HIP_CHECK(hipMalloc(&sink, sizeof *sink));
  int least, greatest;
  HIP_CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  for (int priority = greatest; priority <= 0; ++priority) {
    hipStream_t longStream, shortStream;
    HIP_CHECK(hipStreamCreateWithFlags(&longStream, hipStreamNonBlocking));
    HIP_CHECK(hipStreamCreateWithPriority(&shortStream, hipStreamNonBlocking, priority));
    *told = *untold = 0;
    untilTold<<<kBlocks, 1, 0, longStream>>>(told, untold, sink);
    HIP_CHECK(hipGetLastError());
    while (__atomic_load_n(untold, __ATOMIC_RELAXED) == 0)
      std::this_thread::yield();
    tell<<<1, 1, 0, shortStream>>>(told);
    HIP_CHECK(hipGetLastError());
    while (hipStreamQuery(longStream) == hipErrorNotReady)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    HIP_CHECK(hipDeviceSynchronize());
    CHECK(*untold > 0 && *untold < kBlocks);
    HIP_CHECK(hipStreamDestroy(longStream));
    HIP_CHECK(hipStreamDestroy(shortStream));
  }
  HIP_CHECK(hipHostFree(told));
  HIP_CHECK(hipHostFree(untold));
  HIP_CHECK(hipFree(sink));
}

// Work that a thread leaves behind in its default stream is still done, and the device waits for it.
TEST(endedThreads) {
  int *log, *length;
  constexpr int kThreads = 20;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&log), kThreads * sizeof(int)));
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&length), sizeof(int)));
  *length = 0;
  for (int i = 0; i < kThreads; ++i)
    std::thread([=] {
      append<<<1, 1, 0, hipStreamPerThread>>>(log, length, i);
      HIP_CHECK(hipGetLastError());
    }).join();
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(*length, kThreads);
  HIP_CHECK(hipHostFree(log));
  HIP_CHECK(hipHostFree(length));
}

// Streams that were used once and are idle cost the null stream nothing that can be noticed.
TEST(idleStreams) {
  constexpr int kStreams = 64, kLaunches = 400, kRounds = 15;
  auto launchTime = [] {
    double best = 1e9;
    for (int round = 0; round < kRounds; ++round) {
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < kLaunches; ++i)
        nothing<<<1, 1>>>();
      const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
      best = std::min(best, time.count() / kLaunches);
      HIP_CHECK(hipStreamSynchronize(nullptr));
    }
    return best;
  };
  launchTime();
  const double alone = launchTime();
  std::vector<hipStream_t> streams(kStreams);
  for (hipStream_t &stream : streams) {
    HIP_CHECK(hipStreamCreate(&stream));
    nothing<<<1, 1, 0, stream>>>();
  }
  HIP_CHECK(hipDeviceSynchronize());
  const double beside = launchTime();
  std::printf("null stream: %.2f us a launch alone, %.2f us beside %d idle streams\n", alone, beside, kStreams);
  CHECK(beside < 5 * alone + 2); // a wait for each stream would cost far more than a microsecond each
  for (hipStream_t stream : streams)
    HIP_CHECK(hipStreamDestroy(stream));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
