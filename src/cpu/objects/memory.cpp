// See memory.h. Large allocations are mapped one by one, on huge pages where the system has them, so that freeing returns
// the memory and a stale pointer faults instead of reading someone else's data.
#include "cpu/objects/memory.h"
#include "cpu/objects/context.h"
#include "cpu/objects/device.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

constexpr size_t kDefaultAlignment = 256;  // vector loads, and what GPU programs expect of an allocation
constexpr size_t kMapThreshold = 256 << 10;
constexpr size_t kHugePage = 2 << 20;

size_t pageSize() {
  static const size_t size = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

std::byte *map(size_t bytes, size_t alignment) {
  // Mapped with room to move the beginning to the alignment; the ends that stand over are returned.
  size_t room = bytes + (alignment > pageSize() ? alignment : 0);
  void *memory = ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  auto *begin = static_cast<std::byte *>(memory);
  auto *base = reinterpret_cast<std::byte *>((reinterpret_cast<uintptr_t>(begin) + alignment - 1) & ~(alignment - 1));
  if (room == bytes)
    base = begin;
  if (base != begin)
    ::munmap(begin, base - begin);
  if (base + bytes != begin + room)
    ::munmap(base + bytes, begin + room - (base + bytes));
  if (bytes >= kHugePage)
    ::madvise(base, bytes, MADV_HUGEPAGE);
  return base;
}

} // namespace

void *AllocationTable::allocate(Context &context, Device *device, ze_memory_type_t type, size_t size,
                                size_t alignment) {
  if (size == 0)
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_SIZE};
  if (!std::has_single_bit(alignment | (alignment == 0)) || alignment > (size_t{1} << 30))
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT};
  ze_result_t exhausted = device ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (device ? !device->reserve(size) : size > ProcessorInfo::get().memoryBytes)
    throw Error{exhausted};
  Allocation allocation{nullptr, size, 0, type, &context, device, 0};
  alignment = std::max(alignment, kDefaultAlignment);
  if (size >= kMapThreshold) {
    allocation.mappedBytes = (size + pageSize() - 1) & ~(pageSize() - 1);
    allocation.base = map(allocation.mappedBytes, size >= kHugePage ? std::max(alignment, kHugePage) : alignment);
  } else {
    allocation.base =
        static_cast<std::byte *>(std::aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1)));
  }
  if (!allocation.base) {
    if (device)
      device->unreserve(size);
    throw Error{exhausted};
  }
  try {
    std::lock_guard lock(mutex_);
    allocation.id = ++lastId_;
    allocations_.emplace(allocation.base, allocation);
  } catch (...) {
    release(allocation);
    throw;
  }
  return allocation.base;
}

void AllocationTable::release(const Allocation &allocation) {
  if (allocation.mappedBytes)
    ::munmap(allocation.base, allocation.mappedBytes);
  else
    std::free(allocation.base);
  if (allocation.device)
    allocation.device->unreserve(allocation.size);
}

void AllocationTable::free(Context &context, void *pointer) {
  Allocation allocation;
  {
    std::lock_guard lock(mutex_);
    auto found = allocations_.find(static_cast<std::byte *>(pointer));
    if (found == allocations_.end() || found->second.context != &context)
      throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
    allocation = found->second;
    allocations_.erase(found);
  }
  release(allocation);
}

void AllocationTable::freeAll(Context &context) {
  std::lock_guard lock(mutex_);
  std::erase_if(allocations_, [&](const auto &entry) {
    if (entry.second.context != &context)
      return false;
    release(entry.second);
    return true;
  });
}

Allocation AllocationTable::find(const Context &context, const void *address) const {
  auto *byte = static_cast<const std::byte *>(address);
  std::shared_lock lock(mutex_);
  auto behind = allocations_.upper_bound(byte);
  if (behind == allocations_.begin())
    return {};
  const Allocation &allocation = std::prev(behind)->second;
  if (byte >= allocation.base + allocation.size || allocation.context != &context)
    return {};
  return allocation;
}

} // namespace hiplz::cpu
