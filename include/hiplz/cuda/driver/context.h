// SPDX-License-Identifier: MIT
// Devices, contexts, events and user objects of the CUDA driver API.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "../forms/attributes.h"
#include "call.h"

HIPLZ_CU cuCtxDestroy(CUcontext ctx) { return (CUresult)hipCtxDestroy(ctx); }
HIPLZ_CU cuCtxDisablePeerAccess(CUcontext peerCtx) { return (CUresult)hipCtxDisablePeerAccess(peerCtx); }
HIPLZ_CU cuCtxEnablePeerAccess(CUcontext peerCtx, unsigned flags) {
  return (CUresult)hipCtxEnablePeerAccess(peerCtx, flags);
}
HIPLZ_CU cuCtxGetApiVersion(CUcontext ctx, unsigned *apiVersion) {
  return (CUresult)hipCtxGetApiVersion(ctx, (int *)apiVersion);
}
HIPLZ_CU cuCtxGetCacheConfig(CUfunc_cache *cacheConfig) { return (CUresult)hipCtxGetCacheConfig(cacheConfig); }
HIPLZ_CU cuCtxGetCurrent(CUcontext *ctx) { return (CUresult)hipCtxGetCurrent(ctx); }
HIPLZ_CU cuCtxGetDevice(CUdevice *device) { return (CUresult)hipCtxGetDevice(device); }
HIPLZ_CU cuCtxGetFlags(unsigned *flags) { return (CUresult)hipCtxGetFlags(flags); }
HIPLZ_CU cuCtxGetLimit(size_t *pValue, enum CUlimit limit) { return (CUresult)hipDeviceGetLimit(pValue, limit); }
HIPLZ_CU cuCtxGetSharedMemConfig(CUsharedconfig *pConfig) { return (CUresult)hipCtxGetSharedMemConfig(pConfig); }
HIPLZ_CU cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  return (CUresult)hipDeviceGetStreamPriorityRange(leastPriority, greatestPriority);
}
HIPLZ_CU cuCtxPopCurrent(CUcontext *ctx) { return (CUresult)hipCtxPopCurrent(ctx); }
HIPLZ_CU cuCtxPushCurrent(CUcontext ctx) { return (CUresult)hipCtxPushCurrent(ctx); }
HIPLZ_CU cuCtxSetCacheConfig(CUfunc_cache cacheConfig) { return (CUresult)hipCtxSetCacheConfig(cacheConfig); }
HIPLZ_CU cuCtxSetCurrent(CUcontext ctx) { return (CUresult)hipCtxSetCurrent(ctx); }
HIPLZ_CU cuCtxSetLimit(enum CUlimit limit, size_t value) { return (CUresult)hipDeviceSetLimit(limit, value); }
HIPLZ_CU cuCtxSetSharedMemConfig(CUsharedconfig config) { return (CUresult)hipCtxSetSharedMemConfig(config); }
HIPLZ_CU cuCtxSynchronize(void) { return (CUresult)hipCtxSynchronize(); }

HIPLZ_CU cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice deviceId, CUdevice peerDeviceId) {
  return (CUresult)hipDeviceCanAccessPeer(canAccessPeer, (int)deviceId, (int)peerDeviceId);
}
HIPLZ_CU cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  return (CUresult)hipDeviceComputeCapability(major, minor, device);
}
HIPLZ_CU cuDeviceGet(CUdevice *device, int ordinal) { return (CUresult)hipDeviceGet(device, ordinal); }
HIPLZ_CU cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return (CUresult)cudaDeviceGetAttribute(value, attribute, device);
}
HIPLZ_CU cuDeviceGetByPCIBusId(CUdevice *device, const char *pciBusId) {
  return (CUresult)hipDeviceGetByPCIBusId((int *)device, pciBusId);
}
HIPLZ_CU cuDeviceGetCount(int *count) { return (CUresult)hipGetDeviceCount(count); }
HIPLZ_CU cuDeviceGetDefaultMemPool(CUmemoryPool *mem_pool, CUdevice device) {
  return (CUresult)hipDeviceGetDefaultMemPool(mem_pool, (int)device);
}
HIPLZ_CU cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  return (CUresult)hipDeviceGetGraphMemAttribute((int)device, attr, value);
}
HIPLZ_CU cuDeviceGetMemPool(CUmemoryPool *mem_pool, CUdevice device) {
  return (CUresult)hipDeviceGetMemPool(mem_pool, (int)device);
}
HIPLZ_CU cuDeviceGetName(char *name, int len, CUdevice device) { return (CUresult)hipDeviceGetName(name, len, device); }
HIPLZ_CU cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attr, CUdevice srcDevice, CUdevice dstDevice) {
  return (CUresult)hipDeviceGetP2PAttribute(value, attr, (int)srcDevice, (int)dstDevice);
}
HIPLZ_CU cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice device) {
  return (CUresult)hipDeviceGetPCIBusId(pciBusId, len, (int)device);
}
HIPLZ_CU cuDeviceGetUuid(CUuuid *uuid, CUdevice device) { return (CUresult)hipDeviceGetUuid(uuid, device); }
HIPLZ_CU cuDeviceGraphMemTrim(CUdevice device) { return (CUresult)hipDeviceGraphMemTrim((int)device); }
HIPLZ_CU cuDevicePrimaryCtxGetState(CUdevice dev, unsigned *flags, int *active) {
  return (CUresult)hipDevicePrimaryCtxGetState(dev, flags, active);
}
HIPLZ_CU cuDevicePrimaryCtxRelease(CUdevice dev) { return (CUresult)hipDevicePrimaryCtxRelease(dev); }
HIPLZ_CU cuDevicePrimaryCtxReset(CUdevice dev) { return (CUresult)hipDevicePrimaryCtxReset(dev); }
HIPLZ_CU cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev) {
  return (CUresult)hipDevicePrimaryCtxRetain(pctx, dev);
}
HIPLZ_CU cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned flags) {
  return (CUresult)hipDevicePrimaryCtxSetFlags(dev, flags);
}
HIPLZ_CU cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  return (CUresult)hipDeviceSetGraphMemAttribute((int)device, attr, value);
}
HIPLZ_CU cuDeviceSetMemPool(CUdevice device, CUmemoryPool mem_pool) {
  return (CUresult)hipDeviceSetMemPool((int)device, mem_pool);
}
HIPLZ_CU cuDeviceTotalMem(size_t *bytes, CUdevice device) { return (CUresult)hipDeviceTotalMem(bytes, device); }

HIPLZ_CU cuDriverGetVersion(int *driverVersion) { return (CUresult)hipDriverGetVersion(driverVersion); }

HIPLZ_CU cuEventCreate(CUevent *event, unsigned flags) { return (CUresult)hipEventCreateWithFlags(event, flags); }
HIPLZ_CU cuEventDestroy(CUevent event) { return (CUresult)hipEventDestroy(event); }
HIPLZ_CU cuEventElapsedTime(float *ms, CUevent start, CUevent stop) {
  return (CUresult)hipEventElapsedTime(ms, start, stop);
}
HIPLZ_CU cuEventQuery(CUevent event) { return (CUresult)hipEventQuery(event); }
HIPLZ_CU cuEventRecord(CUevent event, CUstream stream) { return (CUresult)hipEventRecord(event, stream); }
HIPLZ_CU cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return (CUresult)hipEventRecordWithFlags(event, stream, flags);
}
HIPLZ_CU cuEventSynchronize(CUevent event) { return (CUresult)hipEventSynchronize(event); }

HIPLZ_CU cuGetErrorName(CUresult error, const char **name) {
  switch ((int)error) {
#define HIPLZ_CU_RESULT(NAME, number)                                                                                  \
  case number:                                                                                                         \
    *name = #NAME;                                                                                                     \
    return CUDA_SUCCESS;
#include "results.def"
#undef HIPLZ_CU_RESULT
  default: return (CUresult)hipDrvGetErrorName((hipError_t)error, name);
  }
}
HIPLZ_CU cuGetErrorString(CUresult hipError, const char **errorString) {
  return (CUresult)hipDrvGetErrorString((hipError_t)hipError, errorString);
}

HIPLZ_CU cuInit(unsigned flags) { return (CUresult)hipInit(flags); }

HIPLZ_CU cuProfilerStart(void) { return (CUresult)hipProfilerStart(); }
HIPLZ_CU cuProfilerStop(void) { return (CUresult)hipProfilerStop(); }

HIPLZ_CU cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  return (CUresult)hipThreadExchangeStreamCaptureMode(mode);
}

HIPLZ_CU cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy, unsigned initialRefcount,
                            unsigned flags) {
  return (CUresult)hipUserObjectCreate(object_out, ptr, destroy, initialRefcount, flags);
}
HIPLZ_CU cuUserObjectRelease(CUuserObject object, unsigned count) {
  return (CUresult)hipUserObjectRelease(object, count);
}
HIPLZ_CU cuUserObjectRetain(CUuserObject object, unsigned count) {
  return (CUresult)hipUserObjectRetain(object, count);
}
#include <hip/spirv/user_macros_on.h>
