// SPDX-License-Identifier: MIT
// Sixteen threads that mix everything: streams of all kinds come and go, launches, copies, fills, events, host functions, words
// in memory, allocation in stream order, captures and graphs. Every thread checks its own results. A first argument
// says for how many seconds; the test takes a fraction of one.
#include "check.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>

namespace {

constexpr int kCount = 256;

__global__ void addTo(int *data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] += value; }

std::atomic<bool> stop{false};
std::atomic<long> rounds{0};

class Worker {
public:
  explicit Worker(unsigned seed) : random_(seed) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&device_), kCount * sizeof(int)));
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned_), kCount * sizeof(int)));
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&word_), sizeof(uint32_t)));
    *word_ = 0;
    for (hipEvent_t *event : {&forked_, &joined_})
      HIP_CHECK(hipEventCreateWithFlags(event, hipEventDisableTiming));
  }
  ~Worker() {
    for (hipEvent_t event : {forked_, joined_})
      HIP_CHECK(hipEventDestroy(event));
    HIP_CHECK(hipFree(device_));
    HIP_CHECK(hipHostFree(pinned_));
    HIP_CHECK(hipHostFree(word_));
  }

  void run() {
    while (!stop) {
      hipStream_t stream, helper;
      // Captures of other threads forbid the null stream while they have blocking streams; these have none.
      HIP_CHECK(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, pick(3) - 1));
      HIP_CHECK(hipStreamCreateWithFlags(&helper, hipStreamNonBlocking));
      int expected = 0;
      HIP_CHECK(hipMemsetAsync(device_, 0, kCount * sizeof(int), stream));
      for (int step = 0; step < 12; ++step)
        expected += one(stream, helper);
      HIP_CHECK(hipMemcpyAsync(pinned_, device_, kCount * sizeof(int), hipMemcpyDeviceToHost, stream));
      HIP_CHECK(hipStreamSynchronize(stream));
      CHECK_EQ(pinned_[0], expected);
      CHECK_EQ(pinned_[kCount - 1], expected);
      HIP_CHECK(hipStreamDestroy(helper));
      HIP_CHECK(hipStreamDestroy(stream));
      ++rounds;
    }
  }

private:
  int pick(int choices) { return static_cast<int>(random_() % choices); }

  void launch(hipStream_t stream, int value) {
    addTo<<<4, kCount / 4, 0, stream>>>(device_, value);
    HIP_CHECK(hipGetLastError());
  }

  void fork(hipStream_t stream, hipStream_t helper, int value) {
    HIP_CHECK(hipEventRecord(forked_, stream));
    HIP_CHECK(hipStreamWaitEvent(helper, forked_, 0));
    launch(helper, value);
    HIP_CHECK(hipEventRecord(joined_, helper));
    HIP_CHECK(hipStreamWaitEvent(stream, joined_, 0));
  }

  // Does something in the stream; returns what it adds to each number.
  int one(hipStream_t stream, hipStream_t helper) {
    const int value = 1 + pick(100);
    switch (pick(8)) {
    case 0: launch(stream, value); return value;
    case 1: fork(stream, helper, value); return value;
    case 2: {
      static std::atomic<int> calls{0};
      HIP_CHECK(hipLaunchHostFunc(
          stream, [](void *) { ++calls; }, nullptr));
      return 0;
    }
    case 3: {
      const uint32_t next = ++turn_;
      HIP_CHECK(hipStreamWriteValue32(helper, word_, next, 0));
      // Not equal: the helper may be ahead. The driver compares whole words itself, the runtime does the others.
      HIP_CHECK(hipStreamWaitValue32(stream, word_, next, hipStreamWaitValueGte, pick(2) ? UINT32_MAX : 0x7fffffff));
      return 0;
    }
    case 4: {
      int *temporary;
      HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&temporary), kCount * sizeof(int), stream));
      HIP_CHECK(hipMemcpyAsync(temporary, device_, kCount * sizeof(int), hipMemcpyDeviceToDevice, stream));
      launch(stream, value);
      HIP_CHECK(hipMemcpyAsync(device_, temporary, kCount * sizeof(int), hipMemcpyDeviceToDevice, stream));
      HIP_CHECK(hipFreeAsync(temporary, stream));
      return 0;
    }
    case 5: {
      hipGraph_t graph;
      hipGraphExec_t exec;
      HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
      launch(stream, value);
      fork(stream, helper, 1);
      HIP_CHECK(hipStreamEndCapture(stream, &graph));
      HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
      HIP_CHECK(hipGraphLaunch(exec, stream));
      HIP_CHECK(hipGraphLaunch(exec, stream));
      HIP_CHECK(hipGraphExecDestroy(exec));
      HIP_CHECK(hipGraphDestroy(graph));
      return 2 * (value + 1);
    }
    case 6: {
      void *memory;
      HIP_CHECK(hipMalloc(&memory, 4096));
      HIP_CHECK(hipMemsetAsync(memory, value, 4096, stream));
      HIP_CHECK(hipFree(memory));
      return 0;
    }
    default: {
      const hipError_t state = hipStreamQuery(stream);
      CHECK(state == hipSuccess || state == hipErrorNotReady);
      addTo<<<1, 1, 0, hipStreamPerThread>>>(pinned_, 1);
      HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
      return 0;
    }
    }
  }

  std::mt19937 random_;
  int *device_, *pinned_;
  uint32_t *word_, turn_ = 0;
  hipEvent_t forked_, joined_;
};

} // namespace

int main(int count, char **arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 0.4;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 16; ++i)
    threads.emplace_back([i] { Worker(i).run(); });
  // Some devices need longer to build the kernel than the test is to take.
  for (int waited = 0; rounds == 0 && waited < 10000; ++waited)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  HIP_CHECK(hipDeviceSynchronize());
  std::printf("%ld rounds\n", rounds.load());
  CHECK(rounds.load() >= 16);
  return testResult();
}
