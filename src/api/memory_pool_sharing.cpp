// SPDX-License-Identifier: MIT
// Memory pools and their allocations between processes.
#include "api/api_scope.h"
#include "api/current.h"
#include "api/memory_pool.h"
#include "lz/memory/ipc.h"

#include <cstring>

using namespace hiplz;

extern "C" {

hipError_t hipMemPoolExportToShareableHandle(void *shared_handle, hipMemPool_t mem_pool,
                                             hipMemAllocationHandleType handle_type, unsigned int flags) {
  return HIPLZ_API(hipMemPoolExportToShareableHandle, shared_handle, mem_pool, handle_type, flags)([&] {
    HIPLZ_NOT_NULL(shared_handle);
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    LZMemoryPool &pool = poolFrom(mem_pool);
    if (handle_type != hipMemHandleTypePosixFileDescriptor)
      return refuse(hipErrorInvalidValue, "pools can be shared by file descriptors only");
    if (pool.options().handleTypes != handle_type)
      throw HipError(hipErrorInvalidValue, "the memory pool was not created for export");
    *static_cast<int *>(shared_handle) = exportPool(pool);
    return hipSuccess;
  });
}

hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *mem_pool, void *shared_handle,
                                               hipMemAllocationHandleType handle_type, unsigned int flags) {
  return HIPLZ_API(hipMemPoolImportFromShareableHandle, mem_pool, shared_handle, handle_type, flags)([&] {
    HIPLZ_NOT_NULL(mem_pool, shared_handle);
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    if (handle_type != hipMemHandleTypePosixFileDescriptor)
      return refuse(hipErrorInvalidValue, "pools can be shared by file descriptors only");
    *mem_pool = toHandle(importPool(currentDevice(), descriptorFrom(shared_handle)));
    return hipSuccess;
  });
}

hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *export_data, void *dev_ptr) {
  return HIPLZ_API(hipMemPoolExportPointer, export_data, dev_ptr)([&] {
    HIPLZ_NOT_NULL(export_data, dev_ptr);
    const std::optional<Allocation> memory = LZContext::instance().allocations().find(dev_ptr);
    if (!memory || memory->base != dev_ptr || memory->owner != MemoryOwner::pool ||
        memory->block->pool().options().handleTypes != hipMemHandleTypePosixFileDescriptor)
      throw HipError(hipErrorInvalidValue, "the memory does not come from a memory pool that was created for export");
    const IpcBytes bytes = exportMemory(*memory, IpcUse::poolPointer, memory->block->pool().tag());
    std::memcpy(export_data, bytes.data(), sizeof bytes);
    return hipSuccess;
  });
}

hipError_t hipMemPoolImportPointer(void **dev_ptr, hipMemPool_t mem_pool, hipMemPoolPtrExportData *export_data) {
  return HIPLZ_API(hipMemPoolImportPointer, dev_ptr, mem_pool, export_data)([&] {
    HIPLZ_NOT_NULL(dev_ptr, export_data);
    LZMemoryPool &pool = poolFrom(mem_pool);
    IpcBytes bytes;
    static_assert(sizeof *export_data == sizeof bytes);
    std::memcpy(bytes.data(), export_data, sizeof bytes);
    if (!pool.options().imported || ipcTag(bytes, IpcUse::poolPointer) != pool.tag())
      throw HipError(hipErrorInvalidValue, "the memory does not come from the imported pool");
    *dev_ptr = openMemory(pool.device(), bytes, IpcUse::poolPointer, MemoryOwner::importedPool);
    return hipSuccess;
  });
}

} // extern "C"
