// SPDX-License-Identifier: MIT
// Launching kernels, and the attributes of functions.
#ifndef HIPLZ_API_LAUNCH_H
#define HIPLZ_API_LAUNCH_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)
#define HIP_LAUNCH_PARAM_END ((void *)0x03)
#define hipCooperativeLaunchMultiDeviceNoPreSync 0x01
#define hipCooperativeLaunchMultiDeviceNoPostSync 0x02
#define hipExtAnyOrderLaunch 0x01

/// The needs of a kernel and its limits.
typedef struct hipFuncAttributes {
  int binaryVersion;
  int cacheModeCA;
  size_t constSizeBytes; ///< constant memory
  size_t localSizeBytes; ///< private memory of a work-item
  int maxDynamicSharedSizeBytes;
  int maxThreadsPerBlock;
  int numRegs; ///< 0 where it is not known
  int preferredShmemCarveout;
  int ptxVersion;
  size_t sharedSizeBytes; ///< static shared memory of a block
} hipFuncAttributes;

/// One launch of hipLaunchCooperativeKernelMultiDevice.
typedef struct hipLaunchParams_t {
  void *func;
  dim3 gridDim;
  dim3 blockDim;
  void **args;
  size_t sharedMem;
  hipStream_t stream;
} hipLaunchParams;

/// One launch of hipModuleLaunchCooperativeKernelMultiDevice.
typedef struct hipFunctionLaunchParams_t {
  hipFunction_t function;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  hipStream_t hStream;
  void **kernelParams;
} hipFunctionLaunchParams;

/// Attributes of a kernel that can be changed.
typedef enum hipFuncAttribute {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8,
  hipFuncAttributePreferredSharedMemoryCarveout,
  hipFuncAttributeMax
} hipFuncAttribute;

// Functions on the host side

/// Launches a kernel. args holds a pointer to each argument, and what they point to is read before
/// the call returns. hipErrorInvalidDeviceFunction if there is no such kernel,
/// hipErrorInvalidConfiguration for a zero or too large grid or block.
hipError_t hipLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks, void **args,
                           size_t sharedMemBytes __dparm(0), hipStream_t stream __dparm(0));

/// Like hipLaunchKernel; all blocks run at the same time and can synchronise.
/// hipErrorCooperativeLaunchTooLarge if they do not fit.
hipError_t hipLaunchCooperativeKernel(const void *f, dim3 gridDim, dim3 blockDimX, void **kernelParams,
                                      unsigned int sharedMemBytes, hipStream_t stream);

/// Launches a cooperative kernel on several devices.
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launchParamsList, int numDevices, unsigned int flags);

/// Like hipLaunchKernel, and records events before and after the kernel. Either may be null.
hipError_t hipExtLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks, void **args,
                              size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent,
                              int flags);

/// Launches one kernel on each of several devices.
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launchParamsList, int numDevices, unsigned int flags);

/// Stores the resources that a kernel needs and its limits.
hipError_t hipFuncGetAttributes(struct hipFuncAttributes *attr, const void *func);

/// Changes the limit of dynamic shared memory, or a preference, of a kernel.
hipError_t hipFuncSetAttribute(const void *func, hipFuncAttribute attr, int value);

/// States a preference for the split between cache and shared memory, which the device may ignore.
hipError_t hipFuncSetCacheConfig(const void *func, hipFuncCache_t config);

/// States a preference for the width of the banks of shared memory, which the device may ignore.
hipError_t hipFuncSetSharedMemConfig(const void *func, hipSharedMemConfig config);

// Functions of modules

/// Launches a kernel of a module. Its arguments come from kernelParams as for hipLaunchKernel, or
/// packed in a buffer that extra describes (HIP_LAUNCH_PARAM_...), but not from both.
hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream, void **kernelParams, void **extra);

/// Like hipModuleLaunchKernel; all blocks run at the same time and can synchronise.
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                            unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                            unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
                                            void **kernelParams);

/// Launches a cooperative kernel of a module on several devices.
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams *launchParamsList,
                                                       unsigned int numDevices, unsigned int flags);

/// Stores one attribute of a kernel of a module.
hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attrib, hipFunction_t hfunc);

// Launch in steps

/// Prepares a launch: its grid, block, dynamic shared memory and stream. Part of the old launch
/// protocol.
hipError_t hipConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem __dparm(0), hipStream_t stream __dparm(0));

/// Adds an argument to the launch that hipConfigureCall has prepared, at an offset in the argument
/// buffer.
hipError_t hipSetupArgument(const void *arg, size_t size, size_t offset);

/// Launches the kernel with what hipConfigureCall and hipSetupArgument have prepared.
hipError_t hipLaunchByPtr(const void *func);

/// Called by compiled code for the part between <<< and >>>. The kernel's host function pops it.
hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem __dparm(0),
                                      hipStream_t stream __dparm(0));

/// Called by the host function of a kernel, before it calls hipLaunchKernel.
hipError_t __hipPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, hipStream_t *stream);

#ifdef __cplusplus
}
#endif

#endif
