// SPDX-License-Identifier: MIT
// zeVirtualMem* and zePhysicalMem*.
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/external_memory.h"
#include "cpu/ddi/later_api.h"

namespace hiplz::cpu::ddi {
namespace {

void requireWholePages(const void *pointer, size_t size) {
  require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  require(size != 0 && size % pageSize() == 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  require(reinterpret_cast<uintptr_t>(pointer) % pageSize() == 0, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
}

void requireAccess(ze_memory_access_attribute_t access) {
  require(static_cast<uint32_t>(access) <= ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY, ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

PhysicalMemory &physicalOf(Context &context, ze_physical_mem_handle_t handle) {
  PhysicalMemory &memory = PhysicalMemory::from(handle);
  require(&memory.context == &context, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return memory;
}

} // namespace

ze_result_t virtualMemReserve(ze_context_handle_t context, const void *start, size_t size, void **pointer) {
  return guarded([&] {
    Context &owner = Context::from(context);
    deref(pointer);
    require(size != 0 && size % pageSize() == 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    require(reinterpret_cast<uintptr_t>(start) % pageSize() == 0, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    *pointer = owner.driver().virtualMemory().reserve(owner, const_cast<void *>(start), size);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t virtualMemFree(ze_context_handle_t context, const void *pointer, size_t size) {
  return guarded([&] {
    Context &owner = Context::from(context);
    requireWholePages(pointer, size);
    owner.driver().virtualMemory().free(owner, const_cast<void *>(pointer), size);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t virtualMemQueryPageSize(ze_context_handle_t context, ze_device_handle_t device, size_t size,
                                    size_t *bytes) {
  return guarded([&] {
    Context::from(context).requireDevice(Device::from(device));
    deref(bytes);
    require(size != 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    *bytes = pageSize();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t virtualMemMap(ze_context_handle_t context, const void *pointer, size_t size,
                          ze_physical_mem_handle_t physical, size_t offset, ze_memory_access_attribute_t access) {
  return guarded([&] {
    Context &owner = Context::from(context);
    PhysicalMemory &memory = physicalOf(owner, physical);
    requireWholePages(pointer, size);
    requireAccess(access);
    require(offset % pageSize() == 0, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    require(offset <= memory.storage->size && size <= memory.storage->size - offset, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    owner.driver().virtualMemory().map(owner, const_cast<void *>(pointer), size, memory.storage, offset, access);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t virtualMemUnmap(ze_context_handle_t context, const void *pointer, size_t size) {
  return guarded([&] {
    Context &owner = Context::from(context);
    requireWholePages(pointer, size);
    owner.driver().virtualMemory().unmap(owner, const_cast<void *>(pointer), size);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t virtualMemSetAccessAttribute(ze_context_handle_t context, const void *pointer, size_t size,
                                         ze_memory_access_attribute_t access) {
  return guarded([&] {
    Context &owner = Context::from(context);
    requireWholePages(pointer, size);
    requireAccess(access);
    owner.driver().virtualMemory().setAccess(owner, const_cast<void *>(pointer), size, access);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t virtualMemGetAccessAttribute(ze_context_handle_t context, const void *pointer, size_t size,
                                         ze_memory_access_attribute_t *access, size_t *uniform) {
  return guarded([&] {
    Context &owner = Context::from(context);
    deref(access);
    deref(uniform);
    requireWholePages(pointer, size);
    *access = owner.driver().virtualMemory().access(owner, const_cast<void *>(pointer), size, *uniform);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t physicalMemCreate(ze_context_handle_t context, ze_device_handle_t device, ze_physical_mem_desc_t *desc,
                              ze_physical_mem_handle_t *memory) {
  return guarded([&] {
    Context &owner = Context::from(context);
    const ze_physical_mem_desc_t &in = deref(desc);
    deref(memory);
    // Headers of Level Zero 1.8 and 1.20 name the first flag differently; the second one is later than 1.4.
    constexpr ze_physical_mem_flags_t kOnDevice = ZE_BIT(0), kOnHost = ZE_BIT(1);
    require(in.flags <= (kOnDevice | kOnHost), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(in.flags != (kOnDevice | kOnHost), ZE_RESULT_ERROR_INVALID_ENUMERATION,
            "memory is on the device or the host");
    Device *account = in.flags == kOnHost && !device ? nullptr : &Device::from(device);
    if (account)
      owner.requireDevice(*account);
    if (in.flags == kOnHost)
      account = nullptr; // which device would make no difference
    require(in.size != 0 && in.size % pageSize() == 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    isExportWanted(in.pNext); // may be refused; all physical memory can be exported
    auto import = importedFile(in.pNext, in.size);
    *memory = (new PhysicalMemory(owner, account, in.size, std::move(import)))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

// Mapped memory stays until it is unmapped.
ze_result_t physicalMemDestroy(ze_context_handle_t context, ze_physical_mem_handle_t memory) {
  return guarded([&] {
    delete &physicalOf(Context::from(context), memory);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t physicalMemGetProperties(ze_context_handle_t context, ze_physical_mem_handle_t memory,
                                     PhysicalMemoryProperties *properties) {
  return guarded([&] {
    const PhysicalStorage &storage = *physicalOf(Context::from(context), memory).storage;
    PhysicalMemoryProperties &out = deref(properties);
    exportDescriptor(out.next, storage.file.get(), true);
    out.id = storage.id;
    out.size = storage.size;
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
