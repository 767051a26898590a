// SPDX-License-Identifier: MIT
// What the forms of a launch have in common.
#pragma once
#include "api/current.h"
#include "lz/module/launch_parameters.h"

#include <limits>

namespace hiplz {

/// The queue of a launch. Throws HipError{hipErrorInvalidValue} for a stream that does not exist.
inline LZQueue &launchQueueFrom(hipStream_t stream, NullStream null = NullStream::legacy) {
  return queueFrom(stream, null, hipErrorInvalidValue);
}

inline LaunchShape shapeOf(const dim3 &grid, const dim3 &block, size_t sharedBytes) {
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, sharedBytes};
}

/// Checks a launch against the limits of the device and of the kernel. `wrongShape` is what the API that was called documents
/// for a shape that the device refuses; hipErrorLaunchFailure for a block that is larger than the kernel's launch bounds;
/// hipErrorInvalidValue if there is not so much shared memory. The log says which limit it is.
hipError_t checkShape(const LZDevice &device, const LZKernel &kernel, const LaunchShape &shape, hipError_t wrongShape,
                      uint32_t mostBlocks = std::numeric_limits<int32_t>::max());

/// The arguments of a launch from an array of pointers or from a description of a packed buffer, of which at most one is
/// given. hipErrorInvalidValue for both, or for a description that is incomplete.
hipError_t parseArguments(void **kernelParams, void **extra, LaunchArguments &arguments);

/// Launches the kernel of a host function. May throw HipError (hipErrorInvalidDeviceFunction).
hipError_t launchFunction(const void *function, const LaunchShape &shape, const LaunchArguments &arguments,
                          LZQueue &queue);

} // namespace hiplz
