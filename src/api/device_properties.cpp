// SPDX-License-Identifier: MIT
// The table of properties, and the attributes read from it.
#include "api/device_properties.h"
#include "base/driver_extensions.h"
#include "lz/context/context.h"
#include "lz/memory/external.h"
#include "lz/memory/host_register.h"
#include "lz/memory/texture_limits.h"
#include "lz/module/registry.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hiplz {
namespace {

int clampToInt(uint64_t value) { return static_cast<int>(std::min<uint64_t>(value, INT_MAX)); }

constexpr int kWarpSize = LZDevice::kWarpSize;

// The features of the instruction set and memory model are those of HIP's compute capability 6.0: shuffles and votes,
// 64-bit atomics, unified memory, but no independent scheduling of the threads of a warp.
constexpr int kMajor = 6, kMinor = 0;

// The number in gcnArchName. Programs and libraries take the name apart: they expect "gfx", a number, and perhaps features
// behind a colon. No GPU of AMD's has this number, because host code that recognises the name counts on kernels that were
// compiled for that GPU. It is among those with warps of 32 lanes (10 and up).
constexpr int kArchitecture = 1099;

/// A process with kernels compiled for a GPU of AMD's sees that GPU, because libraries choose files and kernels by its name.
void fillArchitecture(const LZDevice &device, hipDeviceProp_tR0600 &prop) {
  std::string name = "gfx" + std::to_string(kArchitecture);
  prop.gcnArch = kArchitecture;
  prop.major = kMajor;
  prop.minor = kMinor;
  if (device.driver().hasExtension(kZeMachineCodeExtension))
    if (const std::string target = LZRegistry::instance().machineTarget(); !target.empty()) {
      name = target.substr(0, target.find("-generic"));
      std::erase(name, '-');
      if (name != target)
        name.resize(std::strlen("gfx1030"), '0'); // gfx10-3-generic, gfx11-generic: the first of the family
      // The last two digits are hexadecimal: the minor version and the stepping.
      const auto digit = [&](size_t fromEnd) {
        return static_cast<int>(std::strtol(std::string(1, name[name.size() - fromEnd]).c_str(), nullptr, 16));
      };
      prop.major = std::atoi(name.substr(3, name.size() - 5).c_str());
      prop.minor = digit(2);
      prop.gcnArch = prop.major * 100 + prop.minor * 10 + digit(1);
    }
  std::snprintf(prop.gcnArchName, sizeof prop.gcnArchName, "%s", name.c_str());
}

void fillShape(const LZDevice &device, hipDeviceProp_tR0600 &prop) {
  const ze_device_compute_properties_t &compute = device.compute();
  prop.warpSize = kWarpSize;
  prop.maxThreadsPerBlock = clampToInt(compute.maxTotalGroupSize);
  prop.maxThreadsDim[0] = clampToInt(compute.maxGroupSizeX);
  prop.maxThreadsDim[1] = clampToInt(compute.maxGroupSizeY);
  prop.maxThreadsDim[2] = clampToInt(compute.maxGroupSizeZ);
  prop.maxGridSize[0] = clampToInt(compute.maxGroupCountX);
  prop.maxGridSize[1] = clampToInt(compute.maxGroupCountY);
  prop.maxGridSize[2] = clampToInt(compute.maxGroupCountZ);
  prop.multiProcessorCount = clampToInt(device.multiprocessors());
  prop.maxThreadsPerMultiProcessor = clampToInt(device.residentThreads());
  prop.maxBlocksPerMultiProcessor = prop.maxThreadsPerMultiProcessor / kWarpSize;
  prop.sharedMemPerBlock = compute.maxSharedLocalMemory;
  prop.sharedMemPerBlockOptin = compute.maxSharedLocalMemory;
  prop.sharedMemPerMultiprocessor = compute.maxSharedLocalMemory;
  prop.maxSharedMemoryPerMultiProcessor = compute.maxSharedLocalMemory;
  // A warp has the 128 registers of its hardware thread, each of 4 bytes for each lane of the EU.
  const int registersPerWarp = 128 * (device.isIntelGpu() ? clampToInt(device.properties().physicalEUSimdWidth) : 8);
  prop.regsPerBlock = prop.maxThreadsPerBlock / kWarpSize * registersPerWarp;
  prop.regsPerMultiprocessor = prop.maxThreadsPerMultiProcessor / kWarpSize * registersPerWarp;
}

void fillMemory(const LZDevice &device, hipDeviceProp_tR0600 &prop) {
  const ze_device_properties_t &properties = device.properties();
  const ze_device_memory_access_properties_t &access = device.memoryAccess();
  prop.totalGlobalMem = device.totalMemory();
  prop.totalConstMem = std::min<uint64_t>(properties.maxMemAllocSize, INT_MAX);
  prop.memPitch = INT_MAX;
  prop.memoryClockRate = clampToInt(device.memoryClockKHz());
  prop.memoryBusWidth = clampToInt(device.memoryBusBits());
  prop.l2CacheSize = clampToInt(device.cacheBytes());
  prop.globalL1CacheSupported = prop.localL1CacheSupported = device.cacheBytes() != 0;
  prop.integrated = device.usesHostMemory();
  prop.ECCEnabled = (properties.flags & ZE_DEVICE_PROPERTY_FLAG_ECC) != 0;
  prop.unifiedAddressing = 1;
  prop.canMapHostMemory = (access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW) != 0;
  prop.hostNativeAtomicSupported = (access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC) != 0;
  prop.managedMemory = (access.sharedSingleDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW) != 0;
  prop.concurrentManagedAccess =
      (access.sharedSingleDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT) != 0;
  prop.pageableMemoryAccess = (access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW) != 0;
  prop.pageableMemoryAccessUsesHostPageTables = prop.pageableMemoryAccess;
  prop.directManagedMemAccessFromHost = prop.integrated && prop.managedMemory;
  // The host reads and writes what hipMalloc returns, because it is the device.
  prop.isLargeBar = properties.type == ZE_DEVICE_TYPE_CPU;
  prop.hostRegisterSupported = prop.canUseHostPointerForRegisteredMem = canRegisterHostMemory();
  // Memory that is imported into a driver has to be writable.
  prop.hostRegisterReadOnlySupported = prop.hostRegisterSupported && device.reachesAllMemory();
  prop.memoryPoolsSupported = 1;
  prop.memoryPoolSupportedHandleTypes = hipMemHandleTypePosixFileDescriptor;
  prop.ipcEventSupported = 1;
  prop.timelineSemaphoreInteropSupported = LZExternalSemaphore::supportedBy(device);
}

// Textures are read from linear memory on every device (texture_limits.h).
void fillImages(hipDeviceProp_tR0600 &prop) {
  namespace limits = texture_limits;
  const int width1D = limits::kWidth1D, width2D = limits::kWidth2D, height2D = limits::kHeight2D;
  const int layers = limits::kLayers, cubemap = limits::kCubemap;
  const auto set = [](auto &to, auto... values) {
    int i = 0;
    ((to[i++] = values), ...);
  };
  prop.maxTexture1D = prop.maxTexture1DMipmap = prop.maxSurface1D = width1D;
  prop.maxTexture1DLinear = limits::kLinear;
  set(prop.maxTexture2D, width2D, height2D);
  set(prop.maxTexture2DMipmap, width2D, height2D);
  set(prop.maxTexture2DGather, width2D, height2D);
  set(prop.maxTexture2DLinear, width2D, height2D, static_cast<int>(prop.memPitch));
  set(prop.maxSurface2D, width2D, height2D);
  for (auto *extents : {prop.maxTexture3D, prop.maxTexture3DAlt, prop.maxSurface3D})
    std::fill_n(extents, 3, static_cast<int>(limits::kExtent3D));
  set(prop.maxTexture1DLayered, width1D, layers);
  set(prop.maxSurface1DLayered, width1D, layers);
  set(prop.maxTexture2DLayered, width2D, height2D, layers);
  set(prop.maxSurface2DLayered, width2D, height2D, layers);
  prop.maxTextureCubemap = prop.maxSurfaceCubemap = cubemap;
  set(prop.maxTextureCubemapLayered, cubemap, layers);
  set(prop.maxSurfaceCubemapLayered, cubemap, layers);
  prop.textureAlignment = prop.texturePitchAlignment = prop.surfaceAlignment = limits::kAlignment;
}

void fillArch(const LZDevice &device, hipDeviceArch_t &arch) {
  const ze_device_module_properties_t &module = device.moduleProperties();
  arch = {};
  arch.hasGlobalInt32Atomics = arch.hasGlobalFloatAtomicExch = 1;
  arch.hasSharedInt32Atomics = arch.hasSharedFloatAtomicExch = 1;
  arch.hasFloatAtomicAdd = 1;
  arch.hasGlobalInt64Atomics = arch.hasSharedInt64Atomics = (module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS) != 0;
  arch.hasDoubles = (module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0;
  // The rest is 0, like the macros: HIP has the functions for funnel shifts, votes of a block and surfaces without it.
  arch.hasWarpVote = arch.hasWarpBallot = arch.hasWarpShuffle = 1;
  arch.hasThreadFenceSystem = arch.has3dGrid = 1;
}

} // namespace

hipDeviceProp_tR0600 hipProperties(const LZDevice &device) {
  const ze_device_properties_t &properties = device.properties();
  hipDeviceProp_tR0600 prop{};
  std::snprintf(prop.name, sizeof prop.name, "%s", properties.name);
  fillArchitecture(device, prop);
  static_assert(sizeof prop.uuid.bytes == sizeof properties.uuid.id);
  std::memcpy(prop.uuid.bytes, properties.uuid.id, sizeof prop.uuid.bytes);
  fillShape(device, prop);
  fillMemory(device, prop);
  fillImages(prop);
  fillArch(device, prop.arch);
  prop.clockRate = clampToInt(uint64_t{properties.coreClockRate} * 1000);
  prop.clockInstructionRate = prop.clockRate; // kernels count cycles, by clock64() and by wall_clock64()
  // Streams overlap copies with kernels as soon as there is a second engine of any kind.
  prop.asyncEngineCount = clampToInt(device.copyEngines() + (device.computeEngines() > 1));
  prop.deviceOverlap = prop.asyncEngineCount != 0;
  prop.concurrentKernels = device.computeEngines() > 1;
  prop.cooperativeLaunch = device.launchesCooperatively();
  // The grids of such a launch need not be alike in any respect.
  prop.cooperativeMultiDeviceLaunch = prop.cooperativeMultiDeviceUnmatchedFunc =
      prop.cooperativeMultiDeviceUnmatchedGridDim = prop.cooperativeMultiDeviceUnmatchedBlockDim =
          prop.cooperativeMultiDeviceUnmatchedSharedMem = device.launchesCooperatively() && device.sharesHostAtomics();
  prop.streamPrioritiesSupported = 1;
  prop.singleToDoublePrecisionPerfRatio = prop.arch.hasDoubles ? 2 : 0;
  prop.computeMode = hipComputeModeDefault;
  prop.pciDomainID = clampToInt(device.pci().address.domain);
  prop.pciBusID = clampToInt(device.pci().address.bus);
  prop.pciDeviceID = clampToInt(device.pci().address.device);
  prop.multiGpuBoardGroupID = device.ordinal(); // each on a board of its own
  prop.asicRevision = 0;
  return prop;
}

hipDeviceProp_tR0000 olderProperties(const hipDeviceProp_tR0600 &prop) {
  hipDeviceProp_tR0000 older{};
  std::memcpy(older.name, prop.name, sizeof older.name);
  older.gcnArch = prop.gcnArch;
  std::memcpy(older.gcnArchName, prop.gcnArchName, sizeof older.gcnArchName);
  std::copy_n(prop.maxThreadsDim, 3, older.maxThreadsDim);
  std::copy_n(prop.maxGridSize, 3, older.maxGridSize);
  std::copy_n(prop.maxTexture2D, 2, older.maxTexture2D);
  std::copy_n(prop.maxTexture3D, 3, older.maxTexture3D);
  older.totalGlobalMem = prop.totalGlobalMem;
  older.sharedMemPerBlock = prop.sharedMemPerBlock;
  older.regsPerBlock = prop.regsPerBlock;
  older.warpSize = prop.warpSize;
  older.maxThreadsPerBlock = prop.maxThreadsPerBlock;
  older.clockRate = prop.clockRate;
  older.memoryClockRate = prop.memoryClockRate;
  older.memoryBusWidth = prop.memoryBusWidth;
  older.totalConstMem = prop.totalConstMem;
  older.major = prop.major;
  older.minor = prop.minor;
  older.multiProcessorCount = prop.multiProcessorCount;
  older.l2CacheSize = prop.l2CacheSize;
  older.maxThreadsPerMultiProcessor = prop.maxThreadsPerMultiProcessor;
  older.computeMode = prop.computeMode;
  older.clockInstructionRate = prop.clockInstructionRate;
  older.arch = prop.arch;
  older.concurrentKernels = prop.concurrentKernels;
  older.pciDomainID = prop.pciDomainID;
  older.pciBusID = prop.pciBusID;
  older.pciDeviceID = prop.pciDeviceID;
  older.maxSharedMemoryPerMultiProcessor = prop.maxSharedMemoryPerMultiProcessor;
  older.isMultiGpuBoard = prop.isMultiGpuBoard;
  older.canMapHostMemory = prop.canMapHostMemory;
  older.integrated = prop.integrated;
  older.cooperativeLaunch = prop.cooperativeLaunch;
  older.cooperativeMultiDeviceLaunch = prop.cooperativeMultiDeviceLaunch;
  older.maxTexture1DLinear = prop.maxTexture1DLinear;
  older.maxTexture1D = prop.maxTexture1D;
  older.memPitch = prop.memPitch;
  older.textureAlignment = prop.textureAlignment;
  older.texturePitchAlignment = prop.texturePitchAlignment;
  older.kernelExecTimeoutEnabled = prop.kernelExecTimeoutEnabled;
  older.ECCEnabled = prop.ECCEnabled;
  older.tccDriver = prop.tccDriver;
  older.isLargeBar = prop.isLargeBar;
  older.asicRevision = prop.asicRevision;
  older.managedMemory = prop.managedMemory;
  older.directManagedMemAccessFromHost = prop.directManagedMemAccessFromHost;
  older.concurrentManagedAccess = prop.concurrentManagedAccess;
  older.pageableMemoryAccess = prop.pageableMemoryAccess;
  older.pageableMemoryAccessUsesHostPageTables = prop.pageableMemoryAccessUsesHostPageTables;
  return older;
}

hipError_t hipAttribute(const LZDevice &device, hipDeviceAttribute_t attribute, int &value) {
  const hipDeviceProp_tR0600 prop = hipProperties(device);
  switch (attribute) {
  case hipDeviceAttributeEccEnabled: value = prop.ECCEnabled; break;
  case hipDeviceAttributeAccessPolicyMaxWindowSize: value = prop.accessPolicyMaxWindowSize; break;
  case hipDeviceAttributeAsyncEngineCount: value = prop.asyncEngineCount; break;
  case hipDeviceAttributeCanMapHostMemory: value = prop.canMapHostMemory; break;
  case hipDeviceAttributeCanUseHostPointerForRegisteredMem: value = prop.canUseHostPointerForRegisteredMem; break;
  case hipDeviceAttributeClockRate: value = prop.clockRate; break;
  case hipDeviceAttributeComputeMode: value = prop.computeMode; break;
  case hipDeviceAttributeComputePreemptionSupported: value = prop.computePreemptionSupported; break;
  case hipDeviceAttributeConcurrentKernels: value = prop.concurrentKernels; break;
  case hipDeviceAttributeConcurrentManagedAccess: value = prop.concurrentManagedAccess; break;
  case hipDeviceAttributeCooperativeLaunch: value = prop.cooperativeLaunch; break;
  case hipDeviceAttributeCooperativeMultiDeviceLaunch: value = prop.cooperativeMultiDeviceLaunch; break;
  case hipDeviceAttributeDeviceOverlap: value = prop.deviceOverlap; break;
  case hipDeviceAttributeDirectManagedMemAccessFromHost: value = prop.directManagedMemAccessFromHost; break;
  case hipDeviceAttributeGlobalL1CacheSupported: value = prop.globalL1CacheSupported; break;
  case hipDeviceAttributeHostNativeAtomicSupported: value = prop.hostNativeAtomicSupported; break;
  case hipDeviceAttributeIntegrated: value = prop.integrated; break;
  case hipDeviceAttributeIsMultiGpuBoard: value = prop.isMultiGpuBoard; break;
  case hipDeviceAttributeKernelExecTimeout: value = prop.kernelExecTimeoutEnabled; break;
  case hipDeviceAttributeL2CacheSize: value = prop.l2CacheSize; break;
  case hipDeviceAttributeLocalL1CacheSupported: value = prop.localL1CacheSupported; break;
  case hipDeviceAttributeLuidDeviceNodeMask: value = static_cast<int>(prop.luidDeviceNodeMask); break;
  case hipDeviceAttributeComputeCapabilityMajor: value = prop.major; break;
  case hipDeviceAttributeComputeCapabilityMinor: value = prop.minor; break;
  case hipDeviceAttributeManagedMemory: value = prop.managedMemory; break;
  case hipDeviceAttributeMaxBlocksPerMultiProcessor: value = prop.maxBlocksPerMultiProcessor; break;
  case hipDeviceAttributeMaxBlockDimX: value = prop.maxThreadsDim[0]; break;
  case hipDeviceAttributeMaxBlockDimY: value = prop.maxThreadsDim[1]; break;
  case hipDeviceAttributeMaxBlockDimZ: value = prop.maxThreadsDim[2]; break;
  case hipDeviceAttributeMaxThreadsDim: value = prop.maxThreadsDim[0]; break;
  case hipDeviceAttributeMaxGridDimX: value = prop.maxGridSize[0]; break;
  case hipDeviceAttributeMaxGridDimY: value = prop.maxGridSize[1]; break;
  case hipDeviceAttributeMaxGridDimZ: value = prop.maxGridSize[2]; break;
  case hipDeviceAttributeMaxSurface1D: value = prop.maxSurface1D; break;
  case hipDeviceAttributeMaxSurface1DLayered: value = prop.maxSurface1DLayered[0]; break;
  case hipDeviceAttributeMaxSurface2D: value = prop.maxSurface2D[0]; break;
  case hipDeviceAttributeMaxSurface2DLayered: value = prop.maxSurface2DLayered[0]; break;
  case hipDeviceAttributeMaxSurface3D: value = prop.maxSurface3D[0]; break;
  case hipDeviceAttributeMaxSurfaceCubemap: value = prop.maxSurfaceCubemap; break;
  case hipDeviceAttributeMaxSurfaceCubemapLayered: value = prop.maxSurfaceCubemapLayered[0]; break;
  case hipDeviceAttributeMaxTexture1DWidth: value = prop.maxTexture1D; break;
  case hipDeviceAttributeMaxTexture1DLayered: value = prop.maxTexture1DLayered[0]; break;
  case hipDeviceAttributeMaxTexture1DLinear: value = prop.maxTexture1DLinear; break;
  case hipDeviceAttributeMaxTexture1DMipmap: value = prop.maxTexture1DMipmap; break;
  case hipDeviceAttributeMaxTexture2DWidth: value = prop.maxTexture2D[0]; break;
  case hipDeviceAttributeMaxTexture2DHeight: value = prop.maxTexture2D[1]; break;
  case hipDeviceAttributeMaxTexture2DGather: value = prop.maxTexture2DGather[0]; break;
  case hipDeviceAttributeMaxTexture2DLayered: value = prop.maxTexture2DLayered[0]; break;
  case hipDeviceAttributeMaxTexture2DLinear: value = prop.maxTexture2DLinear[0]; break;
  case hipDeviceAttributeMaxTexture2DMipmap: value = prop.maxTexture2DMipmap[0]; break;
  case hipDeviceAttributeMaxTexture3DWidth: value = prop.maxTexture3D[0]; break;
  case hipDeviceAttributeMaxTexture3DHeight: value = prop.maxTexture3D[1]; break;
  case hipDeviceAttributeMaxTexture3DDepth: value = prop.maxTexture3D[2]; break;
  case hipDeviceAttributeMaxTexture3DAlt: value = prop.maxTexture3DAlt[0]; break;
  case hipDeviceAttributeMaxTextureCubemap: value = prop.maxTextureCubemap; break;
  case hipDeviceAttributeMaxTextureCubemapLayered: value = prop.maxTextureCubemapLayered[0]; break;
  case hipDeviceAttributeMaxThreadsPerBlock: value = prop.maxThreadsPerBlock; break;
  case hipDeviceAttributeMaxThreadsPerMultiProcessor: value = prop.maxThreadsPerMultiProcessor; break;
  case hipDeviceAttributeMaxPitch: value = clampToInt(prop.memPitch); break;
  case hipDeviceAttributeMemoryBusWidth: value = prop.memoryBusWidth; break;
  case hipDeviceAttributeMemoryClockRate: value = prop.memoryClockRate; break;
  case hipDeviceAttributeMultiGpuBoardGroupID: value = prop.multiGpuBoardGroupID; break;
  case hipDeviceAttributeMultiprocessorCount: value = prop.multiProcessorCount; break;
  case hipDeviceAttributePhysicalMultiProcessorCount: value = prop.multiProcessorCount; break;
  case hipDeviceAttributePageableMemoryAccess: value = prop.pageableMemoryAccess; break;
  case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
    value = prop.pageableMemoryAccessUsesHostPageTables;
    break;
  case hipDeviceAttributePciBusId: value = prop.pciBusID; break;
  case hipDeviceAttributePciDeviceId: value = prop.pciDeviceID; break;
  case hipDeviceAttributePciDomainID: value = prop.pciDomainID; break;
  case hipDeviceAttributePersistingL2CacheMaxSize: value = prop.persistingL2CacheMaxSize; break;
  case hipDeviceAttributeMaxRegistersPerBlock: value = prop.regsPerBlock; break;
  case hipDeviceAttributeMaxRegistersPerMultiprocessor: value = prop.regsPerMultiprocessor; break;
  case hipDeviceAttributeReservedSharedMemPerBlock: value = clampToInt(prop.reservedSharedMemPerBlock); break;
  case hipDeviceAttributeMaxSharedMemoryPerBlock: value = clampToInt(prop.sharedMemPerBlock); break;
  case hipDeviceAttributeSharedMemPerBlockOptin: value = clampToInt(prop.sharedMemPerBlockOptin); break;
  case hipDeviceAttributeSharedMemPerMultiprocessor:
  case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor: value = clampToInt(prop.sharedMemPerMultiprocessor); break;
  case hipDeviceAttributeSingleToDoublePrecisionPerfRatio: value = prop.singleToDoublePrecisionPerfRatio; break;
  case hipDeviceAttributeStreamPrioritiesSupported: value = prop.streamPrioritiesSupported; break;
  case hipDeviceAttributeSurfaceAlignment: value = clampToInt(prop.surfaceAlignment); break;
  case hipDeviceAttributeTccDriver: value = prop.tccDriver; break;
  case hipDeviceAttributeTextureAlignment: value = clampToInt(prop.textureAlignment); break;
  case hipDeviceAttributeTexturePitchAlignment: value = clampToInt(prop.texturePitchAlignment); break;
  case hipDeviceAttributeTotalConstantMemory: value = clampToInt(prop.totalConstMem); break;
  case hipDeviceAttributeTotalGlobalMem: value = clampToInt(prop.totalGlobalMem); break;
  case hipDeviceAttributeUnifiedAddressing: value = prop.unifiedAddressing; break;
  case hipDeviceAttributeWarpSize: value = prop.warpSize; break;
  case hipDeviceAttributeMemoryPoolsSupported: value = prop.memoryPoolsSupported; break;
  case hipDeviceAttributeMemoryPoolSupportedHandleTypes:
    value = static_cast<int>(prop.memoryPoolSupportedHandleTypes);
    break;
  case hipDeviceAttributeHostRegisterSupported: value = prop.hostRegisterSupported; break;
  case hipDeviceAttributeClockInstructionRate:
  case hipDeviceAttributeWallClockRate: value = prop.clockInstructionRate; break;
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc: value = prop.cooperativeMultiDeviceUnmatchedFunc; break;
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim:
    value = prop.cooperativeMultiDeviceUnmatchedGridDim;
    break;
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim:
    value = prop.cooperativeMultiDeviceUnmatchedBlockDim;
    break;
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem:
    value = prop.cooperativeMultiDeviceUnmatchedSharedMem;
    break;
  case hipDeviceAttributeIsLargeBar: value = prop.isLargeBar; break;
  case hipDeviceAttributeAsicRevision: value = prop.asicRevision; break;
  // AMD's library stores an address here, 8 bytes. No other device has the registers; an NOPE the int that callers
  // pass.
  case hipDeviceAttributeHdpMemFlushCntl:
  case hipDeviceAttributeHdpRegFlushCntl: value = 0; break;
  case hipDeviceAttributeImageSupport: value = 1; break; // textures need no image units
  case hipDeviceAttributeFineGrainSupport: value = prop.hostNativeAtomicSupported; break;
  case hipDeviceAttributeVirtualMemoryManagementSupported:
  case hipDeviceAttributeCanUseStreamWaitValue: value = 1; break;
  case hipDeviceAttributeNumberOfXccs: value = 1; break; // a device of Level Zero is one whole
  default: throw HipError(hipErrorInvalidValue, "the device has no attribute " + std::to_string(attribute));
  }
  return hipSuccess;
}

} // namespace hiplz
