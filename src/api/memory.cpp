// SPDX-License-Identifier: MIT
// Allocation, and what is known about pointers. Copies and fills are in copy.cpp.
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/device/check_marks.h"
#include "lz/graph/capture.h"
#include "lz/stream/async_memory.h"

#include <algorithm>

using namespace hiplz;

namespace {

constexpr unsigned kHostFlags = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                                hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent;

/// HIP 7 has uncached memory as well, which for a host means coherent memory.
unsigned hostFlags() { return kHostFlags | (followsHip7() ? hipHostMallocUncached : 0); }

hipError_t allocateInto(void **pointer, MemoryKind kind, size_t bytes, unsigned flags) {
  if (!pointer)
    return refuse(hipErrorInvalidValue, "the destination for the address is null");
  *pointer = nullptr;
  LZCapture::forbidUnsafe();
  LZDevice &device = currentDevice();
  if (bytes != 0)
    *pointer = allocateMemory(device, kind, bytes, flags);
  return hipSuccess;
}

hipError_t allocateHost(void **pointer, size_t bytes, unsigned flags) {
  const bool contradiction = (flags & hipHostMallocCoherent) && (flags & hipHostMallocNonCoherent);
  if ((flags & ~hostFlags()) || contradiction)
    return refuse(hipErrorInvalidValue,
                  "flags has bits that HIP does not know, or asks for coherent and non-coherent memory");
  return allocateInto(pointer, MemoryKind::host, bytes, flags);
}

// hipFree takes any kind of memory; null is ignored.
hipError_t freeAny(void *pointer) {
  LZCapture::forbidUnsafe();
  LZContext::instance(); // hipFree(nullptr) is how many programs initialise HIP
  if (pointer && !(followsHip7() && freeInNullStream(pointer)))
    freeMemory(pointer);
  return hipSuccess;
}

hipError_t freeHost(void *pointer) {
  LZCapture::forbidUnsafe();
  LZContext::instance();
  if (pointer)
    freeHostMemory(pointer);
  return hipSuccess;
}

// The width of a row of a pitched allocation, in bytes.
constexpr size_t kPitchAlignment = 256;

hipError_t allocatePitched(void **pointer, size_t *pitch, size_t width, size_t height, size_t depth) {
  HIPLZ_NOT_NULL(pointer, pitch);
  const size_t row = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  size_t bytes;
  if (row < width || __builtin_mul_overflow(row, height, &bytes) || __builtin_mul_overflow(bytes, depth, &bytes))
    throw HipError(hipErrorOutOfMemory, "the rows of a pitched allocation are larger than the address space");
  hipError_t error = allocateInto(pointer, MemoryKind::device, bytes, hipDeviceMallocDefault);
  *pitch = error ? 0 : row;
  if (*pointer && row != width)
    markMemory(currentDevice().driver(), nullptr,
               {.kind = ZeCheckMark::Kind::rows, .begin = *pointer, .bytes = bytes, .width = width, .pitch = row});
  return error;
}

std::optional<Allocation> knownMemory(const void *pointer) { return LZContext::instance().allocations().find(pointer); }

} // namespace

extern "C" {

hipError_t hipMalloc(void **ptr, size_t size) {
  return HIPLZ_API(hipMalloc, ptr,
                   size)([&] { return allocateInto(ptr, MemoryKind::device, size, hipDeviceMallocDefault); });
}

hipError_t hipExtMallocWithFlags(void **ptr, size_t sizeBytes, unsigned int flags) {
  return HIPLZ_API(hipExtMallocWithFlags, ptr, sizeBytes, flags)([&] {
    switch (flags) {
    case hipDeviceMallocDefault:
    case hipDeviceMallocContiguous: return allocateInto(ptr, MemoryKind::device, sizeBytes, flags);
    case hipMallocSignalMemory:
      if (sizeBytes != sizeof(uint64_t))
        return refuse(hipErrorInvalidValue, "a signal has 8 bytes");
      [[fallthrough]];
    case hipDeviceMallocFinegrained:
    case hipDeviceMallocUncached:
      // Memory that host and device use at the same time.
      return allocateInto(ptr, MemoryKind::managed, sizeBytes, flags);
    default: return refuse(hipErrorInvalidValue, "flags is not one of hipDeviceMalloc...");
    }
  });
}

hipError_t hipMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height) {
  return HIPLZ_API(hipMallocPitch, ptr, pitch, width,
                   height)([&] { return allocatePitched(ptr, pitch, width, height, 1); });
}

hipError_t hipMemAllocPitch(hipDeviceptr_t *ptr, size_t *pitch, size_t width, size_t height,
                            unsigned int elementSizeBytes) {
  return HIPLZ_API(hipMemAllocPitch, ptr, pitch, width, height, elementSizeBytes)([&] {
    if (width == 0 || height == 0 || (elementSizeBytes != 4 && elementSizeBytes != 8 && elementSizeBytes != 16))
      return refuse(hipErrorInvalidValue, "width or height is 0, or elementSizeBytes is not 4, 8 or 16");
    return allocatePitched(ptr, pitch, width, height, 1);
  });
}

hipError_t hipMalloc3D(hipPitchedPtr *pitchedPtr, hipExtent extent) {
  return HIPLZ_API(hipMalloc3D, pitchedPtr, extent)([&] {
    if (!pitchedPtr)
      return refuse(hipErrorInvalidValue, "pitchedPtr is null");
    pitchedPtr->xsize = extent.width;
    pitchedPtr->ysize = extent.height;
    return allocatePitched(&pitchedPtr->ptr, &pitchedPtr->pitch, extent.width, extent.height, extent.depth);
  });
}

hipError_t hipFree(void *ptr) {
  return HIPLZ_API(hipFree, ptr)([&] { return freeAny(ptr); });
}

hipError_t hipHostMalloc(void **ptr, size_t size, unsigned int flags) {
  return HIPLZ_API(hipHostMalloc, ptr, size, flags)([&] { return allocateHost(ptr, size, flags); });
}

hipError_t hipHostAlloc(void **ptr, size_t size, unsigned int flags) {
  return HIPLZ_API(hipHostAlloc, ptr, size, flags)([&] { return allocateHost(ptr, size, flags); });
}

hipError_t hipMallocHost(void **ptr, size_t size) {
  return HIPLZ_API(hipMallocHost, ptr, size)([&] { return allocateHost(ptr, size, hipHostMallocDefault); });
}

hipError_t hipMemAllocHost(void **ptr, size_t size) {
  return HIPLZ_API(hipMemAllocHost, ptr, size)([&] { return allocateHost(ptr, size, hipHostMallocDefault); });
}

hipError_t hipHostFree(void *ptr) {
  return HIPLZ_API(hipHostFree, ptr)([&] { return freeHost(ptr); });
}

hipError_t hipFreeHost(void *ptr) {
  return HIPLZ_API(hipFreeHost, ptr)([&] { return freeHost(ptr); });
}

hipError_t hipMallocManaged(void **ptr, size_t size, unsigned int flags) {
  return HIPLZ_API(hipMallocManaged, ptr, size, flags)([&] {
    if (size == 0 || (flags != hipMemAttachGlobal && flags != hipMemAttachHost))
      return refuse(hipErrorInvalidValue, "size is 0, or flags is neither hipMemAttachGlobal nor hipMemAttachHost");
    return allocateInto(ptr, MemoryKind::managed, size, flags);
  });
}

hipError_t hipMemGetInfo(size_t *free, size_t *total) {
  return HIPLZ_API(hipMemGetInfo, free, total)([&] {
    if (!free && !total)
      return refuse(hipErrorInvalidValue, "free and total are null");
    const LZDevice &device = currentDevice();
    if (free)
      *free = device.remainingMemory();
    if (total)
      *total = device.totalMemory();
    return hipSuccess;
  });
}

hipError_t hipHostGetDevicePointer(void **devPtr, void *hostPtr, unsigned int flags) {
  return HIPLZ_API(hipHostGetDevicePointer, devPtr, hostPtr, flags)([&] {
    HIPLZ_NOT_NULL(devPtr);
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    const std::optional<Allocation> memory = knownMemory(hostPtr);
    if (!memory || memory->kind == MemoryKind::device) {
      *devPtr = nullptr;
      return refuse(hipErrorInvalidValue, "hostPtr is not host memory that HIP allocated or registered");
    }
    *devPtr = hostPtr; // unified memory: one address for all
    return hipSuccess;
  });
}

hipError_t hipHostGetFlags(unsigned int *flags, void *hostPtr) {
  return HIPLZ_API(hipHostGetFlags, flags, hostPtr)([&] {
    const std::optional<Allocation> memory = knownMemory(hostPtr);
    HIPLZ_NOT_NULL(flags);
    if (!memory || memory->kind != MemoryKind::host)
      return refuse(hipErrorInvalidValue, "hostPtr is not host memory that HIP allocated or registered");
    *flags = memory->flags;
    return hipSuccess;
  });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size, hipDeviceptr_t ptr) {
  return HIPLZ_API(hipMemGetAddressRange, base, size, ptr)([&] {
    const std::optional<Allocation> memory = knownMemory(ptr);
    if (!base && !size)
      return refuse(hipErrorInvalidValue, "base and size are null");
    if (!memory)
      return refuse(hipErrorNotFound, "ptr is not memory that HIP allocated");
    if (base)
      *base = memory->base;
    if (size)
      *size = memory->bytes;
    return hipSuccess;
  });
}

hipError_t hipMemPtrGetInfo(void *ptr, size_t *size) {
  return HIPLZ_API(hipMemPtrGetInfo, ptr, size)([&] {
    const std::optional<Allocation> memory = ptr ? knownMemory(ptr) : std::nullopt;
    HIPLZ_NOT_NULL(size);
    if (!memory || memory->base != ptr)
      return refuse(hipErrorInvalidValue, "ptr is not the beginning of memory that HIP allocated");
    *size = memory->bytes;
    return hipSuccess;
  });
}

} // extern "C"
