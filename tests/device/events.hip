// SPDX-License-Identifier: MIT
// Events: states, recording again, times, waits on earlier recordings.
#include "check.h"

#include <atomic>
#include <chrono>
#include <iterator>
#include <thread>

namespace {

__global__ void spin(unsigned *sink, unsigned rounds) {
  unsigned value = *sink;
  for (unsigned i = 0; i < rounds; ++i)
    value = (value ^ value >> 15) * 1664525u + 1013904223u;
  *sink = value;
}

void waitFor(void *flag) {
  while (!*static_cast<std::atomic<bool> *>(flag))
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

TEST(states) {
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  // An event that was never recorded is complete.
  CHECK_EQ(hipEventQuery(event), hipSuccess);
  CHECK_EQ(hipEventSynchronize(event), hipSuccess);
  HIP_CHECK(hipStreamWaitEvent(nullptr, event, 0));
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  std::atomic<bool> go{false};
  HIP_CHECK(hipLaunchHostFunc(stream, waitFor, &go));
  HIP_CHECK(hipEventRecord(event, stream));
  CHECK_EQ(hipEventQuery(event), hipErrorNotReady);
  CHECK_EQ(hipGetLastError(), since7(hipSuccess, hipErrorNotReady)); // HIP 6 keeps every result
  go = true;
  HIP_CHECK(hipEventSynchronize(event));
  CHECK_EQ(hipEventQuery(event), hipSuccess);
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipEventDestroy(event));
}

// A wait means the recording that was the last when the wait was asked for.
TEST(recordingAgain) {
  hipStream_t producer, consumer;
  HIP_CHECK(hipStreamCreateWithFlags(&producer, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&consumer, hipStreamNonBlocking));
  hipEvent_t event, done;
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipEventCreate(&done));
  std::atomic<bool> go{false};
  HIP_CHECK(hipEventRecord(event, producer));
  HIP_CHECK(hipStreamWaitEvent(consumer, event, 0));
  HIP_CHECK(hipEventRecord(done, consumer));
  HIP_CHECK(hipLaunchHostFunc(producer, waitFor, &go));
  HIP_CHECK(hipEventRecord(event, producer)); // now stands for work behind the gate
  HIP_CHECK(hipEventSynchronize(done));       // would never return if the wait had moved along
  CHECK_EQ(hipEventQuery(event), hipErrorNotReady);
  go = true;
  HIP_CHECK(hipEventSynchronize(event));
  HIP_CHECK(hipStreamDestroy(producer));
  HIP_CHECK(hipStreamDestroy(consumer));
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipEventDestroy(done));
}

// An event may be destroyed while others still wait for it.
TEST(destroyedWhilePending) {
  hipStream_t producer, consumer;
  HIP_CHECK(hipStreamCreateWithFlags(&producer, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&consumer, hipStreamNonBlocking));
  std::atomic<bool> go{false};
  HIP_CHECK(hipLaunchHostFunc(producer, waitFor, &go));
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  HIP_CHECK(hipEventRecord(event, producer));
  HIP_CHECK(hipStreamWaitEvent(consumer, event, 0));
  HIP_CHECK(hipEventDestroy(event));
  // Recycled events must not be the one that is still waited for.
  for (int i = 0; i < 300; ++i) {
    hipEvent_t other;
    HIP_CHECK(hipEventCreate(&other));
    HIP_CHECK(hipEventRecord(other, nullptr));
    HIP_CHECK(hipEventDestroy(other));
  }
  CHECK_EQ(hipStreamQuery(consumer), hipErrorNotReady);
  go = true;
  HIP_CHECK(hipStreamSynchronize(consumer));
  HIP_CHECK(hipStreamDestroy(producer));
  HIP_CHECK(hipStreamDestroy(consumer));
}

TEST(times) {
  DeviceArray<unsigned> sink(1);
  hipEvent_t start, middle, stop;
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&middle));
  HIP_CHECK(hipEventCreate(&stop));
  spin<<<1, 1>>>(sink, 1);
  HIP_CHECK(hipDeviceSynchronize());
  const auto before = std::chrono::steady_clock::now();
  HIP_CHECK(hipEventRecord(start));
  spin<<<1, 1>>>(sink, 2000000);
  HIP_CHECK(hipEventRecord(middle));
  spin<<<1, 1>>>(sink, 2000000);
  HIP_CHECK(hipEventRecord(stop));
  HIP_CHECK(hipEventSynchronize(stop));
  const auto host = std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - before).count();
  float first, second, whole, back;
  HIP_CHECK(hipEventElapsedTime(&first, start, middle));
  HIP_CHECK(hipEventElapsedTime(&second, middle, stop));
  HIP_CHECK(hipEventElapsedTime(&whole, start, stop));
  HIP_CHECK(hipEventElapsedTime(&back, stop, start));
  CHECK(first > 0 && second > 0);
  CHECK(whole <= host * 1.01f + 0.1f);
  CHECK_NEAR(whole, first + second, 0.001 + whole * 1e-4);
  CHECK_NEAR(back, -whole, 0.001 + whole * 1e-4);
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(middle));
  HIP_CHECK(hipEventDestroy(stop));
}

__global__ void follow(unsigned *count, unsigned expected) {
  if (*count == expected)
    ++*count;
}

// A driver may do commands between which nobody asks for a time elsewhere: all of them stay in order, and times grow.
TEST(timesBetweenManyCommands) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  DeviceArray<unsigned> count(1);
  HIP_CHECK(hipMemsetAsync(count, 0, sizeof(unsigned), stream));
  constexpr unsigned kRecords = 6, kLaunches = 150;
  hipEvent_t events[kRecords];
  for (unsigned record = 0; record < kRecords; ++record) {
    HIP_CHECK(hipEventCreate(&events[record]));
    for (unsigned i = 0; i < kLaunches; ++i)
      follow<<<1, 1, 0, stream>>>(count, record * kLaunches + i);
    HIP_CHECK(hipEventRecord(events[record], stream));
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(count.host()[0], kRecords * kLaunches);
  for (unsigned record = 1; record < kRecords; ++record) {
    float milliseconds = -1;
    HIP_CHECK(hipEventElapsedTime(&milliseconds, events[record - 1], events[record]));
    CHECK(milliseconds >= 0 && milliseconds < 60000);
  }
  for (hipEvent_t event : events)
    HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipStreamDestroy(stream));
}

TEST(badCalls) {
  hipEvent_t timed, untimed;
  float milliseconds;
  HIP_CHECK(hipEventCreate(&timed));
  HIP_CHECK(hipEventCreateWithFlags(&untimed, hipEventDisableTiming));
  CHECK_EQ(hipEventElapsedTime(&milliseconds, timed, timed), hipErrorInvalidHandle); // never recorded
  HIP_CHECK(hipEventRecord(timed));
  HIP_CHECK(hipEventRecord(untimed));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(hipEventElapsedTime(nullptr, timed, timed), hipErrorInvalidValue);
  CHECK_EQ(hipEventElapsedTime(&milliseconds, timed, untimed), hipErrorInvalidHandle);
  CHECK_EQ(hipEventElapsedTime(&milliseconds, timed, timed), hipSuccess);
  CHECK_EQ(milliseconds, 0.0f);
  CHECK_EQ(hipEventCreate(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipEventRecord(nullptr, nullptr), hipErrorInvalidHandle);
  CHECK_EQ(hipEventCreateWithFlags(&timed, 0x100), hipErrorInvalidValue);
  HIP_CHECK(hipEventDestroy(untimed));
  CHECK_EQ(hipEventDestroy(untimed), hipErrorContextIsDestroyed);
  CHECK_EQ(hipEventDestroy(nullptr), hipErrorInvalidHandle);
  CHECK_EQ(hipEventQuery(untimed), hipErrorInvalidHandle);
  HIP_CHECK(hipEventDestroy(timed));
}

// Thousands of recordings without any waiting in between recycle what they use.
TEST(manyRecordings) {
  hipStream_t stream;
  hipEvent_t event;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipEventCreate(&event));
  for (int i = 0; i < 20000; ++i)
    HIP_CHECK(hipEventRecord(event, stream));
  HIP_CHECK(hipEventSynchronize(event));
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipStreamDestroy(stream));
}

__global__ void addLate(unsigned *count, unsigned rounds) {
  unsigned value = *count;
  for (unsigned i = 0; i < rounds; ++i)
    value = (value ^ value >> 15) * 1664525u + 1013904223u;
  *count += value == 0xdeadbeef ? 2 : 1;
}

// A driver may expect the recording behind as many commands as the last time. It comes earlier, later or not at all.
TEST(rowsOfCommands) {
  hipStream_t stream, other;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
  constexpr unsigned kLengths[] = {3, 3, 3, 2, 2, 3, 4, 4, 1, 1, 1, 0, 1, 5, 3, 3, 0, 0, 3};
  constexpr size_t kRows = std::size(kLengths);
  DeviceArray<unsigned> count(1);
  unsigned *seen;
  HIP_CHECK(hipHostMalloc(&seen, kRows * sizeof *seen));
  hipEvent_t events[kRows];
  for (size_t row = 0; row < kRows; ++row) {
    for (unsigned command = 0; command < kLengths[row]; ++command)
      addLate<<<1, 1, 0, stream>>>(count, 20000);
    HIP_CHECK(hipEventCreateWithFlags(&events[row], hipEventDisableTiming));
    HIP_CHECK(hipEventRecord(events[row], stream));
    HIP_CHECK(hipStreamWaitEvent(other, events[row], 0));
    HIP_CHECK(hipMemcpyAsync(&seen[row], count, sizeof *seen, hipMemcpyDeviceToHost, other));
  }
  unsigned before = 0;
  for (size_t row = 0; row < kRows; ++row) {
    before += kLengths[row];
    HIP_CHECK(hipEventSynchronize(events[row]));
    unsigned now = 0;
    HIP_CHECK(hipMemcpy(&now, count, sizeof now, hipMemcpyDeviceToHost));
    CHECK(now >= before);
    HIP_CHECK(hipEventDestroy(events[row]));
  }
  HIP_CHECK(hipStreamSynchronize(other));
  for (size_t row = 0, sum = 0; row < kRows; ++row)
    CHECK(seen[row] >= (sum += kLengths[row]));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(count.host()[0], before);
  HIP_CHECK(hipHostFree(seen));
  HIP_CHECK(hipStreamDestroy(other));
  HIP_CHECK(hipStreamDestroy(stream));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
