// SPDX-License-Identifier: MIT
// Each attribute of a device is the field of its properties, and what an attribute promises works: a program that asks takes
// the way that it is told. What works is promised, too.
#include "check.h"

#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>

namespace {

// The features that device code sees as macros, in the order of hipDeviceArch_t.
enum { kFeatures = 17 };
__global__ void features(int *out) {
  const int macros[kFeatures] = {__HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__,
                                 __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__,
                                 __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__,
                                 __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__,
                                 __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__,
                                 __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__,
                                 __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__,
                                 __HIP_ARCH_HAS_DOUBLES__,
                                 __HIP_ARCH_HAS_WARP_VOTE__,
                                 __HIP_ARCH_HAS_WARP_BALLOT__,
                                 __HIP_ARCH_HAS_WARP_SHUFFLE__,
                                 __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__,
                                 __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__,
                                 __HIP_ARCH_HAS_SYNC_THREAD_EXT__,
                                 __HIP_ARCH_HAS_SURFACE_FUNCS__,
                                 __HIP_ARCH_HAS_3DGRID__,
                                 __HIP_ARCH_HAS_DYNAMIC_PARALLEL__};
  for (int i = 0; i < kFeatures; ++i)
    out[i] = macros[i];
}

__global__ void increment(int *value) { atomicAdd_system(value, 1); }
__global__ void readFrom(const int *value, int *out) { *out = *value; }

int attribute(hipDeviceAttribute_t which) {
  int value = -7;
  HIP_CHECK(hipDeviceGetAttribute(&value, which, 0));
  return value;
}

hipDeviceProp_t properties() {
  hipDeviceProp_t result;
  HIP_CHECK(hipGetDeviceProperties(&result, 0));
  return result;
}

// Attributes that have a field.
TEST(sameAsProperties) {
  const hipDeviceProp_t p = properties();
#define SAME(name, field)                                                                                              \
  CHECK_EQ(attribute(hipDeviceAttribute##name), static_cast<int>(std::min<size_t>(p.field, INT32_MAX)))
  SAME(EccEnabled, ECCEnabled);
  SAME(AccessPolicyMaxWindowSize, accessPolicyMaxWindowSize);
  SAME(AsyncEngineCount, asyncEngineCount);
  SAME(CanMapHostMemory, canMapHostMemory);
  SAME(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem);
  SAME(ClockRate, clockRate);
  SAME(ComputeMode, computeMode);
  SAME(ComputePreemptionSupported, computePreemptionSupported);
  SAME(ConcurrentKernels, concurrentKernels);
  SAME(ConcurrentManagedAccess, concurrentManagedAccess);
  SAME(CooperativeLaunch, cooperativeLaunch);
  SAME(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch);
  SAME(CooperativeMultiDeviceUnmatchedFunc, cooperativeMultiDeviceUnmatchedFunc);
  SAME(CooperativeMultiDeviceUnmatchedGridDim, cooperativeMultiDeviceUnmatchedGridDim);
  SAME(CooperativeMultiDeviceUnmatchedBlockDim, cooperativeMultiDeviceUnmatchedBlockDim);
  SAME(CooperativeMultiDeviceUnmatchedSharedMem, cooperativeMultiDeviceUnmatchedSharedMem);
  SAME(DeviceOverlap, deviceOverlap);
  SAME(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost);
  SAME(GlobalL1CacheSupported, globalL1CacheSupported);
  SAME(HostNativeAtomicSupported, hostNativeAtomicSupported);
  SAME(Integrated, integrated);
  SAME(IsMultiGpuBoard, isMultiGpuBoard);
  SAME(KernelExecTimeout, kernelExecTimeoutEnabled);
  SAME(L2CacheSize, l2CacheSize);
  SAME(LocalL1CacheSupported, localL1CacheSupported);
  SAME(LuidDeviceNodeMask, luidDeviceNodeMask);
  SAME(ComputeCapabilityMajor, major);
  SAME(ComputeCapabilityMinor, minor);
  SAME(ManagedMemory, managedMemory);
  SAME(MaxBlocksPerMultiProcessor, maxBlocksPerMultiProcessor);
  SAME(MaxBlockDimX, maxThreadsDim[0]);
  SAME(MaxBlockDimY, maxThreadsDim[1]);
  SAME(MaxBlockDimZ, maxThreadsDim[2]);
  SAME(MaxThreadsDim, maxThreadsDim[0]);
  SAME(MaxGridDimX, maxGridSize[0]);
  SAME(MaxGridDimY, maxGridSize[1]);
  SAME(MaxGridDimZ, maxGridSize[2]);
  SAME(MaxSurface1D, maxSurface1D);
  SAME(MaxSurface1DLayered, maxSurface1DLayered[0]);
  SAME(MaxSurface2D, maxSurface2D[0]);
  SAME(MaxSurface2DLayered, maxSurface2DLayered[0]);
  SAME(MaxSurface3D, maxSurface3D[0]);
  SAME(MaxSurfaceCubemap, maxSurfaceCubemap);
  SAME(MaxSurfaceCubemapLayered, maxSurfaceCubemapLayered[0]);
  SAME(MaxTexture1DWidth, maxTexture1D);
  SAME(MaxTexture1DLayered, maxTexture1DLayered[0]);
  SAME(MaxTexture1DLinear, maxTexture1DLinear);
  SAME(MaxTexture1DMipmap, maxTexture1DMipmap);
  SAME(MaxTexture2DWidth, maxTexture2D[0]);
  SAME(MaxTexture2DHeight, maxTexture2D[1]);
  SAME(MaxTexture2DGather, maxTexture2DGather[0]);
  SAME(MaxTexture2DLayered, maxTexture2DLayered[0]);
  SAME(MaxTexture2DLinear, maxTexture2DLinear[0]);
  SAME(MaxTexture2DMipmap, maxTexture2DMipmap[0]);
  SAME(MaxTexture3DWidth, maxTexture3D[0]);
  SAME(MaxTexture3DHeight, maxTexture3D[1]);
  SAME(MaxTexture3DDepth, maxTexture3D[2]);
  SAME(MaxTexture3DAlt, maxTexture3DAlt[0]);
  SAME(MaxTextureCubemap, maxTextureCubemap);
  SAME(MaxTextureCubemapLayered, maxTextureCubemapLayered[0]);
  SAME(MaxThreadsPerBlock, maxThreadsPerBlock);
  SAME(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor);
  SAME(MaxPitch, memPitch);
  SAME(MemoryBusWidth, memoryBusWidth);
  SAME(MemoryClockRate, memoryClockRate);
  SAME(MultiGpuBoardGroupID, multiGpuBoardGroupID);
  SAME(MultiprocessorCount, multiProcessorCount);
  SAME(PageableMemoryAccess, pageableMemoryAccess);
  SAME(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables);
  SAME(PciBusId, pciBusID);
  SAME(PciDeviceId, pciDeviceID);
  SAME(PciDomainID, pciDomainID);
  SAME(PersistingL2CacheMaxSize, persistingL2CacheMaxSize);
  SAME(MaxRegistersPerBlock, regsPerBlock);
  SAME(MaxRegistersPerMultiprocessor, regsPerMultiprocessor);
  SAME(ReservedSharedMemPerBlock, reservedSharedMemPerBlock);
  SAME(MaxSharedMemoryPerBlock, sharedMemPerBlock);
  SAME(SharedMemPerBlockOptin, sharedMemPerBlockOptin);
  SAME(SharedMemPerMultiprocessor, sharedMemPerMultiprocessor);
  SAME(MaxSharedMemoryPerMultiprocessor, maxSharedMemoryPerMultiProcessor);
  SAME(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio);
  SAME(StreamPrioritiesSupported, streamPrioritiesSupported);
  SAME(SurfaceAlignment, surfaceAlignment);
  SAME(TccDriver, tccDriver);
  SAME(TextureAlignment, textureAlignment);
  SAME(TexturePitchAlignment, texturePitchAlignment);
  SAME(TotalConstantMemory, totalConstMem);
  SAME(TotalGlobalMem, totalGlobalMem);
  SAME(UnifiedAddressing, unifiedAddressing);
  SAME(WarpSize, warpSize);
  SAME(MemoryPoolsSupported, memoryPoolsSupported);
  SAME(HostRegisterSupported, hostRegisterSupported);
  SAME(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes);
  SAME(ClockInstructionRate, clockInstructionRate);
  SAME(WallClockRate, clockInstructionRate);
  SAME(IsLargeBar, isLargeBar);
  SAME(AsicRevision, asicRevision);
  SAME(PhysicalMultiProcessorCount, multiProcessorCount);
  SAME(FineGrainSupport, hostNativeAtomicSupported);
#undef SAME
}

// A rate or a size of 0 is nothing to calculate with.
TEST(positive) {
  const hipDeviceProp_t p = properties();
  CHECK(p.clockRate > 0 && p.clockInstructionRate > 0 && p.memoryClockRate > 0 && p.memoryBusWidth > 0);
  CHECK(p.l2CacheSize > 0 && p.asyncEngineCount >= 0 && p.multiProcessorCount > 0);
  CHECK(p.sharedMemPerBlockOptin >= p.sharedMemPerBlock);
}

void archIsWhatMacrosSay(const hipDeviceArch_t &arch) {
  const int told[kFeatures] = {arch.hasGlobalInt32Atomics, arch.hasGlobalFloatAtomicExch,
                               arch.hasSharedInt32Atomics, arch.hasSharedFloatAtomicExch,
                               arch.hasFloatAtomicAdd,     arch.hasGlobalInt64Atomics,
                               arch.hasSharedInt64Atomics, arch.hasDoubles,
                               arch.hasWarpVote,           arch.hasWarpBallot,
                               arch.hasWarpShuffle,        arch.hasFunnelShift,
                               arch.hasThreadFenceSystem,  arch.hasSyncThreadsExt,
                               arch.hasSurfaceFuncs,       arch.has3dGrid,
                               arch.hasDynamicParallelism};
  DeviceArray<int> out(kFeatures);
  features<<<1, 1>>>(out);
  const std::vector<int> macros = out.host();
  for (int i = 0; i < kFeatures; ++i) {
    // A device may lack what all others have.
    const bool optional = &told[i] - told == 5 || &told[i] - told == 6 || &told[i] - told == 7;
    if (!optional || told[i])
      CHECK_EQ(told[i], macros[i]);
  }
}

TEST(memoryPools) {
  const hipDeviceProp_t p = properties();
  hipMemPool_t pool;
  void *memory;
  CHECK_EQ(hipDeviceGetDefaultMemPool(&pool, 0) == hipSuccess, p.memoryPoolsSupported == 1);
  HIP_CHECK(hipMallocAsync(&memory, 64, nullptr));
  HIP_CHECK(hipFreeAsync(memory, nullptr));
  for (hipMemAllocationHandleType type :
       {hipMemHandleTypePosixFileDescriptor, hipMemHandleTypeWin32, hipMemHandleTypeWin32Kmt}) {
    hipMemPoolProps properties{};
    properties.allocType = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    properties.handleTypes = type;
    const bool created = hipMemPoolCreate(&pool, &properties) == hipSuccess;
    CHECK_EQ(created, (p.memoryPoolSupportedHandleTypes & type) != 0);
    if (!created)
      continue;
    int descriptor = -1;
    HIP_CHECK(hipMemPoolExportToShareableHandle(&descriptor, pool, type, 0));
    HIP_CHECK(hipMemPoolDestroy(pool));
  }
}

TEST(hostMemory) {
  const hipDeviceProp_t p = properties();
  const size_t page = sysconf(_SC_PAGESIZE);
  DeviceArray<int> out(1);
  std::vector<int> own(1000, 5);
  const bool registered = hipHostRegister(own.data(), own.size() * sizeof(int), hipHostRegisterMapped) == hipSuccess;
  CHECK_EQ(registered, p.hostRegisterSupported == 1);
  if (registered) {
    void *device;
    HIP_CHECK(hipHostGetDevicePointer(&device, own.data(), 0));
    CHECK_EQ(device == own.data(), p.canUseHostPointerForRegisteredMem == 1);
    increment<<<1, 1>>>(static_cast<int *>(device));
    HIP_CHECK(hipDeviceSynchronize());
    CHECK_EQ(own[0], 6);
    HIP_CHECK(hipHostUnregister(own.data()));
  }
  if (p.hostRegisterReadOnlySupported) {
    void *mapping = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<int *>(mapping) = 77;
    CHECK_EQ(mprotect(mapping, page, PROT_READ), 0);
    HIP_CHECK(hipHostRegister(mapping, page, hipHostRegisterMapped | hipHostRegisterReadOnly));
    readFrom<<<1, 1>>>(static_cast<const int *>(mapping), out);
    CHECK_EQ(out.host()[0], 77);
    HIP_CHECK(hipHostUnregister(mapping));
    munmap(mapping, page);
  }
  if (p.canMapHostMemory) {
    int *pinned;
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned), sizeof(int), hipHostMallocMapped));
    *pinned = 0;
    increment<<<1, 100>>>(pinned);
    if (p.hostNativeAtomicSupported) // at the same time as the kernel
      for (int i = 0; i < 100; ++i)
        __atomic_fetch_add(pinned, 1, __ATOMIC_SEQ_CST);
    HIP_CHECK(hipDeviceSynchronize());
    CHECK_EQ(*pinned, p.hostNativeAtomicSupported ? 200 : 100);
    HIP_CHECK(hipHostFree(pinned));
  }
  if (p.pageableMemoryAccess) {
    std::vector<int> pageable(1, 30);
    increment<<<1, 1>>>(pageable.data());
    HIP_CHECK(hipDeviceSynchronize());
    CHECK_EQ(pageable[0], 31);
  }
  if (p.isLargeBar) { // the host reaches device memory
    int *memory;
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&memory), sizeof(int)));
    *memory = 8;
    increment<<<1, 1>>>(memory);
    HIP_CHECK(hipDeviceSynchronize());
    CHECK_EQ(*memory, 9);
    HIP_CHECK(hipFree(memory));
  }
}

TEST(managedMemory) {
  const hipDeviceProp_t p = properties();
  int *memory = nullptr;
  CHECK_EQ(hipMallocManaged(reinterpret_cast<void **>(&memory), 2 * sizeof(int)) == hipSuccess, p.managedMemory == 1);
  if (!memory)
    return;
  memory[0] = memory[1] = 0;
  increment<<<1, 1>>>(memory);
  if (p.concurrentManagedAccess) // while the kernel may be running
    memory[1] = 4;
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(memory[0], 1);
  CHECK_EQ(memory[1], p.concurrentManagedAccess ? 4 : 0);
  HIP_CHECK(hipFree(memory));
}

TEST(virtualMemory) {
  hipMemAllocationProp physical{};
  physical.type = hipMemAllocationTypePinned;
  physical.location = {hipMemLocationTypeDevice, 0};
  size_t page = 0;
  CHECK_EQ(hipMemGetAllocationGranularity(&page, &physical, hipMemAllocationGranularityMinimum) == hipSuccess,
           attribute(hipDeviceAttributeVirtualMemoryManagementSupported) == 1);
  hipMemGenericAllocationHandle_t handle;
  HIP_CHECK(hipMemCreate(&handle, page, &physical, 0));
  HIP_CHECK(hipMemRelease(handle));
}

TEST(streams) {
  const hipDeviceProp_t p = properties();
  int least, greatest;
  HIP_CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK_EQ(least != greatest, p.streamPrioritiesSupported == 1);
  int *word;
  HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&word), 8));
  CHECK_EQ(hipStreamWriteValue32(nullptr, word, 3, 0) == hipSuccess,
           attribute(hipDeviceAttributeCanUseStreamWaitValue) == 1);
  HIP_CHECK(hipStreamWaitValue32(nullptr, word, 3, hipStreamWaitValueEq));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFree(word));
  hipEvent_t event;
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
  hipIpcEventHandle_t shared;
  CHECK_EQ(hipIpcGetEventHandle(&shared, event) == hipSuccess, p.ipcEventSupported == 1);
  HIP_CHECK(hipEventDestroy(event));

  hipExternalSemaphoreHandleDesc description{};
  description.type = hipExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  description.handle.fd = -1;
  hipExternalSemaphore_t semaphore;
  CHECK_EQ(hipImportExternalSemaphore(&semaphore, &description) == hipErrorNotSupported,
           p.timelineSemaphoreInteropSupported == 0);
}

TEST(launches) {
  const hipDeviceProp_t p = properties();
  DeviceArray<int> value(1);
  int *argument = value;
  void *arguments[] = {&argument};
  CHECK_EQ(hipLaunchCooperativeKernel(reinterpret_cast<void *>(increment), 1, 1, arguments, 0, nullptr) == hipSuccess,
           p.cooperativeLaunch == 1);
  hipLaunchParams part{};
  part.func = reinterpret_cast<void *>(increment);
  part.gridDim = part.blockDim = dim3(1);
  part.args = arguments;
  HIP_CHECK(hipStreamCreate(&part.stream));
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(&part, 1, 0) == hipSuccess, p.cooperativeMultiDeviceLaunch == 1);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipStreamDestroy(part.stream));
  static_cast<void>(hipGetLastError());
  // The largest block of each dimension, and one thread more.
  for (int i = 0; i < 3; ++i) {
    unsigned block[3] = {1, 1, 1};
    block[i] = static_cast<unsigned>(std::min(p.maxThreadsDim[i], p.maxThreadsPerBlock));
    increment<<<1, dim3(block[0], block[1], block[2])>>>(value);
    HIP_CHECK(hipGetLastError());
    block[i] = p.maxThreadsDim[i] + 1u;
    increment<<<1, dim3(block[0], block[1], block[2])>>>(value);
    CHECK(hipGetLastError() != hipSuccess);
  }
  increment<<<1, 1, p.sharedMemPerBlockOptin + 1>>>(value);
  CHECK(hipGetLastError() != hipSuccess);
}

TEST(images) {
  const hipDeviceProp_t p = properties();
  const hipChannelFormatDesc format = hipCreateChannelDesc<char>();
  hipArray_t array;
  CHECK_EQ(hipMallocArray(&array, &format, p.maxTexture1D) == hipSuccess,
           attribute(hipDeviceAttributeImageSupport) == 1);
  HIP_CHECK(hipFreeArray(array));
  CHECK(hipMallocArray(&array, &format, p.maxTexture1D + 1) != hipSuccess);
  HIP_CHECK(hipMallocArray(&array, &format, p.maxTexture2D[0], 1));
  HIP_CHECK(hipFreeArray(array));
  CHECK(hipMallocArray(&array, &format, p.maxTexture2D[0] + 1, 1) != hipSuccess);
  HIP_CHECK(hipMalloc3DArray(&array, &format, make_hipExtent(p.maxTexture3D[0], 1, 1), hipArrayDefault));
  HIP_CHECK(hipFreeArray(array));
  CHECK(hipMalloc3DArray(&array, &format, make_hipExtent(p.maxTexture3D[0] + 1, 1, 1), hipArrayDefault) != hipSuccess);
  HIP_CHECK(hipMalloc3DArray(&array, &format, make_hipExtent(1, 0, p.maxTexture1DLayered[1]), hipArrayLayered));
  HIP_CHECK(hipFreeArray(array));
  CHECK(hipMalloc3DArray(&array, &format, make_hipExtent(1, 0, p.maxTexture1DLayered[1] + 1), hipArrayLayered) !=
        hipSuccess);
}

TEST(architecture) { archIsWhatMacrosSay(properties().arch); }

// Addresses of registers that only AMD's devices have.
TEST(registersOfAmd) {
  const hipDeviceProp_t p = properties();
  for (hipDeviceAttribute_t none : {hipDeviceAttributeHdpMemFlushCntl, hipDeviceAttributeHdpRegFlushCntl}) {
    unsigned *address = nullptr;
    HIP_CHECK(hipDeviceGetAttribute(reinterpret_cast<int *>(&address), none, 0));
    CHECK(address == p.hdpMemFlushCntl && address == p.hdpRegFlushCntl);
    int onlyInt[2] = {-7, -7};
    HIP_CHECK(hipDeviceGetAttribute(onlyInt, none, 0));
    CHECK_EQ(onlyInt[1], -7);
  }
}

TEST(attributesThatDoNotExist) {
  int value;
  for (int none :
       {static_cast<int>(hipDeviceAttributeLuid), static_cast<int>(hipDeviceAttributeUnused1), -1, 5000, 30000})
    CHECK_EQ(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(none), 0), hipErrorInvalidValue);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
