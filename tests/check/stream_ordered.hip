// SPDX-License-Identifier: MIT
// Memory of pools that a stream uses which no event orders behind the allocation, or before the end, of the memory (planted.h).
#include "planted.h"
#include <atomic>
#include <chrono>
#include <thread>

constexpr std::chrono::milliseconds kLong(300); // the kernel has ended, but nothing says so

template <bool bad> __global__ void beforeAllocation(int *p) {
  p[globalId()] = 1; // finds: racecheck error
}
template <bool bad> __global__ void besideFree(int *p) {
  p[globalId()] = 1; // finds: racecheck error
}
template <bool bad> __global__ void readBesideFree(const int *p, int *out) {
  out[globalId()] = p[globalId()]; // finds: racecheck error
}
template <bool bad> __global__ void eventIsTooEarly(int *p) {
  p[globalId()] = 1; // finds: racecheck error
}
template <bool bad> __global__ void ordered(int *p) { p[globalId()] = 1; }

struct Streams {
  hipStream_t first, second;
  hipEvent_t event;
};

int *allocateIn(hipStream_t stream) {
  void *memory = nullptr;
  HIP_CHECK(hipMallocAsync(&memory, kItems * sizeof(int), stream));
  return static_cast<int *>(memory);
}

void follow(const Streams &streams, hipStream_t from, hipStream_t to) {
  HIP_CHECK(hipEventRecord(streams.event, from));
  HIP_CHECK(hipStreamWaitEvent(to, streams.event, 0));
}

// The only block of a full pool is in use by a stream that the host lets go on later: the other stream waits for it, the host does not.
void shareFullPool(const Streams &streams) {
  std::atomic<bool> isOpen{false};
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  properties.maxSize = kItems * sizeof(int);
  hipMemPool_t pool;
  HIP_CHECK(hipMemPoolCreate(&pool, &properties));
  const auto allocateFrom = [&](hipStream_t stream) {
    void *memory = nullptr;
    HIP_CHECK(hipMallocFromPoolAsync(&memory, kItems * sizeof(int), pool, stream));
    return static_cast<int *>(memory);
  };
  HIP_CHECK(hipLaunchHostFunc(
      streams.first,
      [](void *gate) {
        while (!*static_cast<std::atomic<bool> *>(gate))
          std::this_thread::yield();
      },
      &isOpen));
  int *p = allocateFrom(streams.first);
  ordered<false><<<kBlocks, kBlock, 0, streams.first>>>(p);
  HIP_CHECK(hipFreeAsync(p, streams.first));
  p = allocateFrom(streams.second);
  ordered<false><<<kBlocks, kBlock, 0, streams.second>>>(p);
  HIP_CHECK(hipFreeAsync(p, streams.second));
  if (hipStreamQuery(streams.second) != hipErrorNotReady)
    std::exit(4); // it has not waited
  isOpen = true;
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipMemPoolDestroy(pool));
}

template <bool bad> void run() {
  Streams streams;
  HIP_CHECK(hipStreamCreateWithFlags(&streams.first, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&streams.second, hipStreamNonBlocking));
  HIP_CHECK(hipEventCreateWithFlags(&streams.event, hipEventDisableTiming));
  const auto [first, second, event] = streams;
  int *out = allocate<int>(kItems);

  int *p = allocateIn(first);
  if (!bad)
    follow(streams, first, second);
  beforeAllocation<bad><<<kBlocks, kBlock, 0, second>>>(p);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFreeAsync(p, first));
  HIP_CHECK(hipDeviceSynchronize());

  p = allocateIn(first);
  follow(streams, first, second);
  besideFree<bad><<<kBlocks, kBlock, 0, second>>>(p);
  std::this_thread::sleep_for(kLong);
  if (!bad)
    follow(streams, second, first);
  HIP_CHECK(hipFreeAsync(p, first));
  HIP_CHECK(hipDeviceSynchronize());

  p = allocateIn(first);
  HIP_CHECK(hipMemsetAsync(p, 0, kItems * sizeof(int), first));
  follow(streams, first, second);
  readBesideFree<bad><<<kBlocks, kBlock, 0, second>>>(p, out);
  std::this_thread::sleep_for(kLong);
  if (!bad)
    HIP_CHECK(hipStreamSynchronize(second));
  HIP_CHECK(hipFreeAsync(p, first));
  HIP_CHECK(hipDeviceSynchronize());

  if (bad)
    HIP_CHECK(hipEventRecord(event, first));
  p = allocateIn(first);
  if (!bad)
    HIP_CHECK(hipEventRecord(event, first));
  HIP_CHECK(hipStreamWaitEvent(second, event, 0));
  eventIsTooEarly<bad><<<kBlocks, kBlock, 0, second>>>(p);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFreeAsync(p, first));

  // Correct orders: through the host, through the null stream's rules, and memory that a stream frees and another gets again.
  p = allocateIn(first);
  HIP_CHECK(hipStreamSynchronize(first));
  ordered<bad><<<kBlocks, kBlock, 0, second>>>(p);
  HIP_CHECK(hipStreamSynchronize(second));
  HIP_CHECK(hipFreeAsync(p, first));
  for (int round = 0; round < 4; ++round) {
    hipStream_t stream = round % 2 ? first : second;
    p = allocateIn(stream);
    ordered<bad><<<kBlocks, kBlock, 0, stream>>>(p);
    HIP_CHECK(hipFreeAsync(p, stream));
  }
  hipStream_t blocking;
  HIP_CHECK(hipStreamCreate(&blocking));
  p = allocateIn(nullptr);
  ordered<bad><<<kBlocks, kBlock, 0, blocking>>>(p);
  HIP_CHECK(hipFreeAsync(p, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  shareFullPool(streams);
}
