// SPDX-License-Identifier: MIT
// Launches of the driver API that a structure describes. Attributes mean what they mean to the runtime API (forms/launch.h): hints have
// no effect, cooperative launches work, and clusters of blocks and events that kernels trigger are refused.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "../forms/launch_rules.h"
#include "call.h"
#include "launch.h"

#define CU_LAUNCH_ATTRIBUTE_IGNORE ((hipLaunchAttributeID)0)
#define CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY ((hipLaunchAttributeID)3)
#define CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION ((hipLaunchAttributeID)4)
#define CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE ((hipLaunchAttributeID)5)
#define CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION ((hipLaunchAttributeID)6)
#define CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT ((hipLaunchAttributeID)7)
#define CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP ((hipLaunchAttributeID)9)
#define CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN ((hipLaunchAttributeID)10)
#define CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION ((hipLaunchAttributeID)11)
#define CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT ((hipLaunchAttributeID)12)
#define CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ((hipLaunchAttributeID)14)

/// The value of an attribute of a launch.
typedef union CUlaunchAttributeValue_union {
  char pad[64];
  hipAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  int syncPolicy;
  struct {
    unsigned x, y, z;
  } clusterDim, preferredClusterDim;
  int clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    hipEvent_t event;
    int flags;
    int triggerAtBlockStart;
  } programmaticEvent;
  int priority;
  int memSyncDomain;
  struct {
    hipEvent_t event;
    int flags;
  } launchCompletionEvent;
  unsigned sharedMemCarveout;
} CUlaunchAttributeValue;

typedef struct CUlaunchAttribute_st {
  hipLaunchAttributeID id;
  char pad[8 - sizeof(hipLaunchAttributeID)];
  CUlaunchAttributeValue value;
} CUlaunchAttribute;

/// A launch: grid, block, bytes of dynamic shared memory, stream and attributes.
typedef struct CUlaunchConfig_st {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
} CUlaunchConfig;

HIPLZ_CU cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra) {
  int cooperative = 0;
  unsigned i;
  if (!config || (config->numAttrs != 0 && !config->attrs))
    return CUDA_ERROR_INVALID_VALUE;
  for (i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttributeValue *value = &config->attrs[i].value;
    const int isCluster = value->clusterDim.x > 1 || value->clusterDim.y > 1 || value->clusterDim.z > 1;
    const CUresult error =
        (CUresult)hiplzLaunchAttribute((int)config->attrs[i].id, value->cooperative, isCluster, &cooperative);
    if (error != CUDA_SUCCESS)
      return error;
  }
  if (cooperative)
    return cuLaunchCooperativeKernel(f, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                                     config->blockDimY, config->blockDimZ, config->sharedMemBytes, config->hStream,
                                     kernelParams);
  return cuLaunchKernel(f, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX, config->blockDimY,
                        config->blockDimZ, config->sharedMemBytes, config->hStream, kernelParams, extra);
}
#include <hip/spirv/user_macros_on.h>
