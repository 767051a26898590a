// SPDX-License-Identifier: MIT
// Functions of zeMem* that are newer than specification 1.4.
#include "cpu/ddi/later_api.h"

namespace hiplz::cpu::ddi {

ze_result_t memGetIpcHandleWithProperties(ze_context_handle_t context, const void *pointer, void *properties,
                                          ze_ipc_mem_handle_t *handle) {
  bool isDone = false;
  ze_result_t result = guarded([&] {
    Context &owner = Context::from(context);
    auto *wanted = findInChain<IpcHandleTypeDesc>(properties, IpcHandleTypeDesc::kType);
    constexpr uint32_t kTypes = IpcHandleTypeDesc::kDefault | IpcHandleTypeDesc::kFabric;
    require(!wanted || wanted->types <= kTypes, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(!wanted || !(wanted->types & IpcHandleTypeDesc::kFabric), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            "there is no fabric");
    // The address may be a handle of physical memory, which need not be mapped.
    if (const Allocation memory = owner.driver().virtualMemory().shareObject(owner, pointer); memory.file) {
      memory.file->describe(deref(handle).data, sizeof handle->data, IpcKind::memory, memory.size);
      isDone = true;
    }
    return ZE_RESULT_SUCCESS;
  });
  return result == ZE_RESULT_SUCCESS && !isDone ? memGetIpcHandle(context, pointer, handle) : result;
}

ze_result_t memGetIpcHandleFromFileDescriptorExp(ze_context_handle_t context, uint64_t descriptor,
                                                 ze_ipc_mem_handle_t *handle) {
  return guarded([&] {
    Context &owner = Context::from(context);
    deref(handle);
    Allocation allocation = owner.driver().allocations().findExported(owner, descriptor);
    if (!allocation.file)
      allocation = owner.driver().virtualMemory().findExported(owner, descriptor);
    require(allocation.file != nullptr, ZE_RESULT_ERROR_INVALID_ARGUMENT, "no exported memory has the descriptor");
    allocation.file->describe(handle->data, sizeof handle->data, IpcKind::memory, allocation.size);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memGetFileDescriptorFromIpcHandleExp(ze_context_handle_t context, ze_ipc_mem_handle_t handle,
                                                 uint64_t *descriptor) {
  return guarded([&] {
    Context::from(context);
    deref(descriptor) = static_cast<uint64_t>(SharedFile::read(handle.data, IpcKind::memory).sent);
    return ZE_RESULT_SUCCESS;
  });
}

// Atomic operations work on all memory, from everywhere. What a program promises not to do, or wants to be possible, is kept.
ze_result_t memSetAtomicAccessAttributeExp(ze_context_handle_t context, ze_device_handle_t device, const void *pointer,
                                           size_t size, uint32_t access) {
  return guarded([&] {
    Context &owner = Context::from(context);
    const Device &object = Device::from(device);
    owner.requireDevice(object);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    require(access <= kAtomicAccessFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    owner.driver().allocations().setAtomicAccess(owner, object, pointer, size, access);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memGetAtomicAccessAttributeExp(ze_context_handle_t context, ze_device_handle_t device, const void *pointer,
                                           size_t size, uint32_t *access) {
  return guarded([&] {
    Context &owner = Context::from(context);
    const Device &object = Device::from(device);
    owner.requireDevice(object);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    deref(access) = owner.driver().allocations().atomicAccess(owner, object, pointer, size);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
