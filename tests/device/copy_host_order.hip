// Copies that the host carries out itself have their place in the order of their stream, the rules of the default stream
// included.
#include "tests/device/check.h"

#include <chrono>
#include <thread>

static void writeLate(void* memory) {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  *static_cast<int*>(memory) = 7;
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
static void toDevice(hipStream_t stream) {
  std::vector<int> from(1, 1);
  DeviceArray<int> to(1);
  HIP_CHECK(hipLaunchHostFunc(stream, writeLate, from.data()));
  HIP_CHECK(hipMemcpyWithStream(to, from.data(), sizeof(int), hipMemcpyHostToDevice, stream));
  CHECK_EQ(to.host()[0], 7);
}

int main() {
  hipStream_t blocking, independent;
  HIP_CHECK(hipStreamCreate(&blocking));
  HIP_CHECK(hipStreamCreateWithFlags(&independent, hipStreamNonBlocking));
  afterNullStream(blocking, true);
  afterNullStream(hipStreamPerThread, true);
  afterNullStream(independent, false);
  afterBlockingStream(blocking);
  toDevice(nullptr);
  toDevice(blocking);
  toDevice(independent);
  HIP_CHECK(hipStreamDestroy(blocking));
  HIP_CHECK(hipStreamDestroy(independent));
  return testResult();
}
