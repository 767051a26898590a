// SPDX-License-Identifier: MIT
// A device without free memory: pools give back what they keep unused to other allocations, and a request that cannot be met
// fails without harm.
#include "check.h"

#include <cstdlib>

namespace {

constexpr size_t kMiB = 1 << 20;

} // namespace

static size_t freeMemory() {
  size_t free = 0, total = 0;
  HIP_CHECK(hipMemGetInfo(&free, &total));
  CHECK_EQ(total, 64 * kMiB);
  return free;
}

// hipMalloc keeps what was freed, and gives it up for larger requests and for other pools.
TEST(keptMemoryIsGivenUp) {
  CHECK_EQ(freeMemory(), 64 * kMiB);
  std::vector<void *> parts;
  for (int i = 0; i < 16; ++i) {
    parts.push_back(nullptr);
    HIP_CHECK(hipMalloc(&parts.back(), 4 * kMiB));
  }
  void *more = nullptr;
  CHECK_EQ(hipMalloc(&more, 1), hipErrorOutOfMemory);
  CHECK(more == nullptr);
  CHECK_EQ(hipMallocAsync(&more, 1, nullptr), hipErrorOutOfMemory);
  CHECK_EQ(freeMemory(), 0u);
  for (void *part : parts)
    HIP_CHECK(hipFree(part));
  CHECK_EQ(freeMemory(), 64 * kMiB);
  HIP_CHECK(hipMalloc(&more, 64 * kMiB));
  HIP_CHECK(hipFree(more));
  HIP_CHECK(hipMallocAsync(&more, 64 * kMiB, nullptr));
  HIP_CHECK(hipMemsetAsync(more, 1, 64 * kMiB, nullptr));
  HIP_CHECK(hipFreeAsync(more, nullptr));
  // Pending in one pool, wanted by another one: the device's work is waited for.
  HIP_CHECK(hipMalloc(&more, 60 * kMiB));
  HIP_CHECK(hipFree(more));
  HIP_CHECK(hipMallocManaged(&more, 60 * kMiB, hipMemAttachGlobal));
  HIP_CHECK(hipFree(more));
}

// When no whole segment is left.
TEST(smallRequests) {
  void *most = nullptr, *small = nullptr;
  HIP_CHECK(hipMalloc(&most, 63 * kMiB));
  HIP_CHECK(hipMalloc(&small, 1000));
  HIP_CHECK(hipFree(most));
  HIP_CHECK(hipFree(small));
}

// Cut up and freed in every second place; then everything that fits must fit.
TEST(holes) {
  std::vector<void *> parts;
  void *most = nullptr;
  for (int i = 0; i < 32; ++i) {
    parts.push_back(nullptr);
    HIP_CHECK(hipMalloc(&parts.back(), 2 * kMiB));
  }
  for (size_t i = 0; i < parts.size(); i += 2)
    HIP_CHECK(hipFree(parts[i]));
  HIP_CHECK(hipMalloc(&most, 32 * kMiB));
  HIP_CHECK(hipMemset(most, 3, 32 * kMiB));
  HIP_CHECK(hipFree(most));
  for (size_t i = 1; i < parts.size(); i += 2)
    HIP_CHECK(hipFree(parts[i]));
}

// It frees what is left of all kinds.
TEST(deviceReset) {
  void *most = nullptr, *more = nullptr;
  HIP_CHECK(hipMalloc(&most, 30 * kMiB));
  HIP_CHECK(hipMallocAsync(&more, 30 * kMiB, nullptr));
  HIP_CHECK(hipDeviceReset());
  CHECK_EQ(freeMemory(), 64 * kMiB);
  HIP_CHECK(hipMalloc(&most, 64 * kMiB));
  HIP_CHECK(hipFree(most));
}

int main(int argc, char **argv) {
  setenv("HIPLZ_CPU_MEMORY", "64M", 1);
  size_t free = 0, total = 0;
  HIP_CHECK(hipMemGetInfo(&free, &total));
  if (total > 1024 * kMiB)
    return 77; // a real device: filling it would take too long
  return runTests(argc, argv);
}
