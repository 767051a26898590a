// Unified memory of Level Zero, entered into one table.
#include "lz/lz_memory.h"
#include "base/log.h"
#include "lz/error.h"
#include "lz/lz_context.h"
#include "lz/lz_device.h"

#include <mutex>
#include <shared_mutex>

namespace hiplz {
namespace {

// What HIP promises for the beginning of an allocation; textures rely on it.
constexpr size_t kAlignment = 256;

ze_result_t allocate(LZDevice &device, MemoryKind kind, size_t bytes, void **pointer) {
  // Without this a driver refuses allocations beyond a limit that has nothing to do with the memory it has.
  ze_relaxed_allocation_limits_exp_desc_t relaxed{ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC, nullptr,
                                                  ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE};
  const bool large = bytes > device.properties().maxMemAllocSize &&
                     device.driver().hasExtension(ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME);
  const void *extension = large ? &relaxed : nullptr;
  const ze_device_mem_alloc_desc_t deviceDescription{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, extension, 0, 0};
  const ze_host_mem_alloc_desc_t hostDescription{
      ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, kind == MemoryKind::managed ? nullptr : extension, 0};
  switch (kind) {
  case MemoryKind::device:
    return zeMemAllocDevice(device.zeContext(), &deviceDescription, bytes, kAlignment, device.ze(), pointer);
  case MemoryKind::host:
    return zeMemAllocHost(device.zeContext(), &hostDescription, bytes, kAlignment, pointer);
  case MemoryKind::managed:
    return zeMemAllocShared(device.zeContext(), &deviceDescription, &hostDescription, bytes, kAlignment, device.ze(),
                            pointer);
  }
  return ZE_RESULT_ERROR_INVALID_ENUMERATION;
}

void release(LZContext &context, const Allocation &allocation) {
  // A fault stays with its device; the memory is freed nevertheless.
  for (LZDevice *device : context.devices())
    device->synchronize();
  if (allocation.kind != MemoryKind::host)
    allocation.device->allocatedBytes.fetch_sub(allocation.bytes, std::memory_order_relaxed);
  LZ_CALL(zeMemFree, (allocation.device->zeContext(), allocation.base));
}

} // namespace

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
  return entry->second;
}

std::optional<Allocation> AllocationTable::anyOf(const LZDevice &device) const {
  std::shared_lock lock(lock_);
  for (const auto &[base, allocation] : byBase_)
    if (allocation.device == &device && allocation.owner == MemoryOwner::application)
      return allocation;
  return std::nullopt;
}

void *allocateMemory(LZDevice &device, MemoryKind kind, size_t bytes, unsigned flags, MemoryOwner owner) {
  if (hipError_t fault = device.fault())
    throw HipError(fault);
  void *pointer = nullptr;
  const ze_result_t result = allocate(device, kind, bytes, &pointer);
  if (result != ZE_RESULT_SUCCESS || !pointer) {
    HIPLZ_LOG_INFO("%zu bytes of memory cannot be allocated on device %d (%s); %llu of %llu bytes are in use", bytes,
                   device.ordinal(), zeResultName(result),
                   static_cast<unsigned long long>(device.allocatedBytes.load()),
                   static_cast<unsigned long long>(device.totalMemory()));
    throw HipError(hipErrorOutOfMemory, {}, result);
  }
  try {
    LZContext::instance().allocations().insert({pointer, bytes, kind, &device, flags, owner});
  } catch (...) {
    zeMemFree(device.zeContext(), pointer);
    throw;
  }
  if (kind != MemoryKind::host)
    device.allocatedBytes.fetch_add(bytes, std::memory_order_relaxed);
  return pointer;
}

void freeMemory(LZContext &context, void *pointer, MemoryOwner owner) {
  const std::optional<Allocation> allocation = context.allocations().remove(pointer, owner);
  if (!allocation)
    throw HipError(hipErrorInvalidValue, "memory is freed that was not allocated by HIP or has been freed before");
  release(context, *allocation);
}

void freeHostMemory(LZContext &context, void *pointer) {
  const std::optional<Allocation> allocation =
      context.allocations().removeIf(pointer, [](const Allocation &known) {
        return known.owner == MemoryOwner::application && known.kind == MemoryKind::host;
      });
  if (!allocation)
    throw HipError(hipErrorInvalidValue, "host memory is freed that was not allocated by HIP or has been freed before");
  release(context, *allocation);
}

} // namespace hiplz
