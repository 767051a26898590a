// SPDX-License-Identifier: MIT
// Memory pools and allocation in stream order.
#ifndef HIPLZ_API_MEMORY_POOL_H
#define HIPLZ_API_MEMORY_POOL_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Attributes of a pool.
typedef enum hipMemPoolAttr {
  hipMemPoolReuseFollowEventDependencies = 1,
  hipMemPoolReuseAllowOpportunistic,
  hipMemPoolReuseAllowInternalDependencies,
  hipMemPoolAttrReleaseThreshold,
  hipMemPoolAttrReservedMemCurrent,
  hipMemPoolAttrReservedMemHigh,
  hipMemPoolAttrUsedMemCurrent,
  hipMemPoolAttrUsedMemHigh
} hipMemPoolAttr;

/// The kind of pool that hipMemPoolCreate makes.
typedef struct hipMemPoolProps {
  hipMemAllocationType allocType;
  hipMemAllocationHandleType handleTypes;
  hipMemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize; ///< 0: the default
  unsigned char reserved[56];
} hipMemPoolProps;

/// An allocation for another process.
typedef struct hipMemPoolPtrExportData {
  unsigned char reserved[64];
} hipMemPoolPtrExportData;

/// Allocates from the current pool of the stream's device. The memory may be used by work that is
/// submitted to the stream afterwards.
hipError_t hipMallocAsync(void **dev_ptr, size_t size, hipStream_t stream);

/// Like hipMallocAsync, from a given pool.
hipError_t hipMallocFromPoolAsync(void **dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream);

/// Returns memory to its pool once the work submitted to the stream so far has finished.
hipError_t hipFreeAsync(void *dev_ptr, hipStream_t stream);

/// Stores the pool that each device has from the start.
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *mem_pool, int device);

/// Stores the pool that hipMallocAsync uses.
hipError_t hipDeviceGetMemPool(hipMemPool_t *mem_pool, int device);

/// Chooses the pool that hipMallocAsync uses.
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t mem_pool);

/// Creates a pool of memory on one device.
hipError_t hipMemPoolCreate(hipMemPool_t *mem_pool, const hipMemPoolProps *pool_props);

/// Destroys a pool. Memory that is still in use stays valid until it is freed.
hipError_t hipMemPoolDestroy(hipMemPool_t mem_pool);

/// Gives free memory of the pool back to the device until it holds at most min_bytes_to_hold bytes.
hipError_t hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold);

/// Stores an attribute: a reuse policy as int, or a number of bytes as uint64_t.
hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value);

/// Sets a reuse policy or the release threshold, or resets a high-water mark to 0.
hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value);

/// Stores which access a device has to the memory of a pool.
hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t mem_pool, hipMemLocation *location);

/// Gives devices access to the memory of a pool, or takes it away.
hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc *desc_list, size_t count);

/// Stores a handle by which other processes can import the pool.
hipError_t hipMemPoolExportToShareableHandle(void *shared_handle, hipMemPool_t mem_pool,
                                             hipMemAllocationHandleType handle_type, unsigned int flags);

/// Creates a pool from the handle of another process.
hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *mem_pool, void *shared_handle,
                                               hipMemAllocationHandleType handle_type, unsigned int flags);

/// Stores data by which a process that has imported the pool can import this allocation.
hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *export_data, void *dev_ptr);

/// Stores the address of an allocation of an imported pool.
hipError_t hipMemPoolImportPointer(void **dev_ptr, hipMemPool_t mem_pool, hipMemPoolPtrExportData *export_data);

#if HIPLZ_HIP_VERSION >= 7
/// Chooses the pool of a device for a kind of memory. HIPLZ has pools of pinned memory alone; for managed memory the answer
/// is hipErrorNotSupported. New in HIP 7.11, as the next one is.
hipError_t hipMemSetMemPool(hipMemLocation *location, hipMemAllocationType type, hipMemPool_t pool);

/// Stores the pool that a device uses for a kind of memory.
hipError_t hipMemGetMemPool(hipMemPool_t *pool, hipMemLocation *location, hipMemAllocationType type);

/// Stores the pool that a device has for it from the start. New in HIP 7.15.
hipError_t hipMemGetDefaultMemPool(hipMemPool_t *memPool, hipMemLocation *location, hipMemAllocationType type);
#endif

#ifdef __cplusplus
}
#endif

#endif
