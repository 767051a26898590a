// SPDX-License-Identifier: MIT
// The calls behind interoperability, as Intel's driver sees them: streams on its immediate lists and queues, its events,
// modules and memory under HIP. In capture mode nothing is executed, so results of calls are checked, never data.
#include "tests/device/interop.h"
#include "tests/neo/sequence.h"

#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

__global__ void add(int *data, int value) { data[threadIdx.x] += value; }

static void useStream(hipStream_t stream, int *data) {
  hipEvent_t event;
  HIP_CHECK(hipEventCreate(&event));
  for (int round = 0; round < 100; ++round) {
    add<<<1, 64, 0, stream>>>(data, round);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipMemsetAsync(data, 0, 64 * sizeof(int), stream));
  }
  HIP_CHECK(hipEventRecord(event, stream));
  HIP_CHECK(hipStreamWaitEvent(stream, event, 0));
  ze_event_handle_t native = nullptr;
  HIP_CHECK(hiplzGetNativeEvent(event, &native));
  const ze_result_t status = zeEventQueryStatus(native);
  CHECK(status == ZE_RESULT_SUCCESS || status == ZE_RESULT_NOT_READY);
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipEventDestroy(event));
}

/// True if the driver lists external semaphores and the loader has their functions, which Intel's driver gives to nobody else.
static bool hasSemaphores(ze_driver_handle_t driver) {
  uint32_t count = 0;
  ZE_CHECK(zeDriverGetExtensionProperties(driver, &count, nullptr));
  std::vector<ze_driver_extension_properties_t> extensions(count);
  ZE_CHECK(zeDriverGetExtensionProperties(driver, &count, extensions.data()));
  bool listed = false;
  for (const ze_driver_extension_properties_t &extension : extensions)
    listed |= std::strcmp(extension.name, "ZE_extension_external_semaphores") == 0;
  return listed && dlsym(RTLD_DEFAULT, "zeDeviceImportExternalSemaphoreExt");
}

int main() {
  if (const int code = requireIntel())
    return code;
  const Native native;
  void *memory = native.allocate(64 * sizeof(int));
  HIP_CHECK(hiplzCreateMemoryFromNative(memory, hiplzOwnershipTransfer));
  auto *data = static_cast<int *>(memory);
  hipStream_t stream = nullptr;
  ze_command_list_handle_t list = native.immediateList();
  HIP_CHECK(hiplzCreateStreamFromNative(&stream, 0, list, hipStreamDefault, hiplzOwnershipKeep));
  useStream(stream, data);
  ZE_CHECK(zeCommandListDestroy(list));
  HIP_CHECK(
      hiplzCreateStreamFromNative(&stream, 0, native.immediateList(), hipStreamNonBlocking, hiplzOwnershipTransfer));
  useStream(stream, data);
  ze_command_queue_handle_t queue = native.commandQueue();
  HIP_CHECK(hiplzCreateStreamFromNativeQueue(&stream, 0, queue, 0, hipStreamDefault, hiplzOwnershipKeep));
  useStream(stream, data);
  ZE_CHECK(zeCommandQueueDestroy(queue));

  {
    NativeEvents events(native);
    ze_event_handle_t handle = events.create();
    hipEvent_t event;
    HIP_CHECK(hiplzCreateEventFromNative(&event, 0, handle, hiplzOwnershipTransfer));
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipEventRecord(event, stream));
    add<<<1, 64, 0, stream>>>(data, 1);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipStreamWaitEvent(stream, event, 0));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipStreamDestroy(stream));
    HIP_CHECK(hipEventDestroy(event));
  }
  ze_kernel_handle_t kernel = nullptr;
  HIP_CHECK(hiplzGetNativeKernel(reinterpret_cast<const void *>(add), 0, &kernel));
  CHECK(kernel);
  // Newer drivers tell how many registers a kernel has.
  struct {
    uint32_t stype = 0x30012;
    void *pNext = nullptr;
    uint32_t registers = 0;
  } told;
  ze_kernel_properties_t ofKernel{};
  ofKernel.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ofKernel.pNext = &told;
  ZE_CHECK(zeKernelGetProperties(kernel, &ofKernel));
  hipFuncAttributes attributes;
  hipDeviceProp_t device;
  HIP_CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(add)));
  HIP_CHECK(hipGetDeviceProperties(&device, 0));
  std::printf("%d registers of a thread, %d of a block\n", attributes.numRegs, device.regsPerBlock);
  CHECK_EQ(attributes.numRegs != 0, told.registers != 0);
  CHECK(attributes.numRegs * attributes.maxThreadsPerBlock <= 2 * device.regsPerBlock);
  HIP_CHECK(hipFree(memory));

  // An ordinary file is no memory that a GPU can import.
  const int file = memfd_create("external", MFD_CLOEXEC);
  CHECK_EQ(ftruncate(file, 4096), 0);
  hipExternalMemoryHandleDesc description{};
  description.type = hipExternalMemoryHandleTypeOpaqueFd;
  description.handle.fd = file;
  description.size = 4096;
  hipExternalMemory_t imported = nullptr;
  const hipError_t status = hipImportExternalMemory(&imported, &description);
  CHECK(status == hipErrorInvalidValue || status == hipErrorNotSupported || status == hipSuccess);
  if (status == hipSuccess)
    HIP_CHECK(hipDestroyExternalMemory(imported));
  else
    close(file);

  // An ordinary file is no semaphore, and a descriptor that is refused stays the caller's.
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  CHECK_EQ(properties.timelineSemaphoreInteropSupported, int{hasSemaphores(native.driver)});
  const int noSemaphore = memfd_create("semaphore", MFD_CLOEXEC);
  hipExternalSemaphoreHandleDesc semaphore{};
  semaphore.type = hipExternalSemaphoreHandleTypeOpaqueFd;
  semaphore.handle.fd = noSemaphore;
  hipExternalSemaphore_t none = nullptr;
  CHECK(hipImportExternalSemaphore(&none, &semaphore) != hipSuccess);
  CHECK(fcntl(noSemaphore, F_GETFD) != -1);
  close(noSemaphore);
  return testResult();
}
