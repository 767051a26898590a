// SPDX-License-Identifier: MIT
// hipFree and hipHostFree accept what was allocated by the application, from its beginning, once.
#include "check.h"

namespace {

__device__ int variable[4];
__managed__ int managedVariable;

__global__ void touch() { variable[threadIdx.x] = managedVariable; }

} // namespace

int main() {
  touch<<<1, 4>>>();
  HIP_CHECK(hipDeviceSynchronize());
  void *address = nullptr;
  HIP_CHECK(hipGetSymbolAddress(&address, HIP_SYMBOL(variable)));
  CHECK_EQ(hipFree(address), hipErrorInvalidValue);
  CHECK_EQ(hipHostFree(address), hipErrorInvalidValue);
  CHECK_EQ(hipFree(&managedVariable), hipErrorInvalidValue);
  hipPointerAttribute_t attributes{};
  HIP_CHECK(hipPointerGetAttributes(&attributes, &managedVariable));
  CHECK_EQ(attributes.isManaged, 1);
  HIP_CHECK(hipPointerGetAttributes(&attributes, address));
  CHECK_EQ(attributes.type, hipMemoryTypeDevice);

  int onStack = 0;
  CHECK_EQ(hipFree(&onStack), hipErrorInvalidValue);
  CHECK_EQ(hipHostFree(&onStack), hipErrorInvalidValue);
  HIP_CHECK(hipFree(nullptr));
  HIP_CHECK(hipHostFree(nullptr));

  char *device = nullptr, *host = nullptr, *managed = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&device), 1000));
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&host), 1000, 0));
  HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), 1000, hipMemAttachGlobal));
  for (char *memory : {device, host, managed}) {
    CHECK_EQ(hipFree(memory + 1), hipErrorInvalidValue);
    CHECK_EQ(hipFree(memory + 512), hipErrorInvalidValue);
    CHECK_EQ(hipFree(memory + 1000), hipErrorInvalidValue);
    CHECK_EQ(hipHostFree(memory + 512), hipErrorInvalidValue);
  }
  CHECK_EQ(hipHostFree(device), hipErrorInvalidValue);
  CHECK_EQ(hipHostFree(managed), hipErrorInvalidValue);
  // Memory whose release was refused is still there.
  HIP_CHECK(hipMemset(device, 1, 1000));
  HIP_CHECK(hipMemset(managed, 1, 1000));
  HIP_CHECK(hipFree(device));
  HIP_CHECK(hipFree(managed));
  HIP_CHECK(hipHostFree(host));
  CHECK_EQ(hipFree(device), hipErrorInvalidValue);
  CHECK_EQ(hipFree(managed), hipErrorInvalidValue);
  CHECK_EQ(hipHostFree(host), hipErrorInvalidValue);
  CHECK(isUnregistered(device));
  return testResult();
}
