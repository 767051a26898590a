// SPDX-License-Identifier: MIT
// The functions that take a node of any kind, and the nodes of semaphores of other APIs, which graphs do not have.
#include "api/graph_handles.h"

using namespace hiplz;

namespace {

// The node that the parameters describe. An allocation stores its address in them.
GraphNodeContent makeNode(hipGraphNodeParams *parameters, LZDevice &device) {
  if (!parameters)
    throw HipError(hipErrorInvalidValue, "nodeParams is null");
  switch (parameters->type) {
  case hipGraphNodeTypeKernel: return makeKernelNode(&parameters->kernel, device);
  case hipGraphNodeTypeMemcpy: return makeCopyNode(&parameters->memcpy.copyParams);
  case hipGraphNodeTypeMemset: return makeFillNode(&parameters->memset);
  case hipGraphNodeTypeHost: return makeHostNode(&parameters->host);
  case hipGraphNodeTypeGraph: return makeChildNode(parameters->graph.graph);
  case hipGraphNodeTypeEmpty: return EmptyNode{};
  case hipGraphNodeTypeWaitEvent: return EventWaitNode{eventOfNode(parameters->eventWait.event)};
  case hipGraphNodeTypeEventRecord: return EventRecordNode{eventOfNode(parameters->eventRecord.event)};
  case hipGraphNodeTypeMemAlloc: return makeAllocNode(&parameters->alloc);
  case hipGraphNodeTypeMemFree: return makeFreeNode(parameters->free.dptr);
  case hipGraphNodeTypeExtSemaphoreSignal:
  case hipGraphNodeTypeExtSemaphoreWait:
    throw HipError(hipErrorNotSupported, "graphs cannot signal or wait for semaphores of other APIs");
  default: throw HipError(hipErrorInvalidValue, "the type of a node is not one of hipGraphNodeType");
  }
}

// For changes: the kind is compared first, so that nothing is allocated for the wrong node.
GraphNodeContent remakeNode(const LZGraphNode &node, hipGraphNodeParams *parameters) {
  if (!parameters || parameters->type != node.type())
    throw HipError(hipErrorInvalidValue, "the parameters are for another kind of node");
  if (parameters->type == hipGraphNodeTypeMemAlloc || parameters->type == hipGraphNodeTypeMemFree)
    throw HipError(hipErrorNotSupported, "the parameters of nodes that allocate or free memory cannot be changed");
  GraphNodeContent content = makeNode(parameters, node.device());
  if (auto *kernel = std::get_if<KernelNode>(&content))
    kernel->attributes = node.as<KernelNode>()->attributes;
  return content;
}

hipError_t noSemaphores() { return refuse(hipErrorNotSupported, "graphs have no nodes for external semaphores"); }

} // namespace

extern "C" {

hipError_t hipGraphAddNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                           size_t numDependencies, hipGraphNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphAddNode, pGraphNode, graph, pDependencies, numDependencies, nodeParams)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    GraphNodeContent content = makeNode(nodeParams, currentDevice());
    if (auto *allocation = std::get_if<AllocNode>(&content))
      return node.add(content, allocation->device());
    if (auto *record = std::get_if<EventRecordNode>(&content))
      return node.add(content, record->event->device());
    return node.add(std::move(content));
  });
}

hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphNodeSetParams, node, nodeParams)([&] {
    LZGraphNode &changed = nodeFrom(node);
    changed.content() = remakeNode(changed, nodeParams);
    return hipSuccess;
  });
}

hipError_t hipGraphExecNodeSetParams(hipGraphExec_t graphExec, hipGraphNode_t node, hipGraphNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphExecNodeSetParams, graphExec, node, nodeParams)([&] {
    LZGraphExec &exec = execFrom(graphExec);
    const LZGraphNode &original = nodeFrom(node);
    return exec.setContent(original, remakeNode(original, nodeParams));
  });
}

hipError_t hipGraphAddExternalSemaphoresSignalNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                                   const hipGraphNode_t *pDependencies, size_t numDependencies,
                                                   const hipExternalSemaphoreSignalNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphAddExternalSemaphoresSignalNode, pGraphNode, graph, pDependencies, numDependencies,
                   nodeParams)(noSemaphores);
}

hipError_t hipGraphExternalSemaphoresSignalNodeGetParams(hipGraphNode_t hNode,
                                                         hipExternalSemaphoreSignalNodeParams *params_out) {
  return HIPLZ_API(hipGraphExternalSemaphoresSignalNodeGetParams, hNode, params_out)(noSemaphores);
}

hipError_t hipGraphExternalSemaphoresSignalNodeSetParams(hipGraphNode_t hNode,
                                                         const hipExternalSemaphoreSignalNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphExternalSemaphoresSignalNodeSetParams, hNode, nodeParams)(noSemaphores);
}

hipError_t hipGraphExecExternalSemaphoresSignalNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                                             const hipExternalSemaphoreSignalNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphExecExternalSemaphoresSignalNodeSetParams, hGraphExec, hNode, nodeParams)(noSemaphores);
}

hipError_t hipGraphAddExternalSemaphoresWaitNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                                 const hipGraphNode_t *pDependencies, size_t numDependencies,
                                                 const hipExternalSemaphoreWaitNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphAddExternalSemaphoresWaitNode, pGraphNode, graph, pDependencies, numDependencies,
                   nodeParams)(noSemaphores);
}

hipError_t hipGraphExternalSemaphoresWaitNodeGetParams(hipGraphNode_t hNode,
                                                       hipExternalSemaphoreWaitNodeParams *params_out) {
  return HIPLZ_API(hipGraphExternalSemaphoresWaitNodeGetParams, hNode, params_out)(noSemaphores);
}

hipError_t hipGraphExternalSemaphoresWaitNodeSetParams(hipGraphNode_t hNode,
                                                       const hipExternalSemaphoreWaitNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphExternalSemaphoresWaitNodeSetParams, hNode, nodeParams)(noSemaphores);
}

hipError_t hipGraphExecExternalSemaphoresWaitNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                                           const hipExternalSemaphoreWaitNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphExecExternalSemaphoresWaitNodeSetParams, hGraphExec, hNode, nodeParams)(noSemaphores);
}

} // extern "C"
