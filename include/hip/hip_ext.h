// Launches with extensions: start and stop events, and global sizes in work-items.
#ifndef HIPLZ_HIP_EXT_H
#define HIPLZ_HIP_EXT_H

#include "hip_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Functions of modules

/// As hipModuleLaunchKernel, with the whole grid in work-items, which need not be a multiple of the
/// block, and with events before and after the kernel.
hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
                                    uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
                                    uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes,
                                    hipStream_t hStream, void** kernelParams, void** extra,
                                    hipEvent_t startEvent __dparm(NULL),
                                    hipEvent_t stopEvent __dparm(NULL),
                                    uint32_t flags __dparm(0));

/// As hipExtModuleLaunchKernel.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
                                    uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
                                    uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes,
                                    hipStream_t hStream, void** kernelParams, void** extra,
                                    hipEvent_t startEvent __dparm(NULL),
                                    hipEvent_t stopEvent __dparm(NULL));

#ifdef __cplusplus
}
#endif

#endif
