// SPDX-License-Identifier: MIT
// Functions of the CUDA driver API whose arguments are not those of a HIP function. In C++ they have CUDA 12's form and
// CUDA 13's; in C, which has no overloads, CUDA 13's alone.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "call.h"

// Contexts

/// The affinity of a context to multiprocessors. No device here has it.
typedef struct CUexecAffinityParam_st {
  int type;
  union {
    struct {
      unsigned val;
    } smCount;
  } param;
} CUexecAffinityParam;

/// How a context is made. Without parameters it is an ordinary one.
typedef struct CUctxCreateParams_st {
  CUexecAffinityParam *execAffinityParams;
  int numExecAffinityParams;
  void *cigParams;
} CUctxCreateParams;

HIPLZ_CU cuCtxCreate(CUcontext *ctx, CUctxCreateParams *params, unsigned flags, CUdevice device) {
  if (params && params->numExecAffinityParams != 0)
    return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  if (params && params->cigParams)
    return CUDA_ERROR_NOT_SUPPORTED;
  return (CUresult)hipCtxCreate(ctx, flags, device);
}

HIPLZ_CU cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin) {
  return (CUresult)hipModuleLoadData(module, fatCubin);
}

HIPLZ_CU cuProfilerInitialize(const char *configFile, const char *outputFile, int outputMode) {
  (void)configFile, (void)outputFile, (void)outputMode;
  return CUDA_ERROR_PROFILER_DISABLED;
}

// Hints of a function that have no effect

HIPLZ_CU cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  (void)config;
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
HIPLZ_CU cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  (void)config;
  return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

// Copies and fills

HIPLZ_CU cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return (CUresult)hipMemcpy((void *)dst, (const void *)src, bytes, hipMemcpyDefault);
}
HIPLZ_CU cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return (CUresult)hipMemcpyAsync((void *)dst, (const void *)src, bytes, hipMemcpyDefault, stream);
}
// Addresses tell the device, so that the contexts are not needed.
HIPLZ_CU cuMemcpyPeer(CUdeviceptr dst, CUcontext dstContext, CUdeviceptr src, CUcontext srcContext, size_t bytes) {
  (void)dstContext, (void)srcContext;
  return cuMemcpy(dst, src, bytes);
}
HIPLZ_CU cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dstContext, CUdeviceptr src, CUcontext srcContext, size_t bytes,
                           CUstream stream) {
  (void)dstContext, (void)srcContext;
  return cuMemcpyAsync(dst, src, bytes, stream);
}
HIPLZ_CU cuMemsetD2D8(CUdeviceptr dst, size_t pitch, unsigned char value, size_t width, size_t height) {
  return (CUresult)hipMemset2D((void *)dst, pitch, value, width, height);
}
HIPLZ_CU cuMemsetD2D8Async(CUdeviceptr dst, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
  return (CUresult)hipMemset2DAsync((void *)dst, pitch, value, width, height, stream);
}
HIPLZ_CU cuMemsetD2D16(CUdeviceptr dst, size_t pitch, unsigned short value, size_t width, size_t height) {
  hipError_t result = hipSuccess;
  for (size_t row = 0; row < height && result == hipSuccess; ++row)
    result = hipMemsetD16((hipDeviceptr_t)(dst + row * pitch), value, width);
  return (CUresult)result;
}
HIPLZ_CU cuMemsetD2D32(CUdeviceptr dst, size_t pitch, unsigned value, size_t width, size_t height) {
  hipError_t result = hipSuccess;
  for (size_t row = 0; row < height && result == hipSuccess; ++row)
    result = hipMemsetD32((hipDeviceptr_t)(dst + row * pitch), (int)value, width);
  return (CUresult)result;
}

// Managed memory. A location is a device, or the host.

#define HIPLZ_CU_DEVICE_OF(location) ((location).type == hipMemLocationTypeDevice ? (location).id : hipCpuDeviceId)

HIPLZ_CU cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation location) {
  return (CUresult)hipMemAdvise((const void *)pointer, bytes, advice, HIPLZ_CU_DEVICE_OF(location));
}
HIPLZ_CU cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned flags,
                            CUstream stream) {
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  return (CUresult)hipMemPrefetchAsync((const void *)pointer, bytes, HIPLZ_CU_DEVICE_OF(location), stream);
}

HIPLZ_CU cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return (CUresult)hipPointerGetAttribute(data, attribute, (hipDeviceptr_t)pointer);
}

// Occupancy

/// The bytes of dynamic shared memory that blocks of so many threads need.
typedef size_t (*CUoccupancyB2DSize)(int blockSize);

HIPLZ_CU cuOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize, CUfunction function,
                                                   CUoccupancyB2DSize sizeOfBlock, size_t bytes, int limit,
                                                   unsigned flags) {
  if (sizeOfBlock) // the larger the block, the more of it
    bytes = sizeOfBlock(limit > 0 ? limit : 1024);
  return (CUresult)hipModuleOccupancyMaxPotentialBlockSizeWithFlags(gridSize, blockSize, function, bytes, limit, flags);
}
HIPLZ_CU cuOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, CUfunction function,
                                          CUoccupancyB2DSize sizeOfBlock, size_t bytes, int limit) {
  if (sizeOfBlock)
    bytes = sizeOfBlock(limit > 0 ? limit : 1024);
  return (CUresult)hipModuleOccupancyMaxPotentialBlockSize(gridSize, blockSize, function, bytes, limit);
}

// Streams

typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *userData);
HIPLZ_CU cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *userData, unsigned flags) {
  return (CUresult)hipStreamAddCallback(stream, (hipStreamCallback_t)(void (*)(void))callback, userData, flags);
}
HIPLZ_CU cuStreamWaitValue32(CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags) {
  return (CUresult)hipStreamWaitValue32(stream, (void *)address, value, flags, 0xffffffffu);
}
HIPLZ_CU cuStreamWaitValue64(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags) {
  return (CUresult)hipStreamWaitValue64(stream, (void *)address, value, flags, ~(uint64_t)0);
}

// Graphs. An edge has no data but that of an ordinary dependency.

#define HIPLZ_CU_ORDINARY_EDGES(data, count)                                                                           \
  do {                                                                                                                 \
    for (size_t edge = 0; (data) && edge < (count); ++edge)                                                            \
      if ((data)[edge].from_port != 0 || (data)[edge].to_port != 0 || (data)[edge].type != 0)                          \
        return CUDA_ERROR_NOT_SUPPORTED;                                                                               \
  } while (0)

HIPLZ_CU cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                const CUgraphEdgeData *data, size_t count) {
  HIPLZ_CU_ORDINARY_EDGES(data, count);
  return (CUresult)hipGraphAddDependencies(graph, from, to, count);
}
HIPLZ_CU cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count) {
  HIPLZ_CU_ORDINARY_EDGES(data, count);
  return (CUresult)hipGraphRemoveDependencies(graph, from, to, count);
}
HIPLZ_CU cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                        size_t count, CUgraphNodeParams *parameters) {
  HIPLZ_CU_ORDINARY_EDGES(data, count);
  return (CUresult)hipGraphAddNode(node, graph, dependencies, count, parameters);
}
HIPLZ_CU cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count) {
  hipError_t result = hipGraphNodeGetDependencies(node, nodes, count);
  for (size_t edge = 0; data && nodes && result == hipSuccess && edge < *count; ++edge)
    data[edge].from_port = data[edge].to_port = data[edge].type = 0;
  return (CUresult)result;
}
HIPLZ_CU cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count) {
  hipError_t result = hipGraphNodeGetDependentNodes(node, nodes, count);
  for (size_t edge = 0; data && nodes && result == hipSuccess && edge < *count; ++edge)
    data[edge].from_port = data[edge].to_port = data[edge].type = 0;
  return (CUresult)result;
}
HIPLZ_CU cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count) {
  hipError_t result = hipGraphGetEdges(graph, from, to, count);
  for (size_t edge = 0; data && from && result == hipSuccess && edge < *count; ++edge)
    data[edge].from_port = data[edge].to_port = data[edge].type = 0;
  return (CUresult)result;
}
HIPLZ_CU cuGraphInstantiate(CUgraphExec *executable, CUgraph graph, unsigned long long flags) {
  return (CUresult)hipGraphInstantiateWithFlags(executable, graph, flags);
}

/// How an update of an executable graph went, and where it failed.
typedef struct CUgraphExecUpdateResultInfo_st {
  CUgraphExecUpdateResult result;
  CUgraphNode errorNode;
  CUgraphNode errorFromNode; ///< stays null: HIP does not tell it
} CUgraphExecUpdateResultInfo;
HIPLZ_CU cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  info->errorFromNode = NULL;
  return (CUresult)hipGraphExecUpdate(executable, graph, &info->errorNode, &info->result);
}

HIPLZ_CU cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count) {
  if (data)
    *data = NULL; // all edges are ordinary
  return (CUresult)hipStreamGetCaptureInfo_v2(stream, status, (unsigned long long *)id, graph, dependencies, count);
}
HIPLZ_CU cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *data,
                                           size_t count, unsigned flags) {
  HIPLZ_CU_ORDINARY_EDGES(data, count);
  return (CUresult)hipStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}

#ifdef __cplusplus
// CUDA 12's forms
inline CUresult cuCtxCreate(CUcontext *ctx, unsigned flags, CUdevice device) {
  return (CUresult)hipCtxCreate(ctx, flags, device);
}
inline CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUdevice device) {
  return (CUresult)hipMemAdvise((const void *)pointer, bytes, advice, device);
}
inline CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream) {
  return (CUresult)hipMemPrefetchAsync((const void *)pointer, bytes, device, stream);
}
inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return (CUresult)hipGraphAddDependencies(graph, from, to, count);
}
inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return (CUresult)hipGraphRemoveDependencies(graph, from, to, count);
}
inline CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                               CUgraphNodeParams *parameters) {
  return (CUresult)hipGraphAddNode(node, graph, dependencies, count, parameters);
}
inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count) {
  return (CUresult)hipGraphGetEdges(graph, from, to, count);
}
inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return (CUresult)hipGraphNodeGetDependencies(node, nodes, count);
}
inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return (CUresult)hipGraphNodeGetDependentNodes(node, nodes, count);
}
inline CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                       CUgraph *graph = nullptr, const CUgraphNode **dependencies = nullptr,
                                       size_t *count = nullptr) {
  return cuStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}
inline CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t count,
                                                  unsigned flags) {
  return (CUresult)hipStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}
#endif
#include <hip/spirv/user_macros_on.h>
