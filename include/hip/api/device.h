// SPDX-License-Identifier: MIT
// Devices: choosing one, its properties, attributes and limits.
#ifndef HIPLZ_API_DEVICE_H
#define HIPLZ_API_DEVICE_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An identifier of a device.
typedef struct hipUUID_t {
  char bytes[16];
} hipUUID;

/// Features of device code, one bit each.
typedef struct hipDeviceArch_t {
  unsigned int hasGlobalInt32Atomics : 1;
  unsigned int hasGlobalFloatAtomicExch : 1;
  unsigned int hasSharedInt32Atomics : 1;
  unsigned int hasSharedFloatAtomicExch : 1;
  unsigned int hasFloatAtomicAdd : 1;
  unsigned int hasGlobalInt64Atomics : 1;
  unsigned int hasSharedInt64Atomics : 1;
  unsigned int hasDoubles : 1;
  unsigned int hasWarpVote : 1;
  unsigned int hasWarpBallot : 1;
  unsigned int hasWarpShuffle : 1;
  unsigned int hasFunnelShift : 1;
  unsigned int hasThreadFenceSystem : 1;
  unsigned int hasSyncThreadsExt : 1;
  unsigned int hasSurfaceFuncs : 1;
  unsigned int has3dGrid : 1;
  unsigned int hasDynamicParallelism : 1;
} hipDeviceArch_t;

/// Properties of a device. hipDeviceProp_t is this type.
typedef struct hipDeviceProp_tR0600 {
  char name[256];
  hipUUID uuid;
  char luid[8]; ///< Windows only
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem;    ///< bytes
  size_t sharedMemPerBlock; ///< bytes
  int regsPerBlock;         ///< 32-bit registers
  int warpSize;             ///< work-items of a warp
  size_t memPitch;          ///< largest pitch of a copy, in bytes
  int maxThreadsPerBlock;   ///< limit of the product of the three sizes
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;        ///< kHz
  size_t totalConstMem; ///< bytes
  int major;
  int minor;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int deviceOverlap;       ///< copies and runs kernels at the same time
  int multiProcessorCount; ///< compute units
  int kernelExecTimeoutEnabled;
  int integrated; ///< shares the memory of the host
  int canMapHostMemory;
  int computeMode; ///< enum hipComputeMode
  int maxTexture1D;
  int maxTexture1DMipmap;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing; ///< host and device pointers never coincide
  int memoryClockRate;   ///< kHz
  int memoryBusWidth;    ///< bits
  int l2CacheSize;       ///< bytes
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported;
  int sparseHipArraySupported;
  int hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  int gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  int deferredMappingHipArraySupported;
  int ipcEventSupported;
  int clusterLaunch;
  int unifiedFunctionPointers;
  int reserved[63];
  union {
    int hipReserved[32];
    int gcnArch; ///< the number in gcnArchName, as HIP 5 had it; libraries of that time ask for it
  };
  char gcnArchName[256]; ///< gfx1099, which is no GPU of AMD's (docs/using.md)
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate; ///< kHz of the counter behind clock64()
  hipDeviceArch_t arch;
  unsigned int *hdpMemFlushCntl;
  unsigned int *hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatchedFunc;
  int cooperativeMultiDeviceUnmatchedGridDim;
  int cooperativeMultiDeviceUnmatchedBlockDim;
  int cooperativeMultiDeviceUnmatchedSharedMem;
  int isLargeBar;
  int asicRevision;
} hipDeviceProp_tR0600;

#define hipDeviceProp_t hipDeviceProp_tR0600
#define hipGetDeviceProperties hipGetDevicePropertiesR0600
#define hipChooseDevice hipChooseDeviceR0600

/// The attributes of hipDeviceGetAttribute. The places named Unused keep the values of the
/// others.
typedef enum hipDeviceAttribute_t {
  hipDeviceAttributeCudaCompatibleBegin = 0,
  hipDeviceAttributeEccEnabled = hipDeviceAttributeCudaCompatibleBegin,
  hipDeviceAttributeAccessPolicyMaxWindowSize,
  hipDeviceAttributeAsyncEngineCount,
  hipDeviceAttributeCanMapHostMemory,
  hipDeviceAttributeCanUseHostPointerForRegisteredMem,
  hipDeviceAttributeClockRate,
  hipDeviceAttributeComputeMode,
  hipDeviceAttributeComputePreemptionSupported,
  hipDeviceAttributeConcurrentKernels,
  hipDeviceAttributeConcurrentManagedAccess,
  hipDeviceAttributeCooperativeLaunch,
  hipDeviceAttributeCooperativeMultiDeviceLaunch,
  hipDeviceAttributeDeviceOverlap,
  hipDeviceAttributeDirectManagedMemAccessFromHost,
  hipDeviceAttributeGlobalL1CacheSupported,
  hipDeviceAttributeHostNativeAtomicSupported,
  hipDeviceAttributeIntegrated,
  hipDeviceAttributeIsMultiGpuBoard,
  hipDeviceAttributeKernelExecTimeout,
  hipDeviceAttributeL2CacheSize,
  hipDeviceAttributeLocalL1CacheSupported,
  hipDeviceAttributeLuid,
  hipDeviceAttributeLuidDeviceNodeMask,
  hipDeviceAttributeComputeCapabilityMajor,
  hipDeviceAttributeManagedMemory,
  hipDeviceAttributeMaxBlocksPerMultiProcessor,
  hipDeviceAttributeMaxBlockDimX,
  hipDeviceAttributeMaxBlockDimY,
  hipDeviceAttributeMaxBlockDimZ,
  hipDeviceAttributeMaxGridDimX,
  hipDeviceAttributeMaxGridDimY,
  hipDeviceAttributeMaxGridDimZ,
  hipDeviceAttributeMaxSurface1D,
  hipDeviceAttributeMaxSurface1DLayered,
  hipDeviceAttributeMaxSurface2D,
  hipDeviceAttributeMaxSurface2DLayered,
  hipDeviceAttributeMaxSurface3D,
  hipDeviceAttributeMaxSurfaceCubemap,
  hipDeviceAttributeMaxSurfaceCubemapLayered,
  hipDeviceAttributeMaxTexture1DWidth,
  hipDeviceAttributeMaxTexture1DLayered,
  hipDeviceAttributeMaxTexture1DLinear,
  hipDeviceAttributeMaxTexture1DMipmap,
  hipDeviceAttributeMaxTexture2DWidth,
  hipDeviceAttributeMaxTexture2DHeight,
  hipDeviceAttributeMaxTexture2DGather,
  hipDeviceAttributeMaxTexture2DLayered,
  hipDeviceAttributeMaxTexture2DLinear,
  hipDeviceAttributeMaxTexture2DMipmap,
  hipDeviceAttributeMaxTexture3DWidth,
  hipDeviceAttributeMaxTexture3DHeight,
  hipDeviceAttributeMaxTexture3DDepth,
  hipDeviceAttributeMaxTexture3DAlt,
  hipDeviceAttributeMaxTextureCubemap,
  hipDeviceAttributeMaxTextureCubemapLayered,
  hipDeviceAttributeMaxThreadsDim,
  hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMaxThreadsPerMultiProcessor,
  hipDeviceAttributeMaxPitch,
  hipDeviceAttributeMemoryBusWidth,
  hipDeviceAttributeMemoryClockRate,
  hipDeviceAttributeComputeCapabilityMinor,
  hipDeviceAttributeMultiGpuBoardGroupID,
  hipDeviceAttributeMultiprocessorCount,
  hipDeviceAttributeUnused1,
  hipDeviceAttributePageableMemoryAccess,
  hipDeviceAttributePageableMemoryAccessUsesHostPageTables,
  hipDeviceAttributePciBusId,
  hipDeviceAttributePciDeviceId,
  hipDeviceAttributePciDomainID,
  hipDeviceAttributePersistingL2CacheMaxSize,
  hipDeviceAttributeMaxRegistersPerBlock,
  hipDeviceAttributeMaxRegistersPerMultiprocessor,
  hipDeviceAttributeReservedSharedMemPerBlock,
  hipDeviceAttributeMaxSharedMemoryPerBlock,
  hipDeviceAttributeSharedMemPerBlockOptin,
  hipDeviceAttributeSharedMemPerMultiprocessor,
  hipDeviceAttributeSingleToDoublePrecisionPerfRatio,
  hipDeviceAttributeStreamPrioritiesSupported,
  hipDeviceAttributeSurfaceAlignment,
  hipDeviceAttributeTccDriver,
  hipDeviceAttributeTextureAlignment,
  hipDeviceAttributeTexturePitchAlignment,
  hipDeviceAttributeTotalConstantMemory,
  hipDeviceAttributeTotalGlobalMem,
  hipDeviceAttributeUnifiedAddressing,
  hipDeviceAttributeUnused2,
  hipDeviceAttributeWarpSize,
  hipDeviceAttributeMemoryPoolsSupported,
  hipDeviceAttributeVirtualMemoryManagementSupported,
  hipDeviceAttributeHostRegisterSupported,
  hipDeviceAttributeMemoryPoolSupportedHandleTypes,
#if HIPLZ_HIP_VERSION >= 7
  hipDeviceAttributePciDomainId = hipDeviceAttributePciDomainID,
  hipDeviceAttributeHostNumaId = 92, ///< the NUMA node of the host that is nearest to the device
#endif
  hipDeviceAttributeCudaCompatibleEnd = 9999,
  hipDeviceAttributeAmdSpecificBegin,
  hipDeviceAttributeClockInstructionRate = hipDeviceAttributeAmdSpecificBegin,
  hipDeviceAttributeUnused3,
  hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
  hipDeviceAttributeUnused4,
  hipDeviceAttributeUnused5,
  hipDeviceAttributeHdpMemFlushCntl,
  hipDeviceAttributeHdpRegFlushCntl,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem,
  hipDeviceAttributeIsLargeBar,
  hipDeviceAttributeAsicRevision,
  hipDeviceAttributeCanUseStreamWaitValue,
  hipDeviceAttributeImageSupport,
  hipDeviceAttributePhysicalMultiProcessorCount,
  hipDeviceAttributeFineGrainSupport,
  hipDeviceAttributeWallClockRate,
#if HIPLZ_HIP_VERSION >= 7
  hipDeviceAttributeNumberOfXccs, ///< compute dies
  hipDeviceAttributeMaxAvailableVgprsPerThread,
  hipDeviceAttributePciChipId,
#endif
  hipDeviceAttributeAmdSpecificEnd = 19999,
  hipDeviceAttributeVendorSpecificBegin
} hipDeviceAttribute_t;

/// Which host threads and processes may use a device.
enum hipComputeMode {
  hipComputeModeDefault = 0,
  hipComputeModeExclusive,
  hipComputeModeProhibited,
  hipComputeModeExclusiveProcess
};

/// How writes of a third party to device memory can be flushed.
enum hipFlushGPUDirectRDMAWritesOptions {
  hipFlushGPUDirectRDMAWritesOptionHost = 1,
  hipFlushGPUDirectRDMAWritesOptionMemOps
};

/// For whom writes of a third party to device memory are ordered.
enum hipGPUDirectRDMAWritesOrdering {
  hipGPUDirectRDMAWritesOrderingNone = 0,
  hipGPUDirectRDMAWritesOrderingOwner = 100,
  hipGPUDirectRDMAWritesOrderingAllDevices = 200
};

/// Limits of a device that can be changed.
enum hipLimit_t {
  hipLimitStackSize = 0,  ///< bytes of stack of a work-item
  hipLimitPrintfFifoSize, ///< bytes of the buffer of printf
  hipLimitMallocHeapSize, ///< bytes of the heap of malloc in device code
#if HIPLZ_HIP_VERSION >= 7
  hipExtLimitScratchMin = 0x1000, ///< bytes of private memory; no device of HIPLZ has these limits
  hipExtLimitScratchMax,
  hipExtLimitScratchCurrent,
#endif
  hipLimitRange
};

#define hipDeviceScheduleAuto 0x0
#define hipDeviceScheduleSpin 0x1
#define hipDeviceScheduleYield 0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceScheduleMask 0x7
#define hipDeviceMapHost 0x8
#define hipDeviceLmemResizeToMax 0x10
// The current device

/// Stores the number of devices. hipErrorNoDevice and a count of 0 if there is none.
hipError_t hipGetDeviceCount(int *count);

/// Makes a device current for the calling thread. Memory, streams and events are created on the
/// current device.
hipError_t hipSetDevice(int deviceId);

/// Stores the current device of the calling thread, which is device 0 until hipSetDevice is called.
hipError_t hipGetDevice(int *deviceId);

/// Sets the order in which devices are tried when the thread has chosen none.
hipError_t hipSetValidDevices(int *device_arr, int len);

/// Stores the device whose properties come closest to those asked for.
hipError_t hipChooseDeviceR0600(int *device, const hipDeviceProp_tR0600 *prop);

/// Waits until all work on the current device has finished, in all its streams. Returns the error
/// of asynchronous work that failed.
hipError_t hipDeviceSynchronize(void);

/// Waits for the current device and releases its memory, for all threads of the process. Variables of device code get
/// their initial values back, and may have other addresses. The device's flags and memory pool return to their
/// defaults; streams and events stay usable.
///
/// A failed kernel leaves one of two kinds of errors behind. After assert, abort, __trap or a call through a wild function
/// pointer (hipErrorLaunchFailure; hipErrorAssert after assert in HIP 6) this function makes the device usable again. After a fault (an invalid
/// address or a misaligned vector: hipErrorIllegalAddress; a division by zero, a stack overflow: hipErrorLaunchFailure; with a line
/// on standard error) the device stays lost: this function, like all others that need the device, returns that error until
/// the process ends. A new process finds the device usable.
hipError_t hipDeviceReset(void);

// Properties

/// Fills in the properties of a device. hipErrorInvalidDevice if there is no such device.
hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *prop, int deviceId);

/// Stores one attribute of a device, which costs less than all properties.
hipError_t hipDeviceGetAttribute(int *pi, hipDeviceAttribute_t attr, int deviceId);

/// Stores the handle of a device, which is its number.
hipError_t hipDeviceGet(hipDevice_t *device, int ordinal);

/// Stores the name, cut to len bytes with the terminator.
hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device);

/// Stores an identifier that is the same in all processes on this machine.
hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device);

/// Stores the PCI address as a string such as "0000:03:00.0". hipErrorInvalidValue if len is too
/// small.
hipError_t hipDeviceGetPCIBusId(char *pciBusId, int len, int device);

/// Stores the device with this PCI address. hipErrorInvalidValue if none has it.
hipError_t hipDeviceGetByPCIBusId(int *device, const char *pciBusId);

/// Stores the size of the device's memory.
hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device);

/// Stores the compute capability, as CUDA programs ask for it.
hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device);

// Flags, limits and preferences of the current device

/// Sets how host threads wait for the device (hipDeviceSchedule...) and whether mapped host memory
/// is allowed.
hipError_t hipSetDeviceFlags(unsigned int flags);

/// Stores the flags of hipSetDeviceFlags.
hipError_t hipGetDeviceFlags(unsigned int *flags);

/// Stores a limit: stack size, printf buffer, or device heap. hipErrorInvalidValue for others.
hipError_t hipDeviceGetLimit(size_t *pValue, enum hipLimit_t limit);

/// Changes a limit. It takes effect for modules that are loaded afterwards.
hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);

/// Stores the priorities that streams can have. A lower number is a higher priority; both are 0 if
/// the device has only one.
hipError_t hipDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);

/// Stores the preferred split between cache and shared memory. It is hipFuncCachePreferNone where
/// the split is fixed.
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *cacheConfig);

/// States a preference for the split between cache and shared memory, which the device may ignore.
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig);

/// Stores the width of the banks of shared memory.
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *pConfig);

/// States a preference for the width of the banks of shared memory, which the device may ignore.
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);

#ifdef __cplusplus
}
#endif

#endif
