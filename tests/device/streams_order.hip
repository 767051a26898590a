// SPDX-License-Identifier: MIT
// Order within a stream and between streams that events connect, under long chains and many streams.
#include "check.h"

namespace {

__global__ void step(unsigned *state, unsigned count, unsigned factor) {
  unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    state[index] = state[index] * factor + index;
}

constexpr unsigned kCount = 4096;

std::vector<unsigned> expectedAfter(int steps) {
  std::vector<unsigned> state(kCount, 0);
  for (int s = 0; s < steps; ++s)
    for (unsigned i = 0; i < kCount; ++i)
      state[i] = state[i] * (2 * s + 1) + i;
  return state;
}

// Every step depends on the one before it.
TEST(longChain) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  DeviceArray<unsigned> state(kCount);
  constexpr int kSteps = 3000;
  for (int s = 0; s < kSteps; ++s)
    step<<<kCount / 256, 256, 0, stream>>>(state, kCount, 2 * s + 1);
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(state.host() == expectedAfter(kSteps));
  HIP_CHECK(hipStreamDestroy(stream));
}

// The steps go round several streams; only events keep them in order.
TEST(relay) {
  constexpr int kStreams = 4, kSteps = 400;
  hipStream_t streams[kStreams];
  hipEvent_t events[kStreams];
  for (int i = 0; i < kStreams; ++i) {
    HIP_CHECK(hipStreamCreateWithFlags(&streams[i], hipStreamNonBlocking));
    HIP_CHECK(hipEventCreateWithFlags(&events[i], hipEventDisableTiming));
  }
  DeviceArray<unsigned> state(kCount);
  HIP_CHECK(hipDeviceSynchronize());
  for (int s = 0; s < kSteps; ++s) {
    const int now = s % kStreams, before = (s + kStreams - 1) % kStreams;
    if (s > 0)
      HIP_CHECK(hipStreamWaitEvent(streams[now], events[before], 0));
    step<<<kCount / 256, 256, 0, streams[now]>>>(state, kCount, 2 * s + 1);
    HIP_CHECK(hipEventRecord(events[now], streams[now]));
  }
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(state.host() == expectedAfter(kSteps));
  for (int i = 0; i < kStreams; ++i) {
    HIP_CHECK(hipStreamDestroy(streams[i]));
    HIP_CHECK(hipEventDestroy(events[i]));
  }
}

// Blocking streams and the null stream alternate without any explicit dependency.
TEST(alternateWithNull) {
  hipStream_t first, second;
  HIP_CHECK(hipStreamCreate(&first));
  HIP_CHECK(hipStreamCreate(&second));
  const hipStream_t order[] = {first, nullptr, second, nullptr};
  DeviceArray<unsigned> state(kCount);
  constexpr int kSteps = 400;
  for (int s = 0; s < kSteps; ++s)
    step<<<kCount / 256, 256, 0, order[s % 4]>>>(state, kCount, 2 * s + 1);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(state.host() == expectedAfter(kSteps));
  HIP_CHECK(hipStreamDestroy(first));
  HIP_CHECK(hipStreamDestroy(second));
}

TEST(attributes) {
  int least, greatest;
  HIP_CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(least >= 0 && greatest <= 0);
  for (int priority = greatest - 1; priority <= least + 1; ++priority) {
    hipStream_t stream;
    HIP_CHECK(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, priority));
    int got;
    unsigned flags;
    hipDevice_t device;
    HIP_CHECK(hipStreamGetPriority(stream, &got));
    HIP_CHECK(hipStreamGetFlags(stream, &flags));
    HIP_CHECK(hipStreamGetDevice(stream, &device));
    CHECK_EQ(got, priority < greatest ? greatest : priority > least ? least : priority);
    CHECK_EQ(flags, static_cast<unsigned>(hipStreamNonBlocking));
    CHECK_EQ(device, 0);
    DeviceArray<unsigned> state(kCount);
    HIP_CHECK(hipStreamSynchronize(nullptr));
    step<<<kCount / 256, 256, 0, stream>>>(state, kCount, 1);
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK(state.host() == expectedAfter(1));
    HIP_CHECK(hipStreamDestroy(stream));
  }
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
