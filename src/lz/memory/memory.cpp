// SPDX-License-Identifier: MIT
// Unified memory of Level Zero, entered into one table.
#include "lz/memory/memory.h"
#include "base/log.h"
#include "lz/context/context.h"
#include "lz/core/error.h"
#include "lz/device/device.h"
#include "lz/graph/capture.h"
#include "lz/graph/graph_memory.h"
#include "lz/memory/external.h"
#include "lz/memory/ipc.h"
#include "lz/memory/memory_pools.h"
#include "lz/stream/queue.h"

#include <mutex>
#include <shared_mutex>

namespace hiplz {
namespace {

// What HIP promises for the beginning of an allocation; textures rely on it.
constexpr size_t kAlignment = 256;
// Managed memory moves in pages, and advice is given for pages.
constexpr size_t kManagedAlignment = 4096;

constexpr char kNotOurs[] = "memory is freed that was not allocated by HIP or has been freed before";

/// What hipFree and hipFreeAsync accept.
bool isApplications(const Allocation &allocation) {
  return allocation.owner == MemoryOwner::application || allocation.owner == MemoryOwner::pool;
}

/// Whatever the memory is, it is free after this; it has been taken out of the table.
void release(const Allocation &allocation) {
  if (allocation.kind != MemoryKind::host)
    allocation.device->allocatedBytes.fetch_sub(allocation.bytes, std::memory_order_relaxed);
  if (allocation.block)
    allocation.block->pool().free(*allocation.block, {});
  else
    LZ_CALL(freeToDriver, (*allocation.device, allocation.base));
}

// A fault stays with its device; the memory is freed nevertheless.
void waitUntilIdle(LZContext &context) {
  for (LZDevice *device : context.devices())
    device->synchronize();
}

void releaseWhenIdle(LZContext &context, const std::optional<Allocation> &allocation) {
  if (!allocation)
    throw HipError(hipErrorInvalidValue, kNotOurs);
  waitUntilIdle(context);
  release(*allocation);
}

/// A block of a pool into the table.
void *enter(PoolBlock &block, size_t bytes, unsigned flags, MemoryOwner owner) {
  LZDevice &device = block.pool().device();
  try {
    LZContext::instance().allocations().insert({.base = block.base(),
                                                .bytes = bytes,
                                                .kind = MemoryKind::device,
                                                .device = &device,
                                                .flags = flags,
                                                .owner = owner,
                                                .block = &block});
  } catch (...) {
    block.pool().free(block, {});
    throw;
  }
  device.allocatedBytes.fetch_add(bytes, std::memory_order_relaxed);
  return block.base();
}

/// Memory of a pool of another process is not freed but closed. False if it is other memory.
bool closeImported(LZContext &context, void *pointer) {
  const std::optional<Allocation> allocation = context.allocations().find(pointer);
  if (!allocation || allocation->owner != MemoryOwner::importedPool)
    return false;
  closeMemory(pointer, MemoryOwner::importedPool);
  return true;
}

} // namespace

ze_result_t allocateFromDriver(LZDevice &device, MemoryKind kind, size_t bytes, void **pointer) {
  // Without this a driver refuses allocations beyond a limit that has nothing to do with the memory it has.
  ze_relaxed_allocation_limits_exp_desc_t relaxed{ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC, nullptr,
                                                  ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE};
  const bool large = bytes > device.properties().maxMemAllocSize &&
                     device.driver().hasExtension(ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME);
  const void *extension = large ? &relaxed : nullptr;
  const ze_device_mem_alloc_desc_t deviceDescription{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, extension, 0, 0};
  const ze_host_mem_alloc_desc_t hostDescription{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC,
                                                 kind == MemoryKind::managed ? nullptr : extension, 0};
  switch (kind) {
  case MemoryKind::device:
    return zeMemAllocDevice(device.zeContext(), &deviceDescription, bytes, kAlignment, device.ze(), pointer);
  case MemoryKind::host: return zeMemAllocHost(device.zeContext(), &hostDescription, bytes, kAlignment, pointer);
  case MemoryKind::managed:
    return zeMemAllocShared(device.zeContext(), &deviceDescription, &hostDescription, bytes, kManagedAlignment,
                            device.ze(), pointer);
  }
  return ZE_RESULT_ERROR_INVALID_ENUMERATION;
}

ze_result_t freeToDriver(LZDevice &device, void *pointer) noexcept {
  if (LZContext *context = LZContext::existing())
    context->allocations().addressesChanged();
  return zeMemFree(device.zeContext(), pointer);
}

void AllocationTable::insertLocked(const Allocation &allocation) {
  Allocation entry = allocation;
  entry.id = ++lastId_;
  byBase_.insert_or_assign(reinterpret_cast<uintptr_t>(allocation.base), entry);
}

void AllocationTable::insert(const Allocation &allocation) {
  std::lock_guard lock(lock_);
  insertLocked(allocation);
}

std::optional<Allocation> AllocationTable::insertIfFree(const Allocation &allocation) {
  std::lock_guard lock(lock_);
  // The first allocation that ends behind the new one's beginning.
  const uintptr_t begin = reinterpret_cast<uintptr_t>(allocation.base);
  std::map<uintptr_t, Allocation>::const_iterator entry = entryOf(allocation.base);
  if (entry == byBase_.end())
    entry = byBase_.lower_bound(begin);
  if (entry != byBase_.end() && (entry->first < begin || entry->first - begin < allocation.bytes))
    return entry->second;
  insertLocked(allocation);
  return std::nullopt;
}

std::map<uintptr_t, Allocation>::const_iterator AllocationTable::entryOf(const void *pointer) const {
  auto entry = byBase_.upper_bound(reinterpret_cast<uintptr_t>(pointer));
  // A pointer to the end of an allocation belongs to the next one, if to any.
  if (entry == byBase_.begin() || !std::prev(entry)->second.contains(pointer, 1))
    return byBase_.end();
  return std::prev(entry);
}

std::optional<Allocation> AllocationTable::find(const void *pointer) const {
  std::shared_lock lock(lock_);
  auto entry = entryOf(pointer);
  if (entry == byBase_.end())
    return std::nullopt;
  Allocation found = entry->second;
  if (found.owner == MemoryOwner::mapping)
    for (auto next = std::next(entry);
         next != byBase_.end() && next->second.owner == MemoryOwner::mapping &&
         next->first == reinterpret_cast<uintptr_t>(found.base) + found.bytes + found.following &&
         &next->second.device->driver() == &found.device->driver();
         ++next)
      found.following += next->second.bytes;
  return found;
}

std::optional<Allocation> AllocationTable::anyOf(const LZDevice &device) const {
  std::shared_lock lock(lock_);
  for (const auto &[base, allocation] : byBase_)
    if (allocation.device == &device && isApplications(allocation))
      return allocation;
  return std::nullopt;
}

void *allocateMemory(LZDevice &device, MemoryKind kind, size_t bytes, unsigned flags, MemoryOwner owner) {
  if (kind == MemoryKind::device)
    return enter(device.pools().application().allocate(bytes, nullptr), bytes, flags, owner);
  if (hipError_t fault = device.fault())
    throw HipError(fault);
  void *pointer = nullptr;
  ze_result_t result = allocateFromDriver(device, kind, bytes, &pointer);
  if (result != ZE_RESULT_SUCCESS && kind == MemoryKind::managed) {
    device.pools().trim();
    result = allocateFromDriver(device, kind, bytes, &pointer);
    // More than the device has: memory of the host that it reaches. Managed memory may be larger than the device's.
    if (result != ZE_RESULT_SUCCESS)
      result = allocateFromDriver(device, MemoryKind::host, bytes, &pointer);
  }
  if (result != ZE_RESULT_SUCCESS || !pointer) {
    HIPLZ_LOG_INFO("%zu bytes of memory cannot be allocated on device %d (%s); %llu of %llu bytes are in use", bytes,
                   device.ordinal(), zeResultName(result),
                   static_cast<unsigned long long>(device.allocatedBytes.load()),
                   static_cast<unsigned long long>(device.totalMemory()));
    throw HipError(hipErrorOutOfMemory, {}, result);
  }
  try {
    LZContext::instance().allocations().insert(
        {.base = pointer, .bytes = bytes, .kind = kind, .device = &device, .flags = flags, .owner = owner});
  } catch (...) {
    freeToDriver(device, pointer);
    throw;
  }
  if (kind != MemoryKind::host)
    device.allocatedBytes.fetch_add(bytes, std::memory_order_relaxed);
  return pointer;
}

void *allocateManagedVariable(LZDevice &device, size_t bytes, size_t alignment) {
  const ze_device_mem_alloc_desc_t onDevice{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  const ze_host_mem_alloc_desc_t onHost{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void *memory = nullptr;
  LZ_CALL(zeMemAllocShared, (device.zeContext(), &onDevice, &onHost, bytes, alignment, device.ze(), &memory));
  LZContext::instance().allocations().insert(
      {memory, bytes, MemoryKind::managed, &device, 0, MemoryOwner::moduleVariable});
  return memory;
}

void freeManagedVariable(LZContext &context, void *memory) noexcept {
  if (const auto known = context.allocations().remove(memory, MemoryOwner::moduleVariable))
    freeToDriver(*known->device, memory);
}

void freeMemory(LZContext &context, void *pointer, MemoryOwner owner) {
  if (owner == MemoryOwner::application && closeImported(context, pointer))
    return;
  if (owner == MemoryOwner::application && LZGraphMemory::find(pointer)) {
    waitUntilIdle(context);
    LZGraphMemory::free(pointer);
    return;
  }
  const std::optional<Allocation> allocation = context.allocations().removeIf(pointer, [=](const Allocation &known) {
    return owner == MemoryOwner::application ? isApplications(known) : known.owner == owner;
  });
  if (!allocation && owner == MemoryOwner::application && LZExternalMemory::unmap(context, pointer))
    return;
  releaseWhenIdle(context, allocation);
}

void freeHostMemory(LZContext &context, void *pointer) {
  releaseWhenIdle(context, context.allocations().removeIf(pointer, [](const Allocation &known) {
    return known.owner == MemoryOwner::application && known.kind == MemoryKind::host;
  }));
}

void *allocateAsync(LZQueue &queue, LZMemoryPool &pool, size_t bytes) {
  if (queue.captured()) [[unlikely]]
    return LZCapture::allocate(queue, pool, bytes);
  return enter(pool.allocate(bytes, &queue), bytes, hipDeviceMallocDefault, MemoryOwner::pool);
}

void freeAsync(LZQueue &queue, void *pointer) {
  if (queue.captured()) [[unlikely]]
    return LZCapture::free(queue, pointer);
  if (LZGraphMemory::find(pointer)) {
    // It may be used for something else when the stream has come here.
    const hipError_t error = queue.callback([piece = LZGraphMemory::free(pointer)](hipError_t) {});
    if (error)
      throw HipError(error);
    return;
  }
  LZContext &context = LZContext::instance();
  const std::optional<Allocation> allocation = context.allocations().removeIf(pointer, isApplications);
  if (!allocation && closeImported(context, pointer))
    return;
  if (!allocation)
    throw HipError(hipErrorInvalidValue, kNotOurs);
  if (!allocation->block) {
    queue.synchronize();
    release(*allocation);
    return;
  }
  StreamPoint point;
  try {
    point = queue.point();
  } catch (...) {
    release(*allocation); // the device is lost, and nothing uses the memory any more
    throw;
  }
  allocation->device->allocatedBytes.fetch_sub(allocation->bytes, std::memory_order_relaxed);
  allocation->block->pool().free(*allocation->block, std::move(point));
}

} // namespace hiplz
