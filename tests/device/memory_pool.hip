// SPDX-License-Identifier: MIT
// Allocation in stream order: contents, order, reuse within and across streams, what is freed how, and bad input.
#include "check.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

// The thread that runs the null stream's host functions ends with the process, and nobody joins it.
extern "C" const char *__tsan_default_options() { return "report_thread_leaks=0"; }

namespace {

constexpr size_t kBytes = 3 << 20;

__global__ void fill(unsigned *data, unsigned value, size_t count) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] = value;
}

template <class T = void> T *allocateOn(hipStream_t stream, size_t bytes) {
  void *memory = nullptr;
  HIP_CHECK(hipMallocAsync(&memory, bytes, stream));
  CHECK(memory != nullptr);
  CHECK_EQ(reinterpret_cast<uintptr_t>(memory) % 256, 0u);
  return static_cast<T *>(memory);
}

/// Holds a stream back until open() is called.
struct Gate {
  std::atomic<bool> isOpen{false}, passed{false};
  explicit Gate(hipStream_t stream) {
    HIP_CHECK(hipLaunchHostFunc(
        stream,
        [](void *self) {
          auto *gate = static_cast<Gate *>(self);
          while (!gate->isOpen)
            std::this_thread::sleep_for(std::chrono::microseconds(50));
          gate->passed = true;
        },
        this));
  }
  void open() { isOpen = true; }
};

struct Streams {
  hipStream_t a, b;
  Streams() {
    HIP_CHECK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
    HIP_CHECK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  }
  ~Streams() {
    HIP_CHECK(hipStreamDestroy(a));
    HIP_CHECK(hipStreamDestroy(b));
  }
};

/// A pool of its own for a test, which keeps what it has.
struct Pool {
  hipMemPool_t handle = nullptr;
  explicit Pool(bool follow = true, bool opportunistic = true, bool internal = true, size_t maxBytes = 0) {
    hipMemPoolProps properties{};
    properties.maxSize = maxBytes;
    properties.allocType = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    HIP_CHECK(hipMemPoolCreate(&handle, &properties));
    set(hipMemPoolReuseFollowEventDependencies, follow);
    set(hipMemPoolReuseAllowOpportunistic, opportunistic);
    set(hipMemPoolReuseAllowInternalDependencies, internal);
    uint64_t all = UINT64_MAX;
    HIP_CHECK(hipMemPoolSetAttribute(handle, hipMemPoolAttrReleaseThreshold, &all));
  }
  ~Pool() { HIP_CHECK(hipMemPoolDestroy(handle)); }
  void set(hipMemPoolAttr attribute, int value) {
    HIP_CHECK(hipMemPoolSetAttribute(handle, attribute, &value));
    int read = -1;
    HIP_CHECK(hipMemPoolGetAttribute(handle, attribute, &read));
    CHECK_EQ(read, value);
  }
  uint64_t bytes(hipMemPoolAttr attribute) {
    uint64_t value = UINT64_MAX;
    HIP_CHECK(hipMemPoolGetAttribute(handle, attribute, &value));
    return value;
  }
  void *allocate(hipStream_t stream, size_t size = kBytes) {
    void *memory = nullptr;
    HIP_CHECK(hipMallocFromPoolAsync(&memory, size, handle, stream));
    return memory;
  }
};

TEST(contentsAndOrder) {
  Streams streams;
  const size_t count = kBytes / sizeof(unsigned);
  std::vector<unsigned> host(count);
  for (unsigned round = 0; round < 20; ++round) {
    auto *data = allocateOn<unsigned>(streams.a, kBytes);
    fill<<<64, 64, 0, streams.a>>>(data, round, count);
    HIP_CHECK(hipMemcpyAsync(host.data(), data, kBytes, hipMemcpyDeviceToHost, streams.a));
    HIP_CHECK(hipFreeAsync(data, streams.a));
    // The next allocation of the stream may be the same memory: its kernel comes behind the copy.
    auto *next = allocateOn<unsigned>(streams.a, kBytes);
    fill<<<64, 64, 0, streams.a>>>(next, 0xdead, count);
    HIP_CHECK(hipFreeAsync(next, streams.a));
    HIP_CHECK(hipStreamSynchronize(streams.a));
    size_t wrong = 0;
    for (unsigned value : host)
      wrong += value != round;
    CHECK_EQ(wrong, 0u);
  }
}

#if HIP_VERSION_MAJOR >= 7
// hipFree of a pool's memory does not wait for streams that the null stream is ordered behind, and nothing else gets it before.
TEST(hipFreeDoesNotWait) {
  hipStream_t blocking;
  HIP_CHECK(hipStreamCreate(&blocking));
  Streams streams;
  const size_t count = kBytes / sizeof(unsigned);
  for (int round = 0; round < 3; ++round) {
    auto *memory = allocateOn<unsigned>(blocking, kBytes);
    Gate gate(blocking);
    fill<<<4, 64, 0, blocking>>>(memory, 7, count);
    HIP_CHECK(hipFree(memory));
    CHECK(!gate.passed);
    CHECK_EQ(hipFree(memory), hipErrorInvalidValue);
    auto *other = allocateOn<unsigned>(streams.a, kBytes);
    if (other != memory) // else the stream waits for the one before
      HIP_CHECK(hipMemsetAsync(other, 1, kBytes, streams.a));
    gate.open();
    if (other == memory)
      HIP_CHECK(hipMemsetAsync(other, 1, kBytes, streams.a));
    std::vector<unsigned> host(count);
    HIP_CHECK(hipMemcpyAsync(host.data(), other, kBytes, hipMemcpyDeviceToHost, streams.a));
    HIP_CHECK(hipStreamSynchronize(streams.a));
    HIP_CHECK(hipDeviceSynchronize());
    CHECK_EQ(std::count(host.begin(), host.end(), 0x01010101u), static_cast<long>(count));
    HIP_CHECK(hipFreeAsync(other, streams.a));
  }
  // A stream of its own may still use the memory: hipFree waits for it.
  auto *memory = allocateOn<unsigned>(streams.a, kBytes);
  Gate gate(streams.a);
  std::thread opens([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open();
  });
  HIP_CHECK(hipFree(memory));
  CHECK(gate.passed);
  opens.join();
  HIP_CHECK(hipStreamDestroy(blocking));
}
#endif

TEST(whatIsFreed) {
  Streams streams;
  hipPointerAttribute_t attributes{};
  void *base = nullptr;
  size_t size = 0;
  auto *memory = allocateOn<char>(streams.a, 1000);
  HIP_CHECK(hipPointerGetAttributes(&attributes, memory + 999));
  CHECK_EQ(attributes.type, hipMemoryTypeDevice);
  HIP_CHECK(hipMemGetAddressRange(&base, &size, memory + 500));
  CHECK(base == memory);
  CHECK_EQ(size, 1000u);
  CHECK_EQ(hipFreeAsync(memory + 1, streams.a), hipErrorInvalidValue);
  CHECK_EQ(hipFreeAsync(memory + 256, streams.a), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(memory + 500, memory, 501, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  HIP_CHECK(hipFreeAsync(memory, streams.a));
  CHECK_EQ(hipFreeAsync(memory, streams.a), hipErrorInvalidValue);
  CHECK_EQ(hipFree(memory), hipErrorInvalidValue);
  CHECK(isUnregistered(memory));
  CHECK_EQ(hipMemset(memory, 0, 1), hipErrorInvalidValue);

  // The two kinds of memory and the two ways to free them, crosswise.
  memory = allocateOn<char>(streams.a, 1000);
  HIP_CHECK(hipFree(memory));
  CHECK_EQ(hipFree(memory), hipErrorInvalidValue);
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&memory), 1000));
  HIP_CHECK(hipFreeAsync(memory, streams.a));
  CHECK_EQ(hipFree(memory), hipErrorInvalidValue);
  HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&memory), 1000, hipMemAttachGlobal));
  HIP_CHECK(hipFreeAsync(memory, streams.a));
  CHECK_EQ(hipFree(memory), hipErrorInvalidValue);

  // Memory of hipMalloc that is freed in stream order is not used again before.
  for (int round = 0; round < 3; ++round) {
    void *pending = nullptr, *other = nullptr;
    HIP_CHECK(hipMalloc(&pending, kBytes));
    Gate gate(streams.a);
    HIP_CHECK(hipFreeAsync(pending, streams.a));
    HIP_CHECK(hipMalloc(&other, kBytes));
    CHECK(other != pending);
    CHECK(!gate.passed);
    gate.open();
    HIP_CHECK(hipFree(other));
    CHECK(gate.passed);
  }

  int onStack = 0;
  void *nothing = &onStack;
  CHECK_EQ(hipFreeAsync(&onStack, streams.a), hipErrorInvalidValue);
  CHECK_EQ(hipFreeAsync(nullptr, streams.a), since7(hipSuccess, hipErrorInvalidValue));
  CHECK_EQ(hipMallocAsync(nullptr, 100, streams.a), hipErrorInvalidValue);
  HIP_CHECK(hipMallocAsync(&nothing, 0, streams.a));
  CHECK(nothing == nullptr);
  CHECK_EQ(hipMallocAsync(&nothing, size_t{1} << 60, streams.a), hipErrorOutOfMemory);
  CHECK_EQ(hipMallocAsync(&nothing, SIZE_MAX, streams.a), hipErrorOutOfMemory);
  CHECK(nothing == nullptr);
  CHECK_EQ(hipMallocAsync(&nothing, 100, reinterpret_cast<hipStream_t>(&onStack)), hipErrorInvalidHandle);
  CHECK_EQ(hipMallocFromPoolAsync(&nothing, 100, reinterpret_cast<hipMemPool_t>(&onStack), streams.a),
           hipErrorInvalidValue);
  CHECK_EQ(hipMallocFromPoolAsync(&nothing, 100, nullptr, streams.a), hipErrorInvalidValue);
}

TEST(sameStreamAtOnce) {
  Streams streams;
  Pool pool(false, false, false);
  Gate gate(streams.a);
  void *first = pool.allocate(streams.a);
  HIP_CHECK(hipFreeAsync(first, streams.a));
  void *second = pool.allocate(streams.a);
  CHECK(second == first);
  CHECK(!gate.passed);
  gate.open();
  HIP_CHECK(hipFreeAsync(second, streams.a));
  HIP_CHECK(hipStreamSynchronize(streams.a));
}

TEST(otherStreamNever) {
  Streams streams;
  Pool pool(false, false, false);
  Gate gate(streams.a);
  void *first = pool.allocate(streams.a);
  HIP_CHECK(hipFreeAsync(first, streams.a));
  hipEvent_t event;
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  HIP_CHECK(hipEventRecord(event, streams.a));
  HIP_CHECK(hipStreamWaitEvent(streams.b, event, 0));
  void *second = pool.allocate(streams.b);
  CHECK(second != first);
  gate.open();
  while (hipEventQuery(event) == hipErrorNotReady)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  void *third = pool.allocate(streams.b);
  CHECK(third != first);
  // After a synchronisation it is free for everyone.
  HIP_CHECK(hipStreamSynchronize(streams.a));
  void *fourth = pool.allocate(streams.b);
  CHECK(fourth == first);
  for (void *memory : {second, third, fourth})
    HIP_CHECK(hipFreeAsync(memory, streams.b));
  HIP_CHECK(hipStreamSynchronize(streams.b));
  HIP_CHECK(hipEventDestroy(event));
}

TEST(otherStreamByEvent) {
  Streams streams;
  Pool pool(true, false, false);
  hipEvent_t before, behind;
  HIP_CHECK(hipEventCreateWithFlags(&before, hipEventDisableTiming));
  HIP_CHECK(hipEventCreateWithFlags(&behind, hipEventDisableTiming));
  Gate gate(streams.a);
  void *first = pool.allocate(streams.a);
  HIP_CHECK(hipEventRecord(before, streams.a));
  fill<<<1, 1, 0, streams.a>>>(static_cast<unsigned *>(first), 1, 1);
  HIP_CHECK(hipFreeAsync(first, streams.a));
  HIP_CHECK(hipEventRecord(behind, streams.a));
  HIP_CHECK(hipStreamWaitEvent(streams.b, before, 0));
  void *second = pool.allocate(streams.b);
  CHECK(second != first);
  HIP_CHECK(hipStreamWaitEvent(streams.b, behind, 0));
  void *third = pool.allocate(streams.b);
  CHECK(third == first);
  CHECK(!gate.passed);
  gate.open();
  HIP_CHECK(hipFreeAsync(second, streams.b));
  HIP_CHECK(hipFreeAsync(third, streams.b));
  HIP_CHECK(hipStreamSynchronize(streams.b));
  HIP_CHECK(hipEventDestroy(before));
  HIP_CHECK(hipEventDestroy(behind));
}

TEST(otherStreamWhenComplete) {
  Streams streams;
  for (bool allowed : {false, true}) {
    Pool pool(false, allowed, false);
    Gate gate(streams.a);
    void *first = pool.allocate(streams.a);
    HIP_CHECK(hipFreeAsync(first, streams.a));
    void *second = pool.allocate(streams.b);
    CHECK(second != first);
    gate.open();
    while (hipStreamQuery(streams.a) == hipErrorNotReady)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    void *third = pool.allocate(streams.b);
    CHECK_EQ(third == first, allowed);
    HIP_CHECK(hipFreeAsync(second, streams.b));
    HIP_CHECK(hipFreeAsync(third, streams.b));
    HIP_CHECK(hipDeviceSynchronize());
  }
}

// Streams run side by side as long as there is memory.
TEST(otherStreamDoesNotWaitWhileThereIsMemory) {
  Streams streams;
  Pool pool;
  Gate gate(streams.a);
  void *first = pool.allocate(streams.a);
  HIP_CHECK(hipFreeAsync(first, streams.a));
  void *second = pool.allocate(streams.b);
  CHECK(second != first);
  HIP_CHECK(hipStreamSynchronize(streams.b));
  CHECK(!gate.passed);
  gate.open();
  HIP_CHECK(hipFreeAsync(second, streams.b));
  HIP_CHECK(hipDeviceSynchronize());
}

TEST(otherStreamWaits) {
  Streams streams;
  Pool pool(false, false, true, kBytes);
  Gate gate(streams.a);
  auto *first = static_cast<unsigned *>(pool.allocate(streams.a));
  unsigned seen = 0;
  fill<<<1, 1, 0, streams.a>>>(first, 1, 1);
  HIP_CHECK(hipFreeAsync(first, streams.a));
  auto *second = static_cast<unsigned *>(pool.allocate(streams.b));
  CHECK(second == first);
  fill<<<1, 1, 0, streams.b>>>(second, 2, 1);
  CHECK_EQ(hipStreamQuery(streams.b), hipErrorNotReady);
  gate.open();
  HIP_CHECK(hipMemcpyAsync(&seen, second, sizeof seen, hipMemcpyDeviceToHost, streams.b));
  HIP_CHECK(hipStreamSynchronize(streams.b));
  CHECK(gate.passed);
  CHECK_EQ(seen, 2u);
  HIP_CHECK(hipFreeAsync(second, streams.b));
  HIP_CHECK(hipDeviceSynchronize());
}

// Blocking streams and the null stream follow each other without any event.
TEST(defaultStream) {
  hipStream_t blocking;
  HIP_CHECK(hipStreamCreate(&blocking));
  Pool pool(false, false, false);
  const std::pair<hipStream_t, hipStream_t> orders[] = {{nullptr, blocking}, {blocking, nullptr}};
  for (auto [from, to] : orders) {
    Gate gate(from);
    void *first = pool.allocate(from);
    HIP_CHECK(hipFreeAsync(first, from));
    void *second = pool.allocate(to);
    CHECK(second == first);
    CHECK(!gate.passed);
    // The allocation is a part of its stream's order.
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      gate.open();
    });
    HIP_CHECK(hipStreamSynchronize(to));
    CHECK(gate.passed);
    opener.join();
    HIP_CHECK(hipFreeAsync(second, to));
    HIP_CHECK(hipDeviceSynchronize());
  }
  HIP_CHECK(hipStreamDestroy(blocking));
}

// The stream in which memory was freed may be gone.
TEST(destroyedStream) {
  Pool pool(true, true, true, kBytes);
  hipStream_t gone, other;
  HIP_CHECK(hipStreamCreateWithFlags(&gone, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
  void *first = pool.allocate(gone);
  fill<<<64, 64, 0, gone>>>(static_cast<unsigned *>(first), 1, kBytes / 4);
  HIP_CHECK(hipFreeAsync(first, gone));
  HIP_CHECK(hipStreamDestroy(gone));
  void *second = pool.allocate(other);
  CHECK(second == first);
  HIP_CHECK(hipFreeAsync(second, other));
  HIP_CHECK(hipStreamDestroy(other));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
