// SPDX-License-Identifier: MIT
// Occupancy: how many blocks a multiprocessor holds, and the block size that fills it best. The numbers come from the
// driver's compilation of the kernel, so they hold for launches of it.
#include "api/api_scope.h"
#include "api/clusters.h"
#include "api/current.h"
#include "lz/module/kernel.h"
#include "lz/module/registry.h"

#include <algorithm>

using namespace hiplz;

namespace {

LZKernel &kernelFor(const void *function) { return LZRegistry::instance().kernelFor(function); }
LZKernel &kernelFor(hipFunction_t function) {
  LZKernel *kernel = LZRegistry::instance().findHandle(function);
  if (!kernel)
    throw HipError(hipErrorInvalidValue, "f is not a function of a module");
  return *kernel;
}

template <class Function>
hipError_t activeBlocks(int *numBlocks, Function function, int blockSize, size_t dynamicBytes, unsigned flags) {
  HIPLZ_NOT_NULL(numBlocks);
  if (blockSize <= 0)
    return refuse(hipErrorInvalidValue, "blockSize is not positive");
  if (flags & ~static_cast<unsigned>(hipOccupancyDisableCachingOverride))
    return refuse(hipErrorInvalidValue, "flags has bits that HIP does not know");
  LZDevice &device = currentDevice();
  const KernelOccupancy occupancy =
      kernelFor(function).occupancy(device, static_cast<uint32_t>(blockSize), dynamicBytes);
  *numBlocks = static_cast<int>(occupancy.blocksPerMultiprocessor);
  return hipSuccess;
}

template <class Function>
hipError_t potentialBlockSize(int *gridSize, int *blockSize, Function function, size_t dynamicBytes, int blockSizeLimit,
                              unsigned flags) {
  HIPLZ_NOT_NULL(gridSize, blockSize);
  if (blockSizeLimit < 0)
    return refuse(hipErrorInvalidValue, "blockSizeLimit is negative");
  if (flags & ~static_cast<unsigned>(hipOccupancyDisableCachingOverride))
    return refuse(hipErrorInvalidValue, "flags has bits that HIP does not know");
  LZDevice &device = currentDevice();
  const LZKernel &kernel = kernelFor(function);
  KernelOccupancy occupancy{};
  const uint32_t size = kernel.bestBlockSize(
      device, blockSizeLimit ? static_cast<uint32_t>(blockSizeLimit) : UINT32_MAX, dynamicBytes, occupancy);
  if (size == 0)
    throw HipError(hipErrorInvalidValue, kernel.name() + " cannot be launched with " + std::to_string(dynamicBytes) +
                                             " bytes of dynamic shared memory");
  *blockSize = static_cast<int>(size);
  *gridSize = static_cast<int>(occupancy.blocksOnDevice);
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *f, int blockSize,
                                                        size_t dynSharedMemPerBlk) {
  return HIPLZ_API(hipOccupancyMaxActiveBlocksPerMultiprocessor, numBlocks, f, blockSize, dynSharedMemPerBlk)(
      [&] { return activeBlocks(numBlocks, f, blockSize, dynSharedMemPerBlk, hipOccupancyDefault); });
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *f, int blockSize,
                                                                 size_t dynSharedMemPerBlk, unsigned int flags) {
  return HIPLZ_API(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, numBlocks, f, blockSize, dynSharedMemPerBlk,
                   flags)([&] { return activeBlocks(numBlocks, f, blockSize, dynSharedMemPerBlk, flags); });
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, hipFunction_t f, int blockSize,
                                                              size_t dynSharedMemPerBlk) {
  return HIPLZ_API(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, numBlocks, f, blockSize, dynSharedMemPerBlk)(
      [&] { return activeBlocks(numBlocks, f, blockSize, dynSharedMemPerBlk, hipOccupancyDefault); });
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, hipFunction_t f, int blockSize,
                                                                       size_t dynSharedMemPerBlk, unsigned int flags) {
  return HIPLZ_API(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, numBlocks, f, blockSize,
                   dynSharedMemPerBlk,
                   flags)([&] { return activeBlocks(numBlocks, f, blockSize, dynSharedMemPerBlk, flags); });
}

hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, const void *f, size_t dynSharedMemPerBlk,
                                             int blockSizeLimit) {
  return HIPLZ_API(hipOccupancyMaxPotentialBlockSize, gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit)([&] {
    return potentialBlockSize(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit, hipOccupancyDefault);
  });
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, hipFunction_t f,
                                                   size_t dynSharedMemPerBlk, int blockSizeLimit) {
  return HIPLZ_API(hipModuleOccupancyMaxPotentialBlockSize, gridSize, blockSize, f, dynSharedMemPerBlk,
                   blockSizeLimit)([&] {
    return potentialBlockSize(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit, hipOccupancyDefault);
  });
}

hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize, hipFunction_t f,
                                                            size_t dynSharedMemPerBlk, int blockSizeLimit,
                                                            unsigned int flags) {
  return HIPLZ_API(hipModuleOccupancyMaxPotentialBlockSizeWithFlags, gridSize, blockSize, f, dynSharedMemPerBlk,
                   blockSizeLimit, flags)(
      [&] { return potentialBlockSize(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit, flags); });
}

hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *f, int numBlocks,
                                                    int blockSize) {
  return HIPLZ_API(hipOccupancyAvailableDynamicSMemPerBlock, dynamicSmemSize, f, numBlocks, blockSize)([&] {
    HIPLZ_NOT_NULL(dynamicSmemSize);
    if (numBlocks <= 0 || blockSize <= 0)
      return refuse(hipErrorInvalidValue, "numBlocks or blockSize is not positive");
    LZDevice &device = currentDevice();
    const LZKernel &kernel = kernelFor(f);
    const auto blocks = static_cast<uint32_t>(numBlocks);
    if (kernel.occupancy(device, static_cast<uint32_t>(blockSize), 0).blocksPerMultiprocessor < blocks)
      return refuse(hipErrorInvalidValue, "a multiprocessor does not hold so many blocks of that size");
    const KernelResources resources = kernel.resources(device);
    const uint32_t share =
        device.compute().maxSharedLocalMemory / blocks; // no less than the static part, as blocks fit
    *dynamicSmemSize = std::min(share - resources.sharedBytes, resources.maxDynamicSharedBytes);
    return hipSuccess;
  });
}

hipError_t hipOccupancyMaxActiveClusters(int *numClusters, const void *f, const hipLaunchConfig_t *config) {
  return HIPLZ_API(hipOccupancyMaxActiveClusters, numClusters, f, config)([&] {
    HIPLZ_NOT_NULL(numClusters, config);
    LZDevice &device = queueFrom(config->stream).device();
    const LZKernel &kernel = kernelFor(f);
    if (!clusterOf(*config))
      throw HipError(hipErrorInvalidClusterSize, "config has no cluster");
    checkCluster(*clusterOf(*config));
    const uint64_t size = uint64_t{config->blockDim.x} * config->blockDim.y * config->blockDim.z;
    if (size == 0 || size > device.compute().maxTotalGroupSize)
      return refuse(hipErrorInvalidValue, "the device has no blocks of that size");
    const uint32_t blocks =
        kernel.occupancy(device, static_cast<uint32_t>(size), config->dynamicSmemBytes).blocksPerMultiprocessor;
    *numClusters = static_cast<int>(blocks * device.multiprocessors());
    return hipSuccess;
  });
}

hipError_t hipOccupancyMaxPotentialClusterSize(int *clusterSize, const void *f, const hipLaunchConfig_t *config) {
  return HIPLZ_API(hipOccupancyMaxPotentialClusterSize, clusterSize, f, config)([&] {
    HIPLZ_NOT_NULL(clusterSize, config);
    kernelFor(f);
    return refuse(hipErrorInvalidClusterSize, "the device has no clusters");
  });
}

} // extern "C"
