// SPDX-License-Identifier: MIT
// zeContext* and zeMem*.
#include "opencl/entry_points.h"

namespace hiplz::opencl {
namespace {

constexpr ze_device_mem_alloc_flags_t kDeviceFlags = (ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT << 1) - 1;
constexpr ze_host_mem_alloc_flags_t kHostFlags = (ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT << 1) - 1;

ze_result_t allocate(ze_context_handle_t context, ze_memory_type_t type, ze_device_handle_t device,
                     const void *extensions, size_t size, size_t alignment, void **pointer) {
  Context &owner = Context::from(context);
  Device *of = device ? &Device::from(device) : nullptr;
  require(!of || &of->driver == &owner.driver, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the device is of another driver");
  require(size != 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  require((alignment & (alignment - 1)) == 0, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  for (const auto refused :
       {ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD})
    require(!findInChain<void>(const_cast<void *>(extensions), refused), ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
            "OpenCL's unified shared memory cannot be exported or imported");
  deref(pointer) = owner.allocate(type, of, size, alignment);
  return ZE_RESULT_SUCCESS;
}

ze_result_t create(ze_driver_handle_t driver, const ze_context_desc_t *desc, uint32_t count,
                   ze_device_handle_t *devices, ze_context_handle_t *context) {
  return guarded([&] {
    Driver &owner = Driver::from(driver);
    require(deref(desc).flags <= ZE_CONTEXT_FLAG_TBD, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    deref(context);
    objectsFrom<Device>(count, devices);
    *context = (new Context(owner))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

// Where memory is resident OpenCL decides; what is checked is the arguments.
ze_result_t residency(ze_context_handle_t context, ze_device_handle_t device, const void *pointer, size_t size) {
  return guarded([&] {
    Context::from(context);
    Device::from(device);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    require(size != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace

ze_result_t contextCreate(ze_driver_handle_t driver, const ze_context_desc_t *desc, ze_context_handle_t *context) {
  return create(driver, desc, 0, nullptr, context);
}

ze_result_t contextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t *desc, uint32_t count,
                            ze_device_handle_t *devices, ze_context_handle_t *context) {
  return create(driver, desc, count, devices, context);
}

ze_result_t contextDestroy(ze_context_handle_t context) {
  return guarded([&] {
    delete &Context::from(context);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t contextGetStatus(ze_context_handle_t context) {
  return guarded([&] {
    Context::from(context);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t contextMakeMemoryResident(ze_context_handle_t context, ze_device_handle_t device, void *pointer,
                                      size_t size) {
  return residency(context, device, pointer, size);
}

ze_result_t contextEvictMemory(ze_context_handle_t context, ze_device_handle_t device, void *pointer, size_t size) {
  return residency(context, device, pointer, size);
}

ze_result_t memAllocShared(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *deviceDesc,
                           const ze_host_mem_alloc_desc_t *hostDesc, size_t size, size_t alignment,
                           ze_device_handle_t device, void **pointer) {
  return guarded([&] {
    require(deref(deviceDesc).flags <= kDeviceFlags && deref(hostDesc).flags <= kHostFlags,
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return allocate(context, ZE_MEMORY_TYPE_SHARED, device, deviceDesc->pNext, size, alignment, pointer);
  });
}

ze_result_t memAllocDevice(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc, size_t size,
                           size_t alignment, ze_device_handle_t device, void **pointer) {
  return guarded([&] {
    require(device, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    require(deref(desc).flags <= kDeviceFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return allocate(context, ZE_MEMORY_TYPE_DEVICE, device, desc->pNext, size, alignment, pointer);
  });
}

ze_result_t memAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc, size_t size,
                         size_t alignment, void **pointer) {
  return guarded([&] {
    require(deref(desc).flags <= kHostFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return allocate(context, ZE_MEMORY_TYPE_HOST, nullptr, desc->pNext, size, alignment, pointer);
  });
}

ze_result_t memFree(ze_context_handle_t context, void *pointer) {
  return guarded([&] {
    Context &owner = Context::from(context);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    owner.free(pointer);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memGetAllocProperties(ze_context_handle_t context, const void *pointer,
                                  ze_memory_allocation_properties_t *properties, ze_device_handle_t *device) {
  return guarded([&] {
    const Context &owner = Context::from(context);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    const Allocation found = owner.find(pointer).value_or(Allocation());
    ze_memory_allocation_properties_t &out = deref(properties);
    out.type = found.type;
    out.id = found.id;
    out.pageSize = 0;
    if (device)
      *device = found.device ? found.device->handle() : nullptr;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memGetAddressRange(ze_context_handle_t context, const void *pointer, void **base, size_t *size) {
  return guarded([&] {
    const Context &owner = Context::from(context);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    const auto found = owner.find(pointer);
    require(found.has_value(), ZE_RESULT_ERROR_UNKNOWN, "no memory was allocated at this address");
    if (base)
      *base = found->base;
    if (size)
      *size = found->size;
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::opencl
