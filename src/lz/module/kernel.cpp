// SPDX-License-Identifier: MIT
// The Level Zero side of a kernel.
#include "lz/module/kernel.h"
#include "base/profiler.h"
#include "lz/device/device.h"
#include "lz/module/module.h"

#include <algorithm>

namespace hiplz {

LZKernel::LZKernel(LZModule &module, const spirv::Kernel &reflection, const Services &services)
    : module_(module), reflection_(reflection), services_(services) {
  for (const spirv::Arg &argument : reflection.args)
    if (argument.inMemory)
      argumentMemory_ += argument.size + argument.align - 1;
}

uint32_t LZKernel::nameInProfile(const ProfilerHooks &hooks) const {
  uint32_t id = nameInProfile_.load(std::memory_order_relaxed);
  if (id == 0) {
    id = hooks.name(name().data(), name().size());
    nameInProfile_.store(id, std::memory_order_relaxed);
  }
  return id;
}

ZeKernel LZKernel::createHandle(LZDevice &device) const {
  if (!reflection_.missing.empty())
    throw HipError(hipErrorSharedObjectInitFailed, "the kernel " + name() + " of " + module_.origin() + " needs " +
                                                       reflection_.missing + ", which HIPLZ does not have");
  ze_kernel_desc_t description{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name().c_str()};
  ZeKernel kernel;
  ze_result_t result = kernel.create(zeKernelCreate, module_.on(device, *this), &description);
  if (result == ZE_RESULT_ERROR_INVALID_KERNEL_NAME)
    throw HipError(hipErrorInvalidDeviceFunction,
                   "the driver's compiler left the kernel " + name() + " out of " + module_.origin(), result);
  zeCheck(result, "zeKernelCreate");
  // A HIP kernel may follow any pointer it finds in memory. Intel's compiler notes of each kernel whether it does, and the
  // driver spends nothing on these flags for those that do not.
  LZ_CALL(zeKernelSetIndirectAccess,
          (kernel.get(), ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                             ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED));
  return kernel;
}

KernelResources LZKernel::resources(LZDevice &device, ze_kernel_handle_t kernel) const {
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ZexKernelRegisters registers;
  properties.pNext = &registers;
  LZ_CALL(zeKernelGetProperties, (kernel, &properties));
  KernelResources out{device.compute().maxTotalGroupSize,
                      properties.localMemSize,
                      properties.privateMemSize,
                      0,
                      properties.maxSubgroupSize ? properties.maxSubgroupSize : LZDevice::kWarpSize,
                      0};
  out.registers = registers.registers * device.properties().physicalEUSimdWidth / out.subgroupSize;
  // Kernels that need many registers get fewer hardware threads: drivers report it as the number of sub-groups.
  if (const uint32_t threads = properties.maxNumSubgroups * properties.maxSubgroupSize)
    out.maxThreadsPerBlock = std::min(out.maxThreadsPerBlock, threads);
  if (const uint32_t required =
          properties.requiredGroupSizeX * properties.requiredGroupSizeY * properties.requiredGroupSizeZ)
    out.maxThreadsPerBlock = std::min(out.maxThreadsPerBlock, required);
  if (launchBounds())
    out.maxThreadsPerBlock = std::min(out.maxThreadsPerBlock, launchBounds());
  out.maxDynamicSharedBytes = device.maxDynamicShared(out.sharedBytes);
  return out;
}

KernelResources LZKernel::resources(LZDevice &device) const { return resources(device, createHandle(device).get()); }

// Level Zero does not allow a local argument of 0 bytes, HIP does. Where the static variables take everything, there is not even one.
ze_result_t LZKernel::setDynamicShared(ze_kernel_handle_t handle, size_t bytes, size_t room) const {
  if (dynamicLocalIndex() < 0 || room == 0)
    return ZE_RESULT_SUCCESS;
  return zeKernelSetArgumentValue(handle, static_cast<uint32_t>(dynamicLocalIndex()), std::max<size_t>(bytes, 1),
                                  nullptr);
}

KernelOccupancy LZKernel::occupancy(LZDevice &device, ze_kernel_handle_t kernel, const KernelResources &resources,
                                    uint32_t blockSize, size_t dynamicBytes) const {
  if (blockSize == 0 || blockSize > resources.maxThreadsPerBlock || blockSize > device.compute().maxGroupSizeX ||
      dynamicBytes > resources.maxDynamicSharedBytes)
    return {0, 0};
  const uint32_t multiprocessors = device.multiprocessors();
  // Each hardware thread executes one sub-group, of whatever size.
  const uint32_t subgroups = (blockSize + resources.subgroupSize - 1) / resources.subgroupSize;
  uint32_t blocks = std::max(1u, device.residentThreads() / LZDevice::kWarpSize / subgroups);
  if (const size_t shared = resources.sharedBytes + dynamicBytes)
    blocks = static_cast<uint32_t>(std::min<size_t>(blocks, device.compute().maxSharedLocalMemory / shared));
  uint32_t total = blocks * multiprocessors;
  // A cooperative launch may have as many blocks as run at once; the driver knows barriers and registers as well.
  uint32_t cooperative = 0;
  if (zeKernelSetGroupSize(kernel, blockSize, 1, 1) == ZE_RESULT_SUCCESS &&
      setDynamicShared(kernel, dynamicBytes, resources.maxDynamicSharedBytes) == ZE_RESULT_SUCCESS &&
      zeKernelSuggestMaxCooperativeGroupCount(kernel, &cooperative) == ZE_RESULT_SUCCESS && cooperative != 0)
    total = std::min(total, cooperative);
  return {std::min(blocks, std::max(1u, total / multiprocessors)), total};
}

KernelOccupancy LZKernel::occupancy(LZDevice &device, uint32_t blockSize, size_t dynamicBytes) const {
  const ZeKernel kernel = createHandle(device);
  return occupancy(device, kernel.get(), resources(device, kernel.get()), blockSize, dynamicBytes);
}

uint32_t LZKernel::bestBlockSize(LZDevice &device, uint32_t limit, size_t dynamicBytes, KernelOccupancy &best) const {
  const ZeKernel kernel = createHandle(device);
  const KernelResources taken = resources(device, kernel.get());
  limit = std::min({limit, taken.maxThreadsPerBlock, device.compute().maxGroupSizeX});
  uint32_t bestSize = 0;
  uint64_t bestThreads = 0;
  // From the largest size down: of two with as many threads, the larger one shares more.
  for (uint32_t size = limit; size > 0; size = (size - 1) / LZDevice::kWarpSize * LZDevice::kWarpSize) {
    const KernelOccupancy reached = occupancy(device, kernel.get(), taken, size, dynamicBytes);
    const uint64_t threads = uint64_t{reached.blocksPerMultiprocessor} * size;
    if (threads > bestThreads) {
      bestThreads = threads;
      bestSize = size;
      best = reached;
    }
  }
  return bestSize;
}

} // namespace hiplz
