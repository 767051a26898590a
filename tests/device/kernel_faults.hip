// SPDX-License-Identifier: MIT
// A kernel that dereferences a null pointer: the error comes at the next wait and stays with the device, and the process
// goes on. On a GPU such a kernel may hang the machine's display, so the test is for devices in the host's memory.
#include "check.h"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace {

__global__ void storeThrough(int *const *to, int value) { **to = value; }
__global__ void store(int *to, int value) { *to = value; }
__global__ void addGuarded(double *values, size_t count) {
  const size_t x = threadIdx.x + blockDim.x * blockIdx.x;
  if (x < count)
    values[x] += 1;
}

// Accesses that a guard excludes are not made: addresses that nothing is mapped to, and the page behind the last element.
void guardsOverAbsentMemory() {
  addGuarded<<<64, 96>>>(reinterpret_cast<double *>(uintptr_t{1} << 40), 0);
  HIP_CHECK(hipDeviceSynchronize());
  const size_t page = ::sysconf(_SC_PAGESIZE);
  void *pages = ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED);
  CHECK_EQ(::mprotect(static_cast<char *>(pages) + page, page, PROT_NONE), 0);
  for (size_t count : {1, 5, 8, 13, 33}) {
    double *values = reinterpret_cast<double *>(static_cast<char *>(pages) + page) - count;
    std::fill_n(values, count, 2.0);
    addGuarded<<<3, 96>>>(values, count);
    HIP_CHECK(hipDeviceSynchronize());
    for (size_t i = 0; i < count; ++i)
      CHECK_EQ(values[i], 3.0);
  }
  ::munmap(pages, 2 * page);
}

} // namespace

TEST(guardsOverAbsentMemory) { guardsOverAbsentMemory(); }

TEST(aFaultStaysWithTheDevice) { // the last, because of that
  hipStream_t stream;
  hipEvent_t before, after;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipEventCreate(&before));
  HIP_CHECK(hipEventCreate(&after));
  int **pointer, *result;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&pointer), sizeof(int *)));
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&result), sizeof(int), 0));
  HIP_CHECK(hipMemset(pointer, 0, sizeof(int *)));
  store<<<1, 1, 0, stream>>>(result, 42);
  HIP_CHECK(hipEventRecord(before, stream));
  HIP_CHECK(hipEventSynchronize(before));
  CHECK_EQ(*result, 42);

  storeThrough<<<1, 1, 0, stream>>>(pointer, 1);
  CHECK_EQ(hipGetLastError(), hipSuccess);
  CHECK_EQ(hipStreamSynchronize(stream), hipErrorIllegalAddress);
  CHECK_EQ(hipGetLastError(), hipErrorIllegalAddress);
  // It stays with the device, for every call that would use it.
  void *memory;
  int host;
  CHECK_EQ(hipStreamSynchronize(nullptr), hipErrorIllegalAddress);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorIllegalAddress);
  CHECK_EQ(hipMalloc(&memory, 16), hipErrorIllegalAddress);
  CHECK_EQ(hipMemcpy(&host, pointer, sizeof host, hipMemcpyDeviceToHost), hipErrorIllegalAddress);
  CHECK_EQ(hipEventRecord(after, stream), hipErrorIllegalAddress);
  (void)hipGetLastError();
  store<<<1, 1, 0, stream>>>(nullptr, 1);
  CHECK_EQ(hipGetLastError(), hipErrorIllegalAddress);
  // Complete work stays complete, and everything can be given back.
  CHECK_EQ(hipEventQuery(before), hipSuccess);
  CHECK_EQ(*result, 42);
  HIP_CHECK(hipFree(pointer));
  HIP_CHECK(hipHostFree(result));
  HIP_CHECK(hipEventDestroy(before));
  HIP_CHECK(hipEventDestroy(after));
  HIP_CHECK(hipStreamDestroy(stream));
  CHECK_EQ(hipDeviceReset(), hipErrorIllegalAddress);
}

int main(int argc, char **argv) {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  if (!properties.pageableMemoryAccess) {
    std::printf("skipped: the device does not share the host's memory\n");
    return 77;
  }
  return runTests(argc, argv);
}
