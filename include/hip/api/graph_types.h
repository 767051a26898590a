// SPDX-License-Identifier: MIT
// Types of the graph API: nodes, their parameters, and options of instantiation and capture.
#ifndef HIPLZ_API_GRAPH_TYPES_H
#define HIPLZ_API_GRAPH_TYPES_H

#include "external.h"
#include "memory_pool.h"
#include "stream.h"
#include "types.h"

typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;
typedef struct hipUserObject *hipUserObject_t;
typedef struct hipGraphNode hipGraphNode;
typedef struct hipGraphExec hipGraphExec;
typedef struct hipUserObject hipUserObject;

/// Kinds of nodes.
typedef enum hipGraphNodeType {
  hipGraphNodeTypeKernel = 0,
  hipGraphNodeTypeMemcpy,
  hipGraphNodeTypeMemset,
  hipGraphNodeTypeHost,
  hipGraphNodeTypeGraph,
  hipGraphNodeTypeEmpty,
  hipGraphNodeTypeWaitEvent,
  hipGraphNodeTypeEventRecord,
  hipGraphNodeTypeExtSemaphoreSignal,
  hipGraphNodeTypeExtSemaphoreWait,
  hipGraphNodeTypeMemAlloc,
  hipGraphNodeTypeMemFree,
  hipGraphNodeTypeMemcpyFromSymbol,
  hipGraphNodeTypeMemcpyToSymbol,
  hipGraphNodeTypeBatchMemOp,
  hipGraphNodeTypeCount
} hipGraphNodeType;

/// A call of a function on the host.
typedef struct hipHostNodeParams {
  hipHostFn_t fn;
  void *userData;
} hipHostNodeParams;

/// A kernel launch. Either kernelParams or extra is set.
typedef struct hipKernelNodeParams {
  dim3 blockDim;
  void **extra;
  void *func;
  dim3 gridDim;
  void **kernelParams;
  unsigned int sharedMemBytes;
} hipKernelNodeParams;

/// A fill of rows.
typedef struct hipMemsetParams {
  void *dst;
  unsigned int elementSize; ///< 1, 2 or 4
  size_t height;
  size_t pitch; ///< in bytes, unused if height is 1
  unsigned int value;
  size_t width; ///< in elements
} hipMemsetParams;

/// An allocation. dptr is stored when the node is added.
typedef struct hipMemAllocNodeParams {
  hipMemPoolProps poolProps;
  const hipMemAccessDesc *accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void *dptr;
} hipMemAllocNodeParams;

/// The release of an allocation.
typedef struct hipMemFreeNodeParams {
  void *dptr;
} hipMemFreeNodeParams;

/// A graph as a node.
typedef struct hipChildGraphNodeParams {
  hipGraph_t graph;
} hipChildGraphNodeParams;

/// A wait for an event.
typedef struct hipEventWaitNodeParams {
  hipEvent_t event;
} hipEventWaitNodeParams;

/// The record of an event.
typedef struct hipEventRecordNodeParams {
  hipEvent_t event;
} hipEventRecordNodeParams;

/// A signal of semaphores.
typedef struct hipExternalSemaphoreSignalNodeParams {
  hipExternalSemaphore_t *extSemArray;
  const hipExternalSemaphoreSignalParams *paramsArray;
  unsigned int numExtSems;
} hipExternalSemaphoreSignalNodeParams;

/// A wait for semaphores.
typedef struct hipExternalSemaphoreWaitNodeParams {
  hipExternalSemaphore_t *extSemArray;
  const hipExternalSemaphoreWaitParams *paramsArray;
  unsigned int numExtSems;
} hipExternalSemaphoreWaitNodeParams;

/// A copy. flags and reserved are 0.
typedef struct hipMemcpyNodeParams {
  int flags;
  int reserved[3];
  hipMemcpy3DParms copyParams;
} hipMemcpyNodeParams;

/// Operations on words in memory.
typedef struct hipBatchMemOpNodeParams {
  hipCtx_t ctx;
  unsigned int count;
  hipStreamBatchMemOpParams *paramArray;
  unsigned int flags;
} hipBatchMemOpNodeParams;

/// A fill of rows, in the driver API of HIP 6. HIP 7 has hipMemsetParams there.
#if HIPLZ_HIP_VERSION < 7
typedef struct HIP_MEMSET_NODE_PARAMS {
  hipDeviceptr_t dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
} HIP_MEMSET_NODE_PARAMS;
typedef HIP_MEMSET_NODE_PARAMS hipDrvMemsetNodeParams;
#else
typedef hipMemsetParams hipDrvMemsetNodeParams;
#endif

/// Parameters of any kind of node. type selects the member.
typedef struct hipGraphNodeParams {
  hipGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    hipKernelNodeParams kernel;
    hipMemcpyNodeParams memcpy;
    hipMemsetParams memset;
    hipHostNodeParams host;
    hipChildGraphNodeParams graph;
    hipEventWaitNodeParams eventWait;
    hipEventRecordNodeParams eventRecord;
    hipExternalSemaphoreSignalNodeParams extSemSignal;
    hipExternalSemaphoreWaitNodeParams extSemWait;
    hipMemAllocNodeParams alloc;
    hipMemFreeNodeParams free;
  };
  long long reserved2;
} hipGraphNodeParams;

/// How likely memory is to be used again.
typedef enum hipAccessProperty {
  hipAccessPropertyNormal = 0,
  hipAccessPropertyStreaming,
  hipAccessPropertyPersisting
} hipAccessProperty;

/// A range of memory that caches treat in a special way.
typedef struct hipAccessPolicyWindow {
  void *base_ptr;
  hipAccessProperty hitProp;
  float hitRatio;
  hipAccessProperty missProp;
  size_t num_bytes;
} hipAccessPolicyWindow;

/// Attributes of a launch, of a kernel node and, since HIP 7, of a stream.
typedef enum hipLaunchAttributeID {
#if HIPLZ_HIP_VERSION >= 7
  hipLaunchAttributeIgnore = 0,
#endif
  hipLaunchAttributeAccessPolicyWindow = 1,
  hipLaunchAttributeCooperative,
#if HIPLZ_HIP_VERSION >= 7
  hipLaunchAttributeSynchronizationPolicy,
  hipLaunchAttributeClusterDimension,
  hipLaunchAttributeClusterSchedulingPolicyPreference,
#endif
  hipLaunchAttributePriority = 8,
#if HIPLZ_HIP_VERSION >= 7
  hipLaunchAttributeMemSyncDomainMap,
  hipLaunchAttributeMemSyncDomain,
  hipLaunchAttributeMax
#endif
} hipLaunchAttributeID;

#if HIPLZ_HIP_VERSION >= 7
/// How the host waits for a stream.
typedef enum hipSynchronizationPolicy {
  hipSyncPolicyAuto = 1,
  hipSyncPolicySpin,
  hipSyncPolicyYield,
  hipSyncPolicyBlockingSync
} hipSynchronizationPolicy;

/// Domains within which memory is ordered.
typedef enum hipLaunchMemSyncDomain {
  hipLaunchMemSyncDomainDefault = 0,
  hipLaunchMemSyncDomainRemote
} hipLaunchMemSyncDomain;

/// The domain of the device for each of them.
typedef struct hipLaunchMemSyncDomainMap {
  unsigned char default_;
  unsigned char remote;
} hipLaunchMemSyncDomainMap;

/// How the blocks of a cluster are spread over the compute units.
typedef enum hipClusterSchedulingPolicy {
  hipClusterSchedulingPolicyDefault = 0,
  hipClusterSchedulingPolicySpread,
  hipClusterSchedulingPolicyLoadBalancing
} hipClusterSchedulingPolicy;
#endif

/// Value of an attribute. HIP 7 made it larger.
typedef union hipLaunchAttributeValue {
#if HIPLZ_HIP_VERSION >= 7
  char pad[64];
  hipSynchronizationPolicy syncPolicy;
  hipLaunchMemSyncDomainMap memSyncDomainMap;
  hipLaunchMemSyncDomain memSyncDomain;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  hipClusterSchedulingPolicy clusterSchedulingPolicyPreference;
#endif
  hipAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  int priority;
} hipLaunchAttributeValue;

#define hipKernelNodeAttrID hipLaunchAttributeID
#define hipKernelNodeAttrValue hipLaunchAttributeValue
#define hipKernelNodeAttributeAccessPolicyWindow hipLaunchAttributeAccessPolicyWindow
#define hipKernelNodeAttributeCooperative hipLaunchAttributeCooperative
#define hipKernelNodeAttributePriority hipLaunchAttributePriority

/// The outcome of hipGraphExecUpdate.
typedef enum hipGraphExecUpdateResult {
  hipGraphExecUpdateSuccess = 0,
  hipGraphExecUpdateError,
  hipGraphExecUpdateErrorTopologyChanged,
  hipGraphExecUpdateErrorNodeTypeChanged,
  hipGraphExecUpdateErrorFunctionChanged,
  hipGraphExecUpdateErrorParametersChanged,
  hipGraphExecUpdateErrorNotSupported,
  hipGraphExecUpdateErrorUnsupportedFunctionChange
} hipGraphExecUpdateResult;

/// Which calls are forbidden during a capture.
typedef enum hipStreamCaptureMode {
  hipStreamCaptureModeGlobal = 0,  ///< unsafe calls of any thread
  hipStreamCaptureModeThreadLocal, ///< unsafe calls of this thread
  hipStreamCaptureModeRelaxed,     ///< none
} hipStreamCaptureMode;

/// State of a capture.
typedef enum hipStreamCaptureStatus {
  hipStreamCaptureStatusNone = 0,
  hipStreamCaptureStatusActive,
  hipStreamCaptureStatusInvalidated
} hipStreamCaptureStatus;

/// How hipStreamUpdateCaptureDependencies changes the dependencies.
typedef enum hipStreamUpdateCaptureDependenciesFlags {
  hipStreamAddCaptureDependencies = 0,
  hipStreamSetCaptureDependencies
} hipStreamUpdateCaptureDependenciesFlags;

/// Amounts of memory that graphs use.
typedef enum hipGraphMemAttributeType {
  hipGraphMemAttrUsedMemCurrent = 0,
  hipGraphMemAttrUsedMemHigh,
  hipGraphMemAttrReservedMemCurrent,
  hipGraphMemAttrReservedMemHigh
} hipGraphMemAttributeType;

/// Flags of hipUserObjectCreate. This one is required.
typedef enum hipUserObjectFlags { hipUserObjectNoDestructorSync = 1 } hipUserObjectFlags;

/// Flags of hipGraphRetainUserObject.
typedef enum hipUserObjectRetainFlags {
  hipGraphUserObjectMove = 1, ///< takes over the references of the caller
} hipUserObjectRetainFlags;

/// Flags of an instantiation.
typedef enum hipGraphInstantiateFlags {
  hipGraphInstantiateFlagAutoFreeOnLaunch = 1, ///< frees what the previous launch left allocated
  hipGraphInstantiateFlagUpload,
  hipGraphInstantiateFlagDeviceLaunch = 4,
  hipGraphInstantiateFlagUseNodePriority = 8
} hipGraphInstantiateFlags;

/// The outcome of an instantiation.
typedef enum hipGraphInstantiateResult {
  hipGraphInstantiateSuccess = 0,
  hipGraphInstantiateError,
  hipGraphInstantiateInvalidStructure,
  hipGraphInstantiateNodeOperationNotSupported,
  hipGraphInstantiateMultipleDevicesNotSupported
} hipGraphInstantiateResult;

/// Input and outcome of hipGraphInstantiateWithParams.
typedef struct hipGraphInstantiateParams {
  hipGraphNode_t errNode_out;
  unsigned long long flags;
  hipGraphInstantiateResult result_out;
  hipStream_t uploadStream;
} hipGraphInstantiateParams;

/// Kinds of edges.
typedef enum hipGraphDependencyType {
  hipGraphDependencyTypeDefault = 0,
  hipGraphDependencyTypeProgrammatic
} hipGraphDependencyType;

/// The details that hipGraphDebugDotPrint shows.
enum hipGraphDebugDotFlags {
  hipGraphDebugDotFlagsVerbose = 1,
  hipGraphDebugDotFlagsKernelNodeParams = 4,
  hipGraphDebugDotFlagsMemcpyNodeParams = 8,
  hipGraphDebugDotFlagsMemsetNodeParams = 16,
  hipGraphDebugDotFlagsHostNodeParams = 32,
  hipGraphDebugDotFlagsEventNodeParams = 64,
  hipGraphDebugDotFlagsExtSemasSignalNodeParams = 128,
  hipGraphDebugDotFlagsExtSemasWaitNodeParams = 256,
  hipGraphDebugDotFlagsKernelNodeAttributes = 512,
  hipGraphDebugDotFlagsHandles = 1024
};

/// Properties of an edge.
typedef struct hipGraphEdgeData {
  unsigned char from_port;
  unsigned char reserved[5];
  unsigned char to_port;
  unsigned char type;
} hipGraphEdgeData;

#define hipGraphKernelNodePortDefault 0
#define hipGraphKernelNodePortProgrammatic 1
#define hipGraphKernelNodePortLaunchCompletion 2

#endif
