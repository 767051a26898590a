// SPDX-License-Identifier: MIT
// Launches that a structure describes, with CUDA's attributes. Those that only change speed are accepted and have no effect; those
// that change what a kernel may do are cooperative launches, which work, and clusters of blocks, which are refused.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include "../cuda_runtime_api.h"
#include "launch_rules.h"

#include <utility>

#define cudaLaunchAttributeIgnore ((hipLaunchAttributeID)0)
#define cudaLaunchAttributeSynchronizationPolicy ((hipLaunchAttributeID)3)
#define cudaLaunchAttributeClusterDimension ((hipLaunchAttributeID)4)
#define cudaLaunchAttributeClusterSchedulingPolicyPreference ((hipLaunchAttributeID)5)
#define cudaLaunchAttributeProgrammaticStreamSerialization ((hipLaunchAttributeID)6)
#define cudaLaunchAttributeProgrammaticEvent ((hipLaunchAttributeID)7)
#define cudaLaunchAttributeMemSyncDomainMap ((hipLaunchAttributeID)9)
#define cudaLaunchAttributeMemSyncDomain ((hipLaunchAttributeID)10)
#define cudaLaunchAttributePreferredClusterDimension ((hipLaunchAttributeID)11)
#define cudaLaunchAttributeLaunchCompletionEvent ((hipLaunchAttributeID)12)
#define cudaLaunchAttributePreferredSharedMemoryCarveout ((hipLaunchAttributeID)14)

enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin = 2,
  cudaSyncPolicyYield = 3,
  cudaSyncPolicyBlockingSync = 4
};
enum cudaClusterSchedulingPolicy {
  cudaClusterSchedulingPolicyDefault = 0,
  cudaClusterSchedulingPolicySpread = 1,
  cudaClusterSchedulingPolicyLoadBalancing = 2
};
enum cudaLaunchMemSyncDomain { cudaLaunchMemSyncDomainDefault = 0, cudaLaunchMemSyncDomainRemote = 1 };
struct cudaLaunchMemSyncDomainMap {
  unsigned char default_, remote;
};

/// The value of an attribute of a launch.
union cudaLaunchAttributeValue {
  char pad[64];
  hipAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  cudaSynchronizationPolicy syncPolicy;
  struct {
    unsigned x, y, z;
  } clusterDim, preferredClusterDim;
  cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    hipEvent_t event;
    int flags;
    int triggerAtBlockStart;
  } programmaticEvent;
  int priority;
  cudaLaunchMemSyncDomainMap memSyncDomainMap;
  cudaLaunchMemSyncDomain memSyncDomain;
  struct {
    hipEvent_t event;
    int flags;
  } launchCompletionEvent;
  unsigned sharedMemCarveout;
};

struct cudaLaunchAttribute {
  hipLaunchAttributeID id;
  char pad[8 - sizeof(hipLaunchAttributeID)];
  cudaLaunchAttributeValue val;
};
typedef cudaLaunchAttribute cudaLaunchAttribute_st;

/// A launch: grid, block, bytes of dynamic shared memory, stream and attributes.
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  hipStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};
typedef cudaLaunchConfig_t cudaLaunchConfig_st;

inline hipError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments) {
  if (!config || (config->numAttrs != 0 && !config->attrs))
    return hipErrorInvalidValue;
  int cooperative = 0;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttributeValue &value = config->attrs[i].val;
    const bool isCluster = value.clusterDim.x > 1 || value.clusterDim.y > 1 || value.clusterDim.z > 1;
    if (const hipError_t error =
            hiplzLaunchAttribute((int)config->attrs[i].id, value.cooperative, isCluster, &cooperative))
      return error;
  }
  return cooperative ? hipLaunchCooperativeKernel(function, config->gridDim, config->blockDim, arguments,
                                                  (unsigned)config->dynamicSmemBytes, config->stream)
                     : hipLaunchKernel(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                                       config->stream);
}

/// Launches a kernel with typed arguments, converted to the types of its parameters.
template <class... Parameters, class... Arguments>
inline hipError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                     Arguments &&...arguments) {
  return [&](Parameters... converted) {
    void *pointers[sizeof...(Parameters) + 1] = {
        const_cast<void *>(static_cast<const volatile void *>(&reinterpret_cast<const char &>(converted)))...};
    return cudaLaunchKernelExC(config, reinterpret_cast<const void *>(kernel), pointers);
  }(std::forward<Arguments>(arguments)...);
}

#include <hip/spirv/user_macros_on.h>
