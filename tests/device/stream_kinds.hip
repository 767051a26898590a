// SPDX-License-Identifier: MIT
// Every kind of stream beside every other: who waits for whom, with all priorities; default streams of threads that have
// ended; streams that do nothing.
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

// What a thread leaves behind in its default stream is still done, and the device waits for it.
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
