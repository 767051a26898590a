// SPDX-License-Identifier: MIT
// Forms of the runtime's functions that CUDA has and HIP does not: with fewer arguments, with typed pointers, and
// those that CUDA 12 changed. They are overloads of the HIP functions that the names stand for.
#pragma once

#include "../cuda_runtime_api.h"

inline hipError_t hipEventCreate(hipEvent_t *event, unsigned flags) { return hipEventCreateWithFlags(event, flags); }

template <class T> inline hipError_t hipHostGetDevicePointer(T **device, void *host, unsigned flags) {
  return hipHostGetDevicePointer(hiplz::untyped(device), host, flags);
}

template <class T>
inline hipError_t hipMemcpyToSymbolAsync(const T &symbol, const void *source, size_t size, size_t offset = 0) {
  return hipMemcpyToSymbolAsync(symbol, source, size, offset, hipMemcpyHostToDevice, (hipStream_t)0);
}
template <class T>
inline hipError_t hipMemcpyFromSymbolAsync(void *target, const T &symbol, size_t size, size_t offset = 0) {
  return hipMemcpyFromSymbolAsync(target, symbol, size, offset, hipMemcpyDeviceToHost, (hipStream_t)0);
}

template <class T>
inline hipError_t hipLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                             unsigned sharedBytes = 0) {
  return hipLaunchCooperativeKernel(kernel, grid, block, arguments, sharedBytes, (hipStream_t)0);
}

inline hipError_t hipGraphInstantiate(hipGraphExec_t *executable, hipGraph_t graph, unsigned long long flags = 0) {
  return hipGraphInstantiateWithFlags(executable, graph, flags);
}

/// How an update of an executable graph went, and where it failed.
struct cudaGraphExecUpdateResultInfo {
  hipGraphExecUpdateResult result;
  hipGraphNode_t errorNode;
  hipGraphNode_t errorFromNode; ///< stays null: HIP does not tell it
};
typedef cudaGraphExecUpdateResultInfo cudaGraphExecUpdateResultInfo_st;
inline hipError_t hipGraphExecUpdate(hipGraphExec_t executable, hipGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
  info->errorFromNode = nullptr;
  return hipGraphExecUpdate(executable, graph, &info->errorNode, &info->result);
}

inline hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status) {
  return hipStreamGetCaptureInfo(stream, status, nullptr);
}
inline hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id,
                                          hipGraph_t *graph, const hipGraphNode_t **dependencies = nullptr,
                                          size_t *count = nullptr) {
  return hipStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}
