// SPDX-License-Identifier: MIT
// The context API of CUDA driver programs. A HIP device has one primary context, and these functions work on it.
#ifndef HIPLZ_API_CONTEXT_H
#define HIPLZ_API_CONTEXT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a context of the device current for the calling thread. It stands for the device's primary
/// context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxCreate(hipCtx_t *ctx, unsigned int flags, hipDevice_t device);

/// Releases a context. The memory of the device stays, because the primary context owns it.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxDestroy(hipCtx_t ctx);

/// Makes a context current, and remembers the previous one.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxPushCurrent(hipCtx_t ctx);

/// Stores the current context and makes the previous one current again.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxPopCurrent(hipCtx_t *ctx);

/// Replaces the current context. Null leaves the thread without one.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetCurrent(hipCtx_t ctx);

/// Stores the current context, or null.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetCurrent(hipCtx_t *ctx);

/// Stores the device of the current context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetDevice(hipDevice_t *device);

/// Stores the version of the API that the context was made for.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
#if HIPLZ_HIP_VERSION >= 7
hipError_t hipCtxGetApiVersion(hipCtx_t ctx, unsigned int *apiVersion);
#else
hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int *apiVersion);
#endif

/// Like hipDeviceGetCacheConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetCacheConfig(hipFuncCache_t *cacheConfig);

/// Like hipDeviceSetCacheConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetCacheConfig(hipFuncCache_t cacheConfig);

/// Like hipDeviceGetSharedMemConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *pConfig);

/// Like hipDeviceSetSharedMemConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);

/// Like hipDeviceSynchronize, for the device of the current context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxSynchronize(void);

/// Stores the flags that the current context was made with.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxGetFlags(unsigned int *flags);

/// Like hipDeviceEnablePeerAccess, for the device of peerCtx.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags);

/// Like hipDeviceDisablePeerAccess, for the device of peerCtx.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipCtxDisablePeerAccess(hipCtx_t peerCtx);

/// Stores the primary context of a device and counts the use.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *pctx, hipDevice_t dev);

/// Undoes one hipDevicePrimaryCtxRetain.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev);

/// Like hipDeviceReset, for a device that need not be current.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxReset(hipDevice_t dev);

/// Stores the flags of the primary context and whether it is in use.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int *flags, int *active);

/// Sets the flags of the primary context. hipErrorContextAlreadyInUse if it is in use.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif
