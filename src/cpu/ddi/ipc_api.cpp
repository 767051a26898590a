// SPDX-License-Identifier: MIT
// zeMem*IpcHandle: memory of other processes. The functions of event pools are with the others in event_api.cpp.
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/later_api.h"

namespace hiplz::cpu::ddi {

ze_result_t memGetIpcHandle(ze_context_handle_t context, const void *pointer, ze_ipc_mem_handle_t *handle) {
  return guarded([&] {
    Context &owner = Context::from(context);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    deref(handle);
    Driver &driver = owner.driver();
    const Allocation allocation = driver.allocations().find(pointer).base
                                      ? driver.allocations().share(owner, pointer)
                                      : driver.virtualMemory().share(owner, pointer);
    allocation.file->describe(handle->data, sizeof handle->data, IpcKind::memory, allocation.size);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memOpenIpcHandle(ze_context_handle_t context, ze_device_handle_t device, ze_ipc_mem_handle_t handle,
                             ze_ipc_memory_flags_t flags, void **pointer) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &object = Device::from(device);
    owner.requireDevice(object);
    require(flags <= (ZE_IPC_MEMORY_FLAG_BIAS_CACHED | ZE_IPC_MEMORY_FLAG_BIAS_UNCACHED),
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
    deref(pointer);
    IpcRecord record;
    auto file = SharedFile::open(handle.data, IpcKind::memory, record);
    *pointer =
        owner.driver().allocations().import(owner, &object, ZE_MEMORY_TYPE_DEVICE, std::move(file), record.size, true);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memCloseIpcHandle(ze_context_handle_t context, const void *pointer) {
  return guarded([&] {
    Context &owner = Context::from(context);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    owner.driver().allocations().release(owner.driver().allocations().remove(owner, pointer, true));
    return ZE_RESULT_SUCCESS;
  });
}

// A handle is only a description: it needs no release, and what it describes lives as long as the allocation. Programs put handles
// back by the million, so nothing is opened for it.
ze_result_t memPutIpcHandle(ze_context_handle_t context, ze_ipc_mem_handle_t handle) {
  return guarded([&] {
    Context::from(context);
    SharedFile::read(handle.data, IpcKind::memory);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
