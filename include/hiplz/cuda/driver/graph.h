// SPDX-License-Identifier: MIT
// Graphs of the CUDA driver API.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "call.h"

HIPLZ_CU cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                  size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return (CUresult)hipGraphAddBatchMemOpNode(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
}
HIPLZ_CU cuGraphAddChildGraphNode(CUgraphNode *pGraphNode, CUgraph graph, const CUgraphNode *pDependencies,
                                  size_t numDependencies, CUgraph childGraph) {
  return (CUresult)hipGraphAddChildGraphNode(pGraphNode, graph, pDependencies, numDependencies, childGraph);
}
HIPLZ_CU cuGraphAddEmptyNode(CUgraphNode *pGraphNode, CUgraph graph, const CUgraphNode *pDependencies,
                             size_t numDependencies) {
  return (CUresult)hipGraphAddEmptyNode(pGraphNode, graph, pDependencies, numDependencies);
}
HIPLZ_CU cuGraphAddEventRecordNode(CUgraphNode *pGraphNode, CUgraph graph, const CUgraphNode *pDependencies,
                                   size_t numDependencies, CUevent event) {
  return (CUresult)hipGraphAddEventRecordNode(pGraphNode, graph, pDependencies, numDependencies, event);
}
HIPLZ_CU cuGraphAddEventWaitNode(CUgraphNode *pGraphNode, CUgraph graph, const CUgraphNode *pDependencies,
                                 size_t numDependencies, CUevent event) {
  return (CUresult)hipGraphAddEventWaitNode(pGraphNode, graph, pDependencies, numDependencies, event);
}
HIPLZ_CU cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *pGraphNode, CUgraph graph,
                                                const CUgraphNode *pDependencies, size_t numDependencies,
                                                const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams) {
  return (CUresult)hipGraphAddExternalSemaphoresSignalNode(pGraphNode, graph, pDependencies, numDependencies,
                                                           nodeParams);
}
HIPLZ_CU cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *pGraphNode, CUgraph graph, const CUgraphNode *pDependencies,
                                              size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams) {
  return (CUresult)hipGraphAddExternalSemaphoresWaitNode(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
}
HIPLZ_CU cuGraphAddHostNode(CUgraphNode *pGraphNode, CUgraph graph, const CUgraphNode *pDependencies,
                            size_t numDependencies, const CUDA_HOST_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphAddHostNode(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
}
HIPLZ_CU cuGraphAddKernelNode(CUgraphNode *pGraphNode, CUgraph graph, const CUgraphNode *pDependencies,
                              size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphAddKernelNode(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
}
HIPLZ_CU cuGraphAddMemAllocNode(CUgraphNode *pGraphNode, CUgraph graph, const CUgraphNode *pDependencies,
                                size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphAddMemAllocNode(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
}
HIPLZ_CU cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                               size_t numDependencies, CUdeviceptr dptr) {
  return (CUresult)hipDrvGraphAddMemFreeNode(phGraphNode, hGraph, dependencies, numDependencies, (hipDeviceptr_t)dptr);
}
HIPLZ_CU cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_MEMCPY3D *copyParams, CUcontext ctx) {
  return (CUresult)hipDrvGraphAddMemcpyNode(phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx);
}
HIPLZ_CU cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx) {
  return (CUresult)hipDrvGraphAddMemsetNode(phGraphNode, hGraph, dependencies, numDependencies,
                                            (const HIP_MEMSET_NODE_PARAMS *)memsetParams, ctx);
}
HIPLZ_CU cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out) {
  return (CUresult)hipGraphBatchMemOpNodeGetParams(hNode, nodeParams_out);
}
HIPLZ_CU cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return (CUresult)hipGraphBatchMemOpNodeSetParams(hNode, (hipBatchMemOpNodeParams *)nodeParams);
}
HIPLZ_CU cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *pGraph) {
  return (CUresult)hipGraphChildGraphNodeGetGraph(node, pGraph);
}
HIPLZ_CU cuGraphClone(CUgraph *pGraphClone, CUgraph originalGraph) {
  return (CUresult)hipGraphClone(pGraphClone, originalGraph);
}
HIPLZ_CU cuGraphCreate(CUgraph *pGraph, unsigned flags) { return (CUresult)hipGraphCreate(pGraph, flags); }
HIPLZ_CU cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags) {
  return (CUresult)hipGraphDebugDotPrint(graph, path, flags);
}
HIPLZ_CU cuGraphDestroy(CUgraph graph) { return (CUresult)hipGraphDestroy(graph); }
HIPLZ_CU cuGraphDestroyNode(CUgraphNode node) { return (CUresult)hipGraphDestroyNode(node); }
HIPLZ_CU cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event_out) {
  return (CUresult)hipGraphEventRecordNodeGetEvent(node, event_out);
}
HIPLZ_CU cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return (CUresult)hipGraphEventRecordNodeSetEvent(node, event);
}
HIPLZ_CU cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event_out) {
  return (CUresult)hipGraphEventWaitNodeGetEvent(node, event_out);
}
HIPLZ_CU cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return (CUresult)hipGraphEventWaitNodeSetEvent(node, event);
}

HIPLZ_CU cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return (CUresult)hipGraphExecBatchMemOpNodeSetParams(hGraphExec, hNode, nodeParams);
}
HIPLZ_CU cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode node, CUgraph childGraph) {
  return (CUresult)hipGraphExecChildGraphNodeSetParams(hGraphExec, node, childGraph);
}
HIPLZ_CU cuGraphExecDestroy(CUgraphExec graphExec) { return (CUresult)hipGraphExecDestroy(graphExec); }
HIPLZ_CU cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  return (CUresult)hipGraphExecEventRecordNodeSetEvent(hGraphExec, hNode, event);
}
HIPLZ_CU cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  return (CUresult)hipGraphExecEventWaitNodeSetEvent(hGraphExec, hNode, event);
}
HIPLZ_CU cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                          const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams) {
  return (CUresult)hipGraphExecExternalSemaphoresSignalNodeSetParams(hGraphExec, hNode, nodeParams);
}
HIPLZ_CU cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                        const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams) {
  return (CUresult)hipGraphExecExternalSemaphoresWaitNodeSetParams(hGraphExec, hNode, nodeParams);
}
HIPLZ_CU cuGraphExecGetFlags(CUgraphExec graphExec, cuuint64_t *flags) {
  return (CUresult)hipGraphExecGetFlags(graphExec, (unsigned long long *)flags);
}
HIPLZ_CU cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphExecHostNodeSetParams(hGraphExec, node, pNodeParams);
}
HIPLZ_CU cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphExecKernelNodeSetParams(hGraphExec, node, pNodeParams);
}
HIPLZ_CU cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D *copyParams,
                                        CUcontext ctx) {
  return (CUresult)hipDrvGraphExecMemcpyNodeSetParams(hGraphExec, hNode, copyParams, ctx);
}
HIPLZ_CU cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx) {
  return (CUresult)hipDrvGraphExecMemsetNodeSetParams(hGraphExec, hNode, (const HIP_MEMSET_NODE_PARAMS *)memsetParams,
                                                      ctx);
}
HIPLZ_CU cuGraphExecNodeSetParams(CUgraphExec graphExec, CUgraphNode node, CUgraphNodeParams *nodeParams) {
  return (CUresult)hipGraphExecNodeSetParams(graphExec, node, nodeParams);
}

HIPLZ_CU cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out) {
  return (CUresult)hipGraphExternalSemaphoresSignalNodeGetParams(hNode, params_out);
}
HIPLZ_CU cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode,
                                                      const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams) {
  return (CUresult)hipGraphExternalSemaphoresSignalNodeSetParams(hNode, nodeParams);
}
HIPLZ_CU cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params_out) {
  return (CUresult)hipGraphExternalSemaphoresWaitNodeGetParams(hNode, params_out);
}
HIPLZ_CU cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode,
                                                    const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams) {
  return (CUresult)hipGraphExternalSemaphoresWaitNodeSetParams(hNode, nodeParams);
}
HIPLZ_CU cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *numNodes) {
  return (CUresult)hipGraphGetNodes(graph, nodes, numNodes);
}
HIPLZ_CU cuGraphGetRootNodes(CUgraph graph, CUgraphNode *pRootNodes, size_t *pNumRootNodes) {
  return (CUresult)hipGraphGetRootNodes(graph, pRootNodes, pNumRootNodes);
}
HIPLZ_CU cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphHostNodeGetParams(node, pNodeParams);
}
HIPLZ_CU cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphHostNodeSetParams(node, pNodeParams);
}
HIPLZ_CU cuGraphInstantiateWithFlags(CUgraphExec *pGraphExec, CUgraph graph, unsigned long long flags) {
  return (CUresult)hipGraphInstantiateWithFlags(pGraphExec, graph, flags);
}
HIPLZ_CU cuGraphInstantiateWithParams(CUgraphExec *pGraphExec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams) {
  return (CUresult)hipGraphInstantiateWithParams(pGraphExec, graph, instantiateParams);
}
HIPLZ_CU cuGraphKernelNodeCopyAttributes(CUgraphNode hSrc, CUgraphNode hDst) {
  return (CUresult)hipGraphKernelNodeCopyAttributes(hSrc, hDst);
}
HIPLZ_CU cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, CUkernelNodeAttrValue *value) {
  return (CUresult)hipGraphKernelNodeGetAttribute(hNode, (hipLaunchAttributeID)attr, (hipLaunchAttributeValue *)value);
}
HIPLZ_CU cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphKernelNodeGetParams(node, pNodeParams);
}
HIPLZ_CU cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue *value) {
  return (CUresult)hipGraphKernelNodeSetAttribute(hNode, (hipLaunchAttributeID)attr,
                                                  (const hipLaunchAttributeValue *)value);
}
HIPLZ_CU cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphKernelNodeSetParams(node, pNodeParams);
}
HIPLZ_CU cuGraphLaunch(CUgraphExec graphExec, CUstream stream) { return (CUresult)hipGraphLaunch(graphExec, stream); }
HIPLZ_CU cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *pNodeParams) {
  return (CUresult)hipGraphMemAllocNodeGetParams(node, pNodeParams);
}
HIPLZ_CU cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *dev_ptr) {
  return (CUresult)hipGraphMemFreeNodeGetParams(node, (void *)dev_ptr);
}
HIPLZ_CU cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams) {
  return (CUresult)hipDrvGraphMemcpyNodeGetParams(hNode, nodeParams);
}
HIPLZ_CU cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams) {
  return (CUresult)hipDrvGraphMemcpyNodeSetParams(hNode, nodeParams);
}
HIPLZ_CU cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *parameters) {
  hipMemsetParams fill;
  hipError_t result = hipGraphMemsetNodeGetParams(node, &fill);
  if (result == hipSuccess) {
    parameters->dst = (hipDeviceptr_t)fill.dst;
    parameters->pitch = fill.pitch;
    parameters->value = fill.value;
    parameters->elementSize = fill.elementSize;
    parameters->width = fill.width;
    parameters->height = fill.height;
  }
  return (CUresult)result;
}
HIPLZ_CU cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *parameters) {
  hipMemsetParams fill;
  fill.dst = (void *)parameters->dst;
  fill.pitch = parameters->pitch;
  fill.value = parameters->value;
  fill.elementSize = parameters->elementSize;
  fill.width = parameters->width;
  fill.height = parameters->height;
  return (CUresult)hipGraphMemsetNodeSetParams(node, &fill);
}
HIPLZ_CU cuGraphNodeFindInClone(CUgraphNode *pNode, CUgraphNode originalNode, CUgraph clonedGraph) {
  return (CUresult)hipGraphNodeFindInClone(pNode, originalNode, clonedGraph);
}
HIPLZ_CU cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned *isEnabled) {
  return (CUresult)hipGraphNodeGetEnabled(hGraphExec, hNode, isEnabled);
}
HIPLZ_CU cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *pType) {
  return (CUresult)hipGraphNodeGetType(node, pType);
}
HIPLZ_CU cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned isEnabled) {
  return (CUresult)hipGraphNodeSetEnabled(hGraphExec, hNode, isEnabled);
}
HIPLZ_CU cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *nodeParams) {
  return (CUresult)hipGraphNodeSetParams(node, nodeParams);
}
HIPLZ_CU cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return (CUresult)hipGraphReleaseUserObject(graph, object, count);
}
HIPLZ_CU cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  return (CUresult)hipGraphRetainUserObject(graph, object, count, flags);
}
HIPLZ_CU cuGraphUpload(CUgraphExec graphExec, CUstream stream) { return (CUresult)hipGraphUpload(graphExec, stream); }
#include <hip/spirv/user_macros_on.h>
