// SPDX-License-Identifier: MIT
// Graphs: building, instantiating, launching and updating them, and capturing a stream into one.
#ifndef HIPLZ_API_GRAPH_H
#define HIPLZ_API_GRAPH_H

#include "graph_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Building

/// Creates an empty graph. flags must be 0.
hipError_t hipGraphCreate(hipGraph_t *pGraph, unsigned int flags);

/// Destroys a graph and its nodes. Instances of it stay valid.
hipError_t hipGraphDestroy(hipGraph_t graph);

/// Creates a copy of a graph, with copies of its child graphs.
hipError_t hipGraphClone(hipGraph_t *pGraphClone, hipGraph_t originalGraph);

/// Adds edges: each to[i] runs after from[i]. A cycle is an error of hipGraphInstantiate.
hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                   size_t numDependencies);

/// Removes edges. hipErrorInvalidValue if one does not exist.
hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                      size_t numDependencies);

/// Stores the edges, at most *numEdges of them. With null arrays it only stores their number.
hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to, size_t *numEdges);

/// Writes the graph to a file in the language of Graphviz.
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned int flags);

// Running

/// Makes an executable graph. pErrorNode and pLogBuffer may be null; they receive the node that cannot be instantiated.
hipError_t hipGraphInstantiate(hipGraphExec_t *pGraphExec, hipGraph_t graph, hipGraphNode_t *pErrorNode,
                               char *pLogBuffer, size_t bufferSize);

/// Makes an executable graph, with flags hipGraphInstantiateFlag....
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *pGraphExec, hipGraph_t graph, unsigned long long flags);

/// Makes an executable graph and stores the outcome in the parameters.
hipError_t hipGraphInstantiateWithParams(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                                         hipGraphInstantiateParams *instantiateParams);

/// Stores the flags that the graph was instantiated with.
hipError_t hipGraphExecGetFlags(hipGraphExec_t graphExec, unsigned long long *flags);

/// Gives an executable graph the parameters of a graph with the same nodes and edges. Otherwise says what differs.
hipError_t hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph, hipGraphNode_t *hErrorNode_out,
                              hipGraphExecUpdateResult *updateResult_out);

/// Destroys an executable graph. Launches that were submitted still complete.
hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec);

/// Does the work of the first launch in advance, in stream order.
hipError_t hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream);

/// Runs the graph in stream order. Launches of the same executable graph run one after the other.
hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream);

// User objects and memory of graphs

/// Wraps an object that is destroyed on the host when its last reference is dropped.
hipError_t hipUserObjectCreate(hipUserObject_t *object_out, void *ptr, hipHostFn_t destroy,
                               unsigned int initialRefcount, unsigned int flags);

/// Adds references to a user object.
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count __dparm(1));

/// Drops references to a user object, or none if there are fewer, which is not an error.
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count __dparm(1));

/// Makes a graph and its instances hold references to a user object.
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count __dparm(1),
                                    unsigned int flags __dparm(0));

/// Drops references that a graph holds.
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count __dparm(1));

/// Stores how much memory graphs use on a device, as uint64_t.
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void *value);

/// Resets a high-water mark of graph memory to 0.
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void *value);

/// Gives memory that graphs hold but do not use back to the device.
hipError_t hipDeviceGraphMemTrim(int device);

// Capturing a stream

/// Turns work that is submitted to the stream from now on into nodes of a graph instead of running
/// it. The legacy default stream cannot be captured.
hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);

/// Like hipStreamBeginCapture, into an existing graph and after the given nodes.
hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                        const hipGraphEdgeData *dependencyData, size_t numDependencies,
                                        hipStreamCaptureMode mode);

/// Ends the capture and stores the graph. The stream must be the one that began it, and all streams
/// that joined must have been joined back.
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *pGraph);

/// Stores whether the stream is being captured, and whether an error has invalidated the capture.
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus);

/// Like hipStreamIsCapturing, and stores a number that identifies the capture.
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus, unsigned long long *pId);

/// Like hipStreamGetCaptureInfo, and stores the graph so far and the nodes that the next one will
/// depend on.
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
                                      unsigned long long *id_out __dparm(0), hipGraph_t *graph_out __dparm(0),
                                      const hipGraphNode_t **dependencies_out __dparm(0),
                                      size_t *numDependencies_out __dparm(0));

/// Adds to, or replaces, the nodes that the next one will depend on.
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies, size_t numDependencies,
                                              unsigned int flags __dparm(0));

/// Exchanges the mode that decides which calls are forbidden in this thread during a capture.
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode);

#ifdef __cplusplus
}
#endif

#endif
