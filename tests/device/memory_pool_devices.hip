// SPDX-License-Identifier: MIT
// Pools and virtual memory with two devices: access, and streams of one device with memory of the other one.
#include "check.h"

#include <cstdlib>

namespace {

__global__ void fill(unsigned *data, unsigned value) { data[threadIdx.x] = value + threadIdx.x; }

unsigned last(const unsigned *data) {
  unsigned value = 0;
  HIP_CHECK(hipMemcpy(&value, data + 63, sizeof value, hipMemcpyDeviceToHost));
  return value;
}

TEST(pools) {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 1};
  hipMemPool_t pool, current;
  HIP_CHECK(hipMemPoolCreate(&pool, &properties));
  CHECK_EQ(hipDeviceSetMemPool(0, pool), hipErrorInvalidDevice);
  HIP_CHECK(hipDeviceSetMemPool(1, pool));
  HIP_CHECK(hipDeviceGetMemPool(&current, 1));
  CHECK(current == pool);

  hipMemAccessFlags flags;
  hipMemLocation other{hipMemLocationTypeDevice, 0};
  HIP_CHECK(hipMemPoolGetAccess(&flags, pool, &other));
  CHECK_EQ(flags, hipMemAccessFlagsProtNone);
  hipMemAccessDesc access{other, hipMemAccessFlagsProtRead};
  HIP_CHECK(hipMemPoolSetAccess(pool, &access, 1));
  HIP_CHECK(hipMemPoolGetAccess(&flags, pool, &other));
  CHECK_EQ(flags, hipMemAccessFlagsProtRead);
  access.flags = hipMemAccessFlagsProtReadWrite;
  HIP_CHECK(hipMemPoolSetAccess(pool, &access, 1));

  // The memory is that of the pool's device, whatever the stream.
  unsigned *data = nullptr, *again = nullptr;
  hipPointerAttribute_t attributes;
  HIP_CHECK(hipMallocFromPoolAsync(reinterpret_cast<void **>(&data), 4096, pool, nullptr));
  HIP_CHECK(hipPointerGetAttributes(&attributes, data));
  CHECK_EQ(attributes.device, 1);
  fill<<<1, 64>>>(data, 5);
  HIP_CHECK(hipFreeAsync(data, nullptr));
  HIP_CHECK(hipSetDevice(1));
  HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&again), 4096, nullptr)); // behind the other device's kernel
  fill<<<1, 64>>>(again, 9);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(last(again), 72u);
  HIP_CHECK(hipFreeAsync(again, nullptr));
  HIP_CHECK(hipSetDevice(0));
  HIP_CHECK(hipMemPoolDestroy(pool));
}

TEST(virtualMemory) {
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 1};
  size_t part = 0;
  HIP_CHECK(hipMemGetAllocationGranularity(&part, &properties, hipMemAllocationGranularityRecommended));
  void *range = nullptr;
  hipMemGenericAllocationHandle_t handle;
  HIP_CHECK(hipMemAddressReserve(&range, part, 0, nullptr, 0));
  HIP_CHECK(hipMemCreate(&handle, part, &properties, 0));
  HIP_CHECK(hipMemMap(range, part, 0, handle, 0));
  const hipMemAccessDesc access[] = {{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite},
                                     {{hipMemLocationTypeDevice, 1}, hipMemAccessFlagsProtRead}};
  HIP_CHECK(hipMemSetAccess(range, part, access, 2));
  for (const hipMemAccessDesc &each : access) {
    unsigned long long flags = 0;
    HIP_CHECK(hipMemGetAccess(&flags, &each.location, range));
    CHECK_EQ(flags, static_cast<unsigned long long>(each.flags));
  }
  hipPointerAttribute_t attributes;
  HIP_CHECK(hipPointerGetAttributes(&attributes, range));
  CHECK_EQ(attributes.device, 1);
  fill<<<1, 64>>>(static_cast<unsigned *>(range), 1);
  CHECK_EQ(last(static_cast<unsigned *>(range)), 64u);
  HIP_CHECK(hipMemUnmap(range, part));
  HIP_CHECK(hipMemRelease(handle));
  HIP_CHECK(hipMemAddressFree(range, part));
}

} // namespace

int main(int argc, char **argv) {
  setenv("HIPLZ_CPU_DEVICES", "2", 1);
  int count = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  if (count < 2)
    return 77;
  int can = 0;
  HIP_CHECK(hipDeviceCanAccessPeer(&can, 0, 1));
  if (!can)
    return 77;
  return runTests(argc, argv);
}
