// SPDX-License-Identifier: MIT
// Physical memory, and its export to and import from other processes as a file descriptor.
#include "lz/core/ze_extensions.h"
#include "lz/device/device.h"
#include "lz/memory/memory_pools.h"
#include "lz/memory/virtual_memory.h"

#include <sys/stat.h>
#include <unistd.h>

namespace hiplz {

LZPhysicalMemory::LZPhysicalMemory(LZDevice &device, size_t bytes, const hipMemAllocationProp &properties, int import)
    : device_(device), bytes_(bytes), properties_(properties), imported_(import >= 0) {
  ze_external_memory_import_fd_t importing{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr,
                                           ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, import};
  ze_external_memory_export_desc_t exporting{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, nullptr,
                                             ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD};
  const void *extension = nullptr;
  if (imported_)
    extension = &importing;
  else if (properties.requestedHandleType == hipMemHandleTypePosixFileDescriptor)
    extension = &exporting;
  ze_physical_mem_desc_t description{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, extension, 0, bytes};
  ze_result_t result = zePhysicalMemCreate(device.zeContext(), device.ze(), &description, &ze_);
  if (result == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY && !imported_) {
    device.synchronize();
    LZMemoryPools::of(device).trim();
    result = zePhysicalMemCreate(device.zeContext(), device.ze(), &description, &ze_);
  }
  if (result != ZE_RESULT_SUCCESS)
    throw HipError(toHipError(result), imported_ ? "the driver cannot import the memory" : "", result);
  if (!imported_)
    device_.allocatedBytes.fetch_add(bytes_, std::memory_order_relaxed);
}

LZPhysicalMemory::~LZPhysicalMemory() {
  zePhysicalMemDestroy(device_.zeContext(), ze_);
  if (!imported_)
    device_.allocatedBytes.fetch_sub(bytes_, std::memory_order_relaxed);
}

hipMemGenericAllocationHandle_t LZVirtualMemory::import(LZDevice &device, int descriptor) {
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0)
    throw HipError(hipErrorInvalidValue, "the number is not a file descriptor");
  // Seeking tells the size of shared memory of every kind; a driver's need not be an ordinary file.
  const off_t bytes = lseek(descriptor, 0, SEEK_END);
  if (bytes <= 0 || bytes % granularity(device, false) != 0)
    throw HipError(hipErrorInvalidValue, "the file descriptor does not stand for physical memory");
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  properties.location = {hipMemLocationTypeDevice, device.ordinal()};
  return create(std::make_shared<LZPhysicalMemory>(device, static_cast<size_t>(bytes), properties, descriptor));
}

int LZPhysicalMemory::exportDescriptor() const {
  const auto properties = device_.driver().function<ZePhysicalMemGetProperties>("zePhysicalMemGetProperties", nullptr);
  if (!properties)
    throw HipError(hipErrorNotSupported, "the driver cannot export physical memory");
  ze_external_memory_export_fd_t exported{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr,
                                          ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, -1};
  ZePhysicalMemProperties result{kZeStructureTypePhysicalMemProperties, &exported, 0, 0};
  LZ_CALL(properties, (device_.zeContext(), ze_, &result));
  if (exported.fd < 0)
    throw HipError(hipErrorNotSupported, "the driver cannot export physical memory");
  const int descriptor = dup(exported.fd);
  if (descriptor < 0)
    throw HipError(hipErrorOutOfMemory, "the process has no file descriptor left");
  return descriptor;
}

} // namespace hiplz
