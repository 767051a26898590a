// SPDX-License-Identifier: MIT
// See kernel_memory.h. The gaps are not mapped, so they cost neither memory nor one of the mappings that a process may have.
#include "cpu/exec/kernel_memory.h"
#include "base/log.h"
#include "cpu/abi/check_shadow.h"
#include "cpu/check/shadow.h"
#include "cpu/check/uninitialized.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

constexpr size_t kGapBytes = 64 << 10;
// A mapping with gaps around it is not joined with its neighbours; vm.max_map_count is 65530 unless somebody has changed it.
constexpr int64_t kMaxMappings = 24576;
// Addresses that are taken are those of mappings that have been there since the last time around.
constexpr int kAttempts = 16;

std::atomic<int64_t> mappings{0};

uintptr_t alignUp(uintptr_t value, uintptr_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

bool inRegion(const std::byte *memory) {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  return address >= kRegionBegin && address < kRegionEnd;
}

/// A part of the region, from which places are taken one behind the other.
struct Zone {
  Zone(uintptr_t first, uintptr_t last) : begin(first), end(last), next(firstPlace()) {}

  /// The addresses for so many bytes, with a gap before and behind them.
  uintptr_t take(size_t bytes, size_t alignment) {
    uintptr_t seen = next.load(std::memory_order_relaxed), place, behind;
    do {
      place = alignUp(seen, alignment);
      if (place + bytes + kGapBytes > end)
        place = alignUp(begin + kGapBytes, alignment);
      behind = alignUp(place + bytes, pageSize()) + kGapBytes;
    } while (!next.compare_exchange_weak(seen, behind, std::memory_order_relaxed));
    return place;
  }

  const uintptr_t begin, end;

private:
  // Where the first mapping goes: another place in each process, like everything else in the address space.
  uintptr_t firstPlace() const {
    uint32_t random = 0;
    if (const auto *bytes = reinterpret_cast<const void *>(::getauxval(AT_RANDOM)))
      std::memcpy(&random, bytes, sizeof random);
    return begin + kGapBytes + random % ((end - begin) / 4 / kHugePage) * kHugePage; // within the first quarter
  }

  std::atomic<uintptr_t> next;
};

Zone &zoneFor(KernelMemory purpose) {
  static Zone other{kRegionBegin, check::hasBitShadow() ? kTrackedBegin : kPrivateBegin};
  static Zone tracked{kTrackedBegin, kTrackedEnd};
  static Zone ofWorkItems{kPrivateBegin, kPrivateEnd};
  if (purpose == KernelMemory::privateMemory)
    return ofWorkItems;
  return purpose == KernelMemory::tracked && check::hasBitShadow() ? tracked : other;
}

std::byte *mapApart(Zone &zone, size_t bytes, size_t alignment, int protection) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  if (bytes > (zone.end - zone.begin) / 4 || alignment > (zone.end - zone.begin) / 4)
    return nullptr;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto *wanted = reinterpret_cast<void *>(zone.take(bytes, alignment));
    void *memory = ::mmap(wanted, bytes, protection, kFlags, -1, 0);
    if (memory == wanted) {
      mappings.fetch_add(1, std::memory_order_relaxed);
      return static_cast<std::byte *>(memory);
    }
    if (memory != MAP_FAILED)
      ::munmap(memory, bytes); // a kernel that does not know the flag takes the address as a hint
  }
  return nullptr;
}

std::byte *mapAnywhere(size_t bytes, size_t alignment, int protection) {
  // Mapped with room to move the beginning to the alignment; the ends that stand over are returned.
  size_t room;
  if (__builtin_add_overflow(bytes, alignment > pageSize() ? alignment : 0, &room))
    return nullptr;
  void *memory = ::mmap(nullptr, room, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  auto *begin = static_cast<std::byte *>(memory);
  auto *base = reinterpret_cast<std::byte *>(alignUp(reinterpret_cast<uintptr_t>(begin), alignment));
  if (room == bytes)
    base = begin;
  if (base != begin)
    ::munmap(begin, base - begin);
  if (base + bytes != begin + room)
    ::munmap(base + bytes, begin + room - (base + bytes));
  return base;
}

} // namespace

size_t pageSize() {
  static const size_t size = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

std::byte *mapForKernels(size_t bytes, size_t alignment, int protection, KernelMemory purpose) {
  const bool isPrivate = purpose == KernelMemory::privateMemory;
  std::byte *memory = nullptr;
  if (isPrivate || mappings.load(std::memory_order_relaxed) < kMaxMappings)
    memory = mapApart(zoneFor(purpose), bytes, std::max(alignment, pageSize()), protection);
  if (!memory && !isPrivate)
    memory = mapAnywhere(bytes, alignment, protection);
  if (memory)
    check::allowOwn(memory, bytes);
  // Not for a single one: the system would clear all of it when a small program first touches the segment that its few kilobytes lie in.
  if (memory && bytes > kHugePage && alignment >= kHugePage)
    ::madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void unmapForKernels(std::byte *memory, size_t bytes) noexcept {
  check::forbid(memory, bytes);
  check::initialize(memory, bytes);
  if (inRegion(memory))
    mappings.fetch_sub(1, std::memory_order_relaxed);
  ::munmap(memory, bytes);
}

} // namespace hiplz::cpu
