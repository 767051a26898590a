// SPDX-License-Identifier: MIT
// Streams, events, memory and modules that end while other threads wait for the whole device, free memory, use the null
// stream and compile: the thread that destroys something waits for it, and nobody else notices.
#include "check.h"

#include <atomic>
#include <thread>

namespace {

__global__ void add(unsigned *to) { atomicAdd(to, 1u); }

constexpr int kRounds = 60;
std::atomic<bool> done{false};

void streams(unsigned *sum) {
  for (int i = 0; i < kRounds; ++i) {
    hipStream_t first, second;
    hipEvent_t event;
    HIP_CHECK(hipStreamCreate(&first));
    HIP_CHECK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
    HIP_CHECK(hipEventCreate(&event));
    add<<<1, 32, 0, first>>>(sum);
    HIP_CHECK(hipEventRecord(event, first));
    HIP_CHECK(hipStreamWaitEvent(second, event, 0));
    HIP_CHECK(hipEventDestroy(event)); // while others wait for it
    add<<<1, 32, 0, second>>>(sum);
    HIP_CHECK(hipLaunchHostFunc(
        second, [](void *) {}, nullptr));
    HIP_CHECK(hipStreamDestroy(first));
    HIP_CHECK(hipStreamDestroy(second));
  }
}

void memory() {
  while (!done) {
    void *device, *host;
    HIP_CHECK(hipMalloc(&device, 4096));
    HIP_CHECK(hipHostMalloc(&host, 4096));
    HIP_CHECK(hipMemcpyAsync(device, host, 4096, hipMemcpyHostToDevice, hipStreamPerThread));
    HIP_CHECK(hipFree(device)); // waits for the copy
    HIP_CHECK(hipHostFree(host));
  }
}

void waits() {
  while (!done) {
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipStreamSynchronize(nullptr));
    const hipError_t state = hipStreamQuery(nullptr);
    CHECK(state == hipSuccess || state == hipErrorNotReady);
  }
}

} // namespace

int main() {
  {
    DeviceArray<unsigned> sum(1);
    unsigned *const base = sum;
    HIP_CHECK(hipDeviceSynchronize());
    std::vector<std::thread> others;
    others.emplace_back(memory);
    others.emplace_back(waits);
    std::vector<std::thread> creators;
    for (int i = 0; i < 3; ++i)
      creators.emplace_back(streams, base);
    for (std::thread &thread : creators)
      thread.join();
    done = true;
    for (std::thread &thread : others)
      thread.join();
    CHECK_EQ(sum.host()[0], 3u * kRounds * 2 * 32);
  }
  return testResult();
}
