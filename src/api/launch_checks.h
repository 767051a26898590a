// SPDX-License-Identifier: MIT
// Checks that all forms of a launch have in common.
#pragma once
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/module/launch_parameters.h"

#include <limits>

namespace hiplz {

/// The queue of a launch by host function. Throws HipError{hipErrorInvalidValue} for a stream that does not exist.
inline LZQueue &launchQueueFrom(hipStream_t stream, NullStream null = NullStream::legacy) {
  return queueFrom(stream, null, hipErrorInvalidValue);
}

/// The queue of a launch by function handle. Throws HipError for a stream that does not exist: hipErrorContextIsDestroyed in
/// HIP 7, hipErrorInvalidValue in HIP 6.
inline LZQueue &moduleQueueFrom(hipStream_t stream) {
  return queueFrom(stream, NullStream::legacy, followsHip7() ? hipErrorContextIsDestroyed : hipErrorInvalidValue);
}

inline LaunchShape shapeOf(const dim3 &grid, const dim3 &block, size_t sharedBytes) {
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, sharedBytes};
}

/// The errors that the API that was called documents for a shape that the device refuses: a dimension of 0, too many blocks,
/// too many threads in a block.
struct ShapeErrors {
  hipError_t zero, grid, block;
};

/// Errors of launches by host function and of hipDrvLaunchKernelEx.
constexpr ShapeErrors kConfigurationErrors{hipErrorInvalidConfiguration, hipErrorInvalidConfiguration,
                                           hipErrorInvalidConfiguration};

/// Errors of hipModuleLaunchKernel and hipModuleLaunchCooperativeKernel.
constexpr ShapeErrors kValueErrors{hipErrorInvalidValue, hipErrorInvalidValue, hipErrorInvalidValue};

/// Checks a launch against the limits of the device and of the kernel: one of `errors`; hipErrorLaunchFailure for a block that
/// is larger than the kernel's launch bounds; hipErrorInvalidValue if there is not so much shared memory. The log says which
/// limit it is.
hipError_t checkShape(const LZDevice &device, const LZKernel &kernel, const LaunchShape &shape,
                      const ShapeErrors &errors, uint32_t mostBlocks = std::numeric_limits<int32_t>::max());

/// The arguments of a launch from an array of pointers or from a description of a packed buffer, of which at most one is
/// given. hipErrorInvalidValue for both, or for a description that is incomplete.
hipError_t parseArguments(void **kernelParams, void **extra, LaunchArguments &arguments);

/// Launches the kernel of a host function. May throw HipError (hipErrorInvalidDeviceFunction).
hipError_t launchFunction(const void *function, const LaunchShape &shape, const LaunchArguments &arguments,
                          LZQueue &queue);

/// Launches the kernel behind a handle, with the arguments that one of the last two describes. May throw HipError.
hipError_t launchHandle(hipFunction_t function, const LaunchShape &shape, LZQueue &queue, void **kernelParams,
                        void **extra, const ShapeErrors &errors);

/// The error that the called API returns for a cooperative launch that the device refuses.
struct CooperativeErrors {
  ShapeErrors shape;
  hipError_t tooMuchShared;
};
constexpr CooperativeErrors kCooperativeErrors{kConfigurationErrors, hipErrorCooperativeLaunchTooLarge};
constexpr CooperativeErrors kModuleCooperativeErrors{kValueErrors, hipErrorInvalidValue};

/// hipErrorNotSupported where the driver's queues accept no cooperative launches.
hipError_t launchCooperatively(const LZKernel &kernel, LaunchShape shape, const LaunchArguments &arguments,
                               LZQueue &queue, const CooperativeErrors &errors);

/// Throws HipError{hipErrorInvalidValue} unless the window can be an attribute of a launch on the device.
void checkAccessPolicy(const hipAccessPolicyWindow &window, LZDevice &device);

} // namespace hiplz
