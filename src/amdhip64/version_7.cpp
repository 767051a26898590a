// SPDX-License-Identifier: MIT
// libamdhip64.so.7: HIP 7 gave hipMemsetParams the order of CUDA's structure. What HIP 7 added to the API is not here: a
// program that uses it needs the version node hip_7.0 and is refused by the dynamic linker.
#include "next.h"

#include <cstring>

namespace {

struct MemsetParams7 {
  void *dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
static_assert(sizeof(MemsetParams7) <= sizeof(hipMemsetParams));

hipMemsetParams from7(const hipMemsetParams *passed) {
  const MemsetParams7 &newer = *reinterpret_cast<const MemsetParams7 *>(passed);
  hipMemsetParams params{};
  params.dst = newer.dst;
  params.elementSize = newer.elementSize;
  params.height = newer.height;
  params.pitch = newer.pitch;
  params.value = newer.value;
  params.width = newer.width;
  return params;
}

MemsetParams7 to7(const hipMemsetParams &params) {
  return {params.dst, params.pitch, params.value, params.elementSize, params.width, params.height};
}

/// Calls `next` with the parameters in the order of HIP 6; what it stores in them goes back to the caller.
template <class Next> hipError_t convert(hipGraphNodeParams *passed, Next next) {
  if (!passed || passed->type != hipGraphNodeTypeMemset)
    return next(passed);
  hipGraphNodeParams params = *passed;
  params.memset = from7(&passed->memset);
  return next(&params);
}

} // namespace

extern "C" {

hipError_t hipGraphAddMemsetNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                                 size_t numDependencies, const hipMemsetParams *pMemsetParams) {
  return callConverted(from7, pMemsetParams, [&](const hipMemsetParams *params) {
    return HIPLZ_CALL_NEXT(hipGraphAddMemsetNode, pGraphNode, graph, pDependencies, numDependencies, params);
  });
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *pNodeParams) {
  if (!pNodeParams)
    return HIPLZ_CALL_NEXT(hipGraphMemsetNodeGetParams, node, nullptr);
  hipMemsetParams params{};
  const hipError_t error = HIPLZ_CALL_NEXT(hipGraphMemsetNodeGetParams, node, &params);
  if (error == hipSuccess)
    *reinterpret_cast<MemsetParams7 *>(pNodeParams) = to7(params);
  return error;
}

hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams *pNodeParams) {
  return callConverted(from7, pNodeParams, [&](const hipMemsetParams *params) {
    return HIPLZ_CALL_NEXT(hipGraphMemsetNodeSetParams, node, params);
  });
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                           const hipMemsetParams *pNodeParams) {
  return callConverted(from7, pNodeParams, [&](const hipMemsetParams *params) {
    return HIPLZ_CALL_NEXT(hipGraphExecMemsetNodeSetParams, hGraphExec, node, params);
  });
}

hipError_t hipGraphAddNode(hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,
                           size_t numDependencies, hipGraphNodeParams *nodeParams) {
  return convert(nodeParams, [&](hipGraphNodeParams *params) {
    return HIPLZ_CALL_NEXT(hipGraphAddNode, pGraphNode, graph, pDependencies, numDependencies, params);
  });
}

hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams *nodeParams) {
  return convert(nodeParams,
                 [&](hipGraphNodeParams *params) { return HIPLZ_CALL_NEXT(hipGraphNodeSetParams, node, params); });
}

hipError_t hipGraphExecNodeSetParams(hipGraphExec_t graphExec, hipGraphNode_t node, hipGraphNodeParams *nodeParams) {
  return convert(nodeParams, [&](hipGraphNodeParams *params) {
    return HIPLZ_CALL_NEXT(hipGraphExecNodeSetParams, graphExec, node, params);
  });
}

// A program that asks for one of the functions above by its name means this one.
hipError_t hipGetProcAddress(const char *symbol, void **pfn, int hipVersion, uint64_t flags,
                             hipDriverProcAddressQueryResult *symbolStatus) {
  const hipError_t error = HIPLZ_CALL_NEXT(hipGetProcAddress, symbol, pfn, hipVersion, flags, symbolStatus);
  if (error != hipSuccess)
    return error;
  static const struct {
    const char *name;
    void *function;
  } own[] = {
      {"hipGetProcAddress", reinterpret_cast<void *>(hipGetProcAddress)},
      {"hipGraphAddMemsetNode", reinterpret_cast<void *>(hipGraphAddMemsetNode)},
      {"hipGraphAddNode", reinterpret_cast<void *>(hipGraphAddNode)},
      {"hipGraphExecMemsetNodeSetParams", reinterpret_cast<void *>(hipGraphExecMemsetNodeSetParams)},
      {"hipGraphExecNodeSetParams", reinterpret_cast<void *>(hipGraphExecNodeSetParams)},
      {"hipGraphMemsetNodeGetParams", reinterpret_cast<void *>(hipGraphMemsetNodeGetParams)},
      {"hipGraphMemsetNodeSetParams", reinterpret_cast<void *>(hipGraphMemsetNodeSetParams)},
      {"hipGraphNodeSetParams", reinterpret_cast<void *>(hipGraphNodeSetParams)},
  };
  for (const auto &[name, function] : own)
    if (std::strcmp(symbol, name) == 0)
      *pfn = function;
  return hipSuccess;
}

} // extern "C"
