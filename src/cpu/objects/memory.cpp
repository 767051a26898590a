// SPDX-License-Identifier: MIT
// See memory.h. Large allocations, and all of devices, are mapped one by one, on huge pages where the system has them, so
// that freeing returns the memory and a stale pointer faults instead of reading someone else's data.
#include "cpu/objects/memory.h"
#include "base/format.h"
#include "base/log.h"
#include "base/sanitizer.h"
#include "cpu/check/memory.h"
#include "cpu/check/shadow.h"
#include "cpu/check/uninitialized.h"
#include "cpu/objects/context.h"
#include "cpu/objects/device.h"
#include "cpu/objects/driver.h"
#include "cpu/objects/move_into_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <new>
#include <sys/mman.h>

namespace hiplz::cpu {
namespace {

constexpr size_t kDefaultAlignment = 256; // vector loads, and what GPU programs expect of an allocation

size_t wholePages(size_t bytes) { return (bytes + pageSize() - 1) & ~(pageSize() - 1); }

/// Private memory again in the place of a shared small block. False if that fails; the block is lost then.
bool replaceByPrivate(const Allocation &block) {
  return ::mmap(block.base, wholePages(block.size), PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == block.base;
}

check::MemoryKind checkedKind(ze_memory_type_t type) {
  switch (type) {
  case ZE_MEMORY_TYPE_DEVICE: return check::MemoryKind::device;
  case ZE_MEMORY_TYPE_HOST: return check::MemoryKind::host;
  default: return check::MemoryKind::shared;
  }
}

/// A mapping of the file, as far from everything else as other memory of kernels. Null if that fails.
std::byte *mapFile(const SharedFile &file, size_t bytes) {
  std::byte *place = mapForKernels(bytes, pageSize(), PROT_NONE);
  if (place && !file.map(place, bytes)) {
    unmapForKernels(place, bytes);
    return nullptr;
  }
  return place;
}

} // namespace

uint64_t AllocationTable::nextId() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void *AllocationTable::allocate(Context &context, Device *device, ze_memory_type_t type, size_t size, size_t alignment,
                                bool exportable) {
  if (size == 0)
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_SIZE};
  if (!std::has_single_bit(alignment | (alignment == 0)) || alignment > (size_t{1} << 30))
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT};
  if (exportable && alignment > pageSize())
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT};
  ze_result_t exhausted = device ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (!(device ? device->reserve(size) : context.driver().budget().reserve(size))) {
    HIPLZ_LOG_INFO("%zu bytes of %s memory are not available", size, device ? "device" : "host");
    throw Error{exhausted};
  }
  Allocation allocation;
  allocation.size = size;
  allocation.type = type;
  allocation.context = &context;
  allocation.device = device;
  allocation.exportable = exportable;
  try {
    alignment = std::max(alignment, kDefaultAlignment);
    // Device and host memory has pages of its own whatever its size, so that it can be shared with another process; small host
    // memory as a block of whole pages, unless an address sanitizer looks after blocks.
    const bool ownPages = HIPLZ_ADDRESS_SANITIZER && type == ZE_MEMORY_TYPE_HOST;
    if (type == ZE_MEMORY_TYPE_HOST)
      alignment = std::max(alignment, pageSize());
    if (type == ZE_MEMORY_TYPE_DEVICE || exportable || ownPages || check::redZone() ||
        !SmallBlocks::fit(size, alignment))
      allocation.mappedBytes = wholePages(size) + (exportable ? 0 : check::redZone());
    allocation.alignment = alignment;
    if (exportable) {
      allocation.file = SharedFile::create(IpcKind::memory, allocation.mappedBytes);
      allocation.base = mapFile(*allocation.file, allocation.mappedBytes);
    } else if (allocation.mappedBytes) {
      const size_t boundary = size >= kHugePage ? std::max(alignment, kHugePage) : alignment;
      const size_t front = check::redZone() ? std::max(boundary, check::redZone()) : 0; // costs addresses only
      allocation.base = mapForKernels(front + allocation.mappedBytes, boundary, PROT_READ | PROT_WRITE,
                                      type == ZE_MEMORY_TYPE_DEVICE ? KernelMemory::tracked : KernelMemory::any);
      if (allocation.base && front) {
        check::forbid(allocation.base, front);
        allocation.base += front;
        allocation.frontBytes = front;
      }
    } else {
      allocation.base = smallBlocks_.allocate(size, alignment);
    }
    if (!allocation.base)
      throw Error{exhausted};
    insert(allocation);
  } catch (...) {
    release(allocation);
    throw;
  }
  return allocation.base;
}

void *AllocationTable::import(Context &context, Device *device, ze_memory_type_t type, std::shared_ptr<SharedFile> file,
                              size_t size, bool opened) {
  Allocation allocation;
  allocation.size = size;
  allocation.type = type;
  allocation.context = &context;
  allocation.device = device;
  allocation.accounted = false;
  allocation.opened = opened;
  allocation.mappedBytes = wholePages(size);
  allocation.base = mapFile(*file, allocation.mappedBytes);
  allocation.file = std::move(file);
  if (!allocation.base)
    throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  try {
    insert(allocation);
  } catch (...) {
    release(allocation);
    throw;
  }
  return allocation.base;
}

void AllocationTable::insert(Allocation &allocation) {
  allocation.id = nextId();
  check::addMemory(allocation.base, allocation.size, allocation.mappedBytes, checkedKind(allocation.type));
  allocations_.lock()->emplace(allocation.base, allocation);
}

void AllocationTable::release(const Allocation &allocation) {
  check::removeMemory(allocation.base);
  if (allocation.base && allocation.mappedBytes) {
    const auto released = released_.lock();
    released->entries[released->next++ % released->entries.size()] = {allocation.base, allocation.size};
  }
  if (allocation.base && allocation.mappedBytes)
    unmapForKernels(allocation.base - allocation.frontBytes, allocation.frontBytes + allocation.mappedBytes);
  else if (allocation.base && (!allocation.file || replaceByPrivate(allocation)))
    smallBlocks_.free(allocation.base, allocation.size, allocation.alignment);
  if (!allocation.accounted)
    return;
  if (allocation.device)
    allocation.device->unreserve(allocation.size);
  else
    allocation.context->driver().budget().unreserve(allocation.size);
}

Allocation AllocationTable::remove(Context &context, const void *pointer, bool opened) {
  const auto allocations = allocations_.lock();
  auto found = allocations->find(static_cast<const std::byte *>(pointer));
  if (found == allocations->end() || found->second.context != &context || found->second.opened != opened)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  Allocation allocation = std::move(found->second);
  allocations->erase(found);
  return allocation;
}

void AllocationTable::freeAll(Context &context) {
  std::erase_if(*allocations_.lock(), [&](const auto &entry) {
    if (entry.second.context != &context)
      return false;
    release(entry.second);
    return true;
  });
}

uint64_t AllocationTable::residentBytes() const {
  constexpr size_t kPagesAtOnce = 4096;
  std::array<unsigned char, kPagesAtOnce> pages;
  uint64_t bytes = 0;
  const auto allocations = allocations_.lockShared();
  for (const auto &[base, allocation] : *allocations) {
    if (!allocation.accounted)
      continue;
    if (!allocation.mappedBytes)
      bytes += allocation.size;
    for (size_t at = 0; at < allocation.mappedBytes; at += kPagesAtOnce * pageSize()) {
      const size_t count = std::min(kPagesAtOnce, (allocation.mappedBytes - at) / pageSize());
      if (::mincore(allocation.base + at, count * pageSize(), pages.data()) == 0)
        bytes += pageSize() * std::count_if(pages.begin(), pages.begin() + count, [](auto page) { return page & 1; });
    }
  }
  return bytes;
}

Allocation AllocationTable::share(Context &context, const void *pointer, bool exportable) {
  const auto allocations = allocations_.lock();
  auto found = allocations->find(static_cast<const std::byte *>(pointer));
  if (found == allocations->end() || found->second.context != &context || found->second.opened ||
      (found->second.type != ZE_MEMORY_TYPE_DEVICE && found->second.type != ZE_MEMORY_TYPE_HOST))
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "only device and host allocations have handles, at their beginning"};
  Allocation &allocation = found->second;
  allocation.exportable = allocation.exportable || exportable;
  if (allocation.file)
    return allocation;
  allocation.file = moveIntoFile(allocation.base, wholePages(allocation.size));
  check::initialize(allocation.base, allocation.size); // other processes may write it
  return allocation;
}

Allocation AllocationTable::findExported(const Context &context, uint64_t descriptor) const {
  const auto allocations = allocations_.lockShared();
  for (const auto &[base, allocation] : *allocations)
    if (allocation.context == &context && allocation.exportable && allocation.file &&
        static_cast<uint64_t>(allocation.file->descriptor()) == descriptor)
      return allocation;
  return {};
}

namespace {
template <class Allocations>
auto &sharedRange(Allocations &allocations, const Context &context, const void *pointer, size_t size) {
  auto *byte = static_cast<const std::byte *>(pointer);
  auto behind = allocations.upper_bound(byte);
  if (behind == allocations.begin())
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the address is not that of an allocation"};
  auto &allocation = std::prev(behind)->second;
  const size_t offset = byte - allocation.base;
  if (allocation.context != &context || allocation.type != ZE_MEMORY_TYPE_SHARED || offset >= allocation.size ||
      size > allocation.size - offset)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the range is not in a shared allocation"};
  return allocation;
}
} // namespace

void AllocationTable::setAtomicAccess(Context &context, const Device &device, const void *pointer, size_t size,
                                      uint32_t access) {
  const auto allocations = allocations_.lock();
  auto &all = sharedRange(*allocations, context, pointer, size).atomicAccess;
  auto found = std::find_if(all.begin(), all.end(), [&](const auto &entry) { return entry.first == &device; });
  if (found == all.end())
    all.emplace_back(&device, access);
  else
    found->second = access;
}

uint32_t AllocationTable::atomicAccess(Context &context, const Device &device, const void *pointer, size_t size) const {
  const auto allocations = allocations_.lockShared();
  for (const auto &[whose, access] : sharedRange(*allocations, context, pointer, size).atomicAccess)
    if (whose == &device)
      return access;
  return 0;
}

Allocation AllocationTable::find(const void *address) const {
  auto *byte = static_cast<const std::byte *>(address);
  const auto allocations = allocations_.lockShared();
  auto behind = allocations->upper_bound(byte);
  if (behind == allocations->begin())
    return {};
  const Allocation &allocation = std::prev(behind)->second;
  if (byte >= allocation.base + allocation.size)
    return {};
  return allocation;
}

namespace {
// How far from an address an allocation may be that it has probably been computed from.
constexpr size_t kNear = 1 << 30;

const char *kindOf(const Allocation &allocation) {
  switch (allocation.type) {
  case ZE_MEMORY_TYPE_DEVICE: return "device";
  case ZE_MEMORY_TYPE_HOST: return "host";
  default: return "shared";
  }
}

} // namespace

std::string AllocationTable::describe(const void *address) const {
  auto *byte = static_cast<const std::byte *>(address);
  {
    const auto released = released_.lock();
    for (const Released &each : released->entries)
      if (byte >= each.base && byte < each.base + each.size)
        return format("in an allocation of %zu bytes at %p that has been freed", each.size,
                      static_cast<const void *>(each.base));
  }
  const auto allocations = allocations_.lockShared();
  const auto behind = allocations->upper_bound(byte);
  const Allocation *before = behind == allocations->begin() ? nullptr : &std::prev(behind)->second;
  const Allocation *after = behind == allocations->end() ? nullptr : &behind->second;
  const size_t pastEnd = before ? byte - (before->base + std::min<size_t>(before->size, byte - before->base)) : kNear;
  const size_t toBegin = after ? after->base - byte : kNear;
  if (std::min(pastEnd, toBegin) >= kNear)
    return {};
  const bool isBehind = pastEnd <= toBegin;
  const Allocation &nearest = isBehind ? *before : *after;
  return format("%zu bytes %s an allocation of %zu bytes at %p (%s memory)", isBehind ? pastEnd : toBegin,
                isBehind ? "behind the end of" : "before", nearest.size, static_cast<const void *>(nearest.base),
                kindOf(nearest));
}

} // namespace hiplz::cpu
