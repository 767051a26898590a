// SPDX-License-Identifier: MIT
// Conditional nodes of graphs. HIP does not have them; HIPLZ adds them to it (hiplz/graph_conditions.h).
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "../cuda_runtime_api.h"

#include <hiplz/graph_conditions.h>

#define cudaGraphNodeTypeConditional hiplzGraphNodeTypeConditional
#define cudaGraphConditionalHandle hiplzGraphConditionalHandle
#define cudaGraphConditionalNodeType hiplzGraphConditionalType
#define cudaGraphCondTypeIf hiplzGraphConditionalIf
#define cudaGraphCondTypeWhile hiplzGraphConditionalWhile
#define cudaGraphCondTypeSwitch hiplzGraphConditionalSwitch
#define cudaGraphCondAssignDefault hiplzGraphConditionalAssignDefault
#define cudaConditionalNodeParams hiplzConditionalNodeParams
#ifdef __HIPCC__
#define cudaGraphSetConditional hiplzGraphSetConditional
#endif

inline hipError_t cudaGraphConditionalHandleCreate(hiplzGraphConditionalHandle *handle, hipGraph_t graph,
                                                   unsigned defaultValue = 0, unsigned flags = 0) {
  return hiplzGraphConditionalHandleCreate(handle, graph, defaultValue, flags);
}

/// hipGraphNodeParams with conditional nodes.
struct cudaGraphNodeParams {
  hipGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    hipKernelNodeParams kernel;
    hipMemcpyNodeParams memcpy;
    hipMemsetParams memset;
    hipHostNodeParams host;
    hipChildGraphNodeParams graph;
    hipEventWaitNodeParams eventWait;
    hipEventRecordNodeParams eventRecord;
    hipExternalSemaphoreSignalNodeParams extSemSignal;
    hipExternalSemaphoreWaitNodeParams extSemWait;
    hipMemAllocNodeParams alloc;
    hipMemFreeNodeParams free;
    hiplzConditionalNodeParams conditional;
  };
  long long reserved2;
};
static_assert(sizeof(cudaGraphNodeParams) == sizeof(hipGraphNodeParams), "");

inline hipError_t hipGraphAddNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                  size_t count, cudaGraphNodeParams *parameters) {
  if (parameters && parameters->type == hiplzGraphNodeTypeConditional)
    return hiplzGraphAddConditionalNode(node, graph, dependencies, count, &parameters->conditional);
  return hipGraphAddNode(node, graph, dependencies, count, reinterpret_cast<hipGraphNodeParams *>(parameters));
}
inline hipError_t hipGraphNodeSetParams(hipGraphNode_t node, cudaGraphNodeParams *parameters) {
  return hipGraphNodeSetParams(node, reinterpret_cast<hipGraphNodeParams *>(parameters));
}
inline hipError_t hipGraphExecNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                            cudaGraphNodeParams *parameters) {
  return hipGraphExecNodeSetParams(executable, node, reinterpret_cast<hipGraphNodeParams *>(parameters));
}

#include <hip/spirv/user_macros_on.h>
