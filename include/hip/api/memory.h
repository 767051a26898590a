// Memory of devices, of the host and shared by both: allocation, registration, attributes and advice.
#ifndef HIPLZ_API_MEMORY_H
#define HIPLZ_API_MEMORY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define hipDeviceMallocContiguous 0x4
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipDeviceMallocUncached 0x3
#define hipExtHostRegisterCoarseGrained 0x8
#define hipHostAllocDefault 0x0
#define hipHostAllocMapped 0x2
#define hipHostAllocPortable 0x1
#define hipHostAllocWriteCombined 0x4
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocDefault 0x0
#define hipHostMallocMapped 0x2
#define hipHostMallocNonCoherent 0x80000000
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocPortable 0x1
#define hipHostMallocWriteCombined 0x4
#define hipHostRegisterDefault 0x0
#define hipHostRegisterIoMemory 0x4
#define hipHostRegisterMapped 0x2
#define hipHostRegisterPortable 0x1
#define hipHostRegisterReadOnly 0x08
#define hipMallocSignalMemory 0x2
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04

typedef struct hipPointerAttribute_t {
  enum hipMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
  int isManaged;
  unsigned int allocationFlags;
} hipPointerAttribute_t;

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

typedef enum hipMemRangeAttribute {
  hipMemRangeAttributeReadMostly = 1,
  hipMemRangeAttributePreferredLocation,
  hipMemRangeAttributeAccessedBy,
  hipMemRangeAttributeLastPrefetchLocation,
  hipMemRangeAttributeCoherencyMode = 100
} hipMemRangeAttribute;

typedef enum hipMemRangeCoherencyMode {
  hipMemRangeCoherencyModeFineGrain = 0,
  hipMemRangeCoherencyModeCoarseGrain,
  hipMemRangeCoherencyModeIndeterminate
} hipMemRangeCoherencyMode;

hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes,
                                      hipPointer_attribute* attributes, void** data,
                                      hipDeviceptr_t ptr);

hipError_t hipExtMallocWithFlags(void** ptr, size_t sizeBytes, unsigned int flags);

hipError_t hipFree(void* ptr);

hipError_t hipFreeHost(void* ptr);

hipError_t hipGetSymbolAddress(void** devPtr, const void* symbol);

hipError_t hipGetSymbolSize(size_t* size, const void* symbol);

hipError_t hipHostAlloc(void** ptr, size_t size, unsigned int flags);

hipError_t hipHostFree(void* ptr);

hipError_t hipHostGetDevicePointer(void** devPtr, void* hstPtr, unsigned int flags);

hipError_t hipHostGetFlags(unsigned int* flagsPtr, void* hostPtr);

hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags);

hipError_t hipHostRegister(void* hostPtr, size_t sizeBytes, unsigned int flags);

hipError_t hipHostUnregister(void* hostPtr);

hipError_t hipMalloc(void** ptr, size_t size);

hipError_t hipMalloc3D(hipPitchedPtr* pitchedDevPtr, hipExtent extent);

HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMallocHost(void** ptr, size_t size);

hipError_t hipMallocManaged(void** dev_ptr, size_t size,
                            unsigned int flags __dparm(hipMemAttachGlobal));

hipError_t hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height);

hipError_t hipMemAdvise(const void* dev_ptr, size_t count, hipMemoryAdvise advice, int device);

HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemAllocHost(void** ptr, size_t size);

hipError_t hipMemAllocPitch(hipDeviceptr_t* dptr, size_t* pitch, size_t widthInBytes,
                            size_t height, unsigned int elementSizeBytes);

hipError_t hipMemGetAddressRange(hipDeviceptr_t* pbase, size_t* psize, hipDeviceptr_t dptr);

hipError_t hipMemGetInfo(size_t* free, size_t* total);

hipError_t hipMemPrefetchAsync(const void* dev_ptr, size_t count, int device,
                               hipStream_t stream __dparm(0));

hipError_t hipMemPtrGetInfo(void* ptr, size_t* size);

hipError_t hipMemRangeGetAttribute(void* data, size_t data_size, hipMemRangeAttribute attribute,
                                   const void* dev_ptr, size_t count);

hipError_t hipMemRangeGetAttributes(void** data, size_t* data_sizes,
                                    hipMemRangeAttribute* attributes, size_t num_attributes,
                                    const void* dev_ptr, size_t count);

hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute,
                                  hipDeviceptr_t ptr);

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr);

hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute,
                                  hipDeviceptr_t ptr);

#ifdef __cplusplus
}
#endif

#endif
