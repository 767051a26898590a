// SPDX-License-Identifier: MIT
// Allocation in stream order, and the pools behind it. Export and import are in memory_pool_sharing.cpp.
#include "api/memory_pool.h"
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/graph/capture.h"
#include "lz/memory/memory_pools.h"
#include "lz/stream/async_memory.h"

using namespace hiplz;

namespace {

/// HIP 7 forbids what changes pools while a stream is captured.
void forbidInCapture() {
  if (followsHip7())
    LZCapture::forbidUnsafe();
}

LZQueue &allocatingQueueFrom(hipStream_t stream) {
  return queueFrom(stream, NullStream::legacy, hipErrorInvalidHandle);
}

hipError_t allocate(void **pointer, size_t bytes, LZQueue &queue, LZMemoryPool &pool) {
  *pointer = nullptr;
  if (pool.options().imported)
    throw HipError(hipErrorInvalidValue, "nothing can be allocated from a memory pool of another process");
  if (bytes != 0)
    *pointer = allocateAsync(queue, pool, bytes);
  return hipSuccess;
}

/// The pools of a device for this kind of memory. Throws HipError.
LZMemoryPools &poolsAt(const hipMemLocation *location, hipMemAllocationType type) {
  if (!location || location->type != hipMemLocationTypeDevice)
    throw HipError(hipErrorInvalidValue, "location is no device");
  LZDevice &device = LZContext::instance().device(location->id, hipErrorInvalidValue);
  if (type == hipMemAllocationTypeManaged)
    throw HipError(hipErrorNotSupported, "there are no pools of managed memory");
  if (type != hipMemAllocationTypePinned)
    throw HipError(hipErrorInvalidValue, "type is neither hipMemAllocationTypePinned nor hipMemAllocationTypeManaged");
  return LZMemoryPools::of(device);
}

/// Makes a pool the one that its device allocates from.
hipError_t choose(LZMemoryPool &pool) {
  if (pool.options().imported)
    return refuse(hipErrorInvalidValue, "the pool belongs to another process");
  LZMemoryPools::of(pool.device()).setCurrent(pool);
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipMallocAsync(void **dev_ptr, size_t size, hipStream_t stream) {
  return HIPLZ_API(hipMallocAsync, dev_ptr, size, stream)([&] {
    if (!dev_ptr)
      return refuse(hipErrorInvalidValue, "dev_ptr is null");
    LZQueue &queue = allocatingQueueFrom(stream);
    return allocate(dev_ptr, size, queue, LZMemoryPools::of(queue.device()).current());
  });
}

hipError_t hipMallocFromPoolAsync(void **dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
  return HIPLZ_API(hipMallocFromPoolAsync, dev_ptr, size, mem_pool, stream)([&] {
    if (!dev_ptr)
      return refuse(hipErrorInvalidValue, "dev_ptr is null");
    LZMemoryPool &pool = poolFrom(mem_pool);
    return allocate(dev_ptr, size, allocatingQueueFrom(stream), pool);
  });
}

hipError_t hipFreeAsync(void *dev_ptr, hipStream_t stream) {
  return HIPLZ_API(hipFreeAsync, dev_ptr, stream)([&] {
    if (!dev_ptr)
      return followsHip7() ? hipSuccess : refuse(hipErrorInvalidValue, "dev_ptr is null");
    freeAsync(allocatingQueueFrom(stream), dev_ptr);
    return hipSuccess;
  });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *mem_pool, int device) {
  return HIPLZ_API(hipDeviceGetDefaultMemPool, mem_pool, device)([&] {
    if (!mem_pool)
      return refuse(hipErrorInvalidValue, "mem_pool is null");
    *mem_pool = toHandle(LZMemoryPools::of(LZContext::instance().device(device)).standard());
    return hipSuccess;
  });
}

hipError_t hipDeviceGetMemPool(hipMemPool_t *mem_pool, int device) {
  return HIPLZ_API(hipDeviceGetMemPool, mem_pool, device)([&] {
    if (!mem_pool)
      return refuse(hipErrorInvalidValue, "mem_pool is null");
    *mem_pool = toHandle(LZMemoryPools::of(LZContext::instance().device(device, hipErrorInvalidValue)).current());
    return hipSuccess;
  });
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t mem_pool) {
  return HIPLZ_API(hipDeviceSetMemPool, device, mem_pool)([&] {
    forbidInCapture();
    LZDevice &owner = LZContext::instance().device(device, hipErrorInvalidValue);
    LZMemoryPool &pool = poolFrom(mem_pool);
    if (&pool.device() != &owner)
      return refuse(hipErrorInvalidDevice, "the pool belongs to another device");
    return choose(pool);
  });
}

hipError_t hipMemSetMemPool(hipMemLocation *location, hipMemAllocationType type, hipMemPool_t pool) {
  return HIPLZ_API(hipMemSetMemPool, location, type, pool)([&] {
    LZCapture::forbidUnsafe();
    LZMemoryPools &pools = poolsAt(location, type);
    LZMemoryPool &chosen = poolFrom(pool);
    if (&LZMemoryPools::of(chosen.device()) != &pools)
      return refuse(hipErrorInvalidValue, "the pool belongs to another device");
    return choose(chosen);
  });
}

hipError_t hipMemGetMemPool(hipMemPool_t *pool, hipMemLocation *location, hipMemAllocationType type) {
  return HIPLZ_API(hipMemGetMemPool, pool, location, type)([&] {
    HIPLZ_NOT_NULL(pool);
    *pool = toHandle(poolsAt(location, type).current());
    return hipSuccess;
  });
}

hipError_t hipMemGetDefaultMemPool(hipMemPool_t *memPool, hipMemLocation *location, hipMemAllocationType type) {
  return HIPLZ_API(hipMemGetDefaultMemPool, memPool, location, type)([&] {
    HIPLZ_NOT_NULL(memPool);
    *memPool = toHandle(poolsAt(location, type).standard());
    return hipSuccess;
  });
}

hipError_t hipMemPoolCreate(hipMemPool_t *mem_pool, const hipMemPoolProps *pool_props) {
  return HIPLZ_API(hipMemPoolCreate, mem_pool, pool_props)([&] {
    forbidInCapture();
    HIPLZ_NOT_NULL(mem_pool, pool_props);
    if (pool_props->allocType != hipMemAllocationTypePinned || pool_props->location.type != hipMemLocationTypeDevice)
      return refuse(hipErrorInvalidValue, "pool_props describes no pinned memory of a device");
    LZContext &context = LZContext::instance();
    const int device = pool_props->location.id;
    if (device < 0 || static_cast<size_t>(device) >= context.devices().size())
      return refuse(hipErrorInvalidValue, "the location of pool_props is not a valid device");
    if (pool_props->handleTypes != hipMemHandleTypeNone &&
        pool_props->handleTypes != hipMemHandleTypePosixFileDescriptor)
      return refuse(hipErrorNotSupported, "pools can be shared by file descriptors only"); // handles of Windows
    *mem_pool = toHandle(LZMemoryPools::of(context.device(device))
                             .create({.handleTypes = pool_props->handleTypes, .maxBytes = pool_props->maxSize}));
    return hipSuccess;
  });
}

hipError_t hipMemPoolDestroy(hipMemPool_t mem_pool) {
  return HIPLZ_API(hipMemPoolDestroy, mem_pool)([&] {
    forbidInCapture();
    LZMemoryPool &pool = poolFrom(mem_pool);
    return LZMemoryPools::of(pool.device()).destroy(pool);
  });
}

hipError_t hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold) {
  return HIPLZ_API(hipMemPoolTrimTo, mem_pool, min_bytes_to_hold)([&] {
    poolFrom(mem_pool).trimTo(min_bytes_to_hold);
    return hipSuccess;
  });
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value) {
  return HIPLZ_API(hipMemPoolGetAttribute, mem_pool, attr, value)([&] {
    return value ? poolFrom(mem_pool).attribute(attr, value) : refuse(hipErrorInvalidValue, "value is null");
  });
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value) {
  return HIPLZ_API(hipMemPoolSetAttribute, mem_pool, attr, value)([&] {
    return value ? poolFrom(mem_pool).setAttribute(attr, value) : refuse(hipErrorInvalidValue, "value is null");
  });
}

hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc *desc_list, size_t count) {
  return HIPLZ_API(hipMemPoolSetAccess, mem_pool, desc_list, count)([&] {
    LZMemoryPool &pool = poolFrom(mem_pool);
    if (!desc_list && count != 0)
      return refuse(hipErrorInvalidValue, "desc_list is null");
    const auto devices = LZContext::instance().devices();
    if (count > devices.size())
      return refuse(hipErrorInvalidDevice, "desc_list has more entries than there are devices");
    // The whole list is checked before any of it is applied.
    for (size_t i = 0; i < count; ++i) {
      const auto &[location, flags] = desc_list[i];
      if (location.type != hipMemLocationTypeDevice ||
          (flags != hipMemAccessFlagsProtNone && flags != hipMemAccessFlagsProtRead &&
           flags != hipMemAccessFlagsProtReadWrite))
        return refuse(hipErrorInvalidValue, "desc_list has a location that is no device, or invalid access flags");
      if (location.id < 0 || static_cast<size_t>(location.id) >= devices.size())
        return refuse(hipErrorInvalidDevice, "desc_list has a device that does not exist");
      LZDevice &device = *devices[location.id];
      if (&device == &pool.device()) {
        if (flags != hipMemAccessFlagsProtReadWrite)
          throw HipError(hipErrorInvalidDevice, "the access of a memory pool's own device cannot be restricted");
      } else if (flags != hipMemAccessFlagsProtNone && !device.canAccess(pool.device())) {
        throw HipError(hipErrorInvalidDevice, "the device cannot access the memory of the pool's device");
      }
    }
    for (size_t i = 0; i < count; ++i)
      pool.setAccess(desc_list[i].location.id, desc_list[i].flags);
    return hipSuccess;
  });
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t mem_pool, hipMemLocation *location) {
  return HIPLZ_API(hipMemPoolGetAccess, flags, mem_pool, location)([&] {
    HIPLZ_NOT_NULL(flags, location);
    if (location->type != hipMemLocationTypeDevice || location->id < 0 ||
        static_cast<size_t>(location->id) >= LZContext::instance().devices().size())
      return refuse(hipErrorInvalidValue, "location is not a valid device");
    *flags = poolFrom(mem_pool).access(location->id);
    return hipSuccess;
  });
}

} // extern "C"
