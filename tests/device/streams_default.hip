// SPDX-License-Identifier: MIT
// The default streams: who waits for whom. A stream is held by a host function that waits for a gate; then another stream
// gets a command, and an event behind it tells whether that command had to wait for the gate.
#include "check.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

struct Gate {
  std::atomic<bool> open{false};
  std::atomic<bool> reached{false};
};

void waitAtGate(void *argument) {
  auto *gate = static_cast<Gate *>(argument);
  gate->reached = true;
  while (!gate->open)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

__global__ void store(int *to, int value) { *to = value; }

enum class Command { fill, copy, launch, event };

void enqueue(Command command, hipStream_t stream, int *to, int *from) {
  switch (command) {
  case Command::fill: HIP_CHECK(hipMemsetAsync(to, 1, sizeof(int), stream)); break;
  case Command::copy: HIP_CHECK(hipMemcpyAsync(to, from, sizeof(int), hipMemcpyDeviceToDevice, stream)); break;
  case Command::launch: store<<<1, 1, 0, stream>>>(to, 1); break;
  case Command::event: break;
  }
}

// True if a command in `second` waits for work that was submitted to `first` before. `patience` is how many milliseconds a
// command that need not wait may take.
bool waits(Command command, hipStream_t first, hipStream_t second, int patience, int *to, int *from) {
  Gate gate;
  hipEvent_t behind;
  HIP_CHECK(hipEventCreateWithFlags(&behind, hipEventDisableTiming));
  HIP_CHECK(hipLaunchHostFunc(first, waitAtGate, &gate));
  while (!gate.reached)
    std::this_thread::yield();
  enqueue(command, second, to, from);
  HIP_CHECK(hipEventRecord(behind, second));
  hipError_t state = hipErrorNotReady;
  for (int poll = 0; poll < patience && state == hipErrorNotReady; ++poll) {
    state = hipEventQuery(behind);
    if (state == hipErrorNotReady)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  gate.open = true;
  HIP_CHECK(hipEventSynchronize(behind));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipEventDestroy(behind));
  CHECK(state == hipSuccess || state == hipErrorNotReady);
  return state == hipErrorNotReady;
}

} // namespace

static hipStream_t blocking, otherBlocking, nonBlocking;

TEST(whoWaitsForWhom) {
  int *to, *from;
  HIP_CHECK(hipMalloc(&to, sizeof(int)));
  HIP_CHECK(hipMalloc(&from, sizeof(int)));
  store<<<1, 1>>>(from, 1); // the kernel is compiled before anything is timed
  HIP_CHECK(hipDeviceSynchronize());

  struct {
    const char *what;
    hipStream_t first, second;
    bool waits;
  } const cases[] = {
      {"null after blocking", blocking, nullptr, true},
      {"null after non-blocking", nonBlocking, nullptr, false},
      {"null after per-thread", hipStreamPerThread, nullptr, true},
      {"blocking after null", nullptr, blocking, true},
      {"non-blocking after null", nullptr, nonBlocking, false},
      {"per-thread after null", nullptr, hipStreamPerThread, true},
      {"legacy handle after blocking", blocking, hipStreamLegacy, true},
      {"blocking after legacy handle", hipStreamLegacy, blocking, true},
      {"blocking after blocking", blocking, otherBlocking, false},
      {"blocking after non-blocking", nonBlocking, blocking, false},
      {"non-blocking after blocking", blocking, nonBlocking, false},
      {"per-thread after blocking", blocking, hipStreamPerThread, false},
      {"blocking after per-thread", hipStreamPerThread, blocking, false},
      {"itself", blocking, blocking, true},
  };
  for (const auto &test : cases)
    for (Command command : {Command::fill, Command::copy, Command::launch, Command::event})
      if (waits(command, test.first, test.second, test.waits ? 15 : 5000, to, from) != test.waits) {
        ++checkFailures;
        std::fprintf(stderr, "%s: command %d %s\n", test.what, static_cast<int>(command),
                     test.waits ? "did not wait" : "waited");
      }
  HIP_CHECK(hipFree(to));
  HIP_CHECK(hipFree(from));
}

// A query or a wait of the null stream covers blocking streams, and only them.
TEST(waitingForTheNullStream) {
  Gate gate;
  HIP_CHECK(hipLaunchHostFunc(nonBlocking, waitAtGate, &gate));
  HIP_CHECK(hipStreamSynchronize(nullptr));
  CHECK_EQ(hipStreamQuery(nonBlocking), hipErrorNotReady);
  gate.open = true;
  HIP_CHECK(hipStreamSynchronize(nonBlocking));
  CHECK_EQ(hipStreamQuery(nonBlocking), hipSuccess);
}

// It covers that stream alone.
TEST(waitingForABlockingStream) {
  Gate nullGate;
  HIP_CHECK(hipLaunchHostFunc(nullptr, waitAtGate, &nullGate));
  CHECK_EQ(hipStreamQuery(blocking), hipSuccess);
  HIP_CHECK(hipStreamSynchronize(blocking));
  CHECK_EQ(hipStreamQuery(nullptr), hipErrorNotReady);
  nullGate.open = true;
  HIP_CHECK(hipStreamSynchronize(nullptr));
}

// That of another thread is another stream.
TEST(perThreadStreams) {
  Gate otherGate;
  HIP_CHECK(hipLaunchHostFunc(hipStreamPerThread, waitAtGate, &otherGate));
  std::thread([] {
    HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
    int *memory;
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&memory), sizeof(int), 0));
    HIP_CHECK(hipMemsetAsync(memory, 0, sizeof(int), hipStreamPerThread));
    HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
    CHECK_EQ(*memory, 0);
  }).join();
  otherGate.open = true;
  HIP_CHECK(hipDeviceSynchronize());
}

int main(int argc, char **argv) {
  HIP_CHECK(hipStreamCreate(&blocking));
  HIP_CHECK(hipStreamCreateWithFlags(&otherBlocking, hipStreamDefault));
  HIP_CHECK(hipStreamCreateWithFlags(&nonBlocking, hipStreamNonBlocking));
  const int result = runTests(argc, argv);
  HIP_CHECK(hipStreamDestroy(blocking));
  HIP_CHECK(hipStreamDestroy(otherBlocking));
  HIP_CHECK(hipStreamDestroy(nonBlocking));
  return result;
}
