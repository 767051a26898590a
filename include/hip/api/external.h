// SPDX-License-Identifier: MIT
// Memory and semaphores of other APIs (Vulkan, Direct3D) and processes.
#ifndef HIPLZ_API_EXTERNAL_H
#define HIPLZ_API_EXTERNAL_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Imported memory.
typedef void *hipExternalMemory_t;
/// An imported semaphore.
typedef void *hipExternalSemaphore_t;

/// Kinds of handles of memory.
typedef enum hipExternalMemoryHandleType_enum {
  hipExternalMemoryHandleTypeOpaqueFd = 1,
  hipExternalMemoryHandleTypeOpaqueWin32,
  hipExternalMemoryHandleTypeOpaqueWin32Kmt,
  hipExternalMemoryHandleTypeD3D12Heap,
  hipExternalMemoryHandleTypeD3D12Resource,
  hipExternalMemoryHandleTypeD3D11Resource,
  hipExternalMemoryHandleTypeD3D11ResourceKmt,
  hipExternalMemoryHandleTypeNvSciBuf
} hipExternalMemoryHandleType;

/// Memory to import.
typedef struct hipExternalMemoryHandleDesc_st {
  hipExternalMemoryHandleType type;
  union {
    int fd; ///< owned by HIP after a successful import
    struct {
      void *handle;
      const void *name;
    } win32;
    const void *nvSciBufObject;
  } handle;
  unsigned long long size;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalMemoryHandleDesc;

/// A part of imported memory.
typedef struct hipExternalMemoryBufferDesc_st {
  unsigned long long offset;
  unsigned long long size;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalMemoryBufferDesc;

/// A mipmapped array on imported memory.
typedef struct hipExternalMemoryMipmappedArrayDesc_st {
  unsigned long long offset;
  hipChannelFormatDesc formatDesc;
  hipExtent extent;
  unsigned int flags;
  unsigned int numLevels;
} hipExternalMemoryMipmappedArrayDesc;

#define hipExternalMemoryDedicated 0x1

/// Kinds of handles of semaphores.
typedef enum hipExternalSemaphoreHandleType_enum {
  hipExternalSemaphoreHandleTypeOpaqueFd = 1,
  hipExternalSemaphoreHandleTypeOpaqueWin32,
  hipExternalSemaphoreHandleTypeOpaqueWin32Kmt,
  hipExternalSemaphoreHandleTypeD3D12Fence,
  hipExternalSemaphoreHandleTypeD3D11Fence,
  hipExternalSemaphoreHandleTypeNvSciSync,
  hipExternalSemaphoreHandleTypeKeyedMutex,
  hipExternalSemaphoreHandleTypeKeyedMutexKmt,
  hipExternalSemaphoreHandleTypeTimelineSemaphoreFd,
  hipExternalSemaphoreHandleTypeTimelineSemaphoreWin32
} hipExternalSemaphoreHandleType;

/// A semaphore to import.
typedef struct hipExternalSemaphoreHandleDesc_st {
  hipExternalSemaphoreHandleType type;
  union {
    int fd; ///< owned by HIP after a successful import
    struct {
      void *handle;
      const void *name;
    } win32;
    const void *NvSciSyncObj;
  } handle;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalSemaphoreHandleDesc;

/// The value that a signal operation sets.
typedef struct hipExternalSemaphoreSignalParams_st {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void *fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
    } keyedMutex;
    unsigned int reserved[12];
  } params;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalSemaphoreSignalParams;

/// The value that a wait operation waits for.
typedef struct hipExternalSemaphoreWaitParams_st {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void *fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
      unsigned int timeoutMs;
    } keyedMutex;
    unsigned int reserved[10];
  } params;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalSemaphoreWaitParams;

/// Imports memory of another API. A file descriptor belongs to HIP afterwards.
hipError_t hipImportExternalMemory(hipExternalMemory_t *extMem_out, const hipExternalMemoryHandleDesc *memHandleDesc);

/// Releases imported memory. What was mapped from it must have been freed.
hipError_t hipDestroyExternalMemory(hipExternalMemory_t extMem);

/// Stores the address of a part of imported memory. hipFree unmaps it.
hipError_t hipExternalMemoryGetMappedBuffer(void **devPtr, hipExternalMemory_t extMem,
                                            const hipExternalMemoryBufferDesc *bufferDesc);

/// Stores a mipmapped array on a part of imported memory.
hipError_t hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t *mipmap, hipExternalMemory_t extMem,
                                                    const hipExternalMemoryMipmappedArrayDesc *mipmapDesc);

/// Imports a semaphore of another API. A file descriptor belongs to HIP afterwards.
hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t *extSem_out,
                                      const hipExternalSemaphoreHandleDesc *semHandleDesc);

/// Releases an imported semaphore.
hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t extSem);

/// Signals semaphores in stream order.
hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t *extSemArray,
                                            const hipExternalSemaphoreSignalParams *paramsArray,
                                            unsigned int numExtSems, hipStream_t stream);

/// Makes the stream wait for semaphores.
hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t *extSemArray,
                                          const hipExternalSemaphoreWaitParams *paramsArray, unsigned int numExtSems,
                                          hipStream_t stream);

typedef struct _hipGraphicsResource hipGraphicsResource;
/// A buffer or image of a graphics API.
typedef hipGraphicsResource *hipGraphicsResource_t;

/// How HIP will use a graphics resource.
typedef enum hipGraphicsRegisterFlags {
  hipGraphicsRegisterFlagsNone = 0,
  hipGraphicsRegisterFlagsReadOnly,
  hipGraphicsRegisterFlagsWriteDiscard,
  hipGraphicsRegisterFlagsSurfaceLoadStore = 4,
  hipGraphicsRegisterFlagsTextureGather = 8
} hipGraphicsRegisterFlags;

/// Makes graphics resources accessible to HIP, in stream order. The graphics API must not use them
/// meanwhile.
hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t *resources, hipStream_t stream __dparm(0));

/// Gives graphics resources back to the graphics API.
hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t *resources, hipStream_t stream __dparm(0));

/// Stores address and size of a mapped buffer.
hipError_t hipGraphicsResourceGetMappedPointer(void **devPtr, size_t *size, hipGraphicsResource_t resource);

/// Stores one layer and level of a mapped image as an array.
hipError_t hipGraphicsSubResourceGetMappedArray(hipArray_t *array, hipGraphicsResource_t resource,
                                                unsigned int arrayIndex, unsigned int mipLevel);

/// Ends the use of a graphics resource.
hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource);

#ifdef __cplusplus
}
#endif

#endif
