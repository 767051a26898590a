// SPDX-License-Identifier: MIT
// A program that is compiled with -fgpu-default-stream=per-thread: what names no stream goes to a stream of the calling
// thread, kernels as well as calls of the API.
#include "tests/device/check.h"

#include <atomic>
#include <chrono>
#include <thread>

#ifndef HIP_API_PER_THREAD_DEFAULT_STREAM
#error "the option has no effect"
#endif

static __device__ int variable;
static __global__ void set(int *to, int value) { *to = value; }
static __global__ void readVariable(int *to) { *to = variable; }

static std::atomic<bool> open{false}, late{false};

static void waitUntilOpen(void *) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!open && !late) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    late = std::chrono::steady_clock::now() > end;
  }
}

int main() {
  DeviceArray<int> first(1), second(2);
  HIP_CHECK(hipDeviceSynchronize());
  std::atomic<bool> launched{false};
  std::thread blocked([&] {
    int found = 0;
    HIP_CHECK(hipLaunchHostFunc(nullptr, waitUntilOpen, nullptr));
    set<<<1, 1>>>(first, 1);
    CHECK_EQ(hipStreamQuery(nullptr), hipErrorNotReady);
    CHECK_EQ(hipStreamQuery(hipStreamPerThread), hipErrorNotReady);
    launched = true;
    HIP_CHECK(hipMemcpy(&found, first, sizeof found, hipMemcpyDeviceToHost));
    CHECK_EQ(found, 1);
    CHECK(open.load());
  });
  while (!launched)
    std::this_thread::yield();

  // None of this waits for the other thread.
  set<<<1, 1>>>(second, 2);
  const int value = 5;
  HIP_CHECK(hipMemcpyToSymbolAsync(HIP_SYMBOL(variable), &value, sizeof value, 0, hipMemcpyHostToDevice, nullptr));
  readVariable<<<1, 1>>>(second + 1);
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipEventRecord(event, nullptr));
  HIP_CHECK(hipEventSynchronize(event));
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipStreamQuery(hipStreamPerThread));
  int found[2] = {};
  HIP_CHECK(hipMemcpyAsync(found, second, sizeof found, hipMemcpyDeviceToHost, nullptr));
  HIP_CHECK(hipStreamSynchronize(nullptr));
  CHECK_EQ(found[0], 2);
  CHECK_EQ(found[1], 5);
  HIP_CHECK(hipMemset(second, 0, sizeof(int)));
  HIP_CHECK(hipMemcpy(found, second, sizeof found, hipMemcpyDeviceToHost));
  CHECK_EQ(found[0], 0);
  CHECK(!late.load());
  open = true;
  blocked.join();
  return testResult();
}
