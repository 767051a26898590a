// SPDX-License-Identifier: MIT
// Memory that graphs allocate and free.
#include "lz/memory/graph_memory.h"
#include "api/graph_handles.h"

#include <span>

namespace hiplz {

AllocNode makeAllocNode(hipMemAllocNodeParams *parameters) {
  if (!parameters)
    throw HipError(hipErrorInvalidValue, "the parameters of an allocation node are null");
  parameters->dptr = nullptr; // in case of failure
  const hipMemPoolProps &properties = parameters->poolProps;
  LZContext &context = LZContext::instance();
  if (properties.allocType != hipMemAllocationTypePinned || properties.location.type != hipMemLocationTypeDevice ||
      properties.handleTypes != hipMemHandleTypeNone || parameters->bytesize == 0 ||
      (parameters->accessDescCount != 0 && !parameters->accessDescs))
    throw HipError(hipErrorInvalidValue, "graphs allocate memory of a device, for this process alone");
  if (properties.location.id < 0 || static_cast<size_t>(properties.location.id) >= context.devices().size())
    throw HipError(hipErrorInvalidValue, "a graph allocates memory of a device that does not exist");
  AllocNode node;
  LZDevice &device = context.device(properties.location.id);
  node.access = parameters->accessDescs;
  node.accessCount = parameters->accessDescCount;
  for (const hipMemAccessDesc &access : std::span(node.access, node.accessCount))
    if (access.location.type != hipMemLocationTypeDevice || !context.device(access.location.id).canAccess(device))
      throw HipError(hipErrorInvalidValue, "a graph allocates memory for a device that cannot reach it");
  node.properties = properties;
  node.bytes = parameters->bytesize;
  node.memory = LZGraphMemory::create(device, node.bytes);
  parameters->dptr = node.memory->address();
  return node;
}

FreeNode makeFreeNode(void *pointer) {
  if (!LZGraphMemory::find(pointer))
    throw HipError(hipErrorInvalidValue, "a graph frees memory that no graph allocates");
  return {pointer};
}

} // namespace hiplz

using namespace hiplz;

namespace {

// Throws HipError.
LZDevice &deviceOf(int device) { return LZContext::instance().device(device); }

hipError_t addFreeNode(hipGraphNode_t *out, hipGraph_t graph, const hipGraphNode_t *dependencies, size_t count,
                       void *pointer) {
  NewNode node(out, graph, dependencies, count);
  FreeNode release = makeFreeNode(pointer);
  LZDevice &device = LZGraphMemory::find(pointer)->device();
  return node.add(release, device);
}

} // namespace

extern "C" {

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                   size_t numDependencies, hipMemAllocNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphAddMemAllocNode, pGraphNode, graph, pDependencies, numDependencies, pNodeParams)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    AllocNode allocation = makeAllocNode(pNodeParams);
    LZDevice &device = allocation.device();
    return node.add(std::move(allocation), device);
  });
}

hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *pNodeParams) {
  return HIPLZ_API(hipGraphMemAllocNodeGetParams, node, pNodeParams)([&] {
    const AllocNode &allocation = contentOf<AllocNode>(node);
    if (!pNodeParams)
      return refuse(hipErrorInvalidValue, "pNodeParams is null");
    *pNodeParams = {allocation.properties, allocation.access, allocation.accessCount, allocation.bytes,
                    allocation.memory->address()};
    return hipSuccess;
  });
}

hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                  size_t numDependencies, void *dev_ptr) {
  return HIPLZ_API(hipGraphAddMemFreeNode, pGraphNode, graph, pDependencies, numDependencies,
                   dev_ptr)([&] { return addFreeNode(pGraphNode, graph, pDependencies, numDependencies, dev_ptr); });
}

hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                     size_t numDependencies, hipDeviceptr_t dptr) {
  return HIPLZ_API(hipDrvGraphAddMemFreeNode, phGraphNode, hGraph, dependencies, numDependencies,
                   dptr)([&] { return addFreeNode(phGraphNode, hGraph, dependencies, numDependencies, dptr); });
}

hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *dev_ptr) {
  return HIPLZ_API(hipGraphMemFreeNodeGetParams, node, dev_ptr)([&] {
    const FreeNode &release = contentOf<FreeNode>(node);
    if (!dev_ptr)
      return refuse(hipErrorInvalidValue, "dev_ptr is null");
    *static_cast<void **>(dev_ptr) = release.pointer;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void *value) {
  return HIPLZ_API(hipDeviceGetGraphMemAttribute, device, attr, value)([&] {
    const GraphMemoryUse use = LZGraphMemory::use(deviceOf(device));
    auto *out = static_cast<uint64_t *>(value);
    if (!out)
      return refuse(hipErrorInvalidValue, "value is null");
    switch (attr) {
    case hipGraphMemAttrUsedMemCurrent: *out = use.used; return hipSuccess;
    case hipGraphMemAttrUsedMemHigh: *out = use.usedHigh; return hipSuccess;
    case hipGraphMemAttrReservedMemCurrent: *out = use.reserved; return hipSuccess;
    case hipGraphMemAttrReservedMemHigh: *out = use.reservedHigh; return hipSuccess;
    }
    return refuse(hipErrorInvalidValue, "attr is not one of hipGraphMemAttributeType");
  });
}

hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void *value) {
  return HIPLZ_API(hipDeviceSetGraphMemAttribute, device, attr, value)([&] {
    LZDevice &known = deviceOf(device);
    if (attr != hipGraphMemAttrUsedMemHigh && attr != hipGraphMemAttrReservedMemHigh)
      throw HipError(hipErrorInvalidValue, "only the high-water marks of graph memory can be set");
    if (!value || *static_cast<const uint64_t *>(value) != 0)
      throw HipError(hipErrorInvalidValue, "a high-water mark of graph memory can only be reset to 0");
    switch (attr) {
    case hipGraphMemAttrUsedMemHigh:
      LZGraphMemory::resetHighWater(known, LZGraphMemory::HighWater::used);
      return hipSuccess;
    case hipGraphMemAttrReservedMemHigh:
      LZGraphMemory::resetHighWater(known, LZGraphMemory::HighWater::reserved);
      return hipSuccess;
    default: return refuse(hipErrorInvalidValue, "attr is not an attribute that can be set");
    }
  });
}

hipError_t hipDeviceGraphMemTrim(int device) {
  return HIPLZ_API(hipDeviceGraphMemTrim, device)([&] {
    LZGraphMemory::trim(deviceOf(device));
    return hipSuccess;
  });
}

} // extern "C"
