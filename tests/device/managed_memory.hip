// SPDX-License-Identifier: MIT
// Managed memory: host and kernels see the same bytes, advice and prefetches change none of them and are read back page
// by page.
#include "check.h"

#include <algorithm>

#include <sys/mman.h>

namespace {

constexpr size_t kPage = 4096;

__global__ void increment(int *data, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    ++data[index];
}

__managed__ int variable[2 * kPage];

int attribute(hipMemRangeAttribute which, const void *pointer, size_t bytes) {
  int value = 12345;
  HIP_CHECK(hipMemRangeGetAttribute(&value, sizeof value, which, pointer, bytes));
  return value;
}

/// Managed memory that begins on a page.
class Managed {
public:
  explicit Managed(size_t pages) {
    HIP_CHECK(hipMallocManaged(&base_, (pages + 1) * kPage, hipMemAttachGlobal));
    first_ = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(base_) + kPage - 1) / kPage * kPage);
  }
  Managed(const Managed &) = delete;
  Managed &operator=(const Managed &) = delete;
  ~Managed() { HIP_CHECK(hipFree(base_)); }
  operator char *() const { return first_; }

private:
  void *base_ = nullptr;
  char *first_;
};

struct Advice {
  hipMemoryAdvise set, unset;
  hipMemRangeAttribute attribute;
};
constexpr Advice kAdvice[] = {
    {hipMemAdviseSetReadMostly, hipMemAdviseUnsetReadMostly, hipMemRangeAttributeReadMostly},
    {hipMemAdviseSetPreferredLocation, hipMemAdviseUnsetPreferredLocation, hipMemRangeAttributePreferredLocation},
    {hipMemAdviseSetAccessedBy, hipMemAdviseUnsetAccessedBy, hipMemRangeAttributeAccessedBy}};

void advice(int device) {
  for (const Advice &one : kAdvice) {
    Managed memory(2);
    const bool flag = one.set == hipMemAdviseSetReadMostly;
    const int none = flag ? 0 : hipInvalidDeviceId, set = flag ? 1 : device;
    CHECK_EQ(attribute(one.attribute, memory, 2 * kPage), none);
    HIP_CHECK(hipMemAdvise(memory, kPage, one.set, device));
    CHECK_EQ(attribute(one.attribute, memory, kPage), set);
    CHECK_EQ(attribute(one.attribute, memory + 100, 5), set);
    CHECK_EQ(attribute(one.attribute, memory, 2 * kPage), none); // not all of it
    CHECK_EQ(attribute(one.attribute, memory + kPage, kPage), none);
    for (const Advice &other : kAdvice)
      if (other.set != one.set)
        CHECK_EQ(attribute(other.attribute, memory, kPage),
                 other.set == hipMemAdviseSetReadMostly ? 0 : hipInvalidDeviceId);
    CHECK_EQ(attribute(hipMemRangeAttributeLastPrefetchLocation, memory, kPage), hipInvalidDeviceId);
    // Parts of pages count as pages.
    HIP_CHECK(hipMemAdvise(memory + kPage + 1000, 10, one.set, device));
    CHECK_EQ(attribute(one.attribute, memory, 2 * kPage), set);
    HIP_CHECK(hipMemAdvise(memory, 2 * kPage, one.unset, device));
    CHECK_EQ(attribute(one.attribute, memory, kPage), none);
  }
}

TEST(all) {
  Managed memory(4);
  HIP_CHECK(hipMemAdvise(memory, 4 * kPage, hipMemAdviseSetReadMostly, 0));
  HIP_CHECK(hipMemAdvise(memory, 4 * kPage, hipMemAdviseSetPreferredLocation, 0));
  HIP_CHECK(hipMemAdvise(memory, 4 * kPage, hipMemAdviseSetAccessedBy, hipCpuDeviceId));
  HIP_CHECK(hipMemAdvise(memory, 4 * kPage, hipMemAdviseSetAccessedBy, 0));
  HIP_CHECK(hipMemAdvise(memory, 2 * kPage, hipMemAdviseSetCoarseGrain, 0));
  HIP_CHECK(hipMemPrefetchAsync(memory, 4 * kPage, 0, nullptr));
  HIP_CHECK(hipMemPrefetchAsync(memory, 4 * kPage, hipCpuDeviceId, nullptr));
  int readMostly = 9, preferred = 9, prefetched = 9, coherency = 9, accessedBy[4] = {9, 9, 9, 9};
  void *data[] = {&readMostly, &preferred, &prefetched, &coherency, accessedBy};
  size_t sizes[] = {4, 4, 4, 4, sizeof accessedBy};
  hipMemRangeAttribute which[] = {hipMemRangeAttributeReadMostly, hipMemRangeAttributePreferredLocation,
                                  hipMemRangeAttributeLastPrefetchLocation, hipMemRangeAttributeCoherencyMode,
                                  hipMemRangeAttributeAccessedBy};
  HIP_CHECK(hipMemRangeGetAttributes(data, sizes, which, 5, memory, 4 * kPage));
  CHECK_EQ(readMostly, 1);
  CHECK_EQ(preferred, 0);
  CHECK_EQ(prefetched, hipCpuDeviceId);
  CHECK_EQ(coherency, hipMemRangeCoherencyModeIndeterminate);
  CHECK(std::count(accessedBy, accessedBy + 2, 0) == 1 && std::count(accessedBy, accessedBy + 2, hipCpuDeviceId) == 1);
  CHECK_EQ(accessedBy[2], hipInvalidDeviceId);
  CHECK_EQ(accessedBy[3], hipInvalidDeviceId);
  CHECK_EQ(attribute(hipMemRangeAttributeCoherencyMode, memory, 2 * kPage), hipMemRangeCoherencyModeCoarseGrain);
  CHECK_EQ(attribute(hipMemRangeAttributeCoherencyMode, memory + 2 * kPage, kPage), hipMemRangeCoherencyModeFineGrain);

  auto refused = [&](void **values, size_t *bytes, hipMemRangeAttribute *attributes, size_t count, const void *pointer,
                     size_t length) {
    CHECK_EQ(hipMemRangeGetAttributes(values, bytes, attributes, count, pointer, length), hipErrorInvalidValue);
  };
  refused(nullptr, sizes, which, 5, memory, kPage);
  refused(data, nullptr, which, 5, memory, kPage);
  refused(data, sizes, nullptr, 5, memory, kPage);
  refused(data, sizes, which, 0, memory, kPage);
  refused(data, sizes, which, 5, nullptr, kPage);
  refused(data, sizes, which, 5, memory, 0);
  refused(data, sizes, which, 5, memory, 6 * kPage);
  data[1] = nullptr;
  refused(data, sizes, which, 5, memory, kPage);
  data[1] = &preferred;
  sizes[3] = 8;
  refused(data, sizes, which, 5, memory, kPage);
  sizes[3] = 4, sizes[4] = 10;
  refused(data, sizes, which, 5, memory, kPage);
  sizes[4] = 16, which[2] = static_cast<hipMemRangeAttribute>(999);
  refused(data, sizes, which, 5, memory, kPage);
}

// Advice ends with the allocation, also where the next one gets the same address.
TEST(advisedMemoryIsFreed) {
  for (int i = 0; i < 200; ++i) {
    Managed memory(2);
    CHECK_EQ(attribute(hipMemRangeAttributeReadMostly, memory, 2 * kPage), 0);
    CHECK_EQ(attribute(hipMemRangeAttributeLastPrefetchLocation, memory, kPage), hipInvalidDeviceId);
    HIP_CHECK(hipMemAdvise(memory, 2 * kPage, hipMemAdviseSetReadMostly, 0));
    HIP_CHECK(hipMemPrefetchAsync(memory, kPage, 0, nullptr));
    CHECK_EQ(attribute(hipMemRangeAttributeReadMostly, memory, 2 * kPage), 1);
  }
  HIP_CHECK(hipDeviceSynchronize());
}

// Host and device take turns; nothing that is said of the memory changes what they see.
void contents(hipStream_t stream) {
  constexpr int kCount = 4 * kPage / sizeof(int);
  Managed memory(4);
  int *const data = reinterpret_cast<int *>(static_cast<char *>(memory));
  std::fill_n(data, kCount, -1);
  const hipMemoryAdvise advices[] = {hipMemAdviseSetReadMostly, hipMemAdviseSetPreferredLocation,
                                     hipMemAdviseSetAccessedBy, hipMemAdviseSetCoarseGrain};
  int rounds = 0;
  for (hipMemoryAdvise one : advices)
    for (int device : {0, hipCpuDeviceId}) {
      HIP_CHECK(hipMemAdvise(data, kCount * sizeof(int), one, device));
      HIP_CHECK(hipMemPrefetchAsync(data, kCount * sizeof(int), device, stream));
      increment<<<kCount / 256, 256, 0, stream>>>(data, kCount);
      HIP_CHECK(hipMemPrefetchAsync(data, kCount * sizeof(int), hipCpuDeviceId, stream));
      HIP_CHECK(hipStreamSynchronize(stream));
      CHECK(std::all_of(data, data + kCount, [&](int value) { return value == rounds; }));
      ++rounds;
    }
  std::fill_n(variable, 2 * kPage, 4);
  HIP_CHECK(hipMemAdvise(variable, sizeof variable, hipMemAdviseSetReadMostly, 0));
  CHECK_EQ(attribute(hipMemRangeAttributeReadMostly, variable, sizeof variable), 1);
  HIP_CHECK(hipMemPrefetchAsync(variable, sizeof variable, 0, stream));
  increment<<<2 * kPage / 256, 256, 0, stream>>>(variable, 2 * kPage);
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK(std::all_of(variable, variable + 2 * kPage, [](int value) { return value == 5; }));
}

// Memory of the application: registered, or any at all if devices reach it.
TEST(otherMemory) {
  std::vector<char> registered(3 * kPage);
  HIP_CHECK(hipHostRegister(registered.data(), registered.size(), 0));
  HIP_CHECK(hipMemAdvise(registered.data(), registered.size(), hipMemAdviseSetPreferredLocation, 0));
  CHECK_EQ(attribute(hipMemRangeAttributePreferredLocation, registered.data(), registered.size()), 0);
  HIP_CHECK(hipHostUnregister(registered.data()));

  int pageable = 0;
  HIP_CHECK(hipDeviceGetAttribute(&pageable, hipDeviceAttributePageableMemoryAccess, 0));
  void *mapped = mmap(nullptr, 4 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const hipError_t expected = pageable ? hipSuccess : hipErrorInvalidValue;
  CHECK_EQ(hipMemAdvise(mapped, 4 * kPage, hipMemAdviseSetReadMostly, 0), expected);
  CHECK_EQ(hipMemPrefetchAsync(mapped, kPage, 0, nullptr), expected);
  if (pageable) {
    CHECK_EQ(attribute(hipMemRangeAttributeReadMostly, mapped, 4 * kPage), 1);
    HIP_CHECK(hipMemAdvise(mapped, 4 * kPage, hipMemAdviseUnsetReadMostly, 0));
  }
  CHECK_EQ(hipMemAdvise(mapped, SIZE_MAX - 5, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  munmap(mapped, 4 * kPage);
}

// The coherency is that of the allocation, which no advice changes.
TEST(coherency) {
  struct {
    void *memory;
    hipMemRangeCoherencyMode expected;
  } kinds[5] = {{nullptr, hipMemRangeCoherencyModeCoarseGrain},
                {nullptr, hipMemRangeCoherencyModeFineGrain},
                {nullptr, hipMemRangeCoherencyModeFineGrain},
                {nullptr, hipMemRangeCoherencyModeFineGrain},
                {nullptr, hipMemRangeCoherencyModeCoarseGrain}};
  HIP_CHECK(hipMalloc(&kinds[0].memory, 2 * kPage));
  HIP_CHECK(hipExtMallocWithFlags(&kinds[1].memory, 2 * kPage, hipDeviceMallocFinegrained));
  HIP_CHECK(hipHostMalloc(&kinds[2].memory, 2 * kPage, hipHostMallocDefault));
  HIP_CHECK(hipHostMalloc(&kinds[3].memory, 2 * kPage, hipHostMallocCoherent));
  HIP_CHECK(hipHostMalloc(&kinds[4].memory, 2 * kPage, hipHostMallocNonCoherent));
  for (const auto &kind : kinds) {
    CHECK_EQ(attribute(hipMemRangeAttributeCoherencyMode, kind.memory, 2 * kPage), kind.expected);
    CHECK_EQ(attribute(hipMemRangeAttributeCoherencyMode, static_cast<char *>(kind.memory) + 5, 1), kind.expected);
    int32_t value;
    const hipMemRangeAttribute which = hipMemRangeAttributeCoherencyMode;
    CHECK_EQ(hipMemRangeGetAttribute(&value, 4, which, kind.memory, 3 * kPage), hipErrorInvalidValue);
    CHECK_EQ(hipMemRangeGetAttribute(&value, 8, which, kind.memory, kPage), hipErrorInvalidValue);
    CHECK_EQ(hipMemRangeGetAttribute(nullptr, 4, which, kind.memory, kPage), hipErrorInvalidValue);
  }
  HIP_CHECK(hipFree(kinds[0].memory));
  HIP_CHECK(hipFree(kinds[1].memory));
  for (int i = 2; i < 5; ++i)
    HIP_CHECK(hipHostFree(kinds[i].memory));
}

TEST(errors) {
  Managed memory(1);
  void *device, *pinned;
  HIP_CHECK(hipMalloc(&device, kPage));
  HIP_CHECK(hipHostMalloc(&pinned, kPage, hipHostMallocDefault));
  int value = 0;
  for (const Advice &one : kAdvice) {
    CHECK_EQ(hipMemAdvise(memory, 0, one.set, 0), hipErrorInvalidValue);
    CHECK_EQ(hipMemAdvise(nullptr, kPage, one.set, 0), hipErrorInvalidValue);
    CHECK_EQ(hipMemAdvise(memory, 3 * kPage, one.set, 0), hipErrorInvalidValue);
    CHECK_EQ(hipMemAdvise(device, kPage, one.set, 0), hipErrorInvalidValue);
    CHECK_EQ(hipMemAdvise(pinned, kPage, one.set, 0), hipErrorInvalidValue);
    // Who reads mostly does not matter.
    const hipError_t expected = one.set == hipMemAdviseSetReadMostly ? hipSuccess : hipErrorInvalidDevice;
    CHECK_EQ(hipMemAdvise(memory, kPage, one.set, hipInvalidDeviceId), expected);
    CHECK_EQ(hipMemAdvise(memory, kPage, one.set, 1000), expected);
    for (const void *pointer : {device, pinned})
      CHECK_EQ(hipMemRangeGetAttribute(&value, 4, one.attribute, pointer, kPage), hipErrorInvalidValue);
  }
  CHECK_EQ(attribute(hipMemRangeAttributePreferredLocation, memory, kPage), hipInvalidDeviceId);
  CHECK_EQ(hipMemAdvise(memory, kPage, static_cast<hipMemoryAdvise>(-1), 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemPrefetchAsync(nullptr, kPage, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemPrefetchAsync(memory, 0, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemPrefetchAsync(memory, 3 * kPage, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemPrefetchAsync(device, kPage, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemPrefetchAsync(memory, kPage, hipInvalidDeviceId, nullptr), hipErrorInvalidDevice);
  CHECK_EQ(hipMemPrefetchAsync(memory, kPage, 0, reinterpret_cast<hipStream_t>(&value)), hipErrorContextIsDestroyed);
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipFree(device));
}

} // namespace

// Advice is for pages, so memory begins on one.
TEST(beginsOnAPage) {
  void *memory[3];
  for (size_t index = 0; index < 3; ++index) {
    HIP_CHECK(hipMallocManaged(&memory[index], 100 + index, hipMemAttachGlobal));
    CHECK_EQ(reinterpret_cast<uintptr_t>(memory[index]) % kPage, 0u);
  }
  for (void *one : memory)
    HIP_CHECK(hipFree(one));
}

TEST(adviceForDeviceAndHost) {
  advice(0);
  advice(hipCpuDeviceId);
}

TEST(contentsFollowPrefetches) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  contents(stream);
  HIP_CHECK(hipStreamDestroy(stream));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
