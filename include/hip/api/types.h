// SPDX-License-Identifier: MIT
// Handles and small constants that several chapters of the host API use.
#ifndef HIPLZ_API_TYPES_H
#define HIPLZ_API_TYPES_H

#include "../driver_types.h"
#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A device: its number.
typedef int hipDevice_t;

typedef struct ihipCtx_t *hipCtx_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipLinkState_t *hipLinkState_t;
typedef struct ihipMemPoolHandle_t *hipMemPool_t;
typedef struct ihipMemGenericAllocationHandle *hipMemGenericAllocationHandle_t;

#define hipStreamLegacy ((hipStream_t)1)    ///< the default stream that all threads share
#define hipStreamPerThread ((hipStream_t)2) ///< the default stream of the calling thread
#define hipCpuDeviceId ((int)-1)
#define hipInvalidDeviceId ((int)-2)
#define GENERIC_GRID_LAUNCH 1
#define USE_PEER_NON_UNIFIED 1

/// Kind of a place where memory can be.
typedef enum hipMemLocationType {
  hipMemLocationTypeInvalid = 0,
#if HIPLZ_HIP_VERSION >= 7
  hipMemLocationTypeNone = 0,
#endif
  hipMemLocationTypeDevice,
  hipMemLocationTypeHost,
  hipMemLocationTypeHostNuma,
  hipMemLocationTypeHostNumaCurrent
} hipMemLocationType;

/// A place where memory can be.
typedef struct hipMemLocation {
  hipMemLocationType type;
  int id; ///< number of the device
} hipMemLocation;

/// Rights on memory.
typedef enum hipMemAccessFlags {
  hipMemAccessFlagsProtNone = 0,
  hipMemAccessFlagsProtRead,
  hipMemAccessFlagsProtReadWrite = 3
} hipMemAccessFlags;

/// Rights of one location.
typedef struct hipMemAccessDesc {
  hipMemLocation location;
  hipMemAccessFlags flags;
} hipMemAccessDesc;

/// Kind of an allocation.
typedef enum hipMemAllocationType {
  hipMemAllocationTypeInvalid = 0,
  hipMemAllocationTypePinned,
#if HIPLZ_HIP_VERSION >= 7
  hipMemAllocationTypeManaged,
  hipMemAllocationTypeUncached = 0x40000000,
#endif
  hipMemAllocationTypeMax = 0x7fffffff
} hipMemAllocationType;

/// Kinds of handles that other processes can import, as bits.
typedef enum hipMemAllocationHandleType {
  hipMemHandleTypeNone = 0,
  hipMemHandleTypePosixFileDescriptor,
  hipMemHandleTypeWin32,
  hipMemHandleTypeWin32Kmt = 4
} hipMemAllocationHandleType;

/// Preferred split between cache and shared memory.
typedef enum hipFuncCache_t {
  hipFuncCachePreferNone = 0,
  hipFuncCachePreferShared,
  hipFuncCachePreferL1,
  hipFuncCachePreferEqual
} hipFuncCache_t;

/// Width of the banks of shared memory.
typedef enum hipSharedMemConfig {
  hipSharedMemBankSizeDefault = 0,
  hipSharedMemBankSizeFourByte,
  hipSharedMemBankSizeEightByte
} hipSharedMemConfig;

/// A function that a stream or a graph calls on the host.
typedef void (*hipHostFn_t)(void *userData);

#ifdef __cplusplus
}
#endif

#endif
