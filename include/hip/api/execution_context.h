// SPDX-License-Identifier: MIT
// Parts of a device: resources, and execution contexts, whose streams use a part of the compute units. New in HIP 7.14.
#ifndef HIPLZ_API_EXECUTION_CONTEXT_H
#define HIPLZ_API_EXECUTION_CONTEXT_H

#include "event.h"
#include "stream.h"
#include "types.h"

#if HIPLZ_HIP_VERSION >= 7

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ihipExecutionCtx_t *hipExecutionCtx_t;
typedef struct ihipDevResourceDesc_t *hipDevResourceDesc_t;

/// Kinds of resources. HIPLZ has compute units alone; for the others the answer is hipErrorInvalidResourceType.
typedef enum hipDevResourceType {
  hipDevResourceTypeInvalid = 0,
  hipDevResourceTypeSm,
  hipDevResourceTypeWorkqueueConfig = 1000,
  hipDevResourceTypeWorkqueue = 10000
} hipDevResourceType;

/// Flags of a group of compute units.
typedef enum hipDevSmResourceGroup_flags {
  hipDevSmResourceGroupDefault = 0,
  hipDevSmResourceGroupBackfill ///< the group takes units that are not a multiple of coscheduledSmCount
} hipDevSmResourceGroup_flags;

/// Flags of hipDevSmResourceSplitByCount.
typedef enum hipDevSmResourceSplitByCount_flags {
  hipDevSmResourceSplitIgnoreSmCoscheduling = 1, ///< hipErrorNotSupported
  hipDevSmResourceSplitMaxPotentialClusterSize
} hipDevSmResourceSplitByCount_flags;

/// Who shares work queues.
typedef enum hipDevWorkqueueConfigScope {
  hipDevWorkqueueConfigScopeDeviceCtx = 0,
  hipDevWorkqueueConfigScopeGreenCtxBalanced
} hipDevWorkqueueConfigScope;

/// Compute units.
typedef struct hipDevSmResource {
  unsigned int smCount;
  unsigned int minSmPartitionSize;     ///< the smallest part
  unsigned int smCoscheduledAlignment; ///< parts are multiples of it
  unsigned int flags;                  ///< of hipDevSmResourceGroup_flags
} hipDevSmResource;

/// Queues.
typedef struct hipDevWorkqueueConfigResource {
  int device;
  unsigned int wqConcurrencyLimit;
  hipDevWorkqueueConfigScope sharingScope;
} hipDevWorkqueueConfigResource;

typedef struct hipDevWorkqueueResource {
  unsigned char reserved[40];
} hipDevWorkqueueResource;

/// A resource: something of a device that can be divided. The runtime keeps in the padding which units they are.
typedef struct hipDevResource_st {
  hipDevResourceType type;
  unsigned char _internal_padding[92];
  union {
    hipDevSmResource sm;
    hipDevWorkqueueConfigResource wqConfig;
    hipDevWorkqueueResource wq;
    unsigned char _oversize[40];
  };
  struct hipDevResource_st *nextResource;
} hipDevResource;

/// A group that hipDevSmResourceSplit is to make.
typedef struct hipDevSmResourceGroupParams_st {
  unsigned int smCount;                     ///< 0: as many as there are; receives the number
  unsigned int coscheduledSmCount;          ///< 0: the default; receives the number
  unsigned int preferredCoscheduledSmCount; ///< likewise
  unsigned int flags;                       ///< of hipDevSmResourceGroup_flags
  unsigned int reserved[12];
} hipDevSmResourceGroupParams;

/// Stores all compute units of a device.
hipError_t hipDeviceGetDevResource(hipDevice_t device, hipDevResource *resource, hipDevResourceType type);

/// Divides compute units into groups of minCount or a little more. *nbGroups is how many are wanted and receives how many
/// there are; without result, how many are possible. What is left goes to remainder, which may be null.
hipError_t hipDevSmResourceSplitByCount(hipDevResource *result, unsigned int *nbGroups, const hipDevResource *input,
                                        hipDevResource *remainder, unsigned int flags, unsigned int minCount);

/// Divides compute units into groups of different sizes. Without result, only the sizes are computed. flags must be 0.
hipError_t hipDevSmResourceSplit(hipDevResource *result, unsigned int nbGroups, const hipDevResource *input,
                                 hipDevResource *remainder, unsigned int flags,
                                 hipDevSmResourceGroupParams *groupParams);

/// Stores a descriptor of resources that come from one split. It need not be freed.
hipError_t hipDevResourceGenerateDesc(hipDevResourceDesc_t *phDesc, hipDevResource *resources,
                                      unsigned int nbResources);

/// Creates an execution context, also called green context, on the resources of a descriptor. flags must be 0.
hipError_t hipGreenCtxCreate(hipExecutionCtx_t *ctx, hipDevResourceDesc_t desc, int device, unsigned int flags);

/// Destroys a context. Its streams can only be asked and destroyed from then on; to everything else the answer is
/// hipErrorStreamDetached. hipErrorInvalidValue for the context of hipDeviceGetExecutionCtx.
hipError_t hipExecutionCtxDestroy(hipExecutionCtx_t ctx);

/// Stores the context of the whole device, which always is the same.
hipError_t hipDeviceGetExecutionCtx(hipExecutionCtx_t *ctx, int device);

/// Creates a stream whose kernels run on the compute units of the context. It does not wait for the null stream.
hipError_t hipExecutionCtxStreamCreate(hipStream_t *stream, hipExecutionCtx_t greenctx, unsigned int flags,
                                       int priority);

/// Stores the compute units of a context.
hipError_t hipExecutionCtxGetDevResource(hipExecutionCtx_t ctx, hipDevResource *resource, hipDevResourceType type);

/// Stores the number of the device.
hipError_t hipExecutionCtxGetDevice(int *device, hipExecutionCtx_t ctx);

/// Stores a number that no other context of the process has or has had.
hipError_t hipExecutionCtxGetId(hipExecutionCtx_t ctx, unsigned long long *ctxId);

/// Stores the compute units that a stream may use.
hipError_t hipStreamGetDevResource(hipStream_t hStream, hipDevResource *resource, hipDevResourceType type);

/// Records an event behind all work of the context; of the whole device if it is the device's.
hipError_t hipExecutionCtxRecordEvent(hipExecutionCtx_t ctx, hipEvent_t event);

/// Waits for all work of the context.
hipError_t hipExecutionCtxSynchronize(hipExecutionCtx_t ctx);

/// Makes all later work of the context wait for an event.
hipError_t hipExecutionCtxWaitEvent(hipExecutionCtx_t ctx, hipEvent_t event);

#ifdef __cplusplus
}
#endif

#endif
#endif
