// SPDX-License-Identifier: MIT
// zeContext* and zeMem*.
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/external_memory.h"

#include <atomic>
#include <unistd.h>

namespace hiplz::cpu::ddi {
namespace {

constexpr ze_device_mem_alloc_flags_t kDeviceFlags = (ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT << 1) - 1;
constexpr ze_host_mem_alloc_flags_t kHostFlags = (ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT << 1) - 1;

ze_result_t allocate(ze_context_handle_t context, ze_device_handle_t device, ze_memory_type_t type, size_t size,
                     size_t alignment, void **pointer, const void *extensions) {
  Context &owner = Context::from(context);
  Device *account = device ? &Device::from(device) : nullptr;
  if (account)
    owner.requireDevice(*account);
  deref(pointer);
  owner.releaseDeferred();
  AllocationTable &table = owner.driver().allocations();
  if (auto file = importedFile(extensions, size))
    *pointer = table.import(owner, account, type, std::move(file), size, false);
  else
    *pointer = table.allocate(owner, account, type, size, alignment, isExportWanted(extensions));
  return ZE_RESULT_SUCCESS;
}

ze_result_t create(ze_driver_handle_t driver, const ze_context_desc_t *desc, uint32_t deviceCount,
                   ze_device_handle_t *devices, ze_context_handle_t *context) {
  return guarded([&] {
    Driver &owner = Driver::from(driver);
    require(deref(desc).flags <= ZE_CONTEXT_FLAG_TBD, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    deref(context);
    std::vector<Device *> members = objectsFrom<Device>(deviceCount, devices);
    if (deviceCount == 0)
      for (auto &device : owner.devices())
        members.push_back(device.get());
    *context = (new Context(owner, members))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

// Memory is always resident; what is checked is the arguments.
ze_result_t residency(ze_context_handle_t context, ze_device_handle_t device, void *pointer, size_t size) {
  return guarded([&] {
    Context::from(context).requireDevice(Device::from(device));
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    require(size != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace

ze_result_t contextCreate(ze_driver_handle_t driver, const ze_context_desc_t *desc, ze_context_handle_t *context) {
  return create(driver, desc, 0, nullptr, context);
}

ze_result_t contextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t *desc, uint32_t deviceCount,
                            ze_device_handle_t *devices, ze_context_handle_t *context) {
  return create(driver, desc, deviceCount, devices, context);
}

ze_result_t contextDestroy(ze_context_handle_t context) {
  return guarded([&] {
    Context &object = Context::from(context);
    require(!object.driver().isDefault(object), ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "the default context belongs to the driver");
    delete &object;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t contextGetStatus(ze_context_handle_t context) {
  return guarded([&] { return Context::from(context).status(); });
}

ze_result_t contextSystemBarrier(ze_context_handle_t context, ze_device_handle_t device) {
  return guarded([&] {
    Context::from(context).requireDevice(Device::from(device));
    std::atomic_thread_fence(std::memory_order_seq_cst);
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
    return allocate(context, device, ZE_MEMORY_TYPE_SHARED, size, alignment, pointer,
                    deviceDesc->pNext ? deviceDesc->pNext : hostDesc->pNext);
  });
}

ze_result_t memAllocDevice(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc, size_t size,
                           size_t alignment, ze_device_handle_t device, void **pointer) {
  return guarded([&] {
    require(device, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    require(deref(desc).flags <= kDeviceFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return allocate(context, device, ZE_MEMORY_TYPE_DEVICE, size, alignment, pointer, desc->pNext);
  });
}

ze_result_t memAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc, size_t size,
                         size_t alignment, void **pointer) {
  return guarded([&] {
    require(deref(desc).flags <= kHostFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return allocate(context, nullptr, ZE_MEMORY_TYPE_HOST, size, alignment, pointer, desc->pNext);
  });
}

ze_result_t memFree(ze_context_handle_t context, void *pointer) {
  return guarded([&] {
    Context &owner = Context::from(context);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    owner.releaseDeferred();
    owner.driver().allocations().release(owner.driver().allocations().remove(owner, pointer));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memFreeExt(ze_context_handle_t context, const ze_memory_free_ext_desc_t *desc, void *pointer) {
  return guarded([&] {
    Context &owner = Context::from(context);
    ze_driver_memory_free_policy_ext_flags_t policy = deref(desc).freePolicy;
    require(policy <= 3, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    owner.releaseDeferred();
    Allocation allocation = owner.driver().allocations().remove(owner, pointer);
    if (policy & ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE)
      owner.drain();
    if (policy & ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE)
      owner.releaseLater(allocation);
    else
      owner.driver().allocations().release(allocation);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memGetAllocProperties(ze_context_handle_t context, const void *pointer,
                                  ze_memory_allocation_properties_t *properties, ze_device_handle_t *device) {
  return guarded([&] {
    Context &owner = Context::from(context);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    ze_memory_allocation_properties_t &out = deref(properties);
    Allocation allocation = owner.driver().allocationOf(pointer);
    // As with Intel's driver, allocations need not have been made for it.
    if (allocation.base && !allocation.exportable && isDescriptorWanted(out.pNext))
      allocation = owner.driver().allocations().share(owner, allocation.base, true);
    exportDescriptor(out.pNext, allocation.file.get(), allocation.exportable);
    out.type = allocation.type;
    out.id = allocation.id;
    out.pageSize = allocation.base ? static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
    if (device)
      *device = allocation.device ? allocation.device->handle() : nullptr;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memGetAddressRange(ze_context_handle_t context, const void *pointer, void **base, size_t *size) {
  return guarded([&] {
    Context &owner = Context::from(context);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    const Allocation allocation = owner.driver().allocationOf(pointer);
    // The specification has no code for "not an allocation"; Intel's driver returns this one, too.
    require(allocation.base, ZE_RESULT_ERROR_UNKNOWN);
    if (base)
      *base = allocation.base;
    if (size)
      *size = allocation.size;
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
