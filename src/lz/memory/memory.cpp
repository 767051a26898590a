// SPDX-License-Identifier: MIT
// Unified memory of Level Zero, entered into one table.
#include "lz/memory/memory.h"
#include "base/log.h"
#include "lz/core/error.h"
#include "lz/core/ze_memory.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/memory/external.h"
#include "lz/memory/graph_memory.h"
#include "lz/memory/ipc.h"
#include "lz/memory/memory_pools.h"

namespace hiplz {
namespace {

// HIP's promise for the beginning of an allocation; textures rely on it.
constexpr size_t kAlignment = 256;
// Managed memory moves in pages, and advice is given for pages.
constexpr size_t kManagedAlignment = 4096;

constexpr char kNotOurs[] = "this memory was not allocated by HIP, or has already been freed";

/// The pointers that hipFree and hipFreeAsync accept.
bool isApplications(const Allocation &allocation) {
  return allocation.owner == MemoryOwner::application || allocation.owner == MemoryOwner::pool;
}

void releaseWhenIdle(const std::optional<Allocation> &allocation) {
  if (!allocation)
    throw HipError(hipErrorInvalidValue, kNotOurs);
  synchronizeDevices(); // a fault stays with its device; the memory is freed nevertheless
  releaseMemory(*allocation);
}

/// A block of a pool into the table.
void *enter(PoolBlock &block, size_t bytes, unsigned flags, MemoryOwner owner) {
  LZDevice &device = block.pool().device();
  try {
    allocationTable().insert({.base = block.base(),
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
  ze_result_t result = ZE_RESULT_ERROR_INVALID_ENUMERATION;
  switch (kind) {
  case MemoryKind::device:
    result = zeMemAllocDevice(device.zeContext(), &deviceDescription, bytes, kAlignment, device.ze(), pointer);
    break;
  case MemoryKind::host:
    result = zeMemAllocHost(device.zeContext(), &hostDescription, bytes, kAlignment, pointer);
    break;
  case MemoryKind::managed:
    result = zeMemAllocShared(device.zeContext(), &deviceDescription, &hostDescription, bytes, kManagedAlignment,
                              device.ze(), pointer);
    break;
  }
  if (result == ZE_RESULT_ERROR_DEVICE_LOST)
    device.setLost();
  return result;
}

ze_result_t freeToDriver(LZDevice &device, void *pointer) noexcept {
  AllocationTable::ofProcess().addressesChanged();
  return ZeMemory(device.zeContext(), pointer).reset();
}

void AllocationTable::Entries::insert(const Allocation &allocation) {
  Allocation entry = allocation;
  entry.id = ++lastId;
  byBase.insert_or_assign(reinterpret_cast<uintptr_t>(allocation.base), entry);
  if (profiler()) [[unlikely]]
    noteInProfile(allocation, true);
}

void AllocationTable::insert(const Allocation &allocation) { entries_.lock()->insert(allocation); }

std::optional<Allocation> AllocationTable::insertIfFree(const Allocation &allocation) {
  const auto entries = entries_.lock();
  // The first allocation that ends after the new one begins.
  const uintptr_t begin = reinterpret_cast<uintptr_t>(allocation.base);
  std::map<uintptr_t, Allocation>::const_iterator entry = entries->of(allocation.base);
  if (entry == entries->byBase.end())
    entry = entries->byBase.lower_bound(begin);
  if (entry != entries->byBase.end() && (entry->first < begin || entry->first - begin < allocation.bytes))
    return entry->second;
  entries->insert(allocation);
  return std::nullopt;
}

// Memory that others own is not counted twice.
void AllocationTable::noteInProfile(const Allocation &allocation, bool added) {
  const ProfilerHooks *hooks = profilerOf(trace::kMemory);
  if (!hooks)
    return;
  switch (allocation.owner) {
  case MemoryOwner::application:
  case MemoryOwner::pool:
  case MemoryOwner::moduleVariable:
  case MemoryOwner::array:
  case MemoryOwner::mapping:
  case MemoryOwner::graph: break;
  default: return;
  }
  trace::Memory entry{};
  entry.time = hooks->now();
  entry.address = reinterpret_cast<uintptr_t>(allocation.base);
  entry.bytes = static_cast<int64_t>(added ? allocation.bytes : -allocation.bytes);
  entry.device = allocation.device ? static_cast<uint32_t>(allocation.device->ordinal()) : 0;
  entry.place = allocation.kind == MemoryKind::device ? trace::Place::device
                : allocation.kind == MemoryKind::host ? trace::Place::pinned
                                                      : trace::Place::managed;
  record(*hooks, entry);
}

std::map<uintptr_t, Allocation>::const_iterator AllocationTable::Entries::of(const void *pointer) const {
  auto entry = byBase.upper_bound(reinterpret_cast<uintptr_t>(pointer));
  // A pointer to the end of an allocation belongs to the next one, if to any.
  if (entry == byBase.begin() || !std::prev(entry)->second.contains(pointer, 1))
    return byBase.end();
  return std::prev(entry);
}

std::optional<Allocation> AllocationTable::find(const void *pointer) const {
  const auto entries = entries_.lockShared();
  auto entry = entries->of(pointer);
  if (entry == entries->byBase.end())
    return std::nullopt;
  Allocation found = entry->second;
  if (found.owner == MemoryOwner::mapping)
    for (auto next = std::next(entry);
         next != entries->byBase.end() && next->second.owner == MemoryOwner::mapping &&
         next->first == reinterpret_cast<uintptr_t>(found.base) + found.bytes + found.following &&
         &next->second.device->driver() == &found.device->driver();
         ++next)
      found.following += next->second.bytes;
  return found;
}

std::optional<Allocation> AllocationTable::anyOf(const LZDevice &device) const {
  const auto entries = entries_.lockShared();
  for (const auto &[base, allocation] : entries->byBase)
    if (allocation.device == &device && isApplications(allocation))
      return allocation;
  return std::nullopt;
}

std::vector<Allocation> AllocationTable::ofApplication() const {
  std::vector<Allocation> all;
  const auto entries = entries_.lockShared();
  for (const auto &[base, allocation] : entries->byBase)
    if (isApplications(allocation))
      all.push_back(allocation);
  return all;
}

void *allocateMemory(LZDevice &device, MemoryKind kind, size_t bytes, unsigned flags, MemoryOwner owner) {
  if (kind == MemoryKind::device)
    return enter(LZMemoryPools::of(device).application().allocate(bytes, nullptr), bytes, flags, owner);
  if (hipError_t fault = device.fault())
    throw HipError(fault);
  void *pointer = nullptr;
  ze_result_t result = allocateFromDriver(device, kind, bytes, &pointer);
  if (result != ZE_RESULT_SUCCESS && kind == MemoryKind::managed) {
    LZMemoryPools::of(device).trim();
    result = allocateFromDriver(device, kind, bytes, &pointer);
    // More than the device has: memory of the host that it reaches. Managed memory may be larger than the device's.
    if (result != ZE_RESULT_SUCCESS && device.reachesHostMemory())
      result = allocateFromDriver(device, MemoryKind::host, bytes, &pointer);
  }
  if (result != ZE_RESULT_SUCCESS || !pointer) {
    HIPLZ_LOG_INFO("%zu bytes of memory cannot be allocated on device %d (%s); %llu of %llu bytes are in use", bytes,
                   device.ordinal(), zeResultName(result),
                   static_cast<unsigned long long>(device.allocatedBytes.load()),
                   static_cast<unsigned long long>(device.totalMemory()));
    const hipError_t lost = device.lost();
    throw HipError(lost ? lost : hipErrorOutOfMemory, {}, result);
  }
  try {
    allocationTable().insert(
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
  void *allocated = nullptr;
  LZ_CALL(zeMemAllocShared, (device.zeContext(), &onDevice, &onHost, bytes, alignment, device.ze(), &allocated));
  ZeMemory memory(device.zeContext(), allocated);
  allocationTable().insert({memory.get(), bytes, MemoryKind::managed, &device, 0, MemoryOwner::moduleVariable});
  return memory.release(); // the table's now
}

void freeManagedVariable(void *memory) noexcept {
  if (const auto known = AllocationTable::ofProcess().remove(memory, MemoryOwner::moduleVariable))
    freeToDriver(*known->device, memory);
}

void freeMemory(void *pointer, MemoryOwner owner) {
  if (owner == MemoryOwner::application && LZGraphMemory::find(pointer)) {
    synchronizeDevices();
    LZGraphMemory::free(pointer)->mark(nullptr, false);
    return;
  }
  const std::optional<Allocation> allocation = allocationTable().removeIf(pointer, [=](const Allocation &known) {
    return owner == MemoryOwner::application ? isApplications(known) : known.owner == owner;
  });
  // Memory of a pool of another process is not freed but closed.
  if (!allocation && owner == MemoryOwner::application &&
      (closeMemory(pointer, MemoryOwner::importedPool) || LZExternalMemory::unmap(pointer)))
    return;
  releaseWhenIdle(allocation);
}

void freeHostMemory(void *pointer) {
  releaseWhenIdle(allocationTable().removeIf(pointer, [](const Allocation &known) {
    return known.owner == MemoryOwner::application && known.kind == MemoryKind::host;
  }));
}

void *allocateFromPool(LZMemoryPool &pool, size_t bytes, AllocatingStream &stream) {
  return enter(pool.allocate(bytes, &stream), bytes, hipDeviceMallocDefault, MemoryOwner::pool);
}

std::optional<Allocation> takeForFreeing(void *pointer) {
  std::optional<Allocation> allocation = allocationTable().removeIf(pointer, isApplications);
  if (!allocation && !closeMemory(pointer, MemoryOwner::importedPool))
    throw HipError(hipErrorInvalidValue, kNotOurs);
  return allocation;
}

void releaseMemory(const Allocation &allocation, StreamPoint point) {
  if (allocation.kind != MemoryKind::host)
    allocation.device->allocatedBytes.fetch_sub(allocation.bytes, std::memory_order_relaxed);
  if (allocation.block)
    allocation.block->pool().free(*allocation.block, std::move(point));
  else
    LZ_CALL(freeToDriver, (*allocation.device, allocation.base));
}

} // namespace hiplz
