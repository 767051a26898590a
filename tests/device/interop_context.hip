// SPDX-License-Identifier: MIT
// A Level Zero program that was there first: HIP joins its context, and uses what it made before HIP was called at all.
#include "tests/device/interop.h"

__global__ void fill(int *data, int value) { data[threadIdx.x] = value + threadIdx.x; }

/// The driver that HIP is going to use. HIP chooses drivers only if nobody has initialised Level Zero before, so the
/// environment has to name it.
static ze_driver_handle_t firstDriver() {
  uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  if (!std::getenv("ZE_ENABLE_ALT_DRIVERS") || zeInit(0) != ZE_RESULT_SUCCESS ||
      zeDriverGet(&count, &driver) != ZE_RESULT_SUCCESS)
    return nullptr;
  return driver;
}

int main() {
  ze_driver_handle_t driver = firstDriver();
  if (!driver) {
    std::printf("skipped: ZE_ENABLE_ALT_DRIVERS does not name a driver\n");
    return 77;
  }
  const ze_context_desc_t description{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t context = nullptr, unused = nullptr;
  ZE_CHECK(zeContextCreate(driver, &description, &unused));
  ZE_CHECK(zeContextCreate(driver, &description, &context));
  uint32_t count = 1;
  ze_device_handle_t device = nullptr;
  ZE_CHECK(zeDeviceGet(driver, &count, &device));
  const ze_device_mem_alloc_desc_t memoryDescription{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *memory = nullptr;
  ZE_CHECK(zeMemAllocDevice(context, &memoryDescription, 64 * sizeof(int), 64, device, &memory));

  CHECK_EQ(hiplzCreateContextFromNative(nullptr, context, hiplzOwnershipKeep), hipErrorInvalidValue);
  CHECK_EQ(hiplzCreateContextFromNative(driver, nullptr, hiplzOwnershipKeep), hipErrorInvalidValue);
  HIP_CHECK(hiplzCreateContextFromNative(driver, unused, hiplzOwnershipKeep));
  HIP_CHECK(hiplzCreateContextFromNative(driver, context, hiplzOwnershipKeep)); // the last one counts
  ze_context_handle_t hips = nullptr;
  HIP_CHECK(hiplzGetNativeContext(0, &hips));
  CHECK(hips == context);
  CHECK_EQ(hiplzCreateContextFromNative(driver, unused, hiplzOwnershipKeep), hipErrorSetOnActiveProcess);
  ZE_CHECK(zeContextDestroy(unused));

  HIP_CHECK(hiplzCreateMemoryFromNative(memory, hiplzOwnershipKeep));
  auto *data = static_cast<int *>(memory);
  (void)hipGetLastError(); // what was refused on purpose
  fill<<<1, 64>>>(data, 100);
  HIP_CHECK(hipGetLastError());
  int last = 0;
  HIP_CHECK(hipMemcpy(&last, data + 63, sizeof last, hipMemcpyDeviceToHost));
  CHECK_EQ(last, 163);
  HIP_CHECK(hiplzReleaseNativeMemory(memory));
  ZE_CHECK(zeMemFree(context, memory));
  return testResult();
}
