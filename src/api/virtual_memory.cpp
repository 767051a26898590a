// SPDX-License-Identifier: MIT
// Virtual memory management.
#include "lz/memory/virtual_memory.h"
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"

using namespace hiplz;

namespace {

/// The device that the properties of physical memory name, whatever kind of handle they ask for. Throws HipError for
/// properties that HIP does not know.
LZDevice &deviceOf(const hipMemAllocationProp *properties) {
  LZContext &context = LZContext::instance();
  // HIP 7 knows two more kinds of physical memory.
  if (followsHip7() && properties &&
      (properties->type == hipMemAllocationTypeUncached || properties->location.type == hipMemLocationTypeHost ||
       properties->location.type == hipMemLocationTypeHostNuma ||
       properties->location.type == hipMemLocationTypeHostNumaCurrent))
    throw HipError(hipErrorNotSupported,
                   "Level Zero has neither uncached physical memory nor physical memory of the host");
  if (!properties || properties->type != hipMemAllocationTypePinned ||
      properties->location.type != hipMemLocationTypeDevice || properties->location.id < 0 ||
      static_cast<size_t>(properties->location.id) >= context.devices().size())
    throw HipError(hipErrorInvalidValue, "the properties have an invalid device or memory type");
  return context.device(properties->location.id);
}

void checkHandleType(const hipMemAllocationProp *properties) {
  if (properties->requestedHandleType != hipMemHandleTypeNone &&
      properties->requestedHandleType != hipMemHandleTypePosixFileDescriptor)
    throw HipError(hipErrorNotSupported, "physical memory is exported as a file descriptor, or not at all");
}

} // namespace

extern "C" {

hipError_t hipMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr, unsigned long long flags) {
  return HIPLZ_API(hipMemAddressReserve, ptr, size, alignment, addr, flags)([&] {
    HIPLZ_NOT_NULL(ptr);
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    *ptr = LZVirtualMemory::instance().reserve(currentDevice(), size, alignment, addr);
    return hipSuccess;
  });
}

hipError_t hipMemAddressFree(void *devPtr, size_t size) {
  return HIPLZ_API(hipMemAddressFree, devPtr, size)([&] {
    LZContext::instance();
    LZVirtualMemory::instance().release(devPtr, size);
    return hipSuccess;
  });
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size, const hipMemAllocationProp *prop,
                        unsigned long long flags) {
  return HIPLZ_API(hipMemCreate, handle, size, prop, flags)([&] {
    HIPLZ_NOT_NULL(handle);
    if (size == 0)
      return refuse(hipErrorInvalidValue, "size is 0");
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    LZDevice &device = deviceOf(prop);
    checkHandleType(prop);
    if (size % LZVirtualMemory::granularity(device, false) != 0)
      throw HipError(hipErrorInvalidValue,
                     "the size of physical memory is not a multiple of the allocation granularity");
    *handle = LZVirtualMemory::instance().create(std::make_shared<LZPhysicalMemory>(device, size, *prop));
    return hipSuccess;
  });
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  return HIPLZ_API(hipMemRelease, handle)([&] {
    LZContext::instance();
    LZVirtualMemory::instance().drop(handle);
    return hipSuccess;
  });
}

hipError_t hipMemMap(void *ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags) {
  return HIPLZ_API(hipMemMap, ptr, size, offset, handle, flags)([&] {
    HIPLZ_NOT_NULL(ptr);
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    LZContext::instance();
    LZVirtualMemory::instance().map(ptr, size, offset, handle);
    return hipSuccess;
  });
}

hipError_t hipMemUnmap(void *ptr, size_t size) {
  return HIPLZ_API(hipMemUnmap, ptr, size)([&] {
    LZContext::instance();
    LZVirtualMemory::instance().unmap(ptr, size);
    return hipSuccess;
  });
}

hipError_t hipMemSetAccess(void *ptr, size_t size, const hipMemAccessDesc *desc, size_t count) {
  return HIPLZ_API(hipMemSetAccess, ptr, size, desc, count)([&] {
    HIPLZ_NOT_NULL(ptr, desc);
    if (count == 0)
      return refuse(hipErrorInvalidValue, "count is 0");
    LZVirtualMemory::instance().setAccess(ptr, size, desc, count);
    return hipSuccess;
  });
}

hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location, void *ptr) {
  return HIPLZ_API(hipMemGetAccess, flags, location, ptr)([&] {
    HIPLZ_NOT_NULL(flags, location, ptr);
    if (location->type != hipMemLocationTypeDevice || location->id < 0 ||
        static_cast<size_t>(location->id) >= LZContext::instance().devices().size())
      return refuse(hipErrorInvalidValue, "location is not a valid device");
    *flags = LZVirtualMemory::instance().access(ptr, location->id);
    return hipSuccess;
  });
}

hipError_t hipMemGetAllocationGranularity(size_t *granularity, const hipMemAllocationProp *prop,
                                          hipMemAllocationGranularity_flags option) {
  return HIPLZ_API(hipMemGetAllocationGranularity, granularity, prop, option)([&] {
    HIPLZ_NOT_NULL(granularity);
    if (option != hipMemAllocationGranularityMinimum && option != hipMemAllocationGranularityRecommended)
      return refuse(hipErrorInvalidValue, "option is not one of hipMemAllocationGranularity_flags");
    *granularity = LZVirtualMemory::granularity(deviceOf(prop), option == hipMemAllocationGranularityRecommended);
    return hipSuccess;
  });
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *prop, hipMemGenericAllocationHandle_t handle) {
  return HIPLZ_API(hipMemGetAllocationPropertiesFromHandle, prop, handle)([&] {
    if (!prop)
      return refuse(hipErrorInvalidValue, "prop is null");
    LZContext::instance();
    *prop = LZVirtualMemory::instance().find(handle)->properties();
    return hipSuccess;
  });
}

hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle, void *addr) {
  return HIPLZ_API(hipMemRetainAllocationHandle, handle, addr)([&] {
    HIPLZ_NOT_NULL(handle, addr);
    LZContext::instance();
    *handle = LZVirtualMemory::instance().retain(addr);
    return hipSuccess;
  });
}

hipError_t hipMemExportToShareableHandle(void *shareableHandle, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType handleType, unsigned long long flags) {
  return HIPLZ_API(hipMemExportToShareableHandle, shareableHandle, handle, handleType, flags)([&] {
    HIPLZ_NOT_NULL(shareableHandle);
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    LZContext::instance();
    const std::shared_ptr<LZPhysicalMemory> memory = LZVirtualMemory::instance().find(handle);
    if (handleType != hipMemHandleTypePosixFileDescriptor)
      return refuse(hipErrorInvalidValue, "memory can be shared by file descriptors only");
    if (memory->properties().requestedHandleType != handleType)
      throw HipError(hipErrorInvalidValue, "the physical memory was not created for export");
    *static_cast<int *>(shareableHandle) = memory->exportDescriptor();
    return hipSuccess;
  });
}

hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle, void *osHandle,
                                           hipMemAllocationHandleType shHandleType) {
  return HIPLZ_API(hipMemImportFromShareableHandle, handle, osHandle, shHandleType)([&] {
    if (!handle || !osHandle)
      return refuse(hipErrorInvalidValue, handle ? "osHandle is null" : "handle is null");
    if (shHandleType != hipMemHandleTypePosixFileDescriptor)
      return refuse(hipErrorNotSupported, "memory can be shared by file descriptors only");
    *handle = LZVirtualMemory::instance().import(currentDevice(), descriptorFrom(osHandle));
    return hipSuccess;
  });
}

hipError_t hipMemMapArrayAsync(hipArrayMapInfo *mapInfoList, unsigned int count, hipStream_t stream) {
  return HIPLZ_API(hipMemMapArrayAsync, mapInfoList, count, stream)([&] {
    return mapInfoList && count != 0 ? refuse(hipErrorNotSupported, "sparse arrays are not supported")
                                     : refuse(hipErrorInvalidValue, "mapInfoList is null, or count is 0");
  });
}

} // extern "C"
