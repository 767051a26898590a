// SPDX-License-Identifier: MIT
// Launches that a structure describes, with attributes, and the attributes of streams. New in HIP 7.
#ifndef HIPLZ_API_LAUNCH_CONFIG_H
#define HIPLZ_API_LAUNCH_CONFIG_H

#include "graph_types.h"
#include "launch.h"
#include "stream.h"

#if HIPLZ_HIP_VERSION >= 7

#ifdef __cplusplus
extern "C" {
#endif

/// One attribute of a launch. val and value are two names of its value.
typedef struct hipLaunchAttribute_st {
  hipLaunchAttributeID id;
  char pad[8 - sizeof(hipLaunchAttributeID)];
  union {
    hipLaunchAttributeValue val;
    hipLaunchAttributeValue value;
  };
} hipLaunchAttribute;

#define hipDrvLaunchAttribute hipLaunchAttribute
#define hipDrvLaunchAttributeID hipLaunchAttributeID
#define hipDrvLaunchAttributeValue hipLaunchAttributeValue
#define hipDrvLaunchAttributeCooperative hipLaunchAttributeCooperative

#define hipStreamAttrID hipLaunchAttributeID
#define hipStreamAttrValue hipLaunchAttributeValue
#define hipStreamAttributeAccessPolicyWindow hipLaunchAttributeAccessPolicyWindow
#define hipStreamAttributeSynchronizationPolicy hipLaunchAttributeSynchronizationPolicy
#define hipStreamAttributeMemSyncDomainMap hipLaunchAttributeMemSyncDomainMap
#define hipStreamAttributeMemSyncDomain hipLaunchAttributeMemSyncDomain
#define hipStreamAttributePriority hipLaunchAttributePriority

/// The configuration of a launch by hipLaunchKernelExC.
typedef struct hipLaunchConfig_st {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  hipStream_t stream;
  hipLaunchAttribute *attrs;
  unsigned int numAttrs;
} hipLaunchConfig_t;

/// The configuration of a launch by hipDrvLaunchKernelEx.
typedef struct HIP_LAUNCH_CONFIG_st {
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  hipStream_t hStream;
  hipLaunchAttribute *attrs;
  unsigned int numAttrs;
} HIP_LAUNCH_CONFIG;

/// Launches a kernel like hipLaunchKernel, or like hipLaunchCooperativeKernel if the attribute
/// hipLaunchAttributeCooperative is not 0. hipErrorInvalidValue for an unknown attribute.
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *fPtr, void **args);

/// Launches a kernel of a module in the same way. Its arguments come from params or from extra.
hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *config, hipFunction_t f, void **params, void **extra);

/// Stores an attribute of a stream.
hipError_t hipStreamGetAttribute(hipStream_t stream, hipLaunchAttributeID attr, hipLaunchAttributeValue *value_out);

/// Changes an attribute of a stream. The priority of a stream is fixed when it is created: only the same
/// value is accepted. The others are hints.
hipError_t hipStreamSetAttribute(hipStream_t stream, hipLaunchAttributeID attr, const hipLaunchAttributeValue *value);

/// Gives a stream the attributes of another one that can be changed. The streams must be of one device.
hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src);

/// Stores a number that no other stream of the process has or has had.
hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *streamId);

/// Stores how many clusters of the size that config's attributes give can run on the device at the same time. No device
/// of HIPLZ has clusters: one block is a cluster, and other sizes are hipErrorInvalidClusterSize. New in HIP 7.11.
hipError_t hipOccupancyMaxActiveClusters(int *numClusters, const void *f, const hipLaunchConfig_t *config);

/// For devices with clusters; hipErrorInvalidClusterSize on all devices of HIPLZ. New in HIP 7.11.
hipError_t hipOccupancyMaxPotentialClusterSize(int *clusterSize, const void *f, const hipLaunchConfig_t *config);

#ifdef __cplusplus
}

#ifndef __HIP_DISABLE_CPP_FUNCTIONS__
#include <utility>

/// Launches a kernel with typed arguments.
template <typename... KernelArgs, typename... Params>
static inline hipError_t hipLaunchKernelEx(const hipLaunchConfig_t *config, void (*kernel)(KernelArgs...),
                                           Params &&...args) {
  return [&](KernelArgs... converted) {
    void *pointers[sizeof...(KernelArgs) + 1] = {
        const_cast<void *>(static_cast<const volatile void *>(&reinterpret_cast<const char &>(converted)))...};
    return hipLaunchKernelExC(config, reinterpret_cast<const void *>(kernel), pointers);
  }(std::forward<Params>(args)...);
}
#endif
#endif

#endif
#endif
