// SPDX-License-Identifier: MIT
// Reservations, handles, mappings and access. Physical memory is in memory/physical_memory.cpp.
#include "lz/memory/virtual_memory.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/memory/memory.h"

#include <algorithm>
#include <sys/mman.h>

namespace hiplz {
namespace {

// The size of large pages everywhere.
constexpr size_t kLargePage = 2 << 20;

uintptr_t number(const void *address) { return reinterpret_cast<uintptr_t>(address); }
void *pointer(uintptr_t address) { return reinterpret_cast<void *>(address); }

hipMemGenericAllocationHandle_t toHandle(const std::shared_ptr<LZPhysicalMemory> &memory) {
  return reinterpret_cast<hipMemGenericAllocationHandle_t>(memory.get());
}

[[noreturn]] void refuse(const char *why) { throw HipError(hipErrorInvalidValue, why); }

// True if the size and, with it, the address are multiples of a page that the driver has.
bool isWhole(const LZDevice &device, uintptr_t address, size_t bytes) {
  const size_t page = LZVirtualMemory::granularity(device, false);
  return bytes != 0 && bytes % page == 0 && address % page == 0 && address + bytes >= address;
}

// A place where there is room now. The specification lets drivers choose if they are given a null pointer, but lists it
// among the errors as well, and the loader's validation layer refuses it.
void *anyAddress(size_t bytes) {
  void *place = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    return nullptr;
  munmap(place, bytes);
  return place;
}

} // namespace

LZVirtualMemory &LZVirtualMemory::instance() {
  static auto *all = new LZVirtualMemory; // never destroyed: static destructors may still use memory
  return *all;
}

size_t LZVirtualMemory::granularity(const LZDevice &device, bool recommended) {
  size_t page = 0;
  const ze_result_t result =
      zeVirtualMemQueryPageSize(device.zeContext(), device.ze(), recommended ? kLargePage : 1, &page);
  if (result != ZE_RESULT_SUCCESS)
    throw HipError(toHipError(result), "the driver has no virtual memory management", result);
  return page;
}

void *LZVirtualMemory::reserve(LZDevice &device, size_t bytes, size_t alignment, void *hint) {
  const size_t page = granularity(device, false);
  if (bytes == 0 || bytes % page != 0 || (alignment & (alignment - 1)) != 0)
    throw HipError(hipErrorOutOfMemory,
                   "a reservation is not a multiple of the allocation granularity, or its alignment is not a "
                   "power of two"); // as AMD's library has it
  const size_t room = alignment > page ? alignment : 0;
  if (bytes > SIZE_MAX - room)
    throw HipError(hipErrorOutOfMemory, "the driver cannot reserve so many addresses");
  const size_t whole = bytes + room;
  void *reserved = nullptr;
  ze_result_t result = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (hint && number(hint) % page == 0 && (!room || number(hint) % alignment == 0))
    result = zeVirtualMemReserve(device.zeContext(), hint, whole, &reserved);
  if (result != ZE_RESULT_SUCCESS)
    result = zeVirtualMemReserve(device.zeContext(), anyAddress(whole), whole, &reserved);
  if (result != ZE_RESULT_SUCCESS || !reserved)
    throw HipError(result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE || result == ZE_RESULT_ERROR_DEVICE_LOST
                       ? toHipError(result)
                       : hipErrorOutOfMemory,
                   "the addresses cannot be reserved", result);
  const uintptr_t first = room ? (number(reserved) + alignment - 1) / alignment * alignment : number(reserved);
  try {
    Lock lock(mutex_);
    reservations_.emplace(first, Reservation{bytes, &device, {reserved, whole}, {}});
  } catch (...) {
    zeVirtualMemFree(device.zeContext(), reserved, whole);
    throw;
  }
  return pointer(first);
}

void LZVirtualMemory::release(void *address, size_t bytes) {
  Lock lock(mutex_);
  auto found = reservations_.find(number(address));
  if (found == reservations_.end() || found->second.bytes != bytes)
    refuse("the range to free is not exactly one reservation");
  const Reservation &reservation = found->second;
  if (!reservation.mappings.empty())
    refuse("memory is still mapped in the range to free");
  LZ_CALL(zeVirtualMemFree,
          (reservation.device->zeContext(), reservation.fromDriver.first, reservation.fromDriver.second));
  reservations_.erase(found);
}

hipMemGenericAllocationHandle_t LZVirtualMemory::create(std::shared_ptr<LZPhysicalMemory> memory) {
  const hipMemGenericAllocationHandle_t handle = toHandle(memory);
  Lock lock(mutex_);
  handles_.emplace(handle, Handle{std::move(memory), 1});
  return handle;
}

void LZVirtualMemory::drop(hipMemGenericAllocationHandle_t handle) {
  std::shared_ptr<LZPhysicalMemory> last; // freed after the lock is released
  Lock lock(mutex_);
  auto found = handles_.find(handle);
  if (found == handles_.end())
    refuse("the physical memory does not exist, or all its references have been released");
  if (--found->second.references == 0) {
    last = std::move(found->second.memory);
    handles_.erase(found);
  }
}

std::shared_ptr<LZPhysicalMemory> LZVirtualMemory::find(hipMemGenericAllocationHandle_t handle) {
  Lock lock(mutex_);
  auto found = handles_.find(handle);
  if (found == handles_.end())
    refuse("the physical memory does not exist, or all its references have been released");
  return found->second.memory;
}

hipMemGenericAllocationHandle_t LZVirtualMemory::retain(const void *address) {
  Lock lock(mutex_);
  const std::shared_ptr<LZPhysicalMemory> &memory = mappingLocked(number(address)).memory;
  const hipMemGenericAllocationHandle_t handle = toHandle(memory);
  ++handles_.try_emplace(handle, Handle{memory, 0}).first->second.references;
  return handle;
}

// The reservation that contains the whole range, or null.
LZVirtualMemory::Reservation *LZVirtualMemory::reservationLocked(uintptr_t address, size_t bytes) {
  auto behind = reservations_.upper_bound(address);
  if (behind == reservations_.begin())
    return nullptr;
  auto &[base, reservation] = *std::prev(behind);
  const size_t offset = address - base;
  return offset < reservation.bytes && bytes <= reservation.bytes - offset ? &reservation : nullptr;
}

// The mappings of a range that begins and ends with one and has no gap.
LZVirtualMemory::Range LZVirtualMemory::wholeLocked(uintptr_t address, size_t bytes) {
  Reservation *reservation = reservationLocked(address, bytes);
  if (!reservation || bytes == 0)
    refuse("the addresses are not reserved");
  Mappings &mappings = reservation->mappings;
  const auto begin = mappings.find(address);
  auto end = begin;
  uintptr_t at = address;
  while (end != mappings.end() && end->first == at && at < address + bytes)
    at += (end++)->second.bytes;
  if (at != address + bytes)
    refuse("the range does not consist of whole mappings");
  return {*reservation, begin, end};
}

LZVirtualMemory::Mapping &LZVirtualMemory::mappingLocked(uintptr_t address) {
  if (Reservation *reservation = reservationLocked(address, 1)) {
    auto behind = reservation->mappings.upper_bound(address);
    if (behind != reservation->mappings.begin() && address - std::prev(behind)->first < std::prev(behind)->second.bytes)
      return std::prev(behind)->second;
  }
  refuse("no memory is mapped at the address");
}

void LZVirtualMemory::map(void *address, size_t bytes, size_t offset, hipMemGenericAllocationHandle_t handle) {
  const std::shared_ptr<LZPhysicalMemory> memory = find(handle);
  LZDevice &device = memory->device();
  const uintptr_t first = number(address);
  if (!isWhole(device, first, bytes) || !isWhole(device, offset, bytes))
    refuse("a mapping is not a multiple of the allocation granularity");
  if (offset > memory->bytes() || bytes > memory->bytes() - offset)
    refuse("a mapping extends beyond its physical memory");
  Lock lock(mutex_);
  Reservation *reservation = reservationLocked(first, bytes);
  if (!reservation || &reservation->device->driver() != &device.driver())
    refuse("the addresses are not reserved on the memory's device");
  Mappings &mappings = reservation->mappings;
  const auto behind = mappings.lower_bound(first);
  if ((behind != mappings.end() && behind->first - first < bytes) ||
      (behind != mappings.begin() && first - std::prev(behind)->first < std::prev(behind)->second.bytes))
    refuse("memory is already mapped at the addresses");
  LZ_CALL(zeVirtualMemMap, (device.zeContext(), address, bytes, memory->ze(), offset, ZE_MEMORY_ACCESS_ATTRIBUTE_NONE));
  try {
    mappings.emplace(first, Mapping{bytes, memory, {}});
    allocationTable().insert({.base = address,
                              .bytes = bytes,
                              .kind = MemoryKind::device,
                              .device = &device,
                              .owner = MemoryOwner::mapping});
  } catch (...) {
    mappings.erase(first);
    zeVirtualMemUnmap(device.zeContext(), address, bytes);
    throw;
  }
}

void LZVirtualMemory::unmap(void *address, size_t bytes) {
  requireRuntime();
  {
    Lock lock(mutex_);
    wholeLocked(number(address), bytes);
  }
  // A fault stays with its device; the memory is unmapped nevertheless.
  synchronizeDevices();
  Mappings ended; // destroyed after the lock is released
  Lock lock(mutex_);
  const Range range = wholeLocked(number(address), bytes); // another thread may have been faster
  for (auto mapping = range.begin; mapping != range.end;) {
    LZ_CALL(zeVirtualMemUnmap,
            (mapping->second.memory->device().zeContext(), pointer(mapping->first), mapping->second.bytes));
    allocationTable().remove(pointer(mapping->first), MemoryOwner::mapping);
    ended.insert(range.reservation.mappings.extract(mapping++));
  }
}

void LZVirtualMemory::setAccess(void *address, size_t bytes, const hipMemAccessDesc *access, size_t count) {
  const auto devices = allDevices();
  Lock lock(mutex_);
  const Range range = wholeLocked(number(address), bytes);
  for (size_t i = 0; i < count; ++i) {
    const auto &[location, flags] = access[i];
    if (location.type != hipMemLocationTypeDevice || location.id < 0 ||
        static_cast<size_t>(location.id) >= devices.size() ||
        (flags != hipMemAccessFlagsProtNone && flags != hipMemAccessFlagsProtRead &&
         flags != hipMemAccessFlagsProtReadWrite))
      refuse("an access description has no valid device or no valid flags");
    for (auto mapping = range.begin; mapping != range.end; ++mapping) {
      const LZDevice &device = *devices[location.id], &owner = mapping->second.memory->device();
      if (flags != hipMemAccessFlagsProtNone && &device != &owner && !device.canAccess(owner))
        throw HipError(hipErrorInvalidDevice, "the device cannot access the memory of the other one");
    }
  }
  for (auto mapping = range.begin; mapping != range.end; ++mapping) {
    auto known = mapping->second.access;
    for (size_t i = 0; i < count; ++i)
      known[access[i].location.id] = access[i].flags;
    hipMemAccessFlags most = hipMemAccessFlagsProtNone;
    for (const auto &[device, flags] : known)
      most = std::max(most, flags);
    LZ_CALL(zeVirtualMemSetAccessAttribute,
            (mapping->second.memory->device().zeContext(), pointer(mapping->first), mapping->second.bytes,
             most == hipMemAccessFlagsProtNone   ? ZE_MEMORY_ACCESS_ATTRIBUTE_NONE
             : most == hipMemAccessFlagsProtRead ? ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY
                                                 : ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
    mapping->second.access = std::move(known);
  }
}

hipMemAccessFlags LZVirtualMemory::access(const void *address, int device) {
  Lock lock(mutex_);
  const auto &known = mappingLocked(number(address)).access;
  auto found = known.find(device);
  return found == known.end() ? hipMemAccessFlagsProtNone : found->second;
}

} // namespace hiplz
