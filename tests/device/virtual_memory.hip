// SPDX-License-Identifier: MIT
// Virtual memory management: reservations, physical memory, mappings, access, references, and bad input.
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

namespace {

__global__ void fill(unsigned *data, unsigned value, size_t count) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] = value + static_cast<unsigned>(i);
}

hipMemAllocationProp properties() {
  hipMemAllocationProp result{};
  result.type = hipMemAllocationTypePinned;
  result.location = {hipMemLocationTypeDevice, 0};
  return result;
}

size_t granularity = 0; // recommended
size_t minimum = 0;

hipMemGenericAllocationHandle_t create(size_t bytes) {
  const hipMemAllocationProp wanted = properties();
  hipMemGenericAllocationHandle_t handle = nullptr;
  HIP_CHECK(hipMemCreate(&handle, bytes, &wanted, 0));
  return handle;
}

char *reserve(size_t bytes, size_t alignment = 0) {
  void *address = nullptr;
  HIP_CHECK(hipMemAddressReserve(&address, bytes, alignment, nullptr, 0));
  CHECK(address != nullptr);
  if (alignment)
    CHECK_EQ(reinterpret_cast<uintptr_t>(address) % alignment, 0u);
  return static_cast<char *>(address);
}

void allow(void *address, size_t bytes, hipMemAccessFlags flags = hipMemAccessFlagsProtReadWrite) {
  const hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, flags};
  HIP_CHECK(hipMemSetAccess(address, bytes, &access, 1));
}

unsigned long long accessOf(void *address) {
  unsigned long long flags = ~0ull;
  const hipMemLocation location{hipMemLocationTypeDevice, 0};
  HIP_CHECK(hipMemGetAccess(&flags, &location, address));
  return flags;
}

size_t freeMemory() {
  size_t free = 0, total = 0;
  HIP_CHECK(hipMemGetInfo(&free, &total));
  return free;
}

bool holds(const void *address, unsigned value, size_t count) {
  std::vector<unsigned> host(count);
  HIP_CHECK(hipMemcpy(host.data(), address, count * sizeof(unsigned), hipMemcpyDeviceToHost));
  for (size_t i = 0; i < count; ++i)
    if (host[i] != value + i)
      return false;
  return true;
}

// A range that grows: what vectors and expandable segments do.
TEST(growing) {
  const size_t part = granularity, count = part / sizeof(unsigned);
  char *range = reserve(4 * part);
  const size_t before = freeMemory();
  for (unsigned i = 0; i < 4; ++i) {
    hipMemGenericAllocationHandle_t handle = create(part);
    HIP_CHECK(hipMemMap(range + i * part, part, 0, handle, 0));
    HIP_CHECK(hipMemRelease(handle)); // the mapping keeps it
    CHECK_EQ(hipMemRelease(handle), hipErrorInvalidValue);
    CHECK_EQ(accessOf(range + i * part), static_cast<unsigned long long>(hipMemAccessFlagsProtNone));
    allow(range + i * part, part);
    CHECK_EQ(accessOf(range + i * part + part - 1), static_cast<unsigned long long>(hipMemAccessFlagsProtReadWrite));
    CHECK_EQ(before - freeMemory(), (i + 1) * part);
  }
  // One kernel over all of it, and everything that takes a device pointer.
  auto *data = reinterpret_cast<unsigned *>(range);
  fill<<<64, 64>>>(data, 7, 4 * count);
  CHECK(holds(range, 7, 4 * count));
  HIP_CHECK(hipMemset(range + part, 0, part));
  CHECK(holds(range, 7, count));
  CHECK(holds(range + 2 * part, 7 + static_cast<unsigned>(2 * count), count));
  hipPointerAttribute_t attributes{};
  HIP_CHECK(hipPointerGetAttributes(&attributes, range + 5));
  CHECK_EQ(attributes.type, hipMemoryTypeDevice);
  void *base = nullptr;
  size_t size = 0;
  HIP_CHECK(hipMemGetAddressRange(&base, &size, range + part + 5));
  CHECK(base == range + part);
  CHECK_EQ(size, part);
  CHECK_EQ(hipFree(range), hipErrorInvalidValue);
  CHECK_EQ(hipFreeAsync(range, nullptr), hipErrorInvalidValue);

  // Only whole mappings can be unmapped; several at once are fine.
  CHECK_EQ(hipMemUnmap(range, part / 2), hipErrorInvalidValue);
  CHECK_EQ(hipMemUnmap(range + part / 2, part), hipErrorInvalidValue);
  CHECK_EQ(hipMemUnmap(range, 5 * part), hipErrorInvalidValue);
  CHECK_EQ(hipMemAddressFree(range, 4 * part), hipErrorInvalidValue); // mapped
  HIP_CHECK(hipMemUnmap(range + part, 2 * part));
  CHECK_EQ(before - freeMemory(), 2 * part);
  CHECK_EQ(hipMemUnmap(range + part, part), hipErrorInvalidValue);
  CHECK_EQ(hipMemUnmap(range, 4 * part), hipErrorInvalidValue); // a gap
  CHECK(isUnregistered(range + part));
  CHECK(holds(range, 7, count));
  HIP_CHECK(hipMemUnmap(range, part));
  HIP_CHECK(hipMemUnmap(range + 3 * part, part));
  CHECK_EQ(before, freeMemory());
  CHECK_EQ(hipMemAddressFree(range, part), hipErrorInvalidValue);
  CHECK_EQ(hipMemAddressFree(range + part, 3 * part), hipErrorInvalidValue);
  HIP_CHECK(hipMemAddressFree(range, 4 * part));
  CHECK_EQ(hipMemAddressFree(range, 4 * part), hipErrorInvalidValue);
}

// One piece of memory at two addresses, and a mapping of a part of it.
TEST(aliases) {
  const size_t part = granularity, count = part / sizeof(unsigned);
  hipMemGenericAllocationHandle_t handle = create(2 * part);
  char *first = reserve(2 * part), *second = reserve(2 * part, 4 * granularity), *tail = reserve(part);
  HIP_CHECK(hipMemMap(first, 2 * part, 0, handle, 0));
  HIP_CHECK(hipMemMap(second, 2 * part, 0, handle, 0));
  HIP_CHECK(hipMemMap(tail, part, part, handle, 0));
  allow(first, 2 * part);
  allow(second, 2 * part);
  allow(tail, part, hipMemAccessFlagsProtRead);
  CHECK_EQ(accessOf(tail), static_cast<unsigned long long>(hipMemAccessFlagsProtRead));
  fill<<<64, 64>>>(reinterpret_cast<unsigned *>(first), 100, 2 * count);
  CHECK(holds(second, 100, 2 * count));
  CHECK(holds(tail, 100 + static_cast<unsigned>(count), count));
  HIP_CHECK(hipMemUnmap(first, 2 * part));
  CHECK(holds(second, 100, 2 * count));
  // Contents outlive all mappings as long as there is a handle.
  HIP_CHECK(hipMemUnmap(second, 2 * part));
  HIP_CHECK(hipMemUnmap(tail, part));
  HIP_CHECK(hipMemMap(first, 2 * part, 0, handle, 0));
  allow(first, 2 * part, hipMemAccessFlagsProtRead);
  CHECK(holds(first, 100, 2 * count));
  HIP_CHECK(hipMemUnmap(first, 2 * part));
  HIP_CHECK(hipMemRelease(handle));
  HIP_CHECK(hipMemAddressFree(first, 2 * part));
  HIP_CHECK(hipMemAddressFree(second, 2 * part));
  HIP_CHECK(hipMemAddressFree(tail, part));
}

TEST(references) {
  const size_t part = granularity, before = freeMemory();
  hipMemGenericAllocationHandle_t handle = create(part), same = nullptr;
  char *address = reserve(part);
  HIP_CHECK(hipMemMap(address, part, 0, handle, 0));
  HIP_CHECK(hipMemRetainAllocationHandle(&same, address + 100));
  CHECK(same == handle);
  HIP_CHECK(hipMemRelease(handle));
  hipMemAllocationProp found{};
  HIP_CHECK(hipMemGetAllocationPropertiesFromHandle(&found, handle)); // one reference is left
  CHECK_EQ(found.type, hipMemAllocationTypePinned);
  CHECK_EQ(found.location.id, 0);
  HIP_CHECK(hipMemRelease(handle));
  CHECK_EQ(hipMemGetAllocationPropertiesFromHandle(&found, handle), hipErrorInvalidValue);
  HIP_CHECK(hipMemRetainAllocationHandle(&same, address)); // the mapping still has the memory
  HIP_CHECK(hipMemUnmap(address, part));
  CHECK_EQ(before - freeMemory(), part);
  CHECK_EQ(hipMemRetainAllocationHandle(&same, address), hipErrorInvalidValue);
  HIP_CHECK(hipMemRelease(same));
  CHECK_EQ(before, freeMemory());
  HIP_CHECK(hipMemAddressFree(address, part));
}

TEST(badInput) {
  const size_t part = granularity;
  hipMemAllocationProp wanted = properties();
  hipMemGenericAllocationHandle_t handle = nullptr, bad = reinterpret_cast<hipMemGenericAllocationHandle_t>(&handle);
  void *address = nullptr;
  size_t size = 0;
  CHECK_EQ(hipMemGetAllocationGranularity(nullptr, &wanted, hipMemAllocationGranularityMinimum), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetAllocationGranularity(&size, nullptr, hipMemAllocationGranularityMinimum), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetAllocationGranularity(&size, &wanted, static_cast<hipMemAllocationGranularity_flags>(7)),
           hipErrorInvalidValue);
  CHECK_EQ(hipMemCreate(nullptr, part, &wanted, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemCreate(&handle, 0, &wanted, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemCreate(&handle, part, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemCreate(&handle, part, &wanted, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemCreate(&handle, minimum + 1, &wanted, 0), hipErrorInvalidValue);
  wanted.type = hipMemAllocationTypeInvalid;
  CHECK_EQ(hipMemCreate(&handle, part, &wanted, 0), hipErrorInvalidValue);
  for (int device : {-1, 1000}) {
    wanted = properties();
    wanted.location.id = device;
    CHECK_EQ(hipMemCreate(&handle, part, &wanted, 0), hipErrorInvalidValue);
  }
  wanted = properties();
  wanted.requestedHandleType = hipMemHandleTypeWin32;
  HIP_CHECK(hipMemGetAllocationGranularity(&size, &wanted, hipMemAllocationGranularityMinimum));
  CHECK_EQ(hipMemCreate(&handle, part, &wanted, 0), hipErrorNotSupported);
  wanted = properties();
  CHECK_EQ(hipMemCreate(&handle, (size_t{1} << 60), &wanted, 0), hipErrorOutOfMemory);
  CHECK_EQ(hipMemRelease(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemRelease(bad), hipErrorInvalidValue);
  CHECK_EQ(hipMemAddressReserve(nullptr, part, 0, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemAddressReserve(&address, 0, 0, nullptr, 0), hipErrorMemoryAllocation);
  CHECK_EQ(hipMemAddressReserve(&address, minimum + 1, 0, nullptr, 0), hipErrorMemoryAllocation);
  CHECK_EQ(hipMemAddressReserve(&address, part, 3 * minimum, nullptr, 0), hipErrorMemoryAllocation);
  CHECK_EQ(hipMemAddressReserve(&address, part, 0, nullptr, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemAddressFree(nullptr, part), hipErrorInvalidValue);

  handle = create(part);
  char *range = reserve(2 * part);
  CHECK_EQ(hipMemMap(nullptr, part, 0, handle, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemMap(range, part, 0, bad, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemMap(range, part, 0, handle, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemMap(range, 0, 0, handle, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemMap(range, 2 * part, 0, handle, 0), hipErrorInvalidValue); // more than there is
  CHECK_EQ(hipMemMap(range, part, part, handle, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemMap(range + 1, part, 0, handle, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemMap(range + 2 * part, part, 0, handle, 0), hipErrorInvalidValue); // behind the reservation
  CHECK_EQ(hipMemMap(&handle, part, 0, handle, 0), hipErrorInvalidValue);
  HIP_CHECK(hipMemMap(range, part, 0, handle, 0));
  CHECK_EQ(hipMemMap(range, part, 0, handle, 0), hipErrorInvalidValue); // mapped already
  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  CHECK_EQ(hipMemSetAccess(range, 2 * part, &access, 1), hipErrorInvalidValue); // not all of it is mapped
  CHECK_EQ(hipMemSetAccess(range + part, part, &access, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemSetAccess(range, part / 2, &access, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemSetAccess(range, part, nullptr, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemSetAccess(range, part, &access, 0), hipErrorInvalidValue);
  access.flags = static_cast<hipMemAccessFlags>(2);
  CHECK_EQ(hipMemSetAccess(range, part, &access, 1), hipErrorInvalidValue);
  access = {{hipMemLocationTypeDevice, 1000}, hipMemAccessFlagsProtRead};
  CHECK_EQ(hipMemSetAccess(range, part, &access, 1), hipErrorInvalidValue);
  unsigned long long flags = 0;
  hipMemLocation location{hipMemLocationTypeDevice, 0};
  CHECK_EQ(hipMemGetAccess(nullptr, &location, range), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetAccess(&flags, nullptr, range), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetAccess(&flags, &location, range + part), hipErrorInvalidValue);
  location.id = 1000;
  CHECK_EQ(hipMemGetAccess(&flags, &location, range), hipErrorInvalidValue);
  CHECK_EQ(hipMemRetainAllocationHandle(nullptr, range), hipErrorInvalidValue);
  CHECK_EQ(hipMemRetainAllocationHandle(&handle, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetAllocationPropertiesFromHandle(nullptr, handle), hipErrorInvalidValue);
  int descriptor = -1;
  CHECK_EQ(hipMemExportToShareableHandle(&descriptor, handle, hipMemHandleTypePosixFileDescriptor, 0),
           hipErrorInvalidValue); // was not created for it
  CHECK_EQ(hipMemExportToShareableHandle(&descriptor, handle, hipMemHandleTypeWin32, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemExportToShareableHandle(nullptr, handle, hipMemHandleTypePosixFileDescriptor, 0),
           hipErrorInvalidValue);
  for (int wrong : {-1, 999999}) {
    hipMemGenericAllocationHandle_t imported = nullptr;
    CHECK_EQ(hipMemImportFromShareableHandle(&imported, &wrong, hipMemHandleTypePosixFileDescriptor),
             hipErrorInvalidValue);
  }
  HIP_CHECK(hipMemUnmap(range, part));
  HIP_CHECK(hipMemRelease(handle));
  HIP_CHECK(hipMemAddressFree(range, 2 * part));

  hipArrayMapInfo info{};
  CHECK_EQ(hipMemMapArrayAsync(&info, 1, nullptr), hipErrorNotSupported);
  CHECK_EQ(hipMemMapArrayAsync(nullptr, 1, nullptr), hipErrorInvalidValue);
}

// Through a file descriptor, here into the same process.
TEST(exported) {
  hipMemAllocationProp wanted = properties();
  wanted.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  const size_t part = granularity, count = part / sizeof(unsigned), before = freeMemory();
  hipMemGenericAllocationHandle_t handle = nullptr, imported = nullptr;
  HIP_CHECK(hipMemCreate(&handle, part, &wanted, 0));
  int descriptor = -1;
  const hipError_t outcome = hipMemExportToShareableHandle(&descriptor, handle, hipMemHandleTypePosixFileDescriptor, 0);
  if (outcome == hipErrorNotSupported) {
    HIP_CHECK(hipMemRelease(handle));
    return; // a driver without it
  }
  CHECK_EQ(outcome, hipSuccess);
  HIP_CHECK(hipMemImportFromShareableHandle(&imported, &descriptor, hipMemHandleTypePosixFileDescriptor));
  CHECK(imported != handle);
  char *first = reserve(part), *second = reserve(part);
  HIP_CHECK(hipMemMap(first, part, 0, handle, 0));
  HIP_CHECK(hipMemMap(second, part, 0, imported, 0));
  CHECK_EQ(before - freeMemory(), part);
  allow(first, part);
  allow(second, part);
  fill<<<64, 64>>>(reinterpret_cast<unsigned *>(first), 33, count);
  CHECK(holds(second, 33, count));
  HIP_CHECK(hipMemUnmap(first, part));
  HIP_CHECK(hipMemRelease(handle));
  close(descriptor);
  CHECK(holds(second, 33, count));
  HIP_CHECK(hipMemUnmap(second, part));
  HIP_CHECK(hipMemRelease(imported));
  HIP_CHECK(hipMemAddressFree(first, part));
  HIP_CHECK(hipMemAddressFree(second, part));
}

// Sizes near the end of the numbers fail; what lies at the beginning of the addresses after a carry stays mapped.
TEST(hugeSizes) {
  constexpr size_t kNeighbour = 64 << 20;
  void *neighbour = mmap(nullptr, kNeighbour, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(neighbour != MAP_FAILED);
  std::memset(neighbour, 1, kNeighbour);
  std::vector<unsigned char> resident(kNeighbour / 4096);
  const hipMemAllocationProp wanted = properties();
  auto refused = [&](auto allocate) {
    void *address = nullptr;
    CHECK_EQ(allocate(&address), hipErrorOutOfMemory);
    CHECK(address == nullptr);
    CHECK_EQ(mincore(neighbour, kNeighbour, resident.data()), 0);
  };
  for (size_t pages : {1, 2, 100, 511, 512, 513, 1024, 1 << 20}) {
    const size_t bytes = size_t{0} - pages * 4096;
    for (size_t alignment : {size_t{0}, minimum, size_t{2} << 20, size_t{1} << 63})
      for (void *hint : {static_cast<void *>(nullptr), neighbour})
        refused([&](void **to) { return hipMemAddressReserve(to, bytes, alignment, hint, 0); });
    refused([&](void **to) { return hipMalloc(to, bytes); });
    refused([&](void **to) { return hipMalloc(to, bytes + 4095); });
    refused([&](void **to) { return hipHostMalloc(to, bytes, 0); });
    refused([&](void **to) { return hipMallocManaged(to, bytes, hipMemAttachGlobal); });
    refused([&](void **to) { return hipMallocAsync(to, bytes, nullptr); });
    refused([&](void **to) {
      return hipMemCreate(reinterpret_cast<hipMemGenericAllocationHandle_t *>(to), bytes, &wanted, 0);
    });
  }
  munmap(neighbour, kNeighbour);
}

} // namespace

int main(int argc, char **argv) {
  const hipMemAllocationProp wanted = properties();
  HIP_CHECK(hipMemGetAllocationGranularity(&minimum, &wanted, hipMemAllocationGranularityMinimum));
  HIP_CHECK(hipMemGetAllocationGranularity(&granularity, &wanted, hipMemAllocationGranularityRecommended));
  CHECK(minimum != 0 && granularity % minimum == 0);
  return runTests(argc, argv);
}
