// SPDX-License-Identifier: MIT
// Nodes that copy. All forms are the same kind of node and can be turned into each other.
#include "api/graph_handles.h"
#include "api/symbol.h"

namespace hiplz {
namespace {

CopyNode checked(const CopyRegion &region) {
  CopyMemory memory;
  if (hipError_t error = checkCopy(region, memory))
    throw HipError(error);
  return {region};
}

// The driver API has no error of its own for pitches, and neither has a change to an executable graph.
template <class Make> CopyNode withoutPitchError(Make make) {
  try {
    return make();
  } catch (const HipError &error) {
    if (error.code() != hipErrorInvalidPitchValue)
      throw;
    throw HipError(hipErrorInvalidValue, "a row of a memcpy node is longer than its pitch");
  }
}

template <class Description> CopyNode describedCopy(const Description *description) {
  if (!description)
    throw HipError(hipErrorInvalidValue, "the parameters of a memcpy node are null");
  CopyRegion region;
  if (hipError_t error = makeRegion(region, *description))
    throw HipError(error);
  return checked(region);
}

} // namespace

CopyNode makeCopyNode(const hipMemcpy3DParms *parameters) { return describedCopy(parameters); }

} // namespace hiplz

using namespace hiplz;

namespace {

CopyNode makeDriverCopy(const HIP_MEMCPY3D *description) {
  return withoutPitchError([&] { return describedCopy(description); });
}

/// Unlike a copy in a stream, a node needs a direction that agrees with its pointers if HIP knows one of them.
void checkDirection(const CopyRegion &region) {
  const CopyMemory memory = memoryOf(region);
  if (!memory.to == !memory.from || region.kind == hipMemcpyDefault)
    return;
  if (region.kind != (memory.to ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost))
    throw HipError(hipErrorInvalidValue, "the direction of a memcpy node disagrees with its pointers");
}

CopyNode makeLinearCopy(void *to, const void *from, size_t bytes, hipMemcpyKind kind) {
  if (!to || !from)
    throw HipError(hipErrorInvalidValue,
                   to ? "the source of a memcpy node is null" : "the destination of a memcpy node is null");
  if (bytes == 0)
    throw HipError(hipErrorInvalidValue, "a memcpy node copies 0 bytes");
  CopyNode node = checked(linearRegion(to, from, bytes, kind));
  checkDirection(node.region);
  return node;
}

/// For a node that is there already, which may not become a copy onto itself.
CopyNode makeOtherCopy(void *to, const void *from, size_t bytes, hipMemcpyKind kind) {
  if (to == from)
    throw HipError(hipErrorInvalidValue, "a memcpy node cannot be changed into a copy of memory onto itself");
  return makeLinearCopy(to, from, bytes, kind);
}

CopyNode makeSymbolCopy(SymbolCopy direction, const void *symbol, const void *other, size_t bytes, size_t offset,
                        hipMemcpyKind kind, LZDevice &device) {
  if (!symbol)
    throw HipError(hipErrorInvalidSymbol, "the symbol of a memcpy node is null");
  if (!other)
    throw HipError(hipErrorInvalidValue, direction == SymbolCopy::fromSymbol
                                             ? "the destination of a memcpy node is null"
                                             : "the source of a memcpy node is null");
  if (bytes == 0)
    throw HipError(hipErrorInvalidValue, "a memcpy node copies 0 bytes");
  CopyRegion region;
  if (hipError_t error =
          makeSymbolRegion(region, direction, symbol, const_cast<void *>(other), bytes, offset, kind, device))
    throw HipError(error);
  return checked(region);
}

/// Gives a copy node of a graph or of an executable graph other parameters; make(original node) makes them.
template <class Make> hipError_t setCopy(hipGraphNode_t node, Make make) {
  CopyNode &present = contentOf<CopyNode>(node);
  present = make(nodeFrom(node));
  return hipSuccess;
}
template <class Make> hipError_t setCopyInExec(hipGraphExec_t exec, hipGraphNode_t node, Make make) {
  return setInExec<CopyNode>(exec, node, make);
}

} // namespace

extern "C" {

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                 size_t numDependencies, const hipMemcpy3DParms *pCopyParams) {
  return HIPLZ_API(hipGraphAddMemcpyNode, pGraphNode, graph, pDependencies, numDependencies, pCopyParams)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    return node.add(makeCopyNode(pCopyParams));
  });
}

hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *pNodeParams) {
  return HIPLZ_API(hipGraphMemcpyNodeGetParams, node, pNodeParams)([&] {
    const CopyNode &copy = contentOf<CopyNode>(node);
    if (!pNodeParams)
      return refuse(hipErrorInvalidValue, "pNodeParams is null");
    *pNodeParams = toParameters(copy.region);
    return hipSuccess;
  });
}

hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms *pNodeParams) {
  return HIPLZ_API(hipGraphMemcpyNodeSetParams, node, pNodeParams)(
      [&] { return setCopy(node, [&](const LZGraphNode &) { return makeCopyNode(pNodeParams); }); });
}

hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                           hipMemcpy3DParms *pNodeParams) {
  return HIPLZ_API(hipGraphExecMemcpyNodeSetParams, hGraphExec, node, pNodeParams)([&] {
    return setCopyInExec(hGraphExec, node, [&](const LZGraphNode &) {
      return withoutPitchError([&] { return makeCopyNode(pNodeParams); });
    });
  });
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                   size_t numDependencies, void *dst, const void *src, size_t count,
                                   hipMemcpyKind kind) {
  return HIPLZ_API(hipGraphAddMemcpyNode1D, pGraphNode, graph, pDependencies, numDependencies, dst, src, count,
                   kind)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    return node.add(makeLinearCopy(dst, src, count, kind));
  });
}

hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src, size_t count,
                                         hipMemcpyKind kind) {
  return HIPLZ_API(hipGraphMemcpyNodeSetParams1D, node, dst, src, count, kind)(
      [&] { return setCopy(node, [&](const LZGraphNode &) { return makeOtherCopy(dst, src, count, kind); }); });
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t hGraphExec, hipGraphNode_t node, void *dst, const void *src,
                                             size_t count, hipMemcpyKind kind) {
  return HIPLZ_API(hipGraphExecMemcpyNodeSetParams1D, hGraphExec, node, dst, src, count, kind)([&] {
    return setCopyInExec(hGraphExec, node, [&](const LZGraphNode &) { return makeOtherCopy(dst, src, count, kind); });
  });
}

hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                         const hipGraphNode_t *pDependencies, size_t numDependencies,
                                         const void *symbol, const void *src, size_t count, size_t offset,
                                         hipMemcpyKind kind) {
  return HIPLZ_API(hipGraphAddMemcpyNodeToSymbol, pGraphNode, graph, pDependencies, numDependencies, symbol, src, count,
                   offset, kind)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    return node.add(makeSymbolCopy(SymbolCopy::toSymbol, symbol, src, count, offset, kind, currentDevice()));
  });
}

hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void *symbol, const void *src, size_t count,
                                               size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipGraphMemcpyNodeSetParamsToSymbol, node, symbol, src, count, offset, kind)([&] {
    return setCopy(node, [&](const LZGraphNode &known) {
      return makeSymbolCopy(SymbolCopy::toSymbol, symbol, src, count, offset, kind, known.device());
    });
  });
}

hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node, const void *symbol,
                                                   const void *src, size_t count, size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipGraphExecMemcpyNodeSetParamsToSymbol, hGraphExec, node, symbol, src, count, offset, kind)([&] {
    return setCopyInExec(hGraphExec, node, [&](const LZGraphNode &known) {
      return makeSymbolCopy(SymbolCopy::toSymbol, symbol, src, count, offset, kind, known.device());
    });
  });
}

hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                           const hipGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                           const void *symbol, size_t count, size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipGraphAddMemcpyNodeFromSymbol, pGraphNode, graph, pDependencies, numDependencies, dst, symbol,
                   count, offset, kind)([&] {
    NewNode node(pGraphNode, graph, pDependencies, numDependencies);
    return node.add(makeSymbolCopy(SymbolCopy::fromSymbol, symbol, dst, count, offset, kind, currentDevice()));
  });
}

hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst, const void *symbol, size_t count,
                                                 size_t offset, hipMemcpyKind kind) {
  return HIPLZ_API(hipGraphMemcpyNodeSetParamsFromSymbol, node, dst, symbol, count, offset, kind)([&] {
    return setCopy(node, [&](const LZGraphNode &known) {
      return makeSymbolCopy(SymbolCopy::fromSymbol, symbol, dst, count, offset, kind, known.device());
    });
  });
}

hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node, void *dst,
                                                     const void *symbol, size_t count, size_t offset,
                                                     hipMemcpyKind kind) {
  return HIPLZ_API(hipGraphExecMemcpyNodeSetParamsFromSymbol, hGraphExec, node, dst, symbol, count, offset, kind)([&] {
    return setCopyInExec(hGraphExec, node, [&](const LZGraphNode &known) {
      return makeSymbolCopy(SymbolCopy::fromSymbol, symbol, dst, count, offset, kind, known.device());
    });
  });
}

hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph, const hipGraphNode_t *dependencies,
                                    size_t numDependencies, const HIP_MEMCPY3D *copyParams, hipCtx_t ctx) {
  return HIPLZ_API(hipDrvGraphAddMemcpyNode, phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx)([&] {
    NewNode node(phGraphNode, hGraph, dependencies, numDependencies);
    return node.add(makeDriverCopy(copyParams), deviceOfNode(ctx));
  });
}

hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t hNode, HIP_MEMCPY3D *nodeParams) {
  return HIPLZ_API(hipDrvGraphMemcpyNodeGetParams, hNode, nodeParams)([&] {
    const CopyNode &copy = contentOf<CopyNode>(hNode);
    if (!nodeParams)
      return refuse(hipErrorInvalidValue, "nodeParams is null");
    *nodeParams = toDescription(copy.region);
    return hipSuccess;
  });
}

hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t hNode, const HIP_MEMCPY3D *nodeParams) {
  return HIPLZ_API(hipDrvGraphMemcpyNodeSetParams, hNode, nodeParams)(
      [&] { return setCopy(hNode, [&](const LZGraphNode &) { return makeDriverCopy(nodeParams); }); });
}

hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                              const HIP_MEMCPY3D *copyParams, hipCtx_t ctx) {
  return HIPLZ_API(hipDrvGraphExecMemcpyNodeSetParams, hGraphExec, hNode, copyParams, ctx)([&] {
    return setCopyInExec(hGraphExec, hNode, [&](const LZGraphNode &known) {
      if (&deviceOfNode(ctx) != &known.device())
        throw HipError(hipErrorInvalidValue, "a memcpy node cannot move to another device");
      return makeDriverCopy(copyParams);
    });
  });
}

} // extern "C"
