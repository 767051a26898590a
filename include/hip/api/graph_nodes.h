// SPDX-License-Identifier: MIT
// Nodes of graphs: adding them, and reading and changing their parameters.
#ifndef HIPLZ_API_GRAPH_NODES_H
#define HIPLZ_API_GRAPH_NODES_H

#include "graph_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Building

/// Stores the nodes that depend on none, at most *pNumRootNodes of them. With a null array it only
/// stores their number.
hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *pRootNodes, size_t *pNumRootNodes);

/// Stores all nodes, at most *numNodes of them. With a null array it only stores their number.
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *numNodes);

// Nodes of any kind

/// Adds a node of any kind.
hipError_t hipGraphAddNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                           size_t numDependencies, hipGraphNodeParams *nodeParams);

/// Changes the parameters of a node. The kind must stay.
hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams *nodeParams);

/// Changes the parameters of a node in an executable graph.
hipError_t hipGraphExecNodeSetParams(hipGraphExec_t graphExec, hipGraphNode_t node, hipGraphNodeParams *nodeParams);

/// Removes a node and its edges.
hipError_t hipGraphDestroyNode(hipGraphNode_t node);

/// Stores the kind of a node.
hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *pType);

/// Stores the nodes that a node depends on, at most *pNumDependencies of them. With a null array it
/// only stores their number.
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *pDependencies, size_t *pNumDependencies);

/// Stores the nodes that depend on a node, at most *pNumDependentNodes of them. With a null array
/// it only stores their number.
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *pDependentNodes,
                                         size_t *pNumDependentNodes);

/// Stores the node of a clone that corresponds to a node of the original.
hipError_t hipGraphNodeFindInClone(hipGraphNode_t *pNode, hipGraphNode_t originalNode, hipGraph_t clonedGraph);

/// Stores whether a node of an executable graph runs.
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, unsigned int *isEnabled);

/// Switches a kernel, copy or fill of an executable graph on or off.
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, unsigned int isEnabled);

/// Adds a node that does nothing and collects dependencies.
hipError_t hipGraphAddEmptyNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                size_t numDependencies);

// Kernels

/// Adds a kernel. Its arguments are copied.
hipError_t hipGraphAddKernelNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                 size_t numDependencies, const hipKernelNodeParams *pNodeParams);

/// Stores the parameters. They are valid until they are changed.
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *pNodeParams);

/// Changes the parameters.
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams *pNodeParams);

/// Changes the parameters in an executable graph. The function must stay on the same device.
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                           const hipKernelNodeParams *pNodeParams);

/// Stores an attribute of the launch.
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr,
                                          hipLaunchAttributeValue *value);

/// Changes an attribute of the launch.
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr,
                                          const hipLaunchAttributeValue *value);

/// Copies all attributes of one kernel node to another.
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t hSrc, hipGraphNode_t hDst);

// Copies

/// Adds a copy in up to three dimensions.
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                 size_t numDependencies, const hipMemcpy3DParms *pCopyParams);

/// Stores the parameters of a copy.
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *pNodeParams);

/// Changes the parameters of a copy.
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms *pNodeParams);

/// Changes the parameters of a copy in an executable graph. The direction must stay.
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                           hipMemcpy3DParms *pNodeParams);

/// Adds a copy of count bytes.
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                   size_t numDependencies, void *dst, const void *src, size_t count,
                                   hipMemcpyKind kind);

/// Turns a copy into one of count bytes.
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src, size_t count,
                                         hipMemcpyKind kind);

/// Changes a copy of bytes in an executable graph.
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t hGraphExec, hipGraphNode_t node, void *dst, const void *src,
                                             size_t count, hipMemcpyKind kind);

/// Adds a copy to a device variable.
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                         const hipGraphNode_t *pDependencies, size_t numDependencies,
                                         const void *symbol, const void *src, size_t count, size_t offset,
                                         hipMemcpyKind kind);

/// Turns a copy into one to a device variable.
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void *symbol, const void *src, size_t count,
                                               size_t offset, hipMemcpyKind kind);

/// Changes a copy to a device variable in an executable graph.
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node, const void *symbol,
                                                   const void *src, size_t count, size_t offset, hipMemcpyKind kind);

/// Adds a copy from a device variable.
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                           const hipGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                           const void *symbol, size_t count, size_t offset, hipMemcpyKind kind);

/// Turns a copy into one from a device variable.
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst, const void *symbol, size_t count,
                                                 size_t offset, hipMemcpyKind kind);

/// Changes a copy from a device variable in an executable graph.
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node, void *dst,
                                                     const void *symbol, size_t count, size_t offset,
                                                     hipMemcpyKind kind);

/// Adds a copy with the description of the driver API.
hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                    size_t numDependencies, const HIP_MEMCPY3D *copyParams, hipCtx_t ctx);

/// Stores the parameters of such a copy.
hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t hNode, HIP_MEMCPY3D *nodeParams);

/// Changes the parameters of such a copy.
hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t hNode, const HIP_MEMCPY3D *nodeParams);

/// Changes the parameters of such a copy in an executable graph.
hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                              const HIP_MEMCPY3D *copyParams, hipCtx_t ctx);

// Fills

/// Adds a fill with elements of 1, 2 or 4 bytes.
hipError_t hipGraphAddMemsetNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                 size_t numDependencies, const hipMemsetParams *pMemsetParams);

/// Stores the parameters of a fill.
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *pNodeParams);

/// Changes the parameters of a fill.
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams *pNodeParams);

/// Changes the parameters of a fill in an executable graph.
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                           const hipMemsetParams *pNodeParams);

/// Adds a fill with the description of the driver API.
hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                    size_t numDependencies, const hipDrvMemsetNodeParams *memsetParams, hipCtx_t ctx);

/// Changes the parameters of such a fill in an executable graph.
hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                              const hipDrvMemsetNodeParams *memsetParams, hipCtx_t ctx);

// Allocation

/// Adds an allocation and stores its address in the parameters at once.
hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                   size_t numDependencies, hipMemAllocNodeParams *pNodeParams);

/// Stores the parameters of an allocation.
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *pNodeParams);

/// Adds the release of memory that a node of this or of another graph allocates.
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                  size_t numDependencies, void *dev_ptr);

/// Stores the address in the pointer that dev_ptr points to.
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *dev_ptr);

/// Like hipGraphAddMemFreeNode.
hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                     size_t numDependencies, hipDeviceptr_t dptr);

// Host functions

/// Adds a call of a function on the host, which must not call HIP.
hipError_t hipGraphAddHostNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                               size_t numDependencies, const hipHostNodeParams *pNodeParams);

/// Stores the parameters of a host function.
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *pNodeParams);

/// Changes the parameters of a host function.
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams *pNodeParams);

/// Changes the parameters of a host function in an executable graph.
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                         const hipHostNodeParams *pNodeParams);

// Child graphs

/// Adds a copy of a graph as one node.
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                     size_t numDependencies, hipGraph_t childGraph);

/// Stores the graph in the node, which owns it.
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *pGraph);

/// Changes the parameters of a child graph in an executable graph. Nodes and edges must be the
/// same.
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node, hipGraph_t childGraph);

// Events

/// Adds the record of an event.
hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                      size_t numDependencies, hipEvent_t event);

/// Stores the event that is recorded.
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event_out);

/// Changes the event that is recorded.
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event);

/// Changes the event that is recorded in an executable graph.
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, hipEvent_t event);

/// Adds a wait for an event.
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                    size_t numDependencies, hipEvent_t event);

/// Stores the event that is waited for.
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event_out);

/// Changes the event that is waited for.
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event);

/// Changes the event that is waited for in an executable graph.
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, hipEvent_t event);

// Words in memory

/// Adds the operations of hipStreamBatchMemOp as one node.
hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                     size_t numDependencies, const hipBatchMemOpNodeParams *nodeParams);

/// Stores the operations.
hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t hNode, hipBatchMemOpNodeParams *nodeParams_out);

/// Changes the operations.
hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t hNode, hipBatchMemOpNodeParams *nodeParams);

/// Changes the operations in an executable graph.
hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                               const hipBatchMemOpNodeParams *nodeParams);

// External semaphores

/// Adds a signal of imported semaphores.
hipError_t hipGraphAddExternalSemaphoresSignalNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                                   const hipGraphNode_t *pDependencies, size_t numDependencies,
                                                   const hipExternalSemaphoreSignalNodeParams *nodeParams);

/// Stores what is signalled.
hipError_t hipGraphExternalSemaphoresSignalNodeGetParams(hipGraphNode_t hNode,
                                                         hipExternalSemaphoreSignalNodeParams *params_out);

/// Changes what is signalled.
hipError_t hipGraphExternalSemaphoresSignalNodeSetParams(hipGraphNode_t hNode,
                                                         const hipExternalSemaphoreSignalNodeParams *nodeParams);

/// Changes what is signalled in an executable graph.
hipError_t hipGraphExecExternalSemaphoresSignalNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                                             const hipExternalSemaphoreSignalNodeParams *nodeParams);

/// Adds a wait for imported semaphores.
hipError_t hipGraphAddExternalSemaphoresWaitNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                                 const hipGraphNode_t *pDependencies, size_t numDependencies,
                                                 const hipExternalSemaphoreWaitNodeParams *nodeParams);

/// Stores what is waited for.
hipError_t hipGraphExternalSemaphoresWaitNodeGetParams(hipGraphNode_t hNode,
                                                       hipExternalSemaphoreWaitNodeParams *params_out);

/// Changes what is waited for.
hipError_t hipGraphExternalSemaphoresWaitNodeSetParams(hipGraphNode_t hNode,
                                                       const hipExternalSemaphoreWaitNodeParams *nodeParams);

/// Changes what is waited for in an executable graph.
hipError_t hipGraphExecExternalSemaphoresWaitNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                                           const hipExternalSemaphoreWaitNodeParams *nodeParams);

#ifdef __cplusplus
}
#endif

#endif
