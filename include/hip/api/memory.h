// SPDX-License-Identifier: MIT
// Memory of devices, of the host and shared by both: allocation, registration, attributes and advice.
#ifndef HIPLZ_API_MEMORY_H
#define HIPLZ_API_MEMORY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define hipHostMallocDefault 0x0
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#if HIPLZ_HIP_VERSION >= 7
#define hipHostMallocUncached 0x10000000
#define hipHostAllocUncached hipHostMallocUncached
#define hipExtHostRegisterUncached 0x80000000
#endif
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#define hipHostAllocDefault 0x0
#define hipHostAllocPortable 0x1
#define hipHostAllocMapped 0x2
#define hipHostAllocWriteCombined 0x4
#define hipHostRegisterDefault 0x0
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped 0x2
#define hipHostRegisterIoMemory 0x4
#define hipHostRegisterReadOnly 0x08
#define hipExtHostRegisterCoarseGrained 0x8
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipDeviceMallocUncached 0x3
#define hipDeviceMallocContiguous 0x4
#define hipMallocSignalMemory 0x2
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04

/// The properties of a pointer that hipPointerGetAttributes reports.
typedef struct hipPointerAttribute_t {
  enum hipMemoryType type;
  int device;
  void *devicePointer; ///< null if devices cannot access the memory
  void *hostPointer;   ///< null if the host cannot access the memory
  int isManaged;
  unsigned int allocationFlags;
} hipPointerAttribute_t;

/// Advice for hipMemAdvise.
typedef enum hipMemoryAdvise {
  hipMemAdviseSetReadMostly = 1,
  hipMemAdviseUnsetReadMostly,
  hipMemAdviseSetPreferredLocation,
  hipMemAdviseUnsetPreferredLocation,
  hipMemAdviseSetAccessedBy,
  hipMemAdviseUnsetAccessedBy,
  hipMemAdviseSetCoarseGrain = 100,
  hipMemAdviseUnsetCoarseGrain
} hipMemoryAdvise;

/// Attributes of managed memory.
typedef enum hipMemRangeAttribute {
  hipMemRangeAttributeReadMostly = 1,
  hipMemRangeAttributePreferredLocation,
  hipMemRangeAttributeAccessedBy,
  hipMemRangeAttributeLastPrefetchLocation,
  hipMemRangeAttributeCoherencyMode = 100
} hipMemRangeAttribute;

/// When other devices see writes: at once, or at the end of a kernel.
typedef enum hipMemRangeCoherencyMode {
  hipMemRangeCoherencyModeFineGrain = 0,
  hipMemRangeCoherencyModeCoarseGrain,
  hipMemRangeCoherencyModeIndeterminate
} hipMemRangeCoherencyMode;

// Device memory

/// Allocates memory on the current device, aligned for every type. A size of 0 stores a null
/// pointer and succeeds. hipErrorOutOfMemory if there is not enough.
hipError_t hipMalloc(void **ptr, size_t size);

/// Like hipMalloc, with one of the flags hipDeviceMalloc... or hipMallocSignalMemory, which choose
/// coherence with the host. A signal has 8 bytes.
hipError_t hipExtMallocWithFlags(void **ptr, size_t sizeBytes, unsigned int flags);

/// Allocates height rows of at least width bytes and stores the distance between rows, which is
/// aligned for textures.
hipError_t hipMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height);

/// Like hipMallocPitch, for elements of 4, 8 or 16 bytes.
hipError_t hipMemAllocPitch(hipDeviceptr_t *dptr, size_t *pitch, size_t widthInBytes, size_t height,
                            unsigned int elementSizeBytes);

/// Allocates a box whose rows are aligned for textures. extent.width is in bytes.
hipError_t hipMalloc3D(hipPitchedPtr *pitchedDevPtr, hipExtent extent);

/// Frees memory of hipMalloc, hipMallocPitch, hipMalloc3D or hipMallocManaged after the device has finished its work.
/// Null is allowed. hipErrorInvalidValue for anything else, including a second free.
hipError_t hipFree(void *ptr);

/// Stores the free and the total bytes of the current device.
hipError_t hipMemGetInfo(size_t *free, size_t *total);

// Host memory

/// Allocates pinned host memory that all devices can access. Copies to and from it are
/// asynchronous. The flags are hipHostMalloc....
hipError_t hipHostMalloc(void **ptr, size_t size, unsigned int flags);

/// Like hipHostMalloc, with the flags hipHostAlloc....
hipError_t hipHostAlloc(void **ptr, size_t size, unsigned int flags);

/// Like hipHostMalloc with default flags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMallocHost(void **ptr, size_t size);

/// Like hipHostMalloc with default flags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemAllocHost(void **ptr, size_t size);

/// Frees memory of hipHostMalloc after the devices have finished their work. Null is allowed.
hipError_t hipHostFree(void *ptr);

/// Like hipHostFree.
hipError_t hipFreeHost(void *ptr);

/// Stores the address by which kernels reach pinned or registered host memory. flags must be 0.
hipError_t hipHostGetDevicePointer(void **devPtr, void *hstPtr, unsigned int flags);

/// Stores the flags that pinned memory was allocated with.
hipError_t hipHostGetFlags(unsigned int *flagsPtr, void *hostPtr);

/// Pins memory of malloc or mmap and makes it accessible to devices.
/// hipErrorHostMemoryAlreadyRegistered if a part already is.
hipError_t hipHostRegister(void *hostPtr, size_t sizeBytes, unsigned int flags);

/// Undoes hipHostRegister. hipErrorHostMemoryNotRegistered if hostPtr is not the start of a
/// registered range.
hipError_t hipHostUnregister(void *hostPtr);

// Managed memory

/// Allocates memory that host and devices use through the same address. hipFree frees it.
hipError_t hipMallocManaged(void **dev_ptr, size_t size, unsigned int flags __dparm(hipMemAttachGlobal));

/// Moves a range of managed memory to a device, or to the host for hipCpuDeviceId, in stream order.
hipError_t hipMemPrefetchAsync(const void *dev_ptr, size_t count, int device, hipStream_t stream __dparm(0));

/// States how a range of managed memory will be used. It changes speed, never results.
hipError_t hipMemAdvise(const void *dev_ptr, size_t count, hipMemoryAdvise advice, int device);

/// Stores one attribute of a range of managed memory.
hipError_t hipMemRangeGetAttribute(void *data, size_t data_size, hipMemRangeAttribute attribute, const void *dev_ptr,
                                   size_t count);

/// Stores several attributes of a range of managed memory.
hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes, hipMemRangeAttribute *attributes,
                                    size_t num_attributes, const void *dev_ptr, size_t count);

// Pointers and symbols

/// Says what kind of memory a pointer points to, and on which device. Memory that HIP does not know is
/// hipMemoryTypeUnregistered, of the device hipInvalidDeviceId. hipErrorInvalidValue for null.
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *ptr);

/// Stores one attribute of an allocation. data is a pointer for addresses, a bool for answers (also
/// for HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS), an int for the device, else an unsigned int.
/// hipErrorInvalidValue for memory that HIP does not know, and for the host pointer of memory that
/// the host does not reach.
hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute, hipDeviceptr_t ptr);

/// Stores several attributes of an allocation. Attributes that it does not have are stored as zero.
hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute *attributes, void **data,
                                      hipDeviceptr_t ptr);

/// Changes an attribute of an allocation. HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS is the only one that
/// can be changed.
hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute, hipDeviceptr_t ptr);

/// Stores start and size of the allocation that contains dptr.
hipError_t hipMemGetAddressRange(hipDeviceptr_t *pbase, size_t *psize, hipDeviceptr_t dptr);

/// Stores the size of the allocation that starts at ptr.
hipError_t hipMemPtrGetInfo(void *ptr, size_t *size);

/// Stores the device address of a __device__, __constant__ or __managed__ variable on the current
/// device. hipErrorInvalidSymbol if it is none.
hipError_t hipGetSymbolAddress(void **devPtr, const void *symbol);

/// Stores the size of a device variable. hipErrorInvalidSymbol if it is none.
hipError_t hipGetSymbolSize(size_t *size, const void *symbol);

#ifdef __cplusplus
}
#endif

#endif
