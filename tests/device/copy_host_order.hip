// SPDX-License-Identifier: MIT
// When the host waits for copies and fills, and for what: copies that the host carries out itself have their place in the
// order of their stream, the rules of the default stream included; work within the memory of devices does not keep it waiting.
#include "tests/device/check.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

static void writeLate(void *memory) {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  *static_cast<int *>(memory) = 7;
}

static void afterNullStream(hipStream_t stream, bool waits) {
  std::vector<int> from(1, 1), to(1, 2);
  HIP_CHECK(hipLaunchHostFunc(nullptr, writeLate, from.data()));
  HIP_CHECK(hipMemcpyAsync(to.data(), from.data(), sizeof(int), hipMemcpyHostToHost, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(to[0], waits ? 7 : 1);
  HIP_CHECK(hipDeviceSynchronize());
}

static void afterBlockingStream(hipStream_t stream) {
  std::vector<int> from(1, 1), to(1, 2);
  HIP_CHECK(hipLaunchHostFunc(stream, writeLate, from.data()));
  HIP_CHECK(hipMemcpy(to.data(), from.data(), sizeof(int), hipMemcpyHostToHost));
  CHECK_EQ(to[0], 7);
}

// A copy that waits reads its source in its turn.
static void copyToDevice(hipStream_t stream) {
  std::vector<int> from(1, 1);
  DeviceArray<int> to(1);
  HIP_CHECK(hipLaunchHostFunc(stream, writeLate, from.data()));
  HIP_CHECK(hipMemcpyWithStream(to, from.data(), sizeof(int), hipMemcpyHostToDevice, stream));
  CHECK_EQ(to.host()[0], 7);
}

static std::atomic<bool> gateOpen;
static void waitForGate(void *) {
  while (!gateOpen)
    std::this_thread::yield();
}

// Would never return if the host waited, because the stream goes on only afterwards.
static void doesNotWait(const std::function<hipError_t()> &call) {
  gateOpen = false;
  HIP_CHECK(hipLaunchHostFunc(nullptr, waitForGate, nullptr));
  HIP_CHECK(call());
  CHECK_EQ(hipStreamQuery(nullptr), hipErrorNotReady);
  gateOpen = true;
  HIP_CHECK(hipStreamSynchronize(nullptr));
}

TEST(withinDevices) {
  constexpr size_t kBytes = 4096;
  DeviceArray<char> a(kBytes), b(kBytes);
  char *to = a, *from = b;
  doesNotWait([=] { return hipMemset(from, 3, kBytes); });
  doesNotWait([=] { return hipMemsetD32(from, 0x03030303, kBytes / 4); });
  doesNotWait([=] { return hipMemset2D(from, 64, 3, 64, 64); });
  doesNotWait([=] { return hipMemcpy(to, from, kBytes, hipMemcpyDeviceToDevice); });
  CHECK_EQ(a.host()[kBytes - 1], 3);
  HIP_CHECK(hipMemset(to, 0, kBytes));
  doesNotWait([=] { return hipMemcpy(to, from, kBytes, hipMemcpyDefault); });
  doesNotWait([=] { return hipMemcpyDtoD(to, from, kBytes); });
  doesNotWait([=] { return hipMemcpy2D(to, 64, from, 64, 64, 64, hipMemcpyDeviceToDevice); });
  doesNotWait([=] { return hipMemcpyPeer(to, 0, from, 0, kBytes); });
  CHECK_EQ(a.host()[0], 3);
}

// HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS of either end makes the host wait.
TEST(withinDevicesWhereItIsAskedFor) {
  constexpr size_t kBytes = 4096;
  DeviceArray<char> a(kBytes), b(kBytes);
  char *asking = a, *other = b;
  const int yes = 1;
  HIP_CHECK(hipPointerSetAttribute(&yes, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, asking));
  const std::function<hipError_t()> calls[] = {
      [=] { return hipMemset(asking, 3, kBytes); },
      [=] { return hipMemcpy(asking, other, kBytes, hipMemcpyDeviceToDevice); },
      [=] { return hipMemcpy(other, asking, kBytes, hipMemcpyDefault); },
      [=] { return hipMemcpy2D(other, 64, asking, 64, 64, 64, hipMemcpyDeviceToDevice); },
  };
  for (const std::function<hipError_t()> &call : calls) {
    int late = 0;
    HIP_CHECK(hipLaunchHostFunc(nullptr, writeLate, &late));
    HIP_CHECK(call());
    CHECK_EQ(hipStreamQuery(nullptr), hipSuccess);
    CHECK_EQ(late, 7);
  }
}

TEST(asynchronousFromHostToHost) {
  int pageable = 1, *pinned;
  HIP_CHECK(hipHostMalloc(&pinned, 2 * sizeof(int), hipHostMallocDefault));
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  int other = 0;
  for (auto [to, from] :
       {std::pair{pinned + 1, pinned}, {pinned, &pageable}, {&pageable, pinned}, {&other, &pageable}}) {
    *from = 1;
    HIP_CHECK(hipLaunchHostFunc(stream, writeLate, from));
    HIP_CHECK(hipMemcpyAsync(to, from, sizeof(int), hipMemcpyDefault, stream));
    CHECK_EQ(hipStreamQuery(stream), hipSuccess);
    CHECK_EQ(*to, 7);
  }
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipHostFree(pinned));
}

// Data that the host may read at once has been written.
TEST(memoryOfTheHost) {
  int *pinned, *managed, zero = 0;
  HIP_CHECK(hipHostMalloc(&pinned, 2 * sizeof(int)));
  HIP_CHECK(hipMallocManaged(&managed, sizeof(int)));
  HIP_CHECK(hipMemcpy(managed, &zero, sizeof zero, hipMemcpyDefault));
  pinned[0] = pinned[1] = 1;
  HIP_CHECK(hipLaunchHostFunc(nullptr, writeLate, pinned));
  HIP_CHECK(hipMemcpy(pinned + 1, pinned, sizeof(int), hipMemcpyHostToHost));
  CHECK_EQ(pinned[1], 7);
  HIP_CHECK(hipLaunchHostFunc(nullptr, writeLate, pinned));
  HIP_CHECK(hipMemset(pinned, 0, sizeof(int)));
  CHECK_EQ(pinned[0], 0);
  HIP_CHECK(hipLaunchHostFunc(nullptr, writeLate, managed));
  HIP_CHECK(hipMemset(managed, 0, sizeof(int)));
  CHECK_EQ(*managed, 0);
  HIP_CHECK(hipFree(managed));
  HIP_CHECK(hipHostFree(pinned));
}

__global__ void copyValue(int *to, const int *from) { *to = *from; }

// A call with memory of a device that is not current is in order with that device's blocking streams, and the work that is
// submitted to them later is in order with it.
TEST(memoryOfAnotherDevice) {
  int devices;
  HIP_CHECK(hipGetDeviceCount(&devices));
  if (devices < 2)
    return;
  int *source, *memory, *other, result = 0;
  hipStream_t stream;
  HIP_CHECK(hipHostMalloc(&source, sizeof(int), hipHostMallocPortable));
  HIP_CHECK(hipMalloc(&memory, sizeof(int)));
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipSetDevice(1));
  HIP_CHECK(hipMalloc(&other, sizeof(int)));
  HIP_CHECK(hipMemset(memory, 0, sizeof(int)));
  HIP_CHECK(hipDeviceSynchronize());

  auto writeSlowly = [&] {
    *source = 1;
    HIP_CHECK(hipLaunchHostFunc(stream, writeLate, source));
    HIP_CHECK(hipSetDevice(0));
    copyValue<<<1, 1, 0, stream>>>(memory, source);
    HIP_CHECK(hipSetDevice(1));
  };
  writeSlowly();
  HIP_CHECK(hipMemcpy(&result, memory, sizeof(int), hipMemcpyDeviceToHost));
  CHECK_EQ(result, 7);
  writeSlowly();
  HIP_CHECK(hipMemset(memory, 0, sizeof(int)));
  HIP_CHECK(hipMemcpy(&result, memory, sizeof(int), hipMemcpyDeviceToHost));
  CHECK_EQ(result, 0);
  writeSlowly();
  HIP_CHECK(hipMemcpyPeer(other, 1, memory, 0, sizeof(int)));
  // Behind the copy, on the device that was not current.
  HIP_CHECK(hipMemsetAsync(memory, 0, sizeof(int), stream));
  HIP_CHECK(hipMemcpy(&result, other, sizeof(int), hipMemcpyDeviceToHost));
  CHECK_EQ(result, 7);
  HIP_CHECK(hipFree(other));
  HIP_CHECK(hipSetDevice(0));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipHostFree(source));
}

/// A stream for the scenario.
class Stream {
public:
  explicit Stream(unsigned flags) { HIP_CHECK(hipStreamCreateWithFlags(&stream_, flags)); }
  ~Stream() { HIP_CHECK(hipStreamDestroy(stream_)); }
  Stream(const Stream &) = delete;
  operator hipStream_t() const { return stream_; }

private:
  hipStream_t stream_ = nullptr;
};

TEST(blockingStreamAfterNullStream) { afterNullStream(Stream(hipStreamDefault), true); }
TEST(streamOfTheThreadAfterNullStream) { afterNullStream(hipStreamPerThread, true); }
TEST(nonBlockingStreamAfterNullStream) { afterNullStream(Stream(hipStreamNonBlocking), false); }
TEST(nullStreamAfterBlockingStream) { afterBlockingStream(Stream(hipStreamDefault)); }
TEST(toDevice) {
  copyToDevice(nullptr);
  copyToDevice(Stream(hipStreamDefault));
  copyToDevice(Stream(hipStreamNonBlocking));
}

int main(int argc, char **argv) {
  setenv("HIPLZ_CPU_DEVICES", "2", 1);
  return runTests(argc, argv);
}
