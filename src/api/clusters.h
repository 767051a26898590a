// SPDX-License-Identifier: MIT
// Clusters of blocks, which a launch asks for by an attribute. Level Zero has none, so a cluster is one block.
#pragma once
#include "lz/core/error.h"

#include <hip/hip_runtime_api.h>

namespace hiplz {

/// Throws HipError{hipErrorInvalidClusterSize} for clusters of several blocks.
inline void checkCluster(const hipLaunchAttributeValue &value) {
  if (value.clusterDim.x != 1 || value.clusterDim.y != 1 || value.clusterDim.z != 1)
    throw HipError(hipErrorInvalidClusterSize, "the device has no clusters of several blocks");
}

/// The attribute of a configuration that gives the cluster's size; null if there is none.
inline const hipLaunchAttributeValue *clusterOf(const hipLaunchConfig_t &config) {
  for (unsigned index = 0; config.attrs && index < config.numAttrs; ++index)
    if (config.attrs[index].id == hipLaunchAttributeClusterDimension)
      return &config.attrs[index].val;
  return nullptr;
}

} // namespace hiplz
