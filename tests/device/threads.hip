// SPDX-License-Identifier: MIT
// Many threads: each with streams and memory of its own, all on one stream, default streams that come and go with their
// threads, streams that are created and destroyed beside launches.
#include "check.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <pthread.h>
#include <thread>

namespace {

__global__ void accumulate(unsigned *to, unsigned count, unsigned value) {
  unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    to[index] += value;
}

__global__ void atomicAccumulate(unsigned *to) { atomicAdd(to, 1u); }

constexpr int kThreads = 8;

template <class Body> void onThreads(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([=] { body(i); });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(ownStreams) {
  static std::atomic<int> wrong;
  wrong = 0;
  onThreads(kThreads, [](int number) {
    hipStream_t stream;
    HIP_CHECK(hipStreamCreateWithFlags(&stream, number % 2 ? hipStreamNonBlocking : hipStreamDefault));
    constexpr unsigned kCount = 500;
    unsigned *device;
    std::vector<unsigned> host(kCount, number);
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&device), kCount * sizeof(unsigned)));
    HIP_CHECK(hipMemcpyAsync(device, host.data(), kCount * sizeof(unsigned), hipMemcpyHostToDevice, stream));
    for (int i = 0; i < 200; ++i)
      accumulate<<<2, 256, 0, stream>>>(device, kCount, number + i);
    HIP_CHECK(hipMemcpyAsync(host.data(), device, kCount * sizeof(unsigned), hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    for (unsigned value : host)
      wrong += value != static_cast<unsigned>(number + 200 * number + 199 * 200 / 2);
    HIP_CHECK(hipFree(device));
    HIP_CHECK(hipStreamDestroy(stream));
  });
  CHECK_EQ(wrong.load(), 0);
}

// One stream, one kernel, different arguments: no launch may see another thread's arguments.
void sharedStream(hipStream_t stream) {
  constexpr unsigned kCount = 64;
  DeviceArray<unsigned> sums(kThreads * kCount);
  unsigned *const base = sums;
  HIP_CHECK(hipDeviceSynchronize());
  onThreads(kThreads, [=](int number) {
    for (int i = 0; i < 200; ++i)
      accumulate<<<1, 64, 0, stream>>>(base + number * kCount, kCount, number + 1);
  });
  HIP_CHECK(hipStreamSynchronize(stream));
  const std::vector<unsigned> result = sums.host();
  int wrong = 0;
  for (int number = 0; number < kThreads; ++number)
    for (unsigned i = 0; i < kCount; ++i)
      wrong += result[number * kCount + i] != 200u * (number + 1);
  CHECK_EQ(wrong, 0);
}

// Streams that end with their thread go on to the next thread; what they were given is done nevertheless.
TEST(perThreadStreams) {
  DeviceArray<unsigned> sum(1);
  unsigned *const base = sum;
  for (int round = 0; round < 10; ++round)
    onThreads(kThreads, [=](int) {
      for (int i = 0; i < 10; ++i)
        atomicAccumulate<<<1, 32, 0, hipStreamPerThread>>>(base);
    });
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(sum.host()[0], 10u * kThreads * 10 * 32);
}

TEST(streamsThatComeAndGo) {
  DeviceArray<unsigned> sum(1);
  unsigned *const base = sum;
  onThreads(4, [=](int number) {
    for (int i = 0; i < 50; ++i) {
      if (number == 0) {
        atomicAccumulate<<<1, 32>>>(base); // the null stream looks at all blocking streams
        HIP_CHECK(hipStreamSynchronize(nullptr));
        continue;
      }
      hipStream_t stream;
      HIP_CHECK(hipStreamCreate(&stream));
      atomicAccumulate<<<1, 32, 0, stream>>>(base);
      HIP_CHECK(hipStreamDestroy(stream));
    }
  });
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(sum.host()[0], 4u * 50 * 32);
}

TEST(allocationsBesideCopies) {
  static std::atomic<int> wrong;
  wrong = 0;
  onThreads(kThreads, [](int number) {
    for (int i = 0; i < 50; ++i) {
      unsigned char *device, value = 0;
      const size_t bytes = 1000 + 100 * number + i;
      HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&device), bytes));
      HIP_CHECK(hipMemset(device, number + 1, bytes));
      HIP_CHECK(hipMemcpy(&value, device + bytes - 1, 1, hipMemcpyDeviceToHost));
      wrong += value != number + 1;
      HIP_CHECK(hipFree(device));
    }
  });
  CHECK_EQ(wrong.load(), 0);
}

} // namespace

__global__ void waitForFlag(volatile int *flag, int *out) {
  while (*flag == 0)
    ;
  *out = 1;
}

__global__ void say(int lines) {
  for (int i = 0; i < lines; ++i)
    printf("%s", "");
}

// A thread that is cancelled while it waits gets its answer, and ends behind the call.
TEST(cancelled) {
  struct Work {
    hipStream_t stream;
    hipError_t result;
  } work{nullptr, hipErrorUnknown};
  int *flag;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&flag), sizeof(int)));
  *flag = 0;
  DeviceArray<int> out(1);
  HIP_CHECK(hipStreamCreate(&work.stream));
  waitForFlag<<<1, 1, 0, work.stream>>>(flag, out);
  say<<<1, 1, 0, work.stream>>>(300);
  HIP_CHECK(hipLaunchHostFunc(
      work.stream, [](void *) {}, nullptr));
  pthread_t thread;
  CHECK_EQ(pthread_create(
               &thread, nullptr,
               [](void *argument) -> void * {
                 auto &work = *static_cast<Work *>(argument);
                 work.result = hipStreamSynchronize(work.stream);
                 pthread_testcancel();
                 return nullptr;
               },
               &work),
           0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  pthread_cancel(thread);
  *static_cast<volatile int *>(flag) = 1;
  void *end = nullptr;
  pthread_join(thread, &end);
  CHECK(end == PTHREAD_CANCELED);
  CHECK_EQ(int(work.result), int(hipSuccess));
  HIP_CHECK(hipStreamSynchronize(work.stream));
  CHECK_EQ(out.host()[0], 1);
  HIP_CHECK(hipStreamDestroy(work.stream));
  HIP_CHECK(hipHostFree(flag));
}

TEST(sharedStreams) {
  sharedStream(nullptr);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  sharedStream(stream);
  HIP_CHECK(hipStreamDestroy(stream));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
