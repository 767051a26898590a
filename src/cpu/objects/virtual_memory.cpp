// SPDX-License-Identifier: MIT
// See virtual_memory.h.
#include "cpu/objects/virtual_memory.h"
#include "cpu/check/memory.h"
#include "cpu/objects/context.h"
#include "cpu/objects/device.h"
#include "cpu/objects/driver.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <sys/mman.h>

namespace hiplz::cpu {
namespace {

int protectionOf(ze_memory_access_attribute_t access) {
  switch (access) {
  case ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE: return PROT_READ | PROT_WRITE;
  case ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY: return PROT_READ;
  default: return PROT_NONE;
  }
}

constexpr int kReservation = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// The memory on the account of this process.
using Storages = std::set<const PhysicalStorage *>;
Lockable<Storages> &storages() {
  static auto *storages = new Lockable<Storages>(LockRank::cpuStorages);
  return *storages;
}

} // namespace

PhysicalStorage::PhysicalStorage(MemoryBudget &budget, Device *device, size_t size, std::shared_ptr<SharedFile> file,
                                 bool accounted)
    : budget(budget), device(device), size(size), id(AllocationTable::nextId()), file(std::move(file)),
      accounted(accounted) {
  if (!accounted)
    return;
  storages().lock()->insert(this);
}

namespace {
void unreserve(MemoryBudget &budget, Device *device, size_t size) {
  device ? device->unreserve(size) : budget.unreserve(size);
}
} // namespace

PhysicalStorage::~PhysicalStorage() {
  if (!accounted)
    return;
  storages().lock()->erase(this);
  unreserve(budget, device, size);
}

uint64_t PhysicalStorage::residentBytes() {
  uint64_t bytes = 0;
  const auto all = storages().lock();
  for (const PhysicalStorage *storage : *all)
    bytes += storage->file->residentBytes();
  return bytes;
}

namespace {
std::shared_ptr<PhysicalStorage> makeStorage(MemoryBudget &budget, Device *device, size_t size,
                                             std::shared_ptr<SharedFile> import) {
  if (import)
    return std::make_shared<PhysicalStorage>(budget, device, size, std::move(import), false);
  const Error exhausted{device ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  if (!(device ? device->reserve(size) : budget.reserve(size)))
    throw exhausted;
  try {
    auto file = SharedFile::create(IpcKind::memory, size);
    file->setOpen(false); // until it is shared
    return std::make_shared<PhysicalStorage>(budget, device, size, std::move(file), true);
  } catch (const Error &error) {
    unreserve(budget, device, size);
    throw error.code == ZE_RESULT_ERROR_NOT_AVAILABLE ? error : exhausted;
  } catch (...) {
    unreserve(budget, device, size);
    throw exhausted;
  }
}
} // namespace

PhysicalMemory::PhysicalMemory(Context &context, Device *device, size_t size, std::shared_ptr<SharedFile> import)
    : context(context), storage(makeStorage(context.driver().budget(), device, size, std::move(import))) {
  context.driver().virtualMemory().segments_.lock()->objects.emplace(handle(), this);
}

PhysicalMemory::~PhysicalMemory() { context.driver().virtualMemory().segments_.lock()->objects.erase(handle()); }

void *VirtualMemoryTable::reserve(Context &context, void *hint, size_t size) {
  std::byte *base = nullptr;
  if (hint) {
    void *memory = ::mmap(hint, size, PROT_NONE, kReservation | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory == hint)
      base = static_cast<std::byte *>(memory);
    else if (memory != MAP_FAILED)
      ::munmap(memory, size); // a kernel that does not know the flag takes the address as a hint
  }
  if (!base)
    base = mapForKernels(size, size >= kHugePage ? kHugePage : pageSize(), PROT_NONE);
  if (!base)
    throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  try {
    segments_.lock()->byAddress.emplace(base, Segment{size, &context, ZE_MEMORY_ACCESS_ATTRIBUTE_NONE, nullptr, 0});
  } catch (...) {
    unmapForKernels(base, size);
    throw;
  }
  return base;
}

void VirtualMemoryTable::Segments::splitAt(std::byte *address) {
  auto behind = byAddress.upper_bound(address);
  if (behind == byAddress.begin())
    return;
  auto &[begin, segment] = *std::prev(behind);
  if (begin == address || address >= begin + segment.size)
    return;
  size_t left = address - begin;
  Segment right = segment;
  right.size -= left;
  right.offset += left;
  byAddress.emplace_hint(behind, address, std::move(right));
  segment.size = left;
}

VirtualMemoryTable::Range VirtualMemoryTable::Segments::range(Context &context, void *pointer, size_t size) {
  auto *begin = static_cast<std::byte *>(pointer), *end = begin + size;
  auto first = byAddress.upper_bound(begin);
  if (first == byAddress.begin())
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  std::byte *covered = begin;
  for (auto segment = --first; segment != byAddress.end() && covered < end; ++segment) {
    std::byte *segmentEnd = segment->first + segment->second.size;
    if (segment->first > covered || segmentEnd <= covered || segment->second.context != &context)
      break;
    covered = segmentEnd;
  }
  if (covered < end || end < begin)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  splitAt(begin);
  splitAt(end);
  return {byAddress.lower_bound(begin), byAddress.lower_bound(end)};
}

void VirtualMemoryTable::Segments::replace(Range range, std::byte *begin, Segment segment) {
  range.begin->second = std::move(segment);
  byAddress.erase(std::next(byAddress.find(begin)), range.end);
}

void VirtualMemoryTable::free(Context &context, void *pointer, size_t size) {
  const auto segments = segments_.lock();
  Range freed = segments->range(context, pointer, size);
  check::removeMapped(pointer, size);
  unmapForKernels(static_cast<std::byte *>(pointer), size);
  segments->byAddress.erase(freed.begin, freed.end);
}

void VirtualMemoryTable::map(Context &context, void *pointer, size_t size, std::shared_ptr<PhysicalStorage> storage,
                             size_t offset, ze_memory_access_attribute_t access) {
  const auto segments = segments_.lock();
  Range mapped = segments->range(context, pointer, size);
  if (std::any_of(mapped.begin, mapped.end, [](auto &entry) { return entry.second.storage != nullptr; }))
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  if (!storage->file->map(pointer, size, offset, protectionOf(access)))
    throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  check::addMapped(pointer, size, storage->device ? check::MemoryKind::device : check::MemoryKind::host);
  segments->replace(mapped, static_cast<std::byte *>(pointer),
                    Segment{size, &context, access, std::move(storage), offset});
}

void VirtualMemoryTable::unmap(Context &context, void *pointer, size_t size) {
  const auto segments = segments_.lock();
  Range mapped = segments->range(context, pointer, size);
  if (std::none_of(mapped.begin, mapped.end, [](auto &entry) { return entry.second.storage != nullptr; }))
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  if (::mmap(pointer, size, PROT_NONE, kReservation | MAP_FIXED, -1, 0) == MAP_FAILED)
    throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  check::removeMapped(pointer, size);
  segments->replace(mapped, static_cast<std::byte *>(pointer),
                    Segment{size, &context, ZE_MEMORY_ACCESS_ATTRIBUTE_NONE, nullptr, 0});
}

void VirtualMemoryTable::setAccess(Context &context, void *pointer, size_t size, ze_memory_access_attribute_t access) {
  const auto segments = segments_.lock();
  Range changed = segments->range(context, pointer, size);
  for (auto segment = changed.begin; segment != changed.end; ++segment) {
    // Pages without memory stay inaccessible whatever their attribute says.
    if (segment->second.storage && ::mprotect(segment->first, segment->second.size, protectionOf(access)) != 0)
      throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
    segment->second.access = access;
  }
}

ze_memory_access_attribute_t VirtualMemoryTable::access(Context &context, void *pointer, size_t size, size_t &uniform) {
  const auto segments = segments_.lock();
  Range asked = segments->range(context, pointer, size);
  ze_memory_access_attribute_t access = asked.begin->second.access;
  uniform = 0;
  for (auto segment = asked.begin; segment != asked.end && segment->second.access == access; ++segment)
    uniform += segment->second.size;
  return access;
}

Allocation VirtualMemoryTable::find(const void *address) const {
  auto *byte = static_cast<std::byte *>(const_cast<void *>(address));
  const auto segments = segments_.lockShared();
  auto last = segments->byAddress.upper_bound(byte);
  if (last == segments->byAddress.begin())
    return {};
  auto first = std::prev(last);
  const Segment &found = first->second;
  if (byte >= first->first + found.size || !found.storage)
    return {};
  // Changes of access split a mapping; what belongs together is contiguous in addresses and in physical memory.
  auto continues = [](auto left, auto right) {
    return left->second.storage == right->second.storage && left->first + left->second.size == right->first &&
           left->second.offset + left->second.size == right->second.offset;
  };
  size_t size = found.size;
  while (first != segments->byAddress.begin() && continues(std::prev(first), first)) {
    --first;
    size += first->second.size;
  }
  for (; last != segments->byAddress.end() && continues(std::prev(last), last); ++last)
    size += last->second.size;
  Allocation allocation;
  allocation.base = first->first;
  allocation.size = size;
  allocation.type = found.storage->device ? ZE_MEMORY_TYPE_DEVICE : ZE_MEMORY_TYPE_HOST;
  allocation.context = found.context;
  allocation.device = found.storage->device;
  allocation.id = found.storage->id;
  allocation.exportable = true;
  allocation.file = found.storage->file;
  return allocation;
}

namespace {
Allocation shareAll(const PhysicalStorage &storage) {
  storage.file->setOpen(true);
  Allocation allocation;
  allocation.size = storage.size;
  allocation.file = storage.file;
  return allocation;
}
} // namespace

Allocation VirtualMemoryTable::share(Context &context, const void *pointer) const {
  const auto segments = segments_.lockShared();
  auto found = segments->byAddress.find(static_cast<std::byte *>(const_cast<void *>(pointer)));
  if (found == segments->byAddress.end() || found->second.context != &context || !found->second.storage)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "no memory begins at the address"};
  const Segment &segment = found->second;
  if (segment.offset != 0 || !segment.storage->accounted)
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "physical memory is shared from its beginning on, by its owner"};
  return shareAll(*segment.storage);
}

Allocation VirtualMemoryTable::shareObject(Context &context, const void *handle) const {
  const auto segments = segments_.lockShared();
  auto found = segments->objects.find(handle);
  if (found == segments->objects.end() || &found->second->context != &context)
    return {};
  if (!found->second->storage->accounted)
    throw Error{ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "physical memory is shared by its owner"};
  return shareAll(*found->second->storage);
}

Allocation VirtualMemoryTable::findExported(const Context &context, uint64_t descriptor) const {
  const auto segments = segments_.lockShared();
  for (const auto &[begin, segment] : segments->byAddress)
    if (segment.context == &context && segment.storage && segment.storage->accounted &&
        static_cast<uint64_t>(segment.storage->file->descriptor()) == descriptor)
      return shareAll(*segment.storage);
  return {};
}

void VirtualMemoryTable::freeAll(Context &context) {
  std::erase_if(segments_.lock()->byAddress, [&](const auto &entry) {
    if (entry.second.context != &context)
      return false;
    check::removeMapped(entry.first, entry.second.size);
    unmapForKernels(entry.first, entry.second.size);
    return true;
  });
}

} // namespace hiplz::cpu
