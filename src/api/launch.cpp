// Launches, and the attributes of kernels.
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/lz_kernel.h"
#include "lz/lz_registry.h"

using namespace hiplz;

namespace {

LaunchShape shapeOf(const dim3 &grid, const dim3 &block, size_t sharedBytes) {
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, sharedBytes};
}

// The limits of the device. `wrongShape` is what the API that was called documents for a shape that it refuses.
hipError_t checkShape(const LZDevice &device, const LaunchShape &shape, hipError_t wrongShape) {
  const ze_device_compute_properties_t &limits = device.compute();
  const uint32_t maxBlock[3] = {limits.maxGroupSizeX, limits.maxGroupSizeY, limits.maxGroupSizeZ};
  const uint32_t maxGrid[3] = {limits.maxGroupCountX, limits.maxGroupCountY, limits.maxGroupCountZ};
  uint64_t blockThreads = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (shape.grid[axis] == 0 || shape.block[axis] == 0) {
      HIPLZ_LOG_INFO("a launch with a grid or a block of no size");
      return wrongShape;
    }
    if (shape.grid[axis] > maxGrid[axis] || shape.block[axis] > maxBlock[axis]) {
      HIPLZ_LOG_INFO("a launch with %u blocks of %u threads on axis %d; the device allows %u of %u", shape.grid[axis],
                     shape.block[axis], axis, maxGrid[axis], maxBlock[axis]);
      return wrongShape;
    }
    blockThreads *= shape.block[axis];
  }
  if (blockThreads > limits.maxTotalGroupSize) {
    HIPLZ_LOG_INFO("a launch with %llu threads in a block; the device allows %u",
                   static_cast<unsigned long long>(blockThreads), limits.maxTotalGroupSize);
    return wrongShape;
  }
  if (shape.sharedBytes > limits.maxSharedLocalMemory) {
    HIPLZ_LOG_INFO("a launch with %zu bytes of shared memory; the device has %u", shape.sharedBytes,
                   limits.maxSharedLocalMemory);
    return hipErrorInvalidValue;
  }
  return hipSuccess;
}

hipError_t launchFunction(const void *function, const dim3 &grid, const dim3 &block, void **arguments,
                          size_t sharedBytes, LZQueue &queue) {
  if (!function)
    throw HipError(hipErrorInvalidDeviceFunction, "a launch without a kernel: the function pointer is null");
  const LaunchShape shape = shapeOf(grid, block, sharedBytes);
  if (hipError_t error = checkShape(queue.device(), shape, hipErrorInvalidConfiguration))
    return error;
  return queue.launch(LZRegistry::instance().kernelFor(function), shape, {arguments});
}

// The buffer that kernel arguments may come in instead of an array of pointers.
hipError_t parseExtra(void **extra, LaunchArguments &arguments) {
  const size_t *bytes = nullptr;
  for (size_t at = 0; extra[at] != HIP_LAUNCH_PARAM_END; at += 2) {
    if (extra[at] == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      arguments.packed = static_cast<const std::byte *>(extra[at + 1]);
    else if (extra[at] == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = static_cast<const size_t *>(extra[at + 1]);
    else
      return hipErrorInvalidValue;
  }
  if (!arguments.packed || !bytes)
    return hipErrorInvalidValue;
  arguments.packedBytes = *bytes;
  return hipSuccess;
}

hipError_t launchModuleFunction(hipFunction_t function, const dim3 &grid, const dim3 &block, size_t sharedBytes,
                                LZQueue &queue, void **kernelParams, void **extra) {
  const LZKernel &kernel = LZRegistry::instance().kernelOf(function);
  LaunchArguments arguments{kernelParams};
  if (extra) {
    if (kernelParams)
      return hipErrorInvalidValue;
    if (hipError_t error = parseExtra(extra, arguments))
      return error;
  }
  const LaunchShape shape = shapeOf(grid, block, sharedBytes);
  if (hipError_t error = checkShape(queue.device(), shape, hipErrorInvalidValue))
    return error;
  return queue.launch(kernel, shape, arguments);
}

} // namespace

extern "C" {

hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream) {
  ThreadState &state = threadState;
  if (state.configurationCount == ThreadState::kConfigurations)
    return state.lastError = hipErrorInvalidConfiguration;
  state.configurations[state.configurationCount++] = {gridDim, blockDim, sharedMem, stream};
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, hipStream_t *stream) {
  ThreadState &state = threadState;
  if (state.configurationCount == 0)
    return state.lastError = hipErrorMissingConfiguration;
  const CallConfiguration &top = state.configurations[--state.configurationCount];
  *gridDim = top.grid;
  *blockDim = top.block;
  *sharedMem = top.sharedBytes;
  *stream = top.stream;
  return hipSuccess;
}

hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t sharedBytes,
                           hipStream_t stream) {
  return HIPLZ_API(hipLaunchKernel, function, grid, block, args, sharedBytes, stream)(
      [&] { return launchFunction(function, grid, block, args, sharedBytes, queueFrom(stream)); });
}

hipError_t hipLaunchKernel_spt(const void *function, dim3 grid, dim3 block, void **args, size_t sharedBytes,
                               hipStream_t stream) {
  return HIPLZ_API(hipLaunchKernel_spt, function, grid, block, args, sharedBytes, stream)([&] {
    return launchFunction(function, grid, block, args, sharedBytes, queueFrom(stream, NullStream::perThread));
  });
}

hipError_t hipExtLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t sharedBytes,
                              hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent, int flags) {
  return HIPLZ_API(hipExtLaunchKernel, function, grid, block, args, sharedBytes, stream, startEvent, stopEvent,
                   flags)([&] {
    // hipExtAnyOrderLaunch permits what HIPLZ does not do.
    if (flags & ~hipExtAnyOrderLaunch)
      return hipErrorInvalidValue;
    LZQueue &queue = queueFrom(stream);
    LZEvent *start = startEvent ? &eventFrom(startEvent) : nullptr;
    LZEvent *stop = stopEvent ? &eventFrom(stopEvent) : nullptr;
    if (start)
      if (hipError_t error = start->record(queue))
        return error;
    if (hipError_t error = launchFunction(function, grid, block, args, sharedBytes, queue))
      return error;
    return stop ? stop->record(queue) : hipSuccess;
  });
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream, void **kernelParams, void **extra) {
  const dim3 grid(gridDimX, gridDimY, gridDimZ), block(blockDimX, blockDimY, blockDimZ);
  return HIPLZ_API(hipModuleLaunchKernel, f, grid, block, sharedMemBytes, stream, kernelParams, extra)([&] {
    return launchModuleFunction(f, grid, block, sharedMemBytes, queueFrom(stream), kernelParams, extra);
  });
}

hipError_t hipFuncGetAttributes(struct hipFuncAttributes *attr, const void *func) {
  return HIPLZ_API(hipFuncGetAttributes, attr, func)([&] {
    if (!attr)
      return hipErrorInvalidValue;
    if (!func)
      return hipErrorInvalidDeviceFunction;
    LZDevice &device = currentDevice();
    const ze_kernel_properties_t properties = LZRegistry::instance().kernelFor(func).properties(device);
    *attr = {};
    attr->binaryVersion = attr->ptxVersion = 10;
    attr->localSizeBytes = properties.privateMemSize;
    attr->sharedSizeBytes = properties.localMemSize;
    attr->maxThreadsPerBlock = static_cast<int>(device.compute().maxTotalGroupSize);
    attr->maxDynamicSharedSizeBytes =
        static_cast<int>(device.compute().maxSharedLocalMemory - properties.localMemSize);
    return hipSuccess;
  });
}

} // extern "C"
