// SPDX-License-Identifier: MIT
// Launches of kernels, named by their host function or by a handle.
#include "api/api_scope.h"
#include "api/launch_checks.h"
#include "api/lost_errors.h"
#include "base/kernel_name.h"
#include "lz/module/kernel.h"
#include "lz/module/registry.h"

#include <hip/hip_ext.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <limits>

namespace hiplz {

namespace {
/// The error of a launch that cannot be, with what is wrong about it.
[[noreturn, gnu::cold, gnu::format(printf, 3, 4)]] void refuseLaunch(hipError_t error, const LZKernel &kernel,
                                                                     const char *format, ...) {
  char text[256];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw HipError(error, "kernel " + readableKernel(kernel.name()) + ": " + text);
}
} // namespace

hipError_t checkShape(const LZDevice &device, const LZKernel &kernel, const LaunchShape &shape,
                      const ShapeErrors &errors, uint32_t mostBlocks) {
  const ze_device_compute_properties_t &limits = device.compute();
  const uint32_t maxBlock[3] = {limits.maxGroupSizeX, limits.maxGroupSizeY, limits.maxGroupSizeZ};
  const uint32_t maxGrid[3] = {std::min(limits.maxGroupCountX, mostBlocks), std::min(limits.maxGroupCountY, mostBlocks),
                               std::min(limits.maxGroupCountZ, mostBlocks)};
  uint64_t blockThreads = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (shape.grid[axis] == 0 || shape.block[axis] == 0)
      refuseLaunch(errors.zero, kernel, "a grid or block dimension is 0");
    const bool tooManyBlocks = shape.grid[axis] > maxGrid[axis];
    if (tooManyBlocks || shape.block[axis] > maxBlock[axis])
      refuseLaunch(tooManyBlocks ? errors.grid : errors.block, kernel,
                   "a launch with %u blocks of %u threads along axis %d; the device allows %u of %u", shape.grid[axis],
                   shape.block[axis], axis, maxGrid[axis], maxBlock[axis]);
    blockThreads *= shape.block[axis];
  }
  if (blockThreads > limits.maxTotalGroupSize)
    refuseLaunch(errors.block, kernel, "a launch with %llu threads in a block; the device allows %u",
                 static_cast<unsigned long long>(blockThreads), limits.maxTotalGroupSize);
  if (kernel.launchBounds() && blockThreads > kernel.launchBounds())
    refuseLaunch(hipErrorLaunchFailure, kernel, "a launch with %llu threads in a block; its __launch_bounds__ are %u",
                 static_cast<unsigned long long>(blockThreads), kernel.launchBounds());
  if (shape.sharedBytes > limits.maxSharedLocalMemory)
    refuseLaunch(hipErrorInvalidValue, kernel, "a launch with %zu bytes of shared memory; the device has %u",
                 shape.sharedBytes, limits.maxSharedLocalMemory);
  return hipSuccess;
}

hipError_t parseArguments(void **kernelParams, void **extra, LaunchArguments &arguments) {
  arguments = {kernelParams};
  if (!extra)
    return hipSuccess;
  if (kernelParams)
    return refuse(hipErrorInvalidValue, "kernelParams and extra exclude each other");
  const size_t *bytes = nullptr;
  for (size_t at = 0; extra[at] != HIP_LAUNCH_PARAM_END; at += 2) {
    if (extra[at] == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      arguments.packed = static_cast<const std::byte *>(extra[at + 1]);
    else if (extra[at] == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = static_cast<const size_t *>(extra[at + 1]);
    else
      return refuse(hipErrorInvalidValue,
                    "extra holds something other than a buffer, its size and HIP_LAUNCH_PARAM_END");
  }
  if (!bytes || (!arguments.packed && *bytes != 0)) // no buffer of no bytes is right for a kernel without parameters
    return refuse(hipErrorInvalidValue, "extra lacks the buffer or its size");
  arguments.packedBytes = *bytes;
  return hipSuccess;
}

hipError_t launchFunction(const void *function, const LaunchShape &shape, const LaunchArguments &arguments,
                          LZQueue &queue) {
  const LZKernel &kernel = LZRegistry::instance().kernelFor(function);
  if (hipError_t error = checkShape(queue.device(), kernel, shape, kConfigurationErrors))
    return error;
  return queue.launch(kernel, shape, arguments);
}

hipError_t launchHandle(hipFunction_t function, const LaunchShape &shape, LZQueue &queue, void **kernelParams,
                        void **extra, const ShapeErrors &errors) {
  const LZKernel &kernel = LZRegistry::instance().kernelOf(function);
  LaunchArguments arguments;
  if (hipError_t error = parseArguments(kernelParams, extra, arguments))
    return error;
  if (hipError_t error = checkShape(queue.device(), kernel, shape, errors))
    return error;
  return queue.launch(kernel, shape, arguments);
}

} // namespace hiplz

using namespace hiplz;

namespace {

/// Records the events, either of which may be null, before and after a launch. hipExtAnyOrderLaunch, the only flag,
/// permits an order that HIPLZ does not use.
template <class Launch>
hipError_t launchBetween(hipEvent_t startEvent, hipEvent_t stopEvent, unsigned flags, LZQueue &queue, Launch launch) {
  if (flags & ~static_cast<unsigned>(hipExtAnyOrderLaunch))
    return refuse(hipErrorInvalidValue, "flags has bits other than hipExtAnyOrderLaunch");
  LZEvent *start = startEvent ? &eventFrom(startEvent, hipErrorInvalidValue) : nullptr;
  LZEvent *stop = stopEvent ? &eventFrom(stopEvent, hipErrorInvalidValue) : nullptr;
  if (start)
    if (hipError_t error = start->record(queue))
      return error;
  if (hipError_t error = launch())
    return error;
  return stop ? stop->record(queue) : hipSuccess;
}

/// Here the grid is counted in work-items. A block is no larger than the grid. A last block that is smaller than the others is
/// refused, as AMD's library does for kernels that were compiled for uniform blocks, which all are by default.
hipError_t launchWorkItems(hipFunction_t function, const dim3 &items, const dim3 &block, size_t sharedBytes,
                           hipStream_t stream, void **kernelParams, void **extra, hipEvent_t startEvent,
                           hipEvent_t stopEvent, unsigned flags) {
  LZQueue &queue = moduleQueueFrom(stream);
  const auto blocks = [](uint32_t length, uint32_t blockLength) {
    return blockLength ? length / blockLength + (length % blockLength != 0) : 0;
  };
  const dim3 grid(blocks(items.x, block.x), blocks(items.y, block.y), blocks(items.z, block.z));
  const LZKernel &kernel = LZRegistry::instance().kernelOf(function);
  if (items.x == 0 || items.y == 0 || items.z == 0)
    return refuse(hipErrorInvalidValue, "the global size of a launch is 0");
  if (block.x == 0 || block.y == 0 || block.z == 0)
    return refuse(hipErrorInvalidConfiguration, "a grid or block dimension is 0");
  LaunchShape shape = shapeOf(grid, block, sharedBytes);
  const uint32_t anyGrid = std::numeric_limits<uint32_t>::max(); // the limit that HIP tells is one of blocks
  if (hipError_t error =
          checkShape(queue.device(), kernel, shape, followsHip7() ? kConfigurationErrors : kValueErrors, anyGrid))
    return error;
  const uint32_t lengths[3] = {items.x, items.y, items.z};
  for (int axis = 0; axis < 3; ++axis) {
    shape.block[axis] = std::min(shape.block[axis], lengths[axis]);
    if (lengths[axis] % shape.block[axis])
      throw HipError(hipErrorInvalidValue, "the global size of a launch is not a multiple of its block size");
  }
  LaunchArguments arguments;
  if (hipError_t error = parseArguments(kernelParams, extra, arguments))
    return error;
  return launchBetween(startEvent, stopEvent, flags, queue, [&] { return queue.launch(kernel, shape, arguments); });
}

} // namespace

extern "C" {

hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t sharedBytes,
                           hipStream_t stream) {
  return HIPLZ_API(hipLaunchKernel, function, grid, block, args, sharedBytes, stream)([&] {
    return notingFailure(function, [&] {
      return launchFunction(function, shapeOf(grid, block, sharedBytes), {args}, launchQueueFrom(stream));
    });
  });
}

hipError_t hipLaunchKernel_spt(const void *function, dim3 grid, dim3 block, void **args, size_t sharedBytes,
                               hipStream_t stream) {
  return HIPLZ_API(hipLaunchKernel_spt, function, grid, block, args, sharedBytes, stream)([&] {
    return notingFailure(function, [&] {
      return launchFunction(function, shapeOf(grid, block, sharedBytes), {args},
                            launchQueueFrom(stream, NullStream::perThread));
    });
  });
}

hipError_t hipExtLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t sharedBytes,
                              hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent, int flags) {
  return HIPLZ_API(hipExtLaunchKernel, function, grid, block, args, sharedBytes, stream, startEvent, stopEvent,
                   flags)([&] {
    LZQueue &queue = launchQueueFrom(stream);
    const LZKernel &kernel = LZRegistry::instance().kernelFor(function);
    const LaunchShape shape = shapeOf(grid, block, sharedBytes);
    ShapeErrors errors = kConfigurationErrors;
    if (!followsHip7())
      errors.zero = hipErrorInvalidValue;
    if (hipError_t error = checkShape(queue.device(), kernel, shape, errors))
      return error;
    return launchBetween(startEvent, stopEvent, static_cast<unsigned>(flags), queue,
                         [&] { return queue.launch(kernel, shape, {args}); });
  });
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream, void **kernelParams, void **extra) {
  const dim3 grid(gridDimX, gridDimY, gridDimZ), block(blockDimX, blockDimY, blockDimZ);
  return HIPLZ_API(hipModuleLaunchKernel, f, grid, block, sharedMemBytes, stream, kernelParams, extra)([&] {
    return launchHandle(f, shapeOf(grid, block, sharedMemBytes), moduleQueueFrom(stream), kernelParams, extra,
                        kValueErrors);
  });
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                    uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                    void **kernelParams, void **extra, hipEvent_t startEvent, hipEvent_t stopEvent,
                                    uint32_t flags) {
  const dim3 items(globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ);
  const dim3 block(localWorkSizeX, localWorkSizeY, localWorkSizeZ);
  return HIPLZ_API(hipExtModuleLaunchKernel, f, items, block, sharedMemBytes, hStream, kernelParams, extra, startEvent,
                   stopEvent, flags)([&] {
    return launchWorkItems(f, items, block, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent, flags);
  });
}

hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                    uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                    void **kernelParams, void **extra, hipEvent_t startEvent, hipEvent_t stopEvent) {
  const dim3 items(globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ);
  const dim3 block(localWorkSizeX, localWorkSizeY, localWorkSizeZ);
  return HIPLZ_API(hipHccModuleLaunchKernel, f, items, block, sharedMemBytes, hStream, kernelParams, extra, startEvent,
                   stopEvent)([&] {
    return launchWorkItems(f, items, block, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent, 0);
  });
}

// AMD's library has the two functions under their C++ names as well, from when its header declared them so.
hipError_t hipExtModuleLaunchKernelCxx(
    hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, hipStream_t, void **, void **,
    hipEvent_t, hipEvent_t,
    uint32_t) __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j")
    __attribute__((alias("hipExtModuleLaunchKernel")));
hipError_t hipHccModuleLaunchKernelCxx(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                                       size_t, hipStream_t, void **, void **, hipEvent_t,
                                       hipEvent_t) __asm__("_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_"
                                                           "tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_")
    __attribute__((alias("hipHccModuleLaunchKernel")));

} // extern "C"
