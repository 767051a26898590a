// SPDX-License-Identifier: MIT
// Forms of the runtime's functions that CUDA has and HIP does not: with fewer arguments, with typed pointers, and
// those that CUDA 12 changed. They are overloads of the HIP functions that the names stand for.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "conditional_graphs.h"

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

// CUDA 13's forms: places of memory, and data of edges, of which there is only that of an ordinary dependency.

inline hipError_t hipMemPrefetchAsync(const void *pointer, size_t bytes, hipMemLocation location, unsigned flags,
                                      hipStream_t stream = nullptr) {
  if (flags != 0)
    return hipErrorInvalidValue;
  return hipMemPrefetchAsync(pointer, bytes, location.type == hipMemLocationTypeDevice ? location.id : hipCpuDeviceId,
                             stream);
}
inline hipError_t hipMemAdvise(const void *pointer, size_t bytes, hipMemoryAdvise advice, hipMemLocation location) {
  return hipMemAdvise(pointer, bytes, advice, location.type == hipMemLocationTypeDevice ? location.id : hipCpuDeviceId);
}

namespace hiplz {
/// True if all edges are ordinary dependencies.
inline bool areOrdinaryEdges(const hipGraphEdgeData *data, size_t count) {
  for (size_t i = 0; data && i < count; ++i)
    if (data[i].from_port != 0 || data[i].to_port != 0 || data[i].type != 0)
      return false;
  return true;
}
/// Writes the data of ordinary edges, if they were asked for.
inline hipError_t withEdgeData(hipError_t result, hipGraphEdgeData *data, const void *nodes, const size_t *count) {
  for (size_t i = 0; data && nodes && result == hipSuccess && i < *count; ++i)
    data[i] = hipGraphEdgeData();
  return result;
}
} // namespace hiplz

inline hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                          const hipGraphEdgeData *data, size_t count) {
  if (!hiplz::areOrdinaryEdges(data, count))
    return hipErrorNotSupported;
  return hipGraphAddDependencies(graph, from, to, count);
}
inline hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                             const hipGraphEdgeData *data, size_t count) {
  if (!hiplz::areOrdinaryEdges(data, count))
    return hipErrorNotSupported;
  return hipGraphRemoveDependencies(graph, from, to, count);
}
inline hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to, hipGraphEdgeData *data,
                                   size_t *count) {
  return hiplz::withEdgeData(hipGraphGetEdges(graph, from, to, count), data, from, count);
}
inline hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *nodes, hipGraphEdgeData *data,
                                              size_t *count) {
  return hiplz::withEdgeData(hipGraphNodeGetDependencies(node, nodes, count), data, nodes, count);
}
inline hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *nodes, hipGraphEdgeData *data,
                                                size_t *count) {
  return hiplz::withEdgeData(hipGraphNodeGetDependentNodes(node, nodes, count), data, nodes, count);
}
inline hipError_t hipGraphAddNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                  const hipGraphEdgeData *data, size_t count, cudaGraphNodeParams *parameters) {
  if (!hiplz::areOrdinaryEdges(data, count))
    return hipErrorNotSupported;
  return hipGraphAddNode(node, graph, dependencies, count, parameters);
}
inline hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id,
                                          hipGraph_t *graph, const hipGraphNode_t **dependencies,
                                          const hipGraphEdgeData **data, size_t *count) {
  if (data)
    *data = nullptr; // all edges are ordinary
  return hipStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}
inline hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies,
                                                     const hipGraphEdgeData *data, size_t count, unsigned flags = 0) {
  if (!hiplz::areOrdinaryEdges(data, count))
    return hipErrorNotSupported;
  return hipStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}

// Attributes of streams. A window of a cache is a hint that no device takes: setting it succeeds, and there is none.

#define cudaStreamAttrID hipLaunchAttributeID
#define cudaStreamAttrValue hipLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow hipLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributePriority hipLaunchAttributePriority

inline hipError_t cudaStreamSetAttribute(hipStream_t stream, hipLaunchAttributeID attribute,
                                         const hipLaunchAttributeValue *value) {
  unsigned flags;
  if (hipError_t result = hiplzStreamGetFlags(stream, &flags); result != hipSuccess)
    return result;
  if (!value)
    return hipErrorInvalidValue;
  return attribute == hipLaunchAttributeAccessPolicyWindow ? hipSuccess : hipErrorNotSupported;
}
inline hipError_t cudaStreamGetAttribute(hipStream_t stream, hipLaunchAttributeID attribute,
                                         hipLaunchAttributeValue *value) {
  int priority;
  if (hipError_t result = hipStreamGetPriority(stream ? stream : hipStreamLegacy, &priority); result != hipSuccess)
    return result;
  if (!value)
    return hipErrorInvalidValue;
  *value = hipLaunchAttributeValue();
  if (attribute == hipLaunchAttributePriority)
    value->priority = priority;
  else if (attribute != hipLaunchAttributeAccessPolicyWindow)
    return hipErrorNotSupported;
  return hipSuccess;
}
inline hipError_t cudaCtxResetPersistingL2Cache() { return hipSuccess; }

// The part of the L2 cache for persisting accesses has at most persistingL2CacheMaxSize bytes, which is 0.
#define cudaLimitPersistingL2CacheSize ((hipLimit_t)6)
inline hipError_t cudaDeviceSetLimit(hipLimit_t limit, size_t value) {
  return limit == cudaLimitPersistingL2CacheSize ? hipSuccess : hipDeviceSetLimit(limit, value);
}
inline hipError_t cudaDeviceGetLimit(size_t *value, hipLimit_t limit) {
  if (limit != cudaLimitPersistingL2CacheSize)
    return hipDeviceGetLimit(value, limit);
  if (!value)
    return hipErrorInvalidValue;
  *value = 0;
  return hipSuccess;
}
#include <hip/spirv/user_macros_on.h>
