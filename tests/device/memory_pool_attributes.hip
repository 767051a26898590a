// SPDX-License-Identifier: MIT
// The memory that a pool holds and gives back, its limits, the pool of a device, access, and bad input.
#include "check.h"

namespace {

constexpr size_t kMiB = 1 << 20;

hipMemPoolProps properties(int device = 0) {
  hipMemPoolProps result{};
  result.allocType = hipMemAllocationTypePinned;
  result.location = {hipMemLocationTypeDevice, device};
  return result;
}

uint64_t get(hipMemPool_t pool, hipMemPoolAttr attribute) {
  uint64_t value = UINT64_MAX;
  HIP_CHECK(hipMemPoolGetAttribute(pool, attribute, &value));
  return value;
}
void setBytes(hipMemPool_t pool, hipMemPoolAttr attribute, uint64_t value) {
  HIP_CHECK(hipMemPoolSetAttribute(pool, attribute, &value));
}
uint64_t reserved(hipMemPool_t pool) { return get(pool, hipMemPoolAttrReservedMemCurrent); }
uint64_t used(hipMemPool_t pool) { return get(pool, hipMemPoolAttrUsedMemCurrent); }

void *allocate(hipMemPool_t pool, size_t bytes, hipStream_t stream = nullptr) {
  void *memory = nullptr;
  HIP_CHECK(hipMallocFromPoolAsync(&memory, bytes, pool, stream));
  return memory;
}

size_t freeMemory() {
  size_t free = 0, total = 0;
  HIP_CHECK(hipMemGetInfo(&free, &total));
  return free;
}

TEST(counts) {
  hipMemPool_t pool;
  const hipMemPoolProps wanted = properties();
  HIP_CHECK(hipMemPoolCreate(&pool, &wanted));
  CHECK_EQ(reserved(pool), 0u);
  CHECK_EQ(get(pool, hipMemPoolAttrReservedMemHigh), 0u);
  CHECK_EQ(get(pool, hipMemPoolAttrReleaseThreshold), 0u);
  const size_t before = freeMemory();
  void *a = allocate(pool, 8 * kMiB), *b = allocate(pool, 4 * kMiB), *c = allocate(pool, 1000);
  CHECK_EQ(used(pool), 12 * kMiB + 1000);
  CHECK(reserved(pool) >= used(pool));
  CHECK(reserved(pool) <= 20 * kMiB);
  CHECK_EQ(before - freeMemory(), 12 * kMiB + 1000);
  HIP_CHECK(hipFreeAsync(a, nullptr));
  HIP_CHECK(hipFreeAsync(b, nullptr));
  CHECK_EQ(used(pool), 1000u);
  CHECK(reserved(pool) >= 12 * kMiB); // kept until the next synchronisation
  CHECK_EQ(before - freeMemory(), 1000u);
  HIP_CHECK(hipStreamSynchronize(nullptr));
  CHECK(reserved(pool) < 4 * kMiB);
  CHECK_EQ(get(pool, hipMemPoolAttrUsedMemHigh), 12 * kMiB + 1000);
  CHECK(get(pool, hipMemPoolAttrReservedMemHigh) >= 12 * kMiB);
  setBytes(pool, hipMemPoolAttrUsedMemHigh, 0);
  setBytes(pool, hipMemPoolAttrReservedMemHigh, 0);
  CHECK_EQ(get(pool, hipMemPoolAttrUsedMemHigh), 1000u);
  CHECK_EQ(get(pool, hipMemPoolAttrReservedMemHigh), reserved(pool));
  a = allocate(pool, 2 * kMiB);
  HIP_CHECK(hipFreeAsync(a, nullptr));
  CHECK_EQ(get(pool, hipMemPoolAttrUsedMemHigh), 2 * kMiB + 1000);
  HIP_CHECK(hipFreeAsync(c, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(reserved(pool), 0u);
  CHECK_EQ(used(pool), 0u);
  HIP_CHECK(hipMemPoolDestroy(pool));
}

TEST(threshold) {
  hipMemPool_t pool;
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  const hipMemPoolProps wanted = properties();
  HIP_CHECK(hipMemPoolCreate(&pool, &wanted));
  setBytes(pool, hipMemPoolAttrReleaseThreshold, 16 * kMiB);
  std::vector<void *> all;
  for (int i = 0; i < 8; ++i)
    all.push_back(allocate(pool, 8 * kMiB));
  CHECK_EQ(reserved(pool), 64 * kMiB);
  HIP_CHECK(hipStreamSynchronize(nullptr));
  CHECK_EQ(reserved(pool), 64 * kMiB); // in use
  for (void *memory : all)
    HIP_CHECK(hipFreeAsync(memory, nullptr));
  HIP_CHECK(hipEventRecord(event, nullptr));
  CHECK_EQ(reserved(pool), 64 * kMiB);
  HIP_CHECK(hipEventSynchronize(event));
  CHECK_EQ(reserved(pool), 16 * kMiB);
  HIP_CHECK(hipMemPoolTrimTo(pool, 9 * kMiB));
  CHECK_EQ(reserved(pool), 8 * kMiB);
  HIP_CHECK(hipMemPoolTrimTo(pool, 8 * kMiB));
  CHECK_EQ(reserved(pool), 8 * kMiB);
  setBytes(pool, hipMemPoolAttrReleaseThreshold, 0);
  CHECK_EQ(reserved(pool), 8 * kMiB);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(reserved(pool), 0u);
  HIP_CHECK(hipMemPoolTrimTo(pool, 0));
  HIP_CHECK(hipMemPoolDestroy(pool));
  HIP_CHECK(hipEventDestroy(event));
}

// Blocks are cut out of segments and joined again: freeing everything in any order leaves room for the largest.
TEST(joining) {
  hipMemPool_t pool;
  const hipMemPoolProps wanted = properties();
  HIP_CHECK(hipMemPoolCreate(&pool, &wanted));
  setBytes(pool, hipMemPoolAttrReleaseThreshold, UINT64_MAX);
  void *whole = allocate(pool, 24 * kMiB);
  HIP_CHECK(hipFreeAsync(whole, nullptr));
  HIP_CHECK(hipStreamSynchronize(nullptr));
  for (int order = 0; order < 3; ++order) {
    std::vector<char *> parts;
    for (int i = 0; i < 12; ++i)
      parts.push_back(static_cast<char *>(allocate(pool, 2 * kMiB)));
    CHECK_EQ(reserved(pool), 24 * kMiB);
    for (size_t i = 0; i < parts.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        CHECK(parts[i] + 2 * kMiB <= parts[j] || parts[j] + 2 * kMiB <= parts[i]);
    for (size_t i = 0; i < parts.size(); ++i)
      HIP_CHECK(hipFreeAsync(parts[order == 0   ? i
                                   : order == 1 ? parts.size() - 1 - i
                                                : i * 5 % parts.size()],
                             nullptr));
    void *again = allocate(pool, 24 * kMiB);
    CHECK(again == whole);
    HIP_CHECK(hipFreeAsync(again, nullptr));
  }
  // Small blocks share a segment of their own.
  std::vector<void *> small;
  for (int i = 0; i < 1000; ++i)
    small.push_back(allocate(pool, 1 + i));
  CHECK_EQ(reserved(pool), 26 * kMiB);
  for (void *memory : small)
    HIP_CHECK(hipFreeAsync(memory, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipMemPoolDestroy(pool));
}

TEST(limit) {
  hipMemPool_t pool;
  hipMemPoolProps wanted = properties();
  wanted.maxSize = 16 * kMiB;
  HIP_CHECK(hipMemPoolCreate(&pool, &wanted));
  void *memory = nullptr, *rest = nullptr;
  CHECK_EQ(hipMallocFromPoolAsync(&memory, 17 * kMiB, pool, nullptr), hipErrorOutOfMemory);
  memory = allocate(pool, 12 * kMiB);
  CHECK_EQ(hipMallocFromPoolAsync(&rest, 5 * kMiB, pool, nullptr), hipErrorOutOfMemory);
  rest = allocate(pool, 4 * kMiB);
  CHECK_EQ(reserved(pool), 16 * kMiB);
  HIP_CHECK(hipFreeAsync(memory, nullptr));
  HIP_CHECK(hipFreeAsync(rest, nullptr));
  memory = allocate(pool, 16 * kMiB); // what is free makes room, also if it has to be waited for
  HIP_CHECK(hipFreeAsync(memory, nullptr));
  HIP_CHECK(hipMemPoolDestroy(pool));
}

TEST(devicePool) {
  hipMemPool_t standard, current, own;
  HIP_CHECK(hipDeviceGetDefaultMemPool(&standard, 0));
  HIP_CHECK(hipDeviceGetMemPool(&current, 0));
  CHECK(current == standard);
  CHECK_EQ(hipMemPoolDestroy(standard), hipErrorInvalidValue);
  const hipMemPoolProps wanted = properties();
  HIP_CHECK(hipMemPoolCreate(&own, &wanted));
  HIP_CHECK(hipDeviceSetMemPool(0, own));
  HIP_CHECK(hipDeviceGetMemPool(&current, 0));
  CHECK(current == own);
  const uint64_t usedBefore = used(standard);
  void *memory = nullptr;
  HIP_CHECK(hipMallocAsync(&memory, 5000, nullptr));
  CHECK_EQ(used(own), 5000u);
  CHECK_EQ(used(standard), usedBefore);
  // A destroyed pool is the device's no more; its memory stays until it is freed.
  HIP_CHECK(hipMemPoolDestroy(own));
  HIP_CHECK(hipDeviceGetMemPool(&current, 0));
  CHECK(current == standard);
  CHECK_EQ(hipMemPoolDestroy(own), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceSetMemPool(0, own), hipErrorInvalidValue);
  HIP_CHECK(hipMemset(memory, 7, 5000));
  std::vector<unsigned char> host(5000);
  HIP_CHECK(hipMemcpy(host.data(), memory, 5000, hipMemcpyDeviceToHost));
  CHECK_EQ(host[4999], 7);
  HIP_CHECK(hipFreeAsync(memory, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
}

TEST(badInput) {
  hipMemPool_t pool;
  hipMemPoolProps wanted = properties();
  CHECK_EQ(hipMemPoolCreate(nullptr, &wanted), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolCreate(&pool, nullptr), hipErrorInvalidValue);
  wanted.allocType = hipMemAllocationTypeInvalid;
  CHECK_EQ(hipMemPoolCreate(&pool, &wanted), hipErrorInvalidValue);
  wanted = properties();
  wanted.location.type = hipMemLocationTypeInvalid;
  CHECK_EQ(hipMemPoolCreate(&pool, &wanted), hipErrorInvalidValue);
  for (int device : {-1, 1000}) {
    wanted = properties(device);
    CHECK_EQ(hipMemPoolCreate(&pool, &wanted), hipErrorInvalidValue);
    CHECK_EQ(hipDeviceGetDefaultMemPool(&pool, device), hipErrorInvalidDevice);
    CHECK_EQ(hipDeviceGetMemPool(&pool, device), hipErrorInvalidValue);
  }
  wanted = properties();
  wanted.handleTypes = hipMemHandleTypeWin32;
  CHECK_EQ(hipMemPoolCreate(&pool, &wanted), hipErrorNotSupported);
  CHECK_EQ(hipDeviceGetDefaultMemPool(nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceGetMemPool(nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceSetMemPool(0, nullptr), hipErrorInvalidValue);

  wanted = properties();
  HIP_CHECK(hipMemPoolCreate(&pool, &wanted));
  uint64_t value = 1;
  CHECK_EQ(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolGetAttribute(nullptr, hipMemPoolAttrUsedMemCurrent, &value), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolGetAttribute(pool, static_cast<hipMemPoolAttr>(99), &value), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolSetAttribute(pool, static_cast<hipMemPoolAttr>(99), &value), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, nullptr), hipErrorInvalidValue);
  for (hipMemPoolAttr attribute : {hipMemPoolAttrReservedMemCurrent, hipMemPoolAttrUsedMemCurrent,
                                   hipMemPoolAttrReservedMemHigh, hipMemPoolAttrUsedMemHigh})
    CHECK_EQ(hipMemPoolSetAttribute(pool, attribute, &value), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolTrimTo(nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolDestroy(nullptr), hipErrorInvalidValue);

  hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
  hipMemLocation location{hipMemLocationTypeDevice, 0};
  HIP_CHECK(hipMemPoolGetAccess(&flags, pool, &location));
  CHECK_EQ(flags, hipMemAccessFlagsProtReadWrite);
  hipMemAccessDesc access{location, hipMemAccessFlagsProtReadWrite};
  HIP_CHECK(hipMemPoolSetAccess(pool, &access, 1));
  HIP_CHECK(hipMemPoolSetAccess(pool, nullptr, 0));
  CHECK_EQ(hipMemPoolSetAccess(pool, &access, 1000), hipErrorInvalidDevice);
  access.flags = hipMemAccessFlagsProtNone;
  CHECK_EQ(hipMemPoolSetAccess(pool, &access, 1), hipErrorInvalidDevice);
  access.flags = static_cast<hipMemAccessFlags>(0xffff);
  CHECK_EQ(hipMemPoolSetAccess(pool, &access, 1), hipErrorInvalidValue);
  for (int device : {-1, 1000}) {
    access = {{hipMemLocationTypeDevice, device}, hipMemAccessFlagsProtReadWrite};
    CHECK_EQ(hipMemPoolSetAccess(pool, &access, 1), hipErrorInvalidDevice);
  }
  access.location = {hipMemLocationTypeInvalid, 0};
  CHECK_EQ(hipMemPoolSetAccess(pool, &access, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolSetAccess(pool, nullptr, 1), hipErrorInvalidValue);
  location.id = 1000;
  CHECK_EQ(hipMemPoolGetAccess(&flags, pool, &location), hipErrorInvalidValue);
  location = {hipMemLocationTypeInvalid, 0};
  CHECK_EQ(hipMemPoolGetAccess(&flags, pool, &location), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolGetAccess(nullptr, pool, &location), hipErrorInvalidValue);
  HIP_CHECK(hipMemPoolDestroy(pool));
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
