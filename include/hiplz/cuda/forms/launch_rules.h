// SPDX-License-Identifier: MIT
// The meaning of attributes of a launch, for the runtime API (forms/launch.h) and for the driver API (driver/launch_attributes.h).
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime_api.h>

/// Takes the attribute `id` of a launch into account. Those that only change speed have no effect. `cooperative` and `isCluster` (of more
/// than one block) are what its value says, if it is of that kind; `*together` becomes whether the launch is cooperative.
static inline hipError_t hiplzLaunchAttribute(int id, int cooperative, int isCluster, int *together) {
  switch (id) {
  case 0:  // ignore
  case 1:  // access policy
  case 3:  // synchronization policy
  case 5:  // scheduling of clusters
  case 6:  // may begin before the kernel in front of it has ended
  case 8:  // priority
  case 9:  // memory domains
  case 10: // memory domain
  case 11: // preferred cluster
  case 14: // shared memory or cache
    return hipSuccess;
  case 2: *together = cooperative != 0; return hipSuccess;
  case 4: return isCluster ? hipErrorNotSupported : hipSuccess;
  case 7: // events that kernels trigger
  case 12: return hipErrorNotSupported;
  default: return hipErrorInvalidValue;
  }
}

#include <hip/spirv/user_macros_on.h>
