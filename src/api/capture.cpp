// SPDX-License-Identifier: MIT
// The capture of streams into graphs.
#include "lz/graph/capture.h"
#include "api/api_scope.h"
#include "api/current.h"

#include <algorithm>

using namespace hiplz;

namespace {

constexpr auto kPerThread = NullStream::perThread;

bool isMode(hipStreamCaptureMode mode) {
  return mode == hipStreamCaptureModeGlobal || mode == hipStreamCaptureModeThreadLocal ||
         mode == hipStreamCaptureModeRelaxed;
}

// The nodes behind handles; false if one of them is none.
bool nodesFrom(std::vector<LZGraphNode *> &nodes, const hipGraphNode_t *handles, size_t count) {
  if (count != 0 && !handles)
    return false;
  for (size_t i = 0; i < count; ++i)
    nodes.push_back(LZGraph::findNode(handles[i]));
  return std::find(nodes.begin(), nodes.end(), nullptr) == nodes.end();
}

hipError_t beginCapture(LZQueue &queue, hipStreamCaptureMode mode) {
  return isMode(mode) ? LZCapture::begin(queue, mode, nullptr, {})
                      : refuse(hipErrorInvalidValue, "mode is not one of hipStreamCaptureMode");
}

hipError_t beginCaptureToGraph(LZQueue &queue, hipGraph_t handle, const hipGraphNode_t *dependencies,
                               const hipGraphEdgeData *edges, size_t count, hipStreamCaptureMode mode) {
  LZGraph *graph = LZGraph::find(handle);
  std::vector<LZGraphNode *> nodes;
  if (!graph || !isMode(mode) || !nodesFrom(nodes, dependencies, count))
    return refuse(hipErrorInvalidValue,
                  "the graph does not exist, mode is not one of hipStreamCaptureMode, or a dependency is not a node");
  for (const LZGraphNode *node : nodes)
    if (&node->graph() != graph)
      return refuse(hipErrorInvalidValue, "a dependency is a node of another graph");
  // HIP has no other edges than plain ones, whose data are zeros.
  const hipGraphEdgeData plain{};
  for (size_t i = 0; edges && i < count; ++i)
    if (edges[i].from_port != plain.from_port || edges[i].to_port != plain.to_port || edges[i].type != plain.type)
      return refuse(hipErrorInvalidValue, "dependencyData is not that of a plain edge");
  return LZCapture::begin(queue, mode, graph, nodes);
}

/// True if the stream is captured into the body of a conditional node, which its owner knows.
bool capturesBody(LZQueue &queue) {
  LZCapture::Info info;
  return LZCapture::info(queue, info) == hipSuccess && info.graph && info.graph->isPart();
}

hipError_t endCapture(LZQueue &queue, hipGraph_t *graph) {
  if (!graph && !capturesBody(queue))
    return refuse(hipErrorInvalidValue, "graph is null");
  LZGraph *captured = nullptr;
  hipError_t error = LZCapture::end(queue, captured);
  if (graph)
    *graph = reinterpret_cast<hipGraph_t>(captured);
  if (captured && !captured->isPart())
    OwnedObjects::made("a graph", captured);
  return error;
}

hipError_t captureInfo(LZQueue &queue, hipStreamCaptureStatus *status, unsigned long long *id,
                       hipGraph_t *graph = nullptr, const hipGraphNode_t **dependencies = nullptr,
                       size_t *count = nullptr) {
  if (!status)
    return refuse(hipErrorInvalidValue, "status is null");
  LZCapture::Info info;
  if (hipError_t error = LZCapture::info(queue, info))
    return error;
  *status = info.status;
  if (id)
    *id = info.id;
  if (graph)
    *graph = reinterpret_cast<hipGraph_t>(info.graph);
  if (dependencies)
    *dependencies = reinterpret_cast<const hipGraphNode_t *>(info.dependencies.data());
  if (count)
    *count = info.dependencies.size();
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return HIPLZ_API(hipStreamBeginCapture, stream, mode)([&] { return beginCapture(queueFrom(stream), mode); });
}

hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
  return HIPLZ_API(hipStreamBeginCapture_spt, stream,
                   mode)([&] { return beginCapture(queueFrom(stream, kPerThread), mode); });
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                        const hipGraphEdgeData *dependencyData, size_t numDependencies,
                                        hipStreamCaptureMode mode) {
  return HIPLZ_API(hipStreamBeginCaptureToGraph, stream, graph, dependencies, dependencyData, numDependencies,
                   mode)([&] {
    return beginCaptureToGraph(queueFrom(stream), graph, dependencies, dependencyData, numDependencies, mode);
  });
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *pGraph) {
  return HIPLZ_API(hipStreamEndCapture, stream, pGraph)([&] { return endCapture(queueFrom(stream), pGraph); });
}

hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t *pGraph) {
  return HIPLZ_API(hipStreamEndCapture_spt, stream,
                   pGraph)([&] { return endCapture(queueFrom(stream, kPerThread), pGraph); });
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus) {
  return HIPLZ_API(hipStreamIsCapturing, stream,
                   pCaptureStatus)([&] { return captureInfo(queueFrom(stream), pCaptureStatus, nullptr); });
}

hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus) {
  return HIPLZ_API(hipStreamIsCapturing_spt, stream,
                   pCaptureStatus)([&] { return captureInfo(queueFrom(stream, kPerThread), pCaptureStatus, nullptr); });
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus,
                                   unsigned long long *pId) {
  return HIPLZ_API(hipStreamGetCaptureInfo, stream, pCaptureStatus,
                   pId)([&] { return captureInfo(queueFrom(stream), pCaptureStatus, pId); });
}

hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus,
                                       unsigned long long *pId) {
  return HIPLZ_API(hipStreamGetCaptureInfo_spt, stream, pCaptureStatus,
                   pId)([&] { return captureInfo(queueFrom(stream, kPerThread), pCaptureStatus, pId); });
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
                                      unsigned long long *id_out, hipGraph_t *graph_out,
                                      const hipGraphNode_t **dependencies_out, size_t *numDependencies_out) {
  return HIPLZ_API(hipStreamGetCaptureInfo_v2, stream, captureStatus_out, id_out, graph_out, dependencies_out,
                   numDependencies_out)([&] {
    return captureInfo(queueFrom(stream), captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
  });
}

hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
                                          unsigned long long *id_out, hipGraph_t *graph_out,
                                          const hipGraphNode_t **dependencies_out, size_t *numDependencies_out) {
  return HIPLZ_API(hipStreamGetCaptureInfo_v2_spt, stream, captureStatus_out, id_out, graph_out, dependencies_out,
                   numDependencies_out)([&] {
    return captureInfo(queueFrom(stream, kPerThread), captureStatus_out, id_out, graph_out, dependencies_out,
                       numDependencies_out);
  });
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies, size_t numDependencies,
                                              unsigned int flags) {
  return HIPLZ_API(hipStreamUpdateCaptureDependencies, stream, dependencies, numDependencies, flags)([&] {
    LZQueue &queue = queueFrom(stream);
    std::vector<LZGraphNode *> nodes;
    if ((flags != hipStreamAddCaptureDependencies && flags != hipStreamSetCaptureDependencies) ||
        !nodesFrom(nodes, dependencies, numDependencies))
      return refuse(hipErrorInvalidValue,
                    "flags is not one of hipStreamUpdateCaptureDependenciesFlags, or a dependency is not a node");
    return LZCapture::updateDependencies(queue, nodes, flags == hipStreamSetCaptureDependencies);
  });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  return HIPLZ_API(hipThreadExchangeStreamCaptureMode, mode)([&] {
    HIPLZ_NOT_NULL(mode);
    if (!isMode(*mode))
      return refuse(hipErrorInvalidValue, "*mode is not one of hipStreamCaptureMode");
    *mode = LZCapture::exchangeMode(*mode);
    return hipSuccess;
  });
}

} // extern "C"
