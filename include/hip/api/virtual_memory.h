// SPDX-License-Identifier: MIT
// Virtual memory management: address ranges, physical allocations and their mappings.
#ifndef HIPLZ_API_VIRTUAL_MEMORY_H
#define HIPLZ_API_VIRTUAL_MEMORY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kind of physical memory that hipMemCreate makes, and its place.
typedef struct hipMemAllocationProp {
  hipMemAllocationType type;
#ifdef __HIPLZ_CUDA_SOURCE__
  hipMemAllocationHandleType requestedHandleTypes; // CUDA's name of the next one
#elif HIPLZ_HIP_VERSION >= 7
  union {
    hipMemAllocationHandleType requestedHandleType;
    hipMemAllocationHandleType requestedHandleTypes;
  };
#else
  hipMemAllocationHandleType requestedHandleType;
#endif
  hipMemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
  } allocFlags;
} hipMemAllocationProp;

/// Which granularity hipMemGetAllocationGranularity stores.
typedef enum hipMemAllocationGranularity_flags {
  hipMemAllocationGranularityMinimum = 0,
  hipMemAllocationGranularityRecommended
} hipMemAllocationGranularity_flags;

/// Kind of the handle in hipArrayMapInfo.
typedef enum hipMemHandleType { hipMemHandleTypeGeneric = 0 } hipMemHandleType;

/// The operation on a mapping.
typedef enum hipMemOperationType { hipMemOperationTypeMap = 1, hipMemOperationTypeUnmap } hipMemOperationType;

/// Which part of a sparse array is mapped.
typedef enum hipArraySparseSubresourceType {
  hipArraySparseSubresourceTypeSparseLevel = 0,
  hipArraySparseSubresourceTypeMiptail
} hipArraySparseSubresourceType;

/// One change of the mapping of a sparse array.
typedef struct hipArrayMapInfo {
  hipResourceType resourceType;
  union {
    hipMipmappedArray mipmap;
    hipArray_t array;
  } resource;
  hipArraySparseSubresourceType subresourceType;
  union {
    struct {
      unsigned int level;
      unsigned int layer;
      unsigned int offsetX;
      unsigned int offsetY;
      unsigned int offsetZ;
      unsigned int extentWidth;
      unsigned int extentHeight;
      unsigned int extentDepth;
    } sparseLevel;
    struct {
      unsigned int layer;
      unsigned long long offset;
      unsigned long long size;
    } miptail;
  } subresource;
  hipMemOperationType memOperationType;
  hipMemHandleType memHandleType;
  union {
    hipMemGenericAllocationHandle_t memHandle;
  } memHandle;
  unsigned long long offset;
  unsigned int deviceBitMask;
  unsigned int flags;
  unsigned int reserved[2];
} hipArrayMapInfo;

/// Reserves a range of addresses without memory behind it. size must be a multiple of the
/// allocation granularity.
hipError_t hipMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr, unsigned long long flags);

/// Gives a reserved range back. It must not be mapped.
hipError_t hipMemAddressFree(void *devPtr, size_t size);

/// Allocates physical memory without an address.
hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size, const hipMemAllocationProp *prop,
                        unsigned long long flags);

/// Drops a reference to physical memory, which is freed when it is unmapped as well.
hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle);

/// Maps physical memory to a part of a reserved range. It is not accessible before hipMemSetAccess.
hipError_t hipMemMap(void *ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags);

/// Undoes hipMemMap.
hipError_t hipMemUnmap(void *ptr, size_t size);

/// Sets which devices may access a mapped range, and how.
hipError_t hipMemSetAccess(void *ptr, size_t size, const hipMemAccessDesc *desc, size_t count);

/// Stores which access a location has to a mapped range.
hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location, void *ptr);

/// Stores the size that sizes and addresses must be multiples of.
hipError_t hipMemGetAllocationGranularity(size_t *granularity, const hipMemAllocationProp *prop,
                                          hipMemAllocationGranularity_flags option);

/// Stores the properties that the memory was created with.
hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *prop, hipMemGenericAllocationHandle_t handle);

/// Stores the handle of the memory that is mapped at addr and adds a reference to it.
hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle, void *addr);

/// Stores a handle by which other processes can import the memory.
hipError_t hipMemExportToShareableHandle(void *shareableHandle, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType handleType, unsigned long long flags);

/// Makes memory of another process available.
hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle, void *osHandle,
                                           hipMemAllocationHandleType shHandleType);

/// Changes the mapping of sparse arrays in stream order.
hipError_t hipMemMapArrayAsync(hipArrayMapInfo *mapInfoList, unsigned int count, hipStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
