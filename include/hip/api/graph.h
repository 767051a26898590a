// Graphs: building, instantiating, launching and updating them, and capturing a stream into one.
#ifndef HIPLZ_API_GRAPH_H
#define HIPLZ_API_GRAPH_H

#include "graph_types.h"

#ifdef __cplusplus
extern "C" {
#endif

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attr,
                                         void* value);

hipError_t hipDeviceGraphMemTrim(int device);

hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attr,
                                         void* value);

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                   const hipGraphNode_t* to, size_t numDependencies);

hipError_t hipGraphClone(hipGraph_t* pGraphClone, hipGraph_t originalGraph);

hipError_t hipGraphCreate(hipGraph_t* pGraph, unsigned int flags);

hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned int flags);

hipError_t hipGraphDestroy(hipGraph_t graph);

hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec);

hipError_t hipGraphExecGetFlags(hipGraphExec_t graphExec, unsigned long long* flags);

hipError_t hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph,
                              hipGraphNode_t* hErrorNode_out,
                              hipGraphExecUpdateResult* updateResult_out);

hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to,
                            size_t* numEdges);

hipError_t hipGraphInstantiate(hipGraphExec_t* pGraphExec, hipGraph_t graph,
                               hipGraphNode_t* pErrorNode, char* pLogBuffer, size_t bufferSize);

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* pGraphExec, hipGraph_t graph,
                                        unsigned long long flags);

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* pGraphExec, hipGraph_t graph,
                                         hipGraphInstantiateParams* instantiateParams);

hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream);

hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object,
                                     unsigned int count __dparm(1));

hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                      const hipGraphNode_t* to, size_t numDependencies);

hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object,
                                    unsigned int count __dparm(1),
                                    unsigned int flags __dparm(0));

hipError_t hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream);

hipError_t hipUserObjectCreate(hipUserObject_t* object_out, void* ptr, hipHostFn_t destroy,
                               unsigned int initialRefcount, unsigned int flags);

hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count __dparm(1));

hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count __dparm(1));

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t* dependencies,
                                        const hipGraphEdgeData* dependencyData,
                                        size_t numDependencies, hipStreamCaptureMode mode);

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* pGraph);

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus,
                                   unsigned long long* pId);

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream,
                                      hipStreamCaptureStatus* captureStatus_out,
                                      unsigned long long* id_out __dparm(0),
                                      hipGraph_t* graph_out __dparm(0),
                                      const hipGraphNode_t** dependencies_out __dparm(0),
                                      size_t* numDependencies_out __dparm(0));

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus);

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies,
                                              size_t numDependencies,
                                              unsigned int flags __dparm(0));

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode);

#ifdef __cplusplus
}
#endif

#endif
