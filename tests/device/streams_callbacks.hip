// SPDX-License-Identifier: MIT
// Host functions in streams: order, the stream's waiting for them, many of them, several streams at once.
#include "check.h"

#include <atomic>
#include <chrono>
#include <pthread.h>
#include <thread>

namespace {

__global__ void add(int *to, int value) { *to += value; }

struct Log {
  std::vector<int> entries;
};

struct Entry {
  Log *log;
  int number;
};

void append(void *argument) {
  auto *entry = static_cast<Entry *>(argument);
  entry->log->entries.push_back(entry->number);
}

void inOrder(int count) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  Log log;
  std::vector<Entry> entries(count);
  for (int i = 0; i < count; ++i) {
    entries[i] = {&log, i};
    HIP_CHECK(hipLaunchHostFunc(stream, append, &entries[i]));
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(log.entries.size(), static_cast<size_t>(count));
  for (int i = 0; i < static_cast<int>(log.entries.size()); ++i)
    CHECK_EQ(log.entries[i], i);
  HIP_CHECK(hipStreamDestroy(stream));
}

// The function sees what precedes it in the stream, and what follows sees what the function did.
TEST(orderedWithKernels) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  int *number;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&number), sizeof(int), 0));
  *number = 0;
  constexpr int kRounds = 50;
  static int wrong;
  wrong = 0;
  static int expected;
  expected = 0;
  for (int round = 0; round < kRounds; ++round) {
    add<<<1, 1, 0, stream>>>(number, 1);
    HIP_CHECK(hipLaunchHostFunc(
        stream,
        [](void *argument) {
          int &value = *static_cast<int *>(argument);
          expected += 1;
          wrong += value != expected;
          std::this_thread::sleep_for(std::chrono::microseconds(100));
          value *= 2;
          expected *= 2;
          if (value > 1000000)
            value = expected = 0;
        },
        number));
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(wrong, 0);
  CHECK_EQ(*number, expected);
  HIP_CHECK(hipHostFree(number));
  HIP_CHECK(hipStreamDestroy(stream));
}

// One stream's function may wait for another stream's function.
TEST(streamsDoNotWaitForEachOther) {
  hipStream_t first, second;
  HIP_CHECK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  static std::atomic<bool> secondRan;
  secondRan = false;
  HIP_CHECK(hipLaunchHostFunc(
      first,
      [](void *) {
        while (!secondRan)
          std::this_thread::sleep_for(std::chrono::microseconds(100));
      },
      nullptr));
  HIP_CHECK(hipLaunchHostFunc(
      second, [](void *) { secondRan = true; }, nullptr));
  HIP_CHECK(hipStreamSynchronize(first));
  HIP_CHECK(hipStreamSynchronize(second));
  HIP_CHECK(hipStreamDestroy(first));
  HIP_CHECK(hipStreamDestroy(second));
}

TEST(callbacksKnowStreamAndStatus) {
  struct Seen {
    hipStream_t stream = nullptr;
    hipError_t status = hipErrorUnknown;
  } seen;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamAddCallback(
      stream,
      [](hipStream_t which, hipError_t status, void *argument) {
        *static_cast<Seen *>(argument) = {which, status};
      },
      &seen, 0));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(seen.stream == stream);
  CHECK_EQ(seen.status, hipSuccess);
  CHECK_EQ(hipStreamAddCallback(stream, nullptr, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipLaunchHostFunc(stream, nullptr, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipStreamDestroy(stream));
}

// HIP forbids calls from host functions, because they could wait for the stream that waits for the function.
TEST(callsAreRefused) {
  static hipError_t results[6];
  static_cast<void>(hipGetLastError());
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamAddCallback(
      stream,
      [](hipStream_t own, hipError_t, void *) {
        void *memory;
        results[0] = hipStreamSynchronize(own);
        results[1] = hipDeviceSynchronize();
        results[2] = hipMalloc(&memory, 16);
      },
      nullptr, 0));
  HIP_CHECK(hipLaunchHostFunc(
      stream,
      [](void *argument) {
        results[3] = hipMemsetAsync(argument, 0, 4, nullptr);
        results[4] = hipLaunchHostFunc(
            nullptr, [](void *) {}, nullptr);
        results[5] = hipGetLastError();
      },
      nullptr));
  HIP_CHECK(hipStreamSynchronize(stream));
  for (hipError_t result : results)
    CHECK_EQ(result, hipErrorNotSupported);
  CHECK_EQ(hipGetLastError(), hipSuccess); // the other thread's errors are its own
  HIP_CHECK(hipStreamDestroy(stream));
}

// Destroying a stream waits for its functions.
TEST(destroyedWithWork) {
  static std::atomic<int> ran;
  ran = 0;
  for (int round = 0; round < 20; ++round) {
    hipStream_t stream;
    HIP_CHECK(hipStreamCreate(&stream));
    for (int i = 0; i < 5; ++i)
      HIP_CHECK(hipLaunchHostFunc(
          stream, [](void *) { ++ran; }, nullptr));
    HIP_CHECK(hipStreamDestroy(stream));
  }
  CHECK_EQ(ran.load(), 100);
}

TEST(thousandInOrder) { inOrder(1000); }

} // namespace

// Work behind such a function in the stream is executed, and so are later functions.
TEST(aFunctionMayEndItsThread) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  int *number;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&number), sizeof(int), 0));
  *number = 0;
  static std::atomic<int> calls;
  calls = 0;
  for (int round = 0; round < 3; ++round) {
    HIP_CHECK(hipLaunchHostFunc(
        stream,
        [](void *) {
          ++calls;
          ::pthread_exit(nullptr);
        },
        nullptr));
    add<<<1, 1, 0, stream>>>(number, 1);
    HIP_CHECK(hipLaunchHostFunc(
        stream, [](void *) { ++calls; }, nullptr));
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(*number, 3);
  CHECK_EQ(calls.load(), 6);
  HIP_CHECK(hipLaunchHostFunc(
      stream, [](void *) { ::pthread_exit(nullptr); }, nullptr));
  HIP_CHECK(hipStreamDestroy(stream)); // waits for it
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipHostFree(number));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
