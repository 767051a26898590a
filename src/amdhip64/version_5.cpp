// SPDX-License-Identifier: MIT
// libamdhip64.so.5: what means something else to programs that were linked against HIP 5, and what HIP 6 dropped. Kinds of
// memory and of graph nodes had other numbers, and four structures another layout; some functions had C++ names. Everything
// else is libhiplz itself.
#include "next.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace {

// The numbers of HIP 5 for hipMemoryType.
enum Memory5 : unsigned { kHost5 = 0, kDevice5 = 1, kArray5 = 2, kUnified5 = 3 };

hipMemoryType memoryFrom5(unsigned type) {
  switch (type) {
  case kHost5: return hipMemoryTypeHost;
  case kDevice5: return hipMemoryTypeDevice;
  case kArray5: return hipMemoryTypeArray;
  case kUnified5: return hipMemoryTypeUnified;
  default: return static_cast<hipMemoryType>(~0u); // refused by the function that gets it
  }
}

// HIP 5 had no number for managed memory: it is device memory, and isManaged tells.
unsigned memoryTo5(hipMemoryType type) {
  switch (type) {
  case hipMemoryTypeHost: return kHost5;
  case hipMemoryTypeArray: return kArray5;
  case hipMemoryTypeUnified: return kUnified5;
  default: return kDevice5;
  }
}

// The numbers of HIP 5 for hipGraphNodeType, by those of HIP 6. The kinds that it lacks come after its last one.
constexpr unsigned kNode5[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 10, 11};

struct Memcpy3D5 {
  unsigned srcXInBytes, srcY, srcZ, srcLOD, srcMemoryType;
  const void *srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  unsigned srcPitch, srcHeight;
  unsigned dstXInBytes, dstY, dstZ, dstLOD, dstMemoryType;
  void *dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  unsigned dstPitch, dstHeight;
  unsigned WidthInBytes, Height, Depth;
};
static_assert(sizeof(Memcpy3D5) == 128);

HIP_MEMCPY3D from5(const HIP_MEMCPY3D *passed) {
  const Memcpy3D5 &old = *reinterpret_cast<const Memcpy3D5 *>(passed);
  HIP_MEMCPY3D copy{};
  copy.srcXInBytes = old.srcXInBytes;
  copy.srcY = old.srcY;
  copy.srcZ = old.srcZ;
  copy.srcLOD = old.srcLOD;
  copy.srcMemoryType = memoryFrom5(old.srcMemoryType);
  copy.srcHost = old.srcHost;
  copy.srcDevice = old.srcDevice;
  copy.srcArray = old.srcArray;
  copy.srcPitch = old.srcPitch;
  copy.srcHeight = old.srcHeight;
  copy.dstXInBytes = old.dstXInBytes;
  copy.dstY = old.dstY;
  copy.dstZ = old.dstZ;
  copy.dstLOD = old.dstLOD;
  copy.dstMemoryType = memoryFrom5(old.dstMemoryType);
  copy.dstHost = old.dstHost;
  copy.dstDevice = old.dstDevice;
  copy.dstArray = old.dstArray;
  copy.dstPitch = old.dstPitch;
  copy.dstHeight = old.dstHeight;
  copy.WidthInBytes = old.WidthInBytes;
  copy.Height = old.Height;
  copy.Depth = old.Depth;
  return copy;
}

hip_Memcpy2D from5(const hip_Memcpy2D *passed) {
  hip_Memcpy2D copy = *passed;
  copy.srcMemoryType = memoryFrom5(static_cast<unsigned>(passed->srcMemoryType));
  copy.dstMemoryType = memoryFrom5(static_cast<unsigned>(passed->dstMemoryType));
  return copy;
}

struct AllocationProp5 {
  unsigned char compressionType;
  hipMemLocation location;
  hipMemAllocationHandleType requestedHandleType;
  hipMemAllocationType type;
  unsigned short usage;
  void *win32HandleMetaData;
};
static_assert(sizeof(AllocationProp5) == 32);

hipMemAllocationProp from5(const hipMemAllocationProp *passed) {
  const AllocationProp5 &old = *reinterpret_cast<const AllocationProp5 *>(passed);
  hipMemAllocationProp prop{};
  prop.type = old.type;
  prop.requestedHandleType = old.requestedHandleType;
  prop.location = old.location;
  prop.win32HandleMetaData = old.win32HandleMetaData;
  prop.allocFlags.compressionType = old.compressionType;
  prop.allocFlags.usage = old.usage;
  return prop;
}

AllocationProp5 to5(const hipMemAllocationProp &prop) {
  return {prop.allocFlags.compressionType, prop.location,           prop.requestedHandleType, prop.type,
          prop.allocFlags.usage,           prop.win32HandleMetaData};
}

struct SignalParams5 {
  unsigned long long fenceValue, mutexKey;
  unsigned reserved0[12];
  unsigned flags;
  unsigned reserved1[16];
};
static_assert(sizeof(SignalParams5) == 136);

struct WaitParams5 {
  unsigned long long fenceValue, mutexKey;
  unsigned mutexTimeoutMs, padding;
  unsigned reserved0[10];
  unsigned flags;
  unsigned reserved1[16];
};
static_assert(sizeof(WaitParams5) == 136);

template <class Old, class New> std::vector<New> semaphoresFrom5(const New *passed, unsigned count) {
  const Old *old = reinterpret_cast<const Old *>(passed);
  std::vector<New> params(passed ? count : 0);
  for (size_t at = 0; at < params.size(); ++at) {
    params[at].params.fence.value = old[at].fenceValue;
    params[at].params.keyedMutex.key = old[at].mutexKey;
    if constexpr (std::is_same_v<Old, WaitParams5>)
      params[at].params.keyedMutex.timeoutMs = old[at].mutexTimeoutMs;
    params[at].flags = old[at].flags;
  }
  return params;
}

void typeTo5(void *data) {
  unsigned &type = *static_cast<unsigned *>(data);
  type = memoryTo5(static_cast<hipMemoryType>(type));
}

} // namespace

extern "C" {

// HIP 5 refused memory that it did not know.
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *ptr) {
  const hipError_t error = HIPLZ_CALL_NEXT(hipPointerGetAttributes, attributes, ptr);
  if (error != hipSuccess)
    return error;
  if (attributes->type == hipMemoryTypeUnregistered)
    return hipErrorInvalidValue;
  typeTo5(&attributes->type);
  return hipSuccess;
}

hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
  const hipError_t error = HIPLZ_CALL_NEXT(hipPointerGetAttribute, data, attribute, ptr);
  if (error == hipSuccess && attribute == HIP_POINTER_ATTRIBUTE_MEMORY_TYPE)
    typeTo5(data);
  return error;
}

hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute *attributes, void **data,
                                      hipDeviceptr_t ptr) {
  const hipError_t error = HIPLZ_CALL_NEXT(hipDrvPointerGetAttributes, numAttributes, attributes, data, ptr);
  if (error == hipSuccess)
    for (unsigned at = 0; at < numAttributes; ++at)
      if (attributes[at] == HIP_POINTER_ATTRIBUTE_MEMORY_TYPE && data[at])
        typeTo5(data[at]);
  return error;
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D *pCopy) {
  return callConverted(from5, pCopy,
                       [&](const hip_Memcpy2D *params) { return HIPLZ_CALL_NEXT(hipMemcpyParam2D, params); });
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *pCopy, hipStream_t stream) {
  return callConverted(
      from5, pCopy, [&](const hip_Memcpy2D *params) { return HIPLZ_CALL_NEXT(hipMemcpyParam2DAsync, params, stream); });
}

hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *pCopy) {
  return callConverted(from5, pCopy,
                       [&](const hip_Memcpy2D *params) { return HIPLZ_CALL_NEXT(hipDrvMemcpy2DUnaligned, params); });
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *pCopy) {
  return callConverted(from5, pCopy,
                       [&](const HIP_MEMCPY3D *params) { return HIPLZ_CALL_NEXT(hipDrvMemcpy3D, params); });
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *pCopy, hipStream_t stream) {
  return callConverted(
      from5, pCopy, [&](const HIP_MEMCPY3D *params) { return HIPLZ_CALL_NEXT(hipDrvMemcpy3DAsync, params, stream); });
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *pType) {
  const hipError_t error = HIPLZ_CALL_NEXT(hipGraphNodeGetType, node, pType);
  if (error == hipSuccess && static_cast<size_t>(*pType) < std::size(kNode5))
    *reinterpret_cast<unsigned *>(pType) = kNode5[*pType];
  return error;
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size, const hipMemAllocationProp *prop,
                        unsigned long long flags) {
  return callConverted(from5, prop, [&](const hipMemAllocationProp *params) {
    return HIPLZ_CALL_NEXT(hipMemCreate, handle, size, params, flags);
  });
}

hipError_t hipMemGetAllocationGranularity(size_t *granularity, const hipMemAllocationProp *prop,
                                          hipMemAllocationGranularity_flags option) {
  return callConverted(from5, prop, [&](const hipMemAllocationProp *params) {
    return HIPLZ_CALL_NEXT(hipMemGetAllocationGranularity, granularity, params, option);
  });
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *prop, hipMemGenericAllocationHandle_t handle) {
  const hipError_t error = HIPLZ_CALL_NEXT(hipMemGetAllocationPropertiesFromHandle, prop, handle);
  if (error == hipSuccess)
    *reinterpret_cast<AllocationProp5 *>(prop) = to5(hipMemAllocationProp(*prop));
  return error;
}

hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t *extSemArray,
                                            const hipExternalSemaphoreSignalParams *paramsArray,
                                            unsigned int numExtSems, hipStream_t stream) {
  const auto params = semaphoresFrom5<SignalParams5>(paramsArray, numExtSems);
  return HIPLZ_CALL_NEXT(hipSignalExternalSemaphoresAsync, extSemArray, paramsArray ? params.data() : nullptr,
                         numExtSems, stream);
}

hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t *extSemArray,
                                          const hipExternalSemaphoreWaitParams *paramsArray, unsigned int numExtSems,
                                          hipStream_t stream) {
  const auto params = semaphoresFrom5<WaitParams5>(paramsArray, numExtSems);
  return HIPLZ_CALL_NEXT(hipWaitExternalSemaphoresAsync, extSemArray, paramsArray ? params.data() : nullptr, numExtSems,
                         stream);
}

// Programs that were made for HIP 5 find by it which libraries to load: CuPy looks for hipRTC in this library if it is 5, and nowhere if it
// is more. The number is that of the last HIP 5: major, minor and patch in decimal places.
constexpr int kVersion5 = 50731921;

hipError_t hipRuntimeGetVersion(int *runtimeVersion) {
  const hipError_t error = HIPLZ_CALL_NEXT(hipRuntimeGetVersion, runtimeVersion);
  if (error == hipSuccess)
    *runtimeVersion = kVersion5;
  return error;
}

hipError_t hipDriverGetVersion(int *driverVersion) {
  const hipError_t error = HIPLZ_CALL_NEXT(hipDriverGetVersion, driverVersion);
  if (error == hipSuccess)
    *driverVersion = kVersion5;
  return error;
}

// Functions of C++: the names say what the parameters are. HIP 5.2 has surfaces as pointers; programs built with headers in which
// hipSurfaceObject_t was a number, such as CuPy's for ROCm 5.0, have the names with `y`. Both are eight bytes.

hipError_t
createSurface5(hipSurfaceObject_t *,
               const hipResourceDesc *) __asm__("_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc");
hipError_t createSurface5(hipSurfaceObject_t *surface, const hipResourceDesc *resource) {
  return HIPLZ_CALL_NEXT(hipCreateSurfaceObject, surface, resource);
}
hipError_t createSurfaceNumber5(unsigned long long *,
                                const hipResourceDesc *) __asm__("_Z22hipCreateSurfaceObjectPyPK15hipResourceDesc");
hipError_t createSurfaceNumber5(unsigned long long *surface, const hipResourceDesc *resource) {
  return createSurface5(reinterpret_cast<hipSurfaceObject_t *>(surface), resource);
}

hipError_t destroySurface5(hipSurfaceObject_t) __asm__("_Z23hipDestroySurfaceObjectP13__hip_surface");
hipError_t destroySurface5(hipSurfaceObject_t surface) { return HIPLZ_CALL_NEXT(hipDestroySurfaceObject, surface); }
hipError_t destroySurfaceNumber5(unsigned long long) __asm__("_Z23hipDestroySurfaceObjecty");
hipError_t destroySurfaceNumber5(unsigned long long surface) {
  return destroySurface5(reinterpret_cast<hipSurfaceObject_t>(surface));
}

// hip_impl::hipLaunchKernelGGLImpl, into which templates of HIP 5's headers expand. `extra` is that of hipModuleLaunchKernel.
// Errors are the last error of the thread.
void launchKernel5(uintptr_t, const dim3 *, const dim3 *, uint32_t, hipStream_t,
                   void **) __asm__("_ZN8hip_impl22hipLaunchKernelGGLImplEmRK4dim3S2_jP12ihipStream_tPPv");
void launchKernel5(uintptr_t hostFunction, const dim3 *grid, const dim3 *block, uint32_t sharedBytes,
                   hipStream_t stream, void **extra) {
  hipFunction_t function;
  if (HIPLZ_CALL_NEXT(hipGetFuncBySymbol, &function, reinterpret_cast<const void *>(hostFunction)) == hipSuccess)
    static_cast<void>(HIPLZ_CALL_NEXT(hipModuleLaunchKernel, function, grid->x, grid->y, grid->z, block->x, block->y,
                                      block->z, sharedBytes, stream, nullptr, extra));
}

// The functions that roctracer called. Its callbacks expect records in the layouts of HIP 5, with the arguments of each call, which HIPLZ does
// not have; so none can be registered, and there is none to remove.

hipError_t hipRegisterApiCallback(uint32_t, void *, void *) { return hipErrorNotSupported; }
hipError_t hipRegisterActivityCallback(uint32_t, void *, void *) { return hipErrorNotSupported; }
hipError_t hipRemoveApiCallback(uint32_t) { return hipSuccess; }
hipError_t hipRemoveActivityCallback(uint32_t) { return hipSuccess; }
void hipInitActivityCallback(void *, void *, void *) {}
bool hipEnableActivityCallback(unsigned, bool) { return false; }

} // extern "C"
