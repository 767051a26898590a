// SPDX-License-Identifier: MIT
// Cooperative launches, on one device and on several at once.
#include "api/api_scope.h"
#include "api/launch_checks.h"
#include "lz/graph/capture.h"
#include "lz/module/grid.h"
#include "lz/module/kernel.h"
#include "lz/module/registry.h"

#include <hip/hip_ext.h>

#include <algorithm>
#include <vector>

namespace hiplz {

hipError_t launchCooperatively(const LZKernel &kernel, LaunchShape shape, const LaunchArguments &arguments,
                               LZQueue &queue, const CooperativeErrors &errors) {
  if (!queue.device().launchesCooperatively()) {
    HIPLZ_LOG_INFO("a cooperative launch; the queues of device %d do not support them", queue.device().ordinal());
    return hipErrorNotSupported;
  }
  if (shape.sharedBytes > queue.device().compute().maxSharedLocalMemory)
    return refuse(errors.tooMuchShared, "more dynamic shared memory than the device has for a block");
  if (hipError_t error = checkShape(queue.device(), kernel, shape, errors.shape))
    return error;
  shape.cooperative = true;
  return queue.launch(kernel, shape, arguments);
}

} // namespace hiplz

using namespace hiplz;

namespace {

/// One of several launches.
struct Part {
  const LZKernel *kernel;
  LaunchShape shape;
  void **arguments;
  LZQueue *queue;
};

uint64_t threadsOf(const uint32_t (&size)[3]) { return uint64_t{size[0]} * size[1] * size[2]; }

/// Every stream waits for what all of them have been given so far.
hipError_t meetStreams(const std::vector<Part> &parts) {
  std::vector<LZEventRef> events;
  for (const Part &part : parts)
    events.push_back(part.queue->record(false));
  for (size_t waiting = 0; waiting < parts.size(); ++waiting)
    for (size_t other = 0; other < parts.size(); ++other)
      if (other != waiting)
        if (hipError_t error = parts[waiting].queue->wait(events[other]))
          return error;
  return hipSuccess;
}

/// The checks that come before any of the launches. `cooperative`: the grids may meet.
hipError_t checkParts(const std::vector<Part> &parts, bool cooperative) {
  for (size_t index = 0; index < parts.size(); ++index) {
    const Part &part = parts[index];
    LZDevice &device = part.queue->device();
    for (size_t other = 0; other < index; ++other)
      if (&parts[other].queue->device() == &device) {
        HIPLZ_LOG_INFO("a launch on several devices that names device %d twice", device.ordinal());
        return hipErrorInvalidDevice;
      }
    if (part.queue->captured())
      return LZCapture::refuse(*part.queue);
    if (hipError_t error = checkShape(device, *part.kernel, part.shape, kConfigurationErrors))
      return error;
    // A grid that has been launched would wait for ever for one that cannot be.
    for (size_t argument = 0; argument < part.kernel->args().size(); ++argument)
      if (!part.arguments || !part.arguments[argument])
        return refuse(hipErrorInvalidValue, "a kernel's arguments are null");
    if (!cooperative)
      continue;
    if (!device.launchesCooperatively() || !device.sharesHostAtomics() ||
        &device.driver() != &parts.front().queue->device().driver()) {
      HIPLZ_LOG_INFO("a cooperative launch on several devices; device %d cannot synchronise with the others",
                     device.ordinal());
      return hipErrorNotSupported;
    }
    const auto block = static_cast<uint32_t>(threadsOf(part.shape.block));
    const KernelOccupancy fits = part.kernel->occupancy(device, block, part.shape.sharedBytes);
    const uint64_t plane = uint64_t{part.shape.grid[0]} * part.shape.grid[1];
    if (plane > fits.blocksOnDevice || plane * part.shape.grid[2] > fits.blocksOnDevice)
      return refuse(hipErrorCooperativeLaunchTooLarge, "the grid has more blocks than can run at the same time");
  }
  return hipSuccess;
}

hipError_t launchParts(std::vector<Part> parts, unsigned flags, bool cooperative) {
  if (hipError_t error = checkParts(parts, cooperative))
    return error;
  std::shared_ptr<LZMultiGrid> memory;
  if (cooperative) {
    std::vector<uint64_t> threads;
    for (const Part &part : parts)
      threads.push_back(threadsOf(part.shape.grid) * threadsOf(part.shape.block));
    memory = std::make_shared<LZMultiGrid>(parts.front().queue->device(), threads);
  }
  if (!(flags & hipCooperativeLaunchMultiDeviceNoPreSync))
    if (hipError_t error = meetStreams(parts))
      return error;
  for (size_t rank = 0; rank < parts.size(); ++rank) {
    Part &part = parts[rank];
    part.shape.cooperative = cooperative;
    if (cooperative)
      part.shape.gridState = memory->address(rank);
    if (hipError_t error = part.queue->launch(*part.kernel, part.shape, {part.arguments}))
      return error;
    if (cooperative) // the memory lives until all grids have ended
      if (hipError_t error = part.queue->callback([memory](hipError_t) {}))
        return error;
  }
  return flags & hipCooperativeLaunchMultiDeviceNoPostSync ? hipSuccess : meetStreams(parts);
}

/// The launch is described by an array of `Params`; partOf(params) makes a part of each.
template <class Params, class PartOf>
hipError_t launchList(const Params *list, long long count, unsigned flags, bool cooperative, PartOf partOf) {
  constexpr unsigned kFlags = hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync;
  if (!list)
    return refuse(hipErrorInvalidValue, "launchParamsList is null");
  if (count <= 0 || static_cast<size_t>(count) > LZContext::instance().devices().size())
    return refuse(hipErrorInvalidValue, "numDevices is not between 1 and the number of devices");
  if (flags & ~kFlags)
    return refuse(hipErrorInvalidValue, "flags has bits that HIP does not know");
  std::vector<Part> parts;
  for (long long index = 0; index < count; ++index)
    parts.push_back(partOf(list[index]));
  return launchParts(std::move(parts), flags, cooperative);
}

/// HIP 7 has another error for a stream that does not exist.
LZQueue &cooperativeQueueFrom(hipStream_t stream, NullStream null = NullStream::legacy) {
  return queueFrom(stream, null, followsHip7() ? hipErrorInvalidHandle : hipErrorContextIsDestroyed);
}

/// Default streams belong to the current device, so they cannot say which device is meant.
LZQueue &queueOfPart(hipStream_t stream) {
  if (!stream || stream == hipStreamLegacy || stream == hipStreamPerThread)
    throw HipError(hipErrorInvalidHandle, "a launch on several devices cannot use a default stream");
  return queueFrom(stream);
}

Part partOf(const hipLaunchParams &params) {
  return {&LZRegistry::instance().kernelFor(params.func), shapeOf(params.gridDim, params.blockDim, params.sharedMem),
          params.args, &queueOfPart(params.stream)};
}

Part partOfModule(const hipFunctionLaunchParams &params) {
  return {&LZRegistry::instance().kernelOf(params.function),
          shapeOf({params.gridDimX, params.gridDimY, params.gridDimZ},
                  {params.blockDimX, params.blockDimY, params.blockDimZ}, params.sharedMemBytes),
          params.kernelParams, &queueOfPart(params.hStream)};
}

} // namespace

extern "C" {

hipError_t hipLaunchCooperativeKernel(const void *f, dim3 gridDim, dim3 blockDimX, void **kernelParams,
                                      unsigned int sharedMemBytes, hipStream_t stream) {
  return HIPLZ_API(hipLaunchCooperativeKernel, f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream)([&] {
    return launchCooperatively(LZRegistry::instance().kernelFor(f), shapeOf(gridDim, blockDimX, sharedMemBytes),
                               {kernelParams}, cooperativeQueueFrom(stream), kCooperativeErrors);
  });
}

hipError_t hipLaunchCooperativeKernel_spt(const void *f, dim3 gridDim, dim3 blockDim, void **kernelParams,
                                          uint32_t sharedMemBytes, hipStream_t hStream) {
  return HIPLZ_API(hipLaunchCooperativeKernel_spt, f, gridDim, blockDim, kernelParams, sharedMemBytes, hStream)([&] {
    return launchCooperatively(LZRegistry::instance().kernelFor(f), shapeOf(gridDim, blockDim, sharedMemBytes),
                               {kernelParams}, cooperativeQueueFrom(hStream, NullStream::perThread),
                               kCooperativeErrors);
  });
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                            unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                            unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
                                            void **kernelParams) {
  const dim3 grid(gridDimX, gridDimY, gridDimZ), block(blockDimX, blockDimY, blockDimZ);
  return HIPLZ_API(hipModuleLaunchCooperativeKernel, f, grid, block, sharedMemBytes, stream, kernelParams)([&] {
    return launchCooperatively(LZRegistry::instance().kernelOf(f), shapeOf(grid, block, sharedMemBytes), {kernelParams},
                               moduleQueueFrom(stream), kModuleCooperativeErrors);
  });
}

hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launchParamsList, int numDevices,
                                                 unsigned int flags) {
  return HIPLZ_API(hipLaunchCooperativeKernelMultiDevice, launchParamsList, numDevices,
                   flags)([&] { return launchList(launchParamsList, numDevices, flags, true, partOf); });
}

hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams *launchParamsList,
                                                       unsigned int numDevices, unsigned int flags) {
  return HIPLZ_API(hipModuleLaunchCooperativeKernelMultiDevice, launchParamsList, numDevices,
                   flags)([&] { return launchList(launchParamsList, numDevices, flags, true, partOfModule); });
}

hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launchParamsList, int numDevices, unsigned int flags) {
  return HIPLZ_API(hipExtLaunchMultiKernelMultiDevice, launchParamsList, numDevices,
                   flags)([&] { return launchList(launchParamsList, numDevices, flags, false, partOf); });
}

} // extern "C"
