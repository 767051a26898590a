// SPDX-License-Identifier: MIT
// Nodes of kernels, fills, host functions, events and operations on memory.
#include "api/device_properties.h"
#include "api/graph_handles.h"
#include "api/launch_checks.h"
#include "lz/module/kernel.h"
#include "lz/module/registry.h"

namespace hiplz {
namespace {

// HIP names a kernel by its host function, and captured launches of the driver API by their handle.
const LZKernel &kernelOf(const void *function) {
  try {
    return LZRegistry::instance().kernelFor(function);
  } catch (const HipError &error) {
    if (error.code() != hipErrorInvalidDeviceFunction)
      throw;
  }
  try {
    return LZRegistry::instance().kernelOf(function);
  } catch (const HipError &) {
    throw HipError(hipErrorInvalidDeviceFunction, "a node of a graph names no kernel");
  }
}

void require(bool condition, const char *otherwise) {
  if (!condition)
    throw HipError(hipErrorInvalidValue, otherwise);
}

void check(hipError_t error) {
  if (error)
    throw HipError(error);
}

} // namespace

KernelNode makeKernelNode(const hipKernelNodeParams *parameters, LZDevice &device) {
  require(parameters && parameters->func, "the parameters of a kernel node name no function");
  LaunchArguments arguments;
  check(parseArguments(parameters->kernelParams, parameters->extra, arguments));
  const LaunchShape shape = shapeOf(parameters->gridDim, parameters->blockDim, parameters->sharedMemBytes);
  const LZKernel &kernel = kernelOf(parameters->func);
  constexpr hipError_t kShape = hipErrorInvalidConfiguration; // in HIP 7 as well
  check(checkShape(device, kernel, shape, {kShape, kShape, kShape}));
  return KernelNode(kernel, parameters->func, shape, arguments);
}

FillNode makeFillNode(const hipMemsetParams *parameters) {
  require(parameters && parameters->dst, "the parameters of a memset node name no memory");
  require(parameters->elementSize == 1 || parameters->elementSize == 2 || parameters->elementSize == 4,
          "the elements of a memset node have 1, 2 or 4 bytes");
  require(parameters->width != 0 && parameters->height != 0, "the width or height of a memset node is 0");
  FillRegion region = linearFill(parameters->dst, parameters->value, parameters->elementSize, parameters->width);
  region.pitch = parameters->pitch; // of a single row it means nothing, but can be read back
  if (parameters->height > 1) {
    region.height = region.rows = parameters->height;
    size_t row;
    require(!__builtin_mul_overflow(parameters->width, size_t{parameters->elementSize}, &row) && region.pitch >= row,
            "the rows of a memset node are longer than their pitch");
  }
  std::optional<Allocation> memory;
  check(checkFill(region, memory));
  return {region};
}

HostNode makeHostNode(const hipHostNodeParams *parameters) {
  require(parameters && parameters->fn, "the parameters of a host node name no function");
  return {parameters->fn, parameters->userData};
}

LZEvent *eventOfNode(hipEvent_t event) {
  require(event, "the event of an event node is null");
  return &eventFrom(event, hipErrorInvalidValue);
}

} // namespace hiplz

using namespace hiplz;

namespace {

BatchNode makeBatchNode(const hipBatchMemOpNodeParams *parameters) {
  require(parameters && parameters->count != 0, "the node has no memory operations");
  BatchNode node;
  node.context = parameters->ctx;
  node.flags = parameters->flags;
  check(makeBatch(node.operations, parameters->paramArray, parameters->count, parameters->flags));
  node.parameters.assign(parameters->paramArray, parameters->paramArray + parameters->count);
  return node;
}

// The description of a fill in the driver API of HIP 6. HIP 7 has that of the runtime API there.
struct MemsetParams6 {
  hipDeviceptr_t to;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};

hipMemsetParams fromDriver(const void *description) {
  require(description, "the parameters of a memset node are null");
  if (followsHip7())
    return *static_cast<const hipMemsetParams *>(description);
  const auto &parameters = *static_cast<const MemsetParams6 *>(description);
  return {parameters.to,    parameters.elementSize, parameters.height,
          parameters.pitch, parameters.value,       parameters.width};
}

hipError_t readAttribute(const KernelNodeAttributes &attributes, hipLaunchAttributeID id,
                         hipLaunchAttributeValue *value) {
  require(value, "the destination for a kernel node's attribute is null");
  switch (id) {
  case hipLaunchAttributeAccessPolicyWindow:
    value->accessPolicyWindow = attributes.accessPolicyWindow;
    return hipSuccess;
  case hipLaunchAttributeCooperative: value->cooperative = attributes.cooperative; return hipSuccess;
  case hipLaunchAttributePriority: value->priority = attributes.priority; return hipSuccess;
  default: break;
  }
  throw HipError(hipErrorInvalidValue, "a kernel node has no such attribute");
}

hipError_t writeAttribute(hipGraphNode_t node, hipLaunchAttributeID id, const hipLaunchAttributeValue *value) {
  KernelNodeAttributes &attributes = contentOf<KernelNode>(node).attributes;
  require(value, "the value of a kernel node's attribute is null");
  switch (id) {
  case hipLaunchAttributeAccessPolicyWindow: {
    const hipAccessPolicyWindow &window = value->accessPolicyWindow;
    checkAccessPolicy(window, nodeFrom(node).device());
    attributes.accessPolicyWindow = window;
    return hipSuccess;
  }
  case hipLaunchAttributeCooperative: attributes.cooperative = value->cooperative; return hipSuccess;
  case hipLaunchAttributePriority: attributes.priority = value->priority; return hipSuccess;
  default: break;
  }
  throw HipError(hipErrorInvalidValue, "a kernel node has no such attribute");
}

// Of record and wait nodes alike.
template <class Kind> hipError_t getEvent(hipGraphNode_t node, hipEvent_t *out) {
  const Kind &content = contentOf<Kind>(node);
  if (!out)
    return refuse(hipErrorInvalidValue, "event_out is null");
  *out = toHandle(*content.event);
  return hipSuccess;
}

template <class Kind> hipError_t setEvent(hipGraphNode_t node, hipEvent_t event) {
  contentOf<Kind>(node).event = eventOfNode(event);
  return hipSuccess;
}

template <class Kind> hipError_t setEventInExec(hipGraphExec_t exec, hipGraphNode_t node, hipEvent_t event) {
  return setInExec<Kind>(exec, node, [&](const LZGraphNode &) { return Kind{eventOfNode(event)}; });
}

} // namespace

extern "C" {

hipError_t hipGraphAddKernelNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                 size_t numDependencies, const hipKernelNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphAddKernelNode, pGraphNode, graph, pDependencies, numDependencies, pNodeParams)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    return node.add(makeKernelNode(pNodeParams, currentDevice()));
  });
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphKernelNodeGetParams, node, pNodeParams)([&] {
    const KernelNode &kernel = contentOf<KernelNode>(node);
    if (!pNodeParams)
      return refuse(hipErrorInvalidValue, "pNodeParams is null");
    const LaunchShape &shape = kernel.shape();
    *pNodeParams = {};
    pNodeParams->func = const_cast<void *>(kernel.function());
    pNodeParams->gridDim = dim3(shape.grid[0], shape.grid[1], shape.grid[2]);
    pNodeParams->blockDim = dim3(shape.block[0], shape.block[1], shape.block[2]);
    pNodeParams->sharedMemBytes = static_cast<unsigned>(shape.sharedBytes);
    pNodeParams->kernelParams = kernel.argumentPointers();
    return hipSuccess;
  });
}

hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphKernelNodeSetParams, node, pNodeParams)([&] {
    KernelNode &present = contentOf<KernelNode>(node);
    KernelNode wanted = makeKernelNode(pNodeParams, nodeFrom(node).device());
    wanted.attributes = present.attributes;
    present = std::move(wanted);
    return hipSuccess;
  });
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                           const hipKernelNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphExecKernelNodeSetParams, hGraphExec, node, pNodeParams)([&] {
    return setInExec<KernelNode>(
        hGraphExec, node, [&](const LZGraphNode &original) { return makeKernelNode(pNodeParams, original.device()); });
  });
}

hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr,
                                          hipLaunchAttributeValue *value) {
  return HIPLZ_API(hipGraphKernelNodeGetAttribute, hNode, attr,
                   value)([&] { return readAttribute(contentOf<KernelNode>(hNode).attributes, attr, value); });
}

hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr,
                                          const hipLaunchAttributeValue *value) {
  return HIPLZ_API(hipGraphKernelNodeSetAttribute, hNode, attr,
                   value)([&] { return writeAttribute(hNode, attr, value); });
}

hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t hSrc, hipGraphNode_t hDst) {
  return HIPLZ_API(hipGraphKernelNodeCopyAttributes, hSrc, hDst)([&] {
    const KernelNode &from = contentOf<KernelNode>(hSrc);
    contentOf<KernelNode>(hDst).attributes = from.attributes;
    return hipSuccess;
  });
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                 size_t numDependencies, const hipMemsetParams *pMemsetParams) {
  return HIPLZ_API(hipGraphAddMemsetNode, pGraphNode, graph, pDependencies, numDependencies, pMemsetParams)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    return node.add(makeFillNode(pMemsetParams));
  });
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *pNodeParams) {
  return HIPLZ_API(hipGraphMemsetNodeGetParams, node, pNodeParams)([&] {
    const FillRegion &region = contentOf<FillNode>(node).region;
    if (!pNodeParams)
      return refuse(hipErrorInvalidValue, "pNodeParams is null");
    *pNodeParams = {region.to, region.elementBytes, region.height, region.pitch, region.value, region.width};
    return hipSuccess;
  });
}

hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams *pNodeParams) {
  return HIPLZ_API(hipGraphMemsetNodeSetParams, node, pNodeParams)([&] {
    contentOf<FillNode>(node) = makeFillNode(pNodeParams);
    return hipSuccess;
  });
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                           const hipMemsetParams *pNodeParams) {
  return HIPLZ_API(hipGraphExecMemsetNodeSetParams, hGraphExec, node, pNodeParams)([&] {
    return setInExec<FillNode>(hGraphExec, node, [&](const LZGraphNode &) { return makeFillNode(pNodeParams); });
  });
}

hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                    size_t numDependencies, const hipDrvMemsetNodeParams *memsetParams, hipCtx_t ctx) {
  return HIPLZ_API(hipDrvGraphAddMemsetNode, phGraphNode, hGraph, dependencies, numDependencies, memsetParams,
                   ctx)([&] {
    NewNode node(phGraphNode, hGraph, dependencies, numDependencies);
    const hipMemsetParams parameters = fromDriver(memsetParams);
    return node.add(makeFillNode(&parameters), ctx ? contextFrom(ctx) : currentDevice());
  });
}

hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                              const hipDrvMemsetNodeParams *memsetParams, hipCtx_t ctx) {
  return HIPLZ_API(hipDrvGraphExecMemsetNodeSetParams, hGraphExec, hNode, memsetParams, ctx)([&] {
    return setInExec<FillNode>(hGraphExec, hNode, [&](const LZGraphNode &original) {
      require(!ctx || &contextFrom(ctx) == &original.device(), "a memset node cannot move to another device");
      const hipMemsetParams parameters = fromDriver(memsetParams);
      return makeFillNode(&parameters);
    });
  });
}

hipError_t hipGraphAddHostNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                               size_t numDependencies, const hipHostNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphAddHostNode, pGraphNode, graph, pDependencies, numDependencies, pNodeParams)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    return node.add(makeHostNode(pNodeParams));
  });
}

hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphHostNodeGetParams, node, pNodeParams)([&] {
    const HostNode &host = contentOf<HostNode>(node);
    if (!pNodeParams)
      return refuse(hipErrorInvalidValue, "pNodeParams is null");
    *pNodeParams = {host.function, host.userData};
    return hipSuccess;
  });
}

hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphHostNodeSetParams, node, pNodeParams)([&] {
    contentOf<HostNode>(node) = makeHostNode(pNodeParams);
    return hipSuccess;
  });
}

hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                         const hipHostNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphExecHostNodeSetParams, hGraphExec, node, pNodeParams)([&] {
    return setInExec<HostNode>(hGraphExec, node, [&](const LZGraphNode &) { return makeHostNode(pNodeParams); });
  });
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                      size_t numDependencies, hipEvent_t event) {
  return HIPLZ_API(hipGraphAddEventRecordNode, pGraphNode, graph, pDependencies, numDependencies, event)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    LZEvent *known = eventOfNode(event);
    return node.add(EventRecordNode{known}, known->device());
  });
}

hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event_out) {
  return HIPLZ_API(hipGraphEventRecordNodeGetEvent, node,
                   event_out)([&] { return getEvent<EventRecordNode>(node, event_out); });
}

hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return HIPLZ_API(hipGraphEventRecordNodeSetEvent, node,
                   event)([&] { return setEvent<EventRecordNode>(node, event); });
}

hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, hipEvent_t event) {
  return HIPLZ_API(hipGraphExecEventRecordNodeSetEvent, hGraphExec, hNode,
                   event)([&] { return setEventInExec<EventRecordNode>(hGraphExec, hNode, event); });
}

hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                    size_t numDependencies, hipEvent_t event) {
  return HIPLZ_API(hipGraphAddEventWaitNode, pGraphNode, graph, pDependencies, numDependencies, event)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    return node.add(EventWaitNode{eventOfNode(event)});
  });
}

hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event_out) {
  return HIPLZ_API(hipGraphEventWaitNodeGetEvent, node,
                   event_out)([&] { return getEvent<EventWaitNode>(node, event_out); });
}

hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return HIPLZ_API(hipGraphEventWaitNodeSetEvent, node, event)([&] { return setEvent<EventWaitNode>(node, event); });
}

hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, hipEvent_t event) {
  return HIPLZ_API(hipGraphExecEventWaitNodeSetEvent, hGraphExec, hNode,
                   event)([&] { return setEventInExec<EventWaitNode>(hGraphExec, hNode, event); });
}

hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                     size_t numDependencies, const hipBatchMemOpNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphAddBatchMemOpNode, phGraphNode, hGraph, dependencies, numDependencies, nodeParams)([&] {
    NewNode node(phGraphNode, hGraph, dependencies, numDependencies);
    BatchNode batch = makeBatchNode(nodeParams);
    return batch.context ? node.add(std::move(batch), contextFrom(nodeParams->ctx)) : node.add(std::move(batch));
  });
}

hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t hNode, hipBatchMemOpNodeParams *nodeParams_out) {
  return HIPLZ_API(hipGraphBatchMemOpNodeGetParams, hNode, nodeParams_out)([&] {
    BatchNode &batch = contentOf<BatchNode>(hNode);
    if (!nodeParams_out)
      return refuse(hipErrorInvalidValue, "nodeParams_out is null");
    if (batch.parameters.empty()) // captured
      batch.parameters = toParameters(batch.operations);
    *nodeParams_out = {batch.context, static_cast<unsigned>(batch.parameters.size()), batch.parameters.data(),
                       batch.flags};
    return hipSuccess;
  });
}

hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t hNode, hipBatchMemOpNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphBatchMemOpNodeSetParams, hNode, nodeParams)([&] {
    contentOf<BatchNode>(hNode) = makeBatchNode(nodeParams);
    return hipSuccess;
  });
}

hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                               const hipBatchMemOpNodeParams *nodeParams) {
  return HIPLZ_API(hipGraphExecBatchMemOpNodeSetParams, hGraphExec, hNode, nodeParams)([&] {
    return setInExec<BatchNode>(hGraphExec, hNode, [&](const LZGraphNode &) { return makeBatchNode(nodeParams); });
  });
}

} // extern "C"
