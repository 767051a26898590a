// SPDX-License-Identifier: MIT
// See memory.h. Addresses are not used again soon (exec/kernel_memory.h), so what has been freed can be told for a while.
#include "cpu/check/memory.h"
#include "base/host_stack.h"
#include "base/lockable.h"
#include "cpu/check/device_heap.h"
#include "cpu/check/global_races.h"
#include "cpu/check/shadow.h"
#include "cpu/check/tools.h"
#include "cpu/check/uninitialized.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <deque>
#include <map>

namespace hiplz::cpu::check {
namespace {

constexpr size_t kRemembered = 4096; // freed ranges
constexpr size_t kNear = 1 << 30;    // how far away an address may be that was computed from a range

struct Range {
  const std::byte *begin = nullptr;
  size_t bytes = 0, mapped = 0;
  MemoryKind kind = MemoryKind::device;
  HostStack allocated, freed;
  bool isFreed = false;        // by the runtime, for which it goes on to exist
  bool isHeap = false;         // kernels allocate from it (device_heap.h)
  bool isMapped = false;       // by addMapped()
  bool isRegistered = false;   // nobody knows the program's own allocations in it
  size_t width = 0, pitch = 0; // of rows with padding, or zero
};

Range rangeAt(const void *begin, size_t bytes, MemoryKind kind) {
  Range range;
  range.begin = static_cast<const std::byte *>(begin);
  range.bytes = bytes;
  range.kind = kind;
  return range;
}

struct Ranges {
  std::map<const std::byte *, Range> present;
  std::deque<Range> gone;
  std::map<const std::byte *, size_t> constants; ///< __constant__ variables, and their sizes
};

Lockable<Ranges> &ranges() {
  static auto *all = new Lockable<Ranges>(LockRank::cpuCheckMemory); // kernels may run when the process ends
  return *all;
}

bool areKept() { return tools().memory || tools().races || tools().initialization; }

const char *nameOf(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::device: return "device";
  case MemoryKind::host: return "host";
  case MemoryKind::shared: return "managed";
  case MemoryKind::code: return "module";
  }
  return "";
}

[[gnu::format(printf, 1, 2)]] std::string text(const char *format, ...) {
  char buffer[192];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

/// The range that has the byte, or null.
Range *rangeOf(Ranges &ranges, const void *address) {
  const auto *byte = static_cast<const std::byte *>(address);
  const auto behind = ranges.present.upper_bound(byte);
  if (behind == ranges.present.begin())
    return nullptr;
  Range &range = std::prev(behind)->second;
  return byte < range.begin + range.bytes ? &range : nullptr;
}

std::string sentence(const char *where, size_t distance, const Range &range) {
  return text(" is %zu bytes %s %zu bytes of %s memory at %p", distance, where, range.bytes, nameOf(range.kind),
              static_cast<const void *>(range.begin));
}

void addRegistered(const ZeCheckMark &mark) {
  Range range;
  range.begin = static_cast<const std::byte *>(mark.begin);
  range.bytes = range.mapped = mark.bytes;
  range.kind = MemoryKind::host;
  range.isRegistered = true;
  range.allocated = hostStack();
  ranges().lock()->present.emplace(range.begin, range);
}

/// Remembers memory as freed. Its size; 0 if it is none, or the code of a module.
size_t takeOut(const void *begin, const HostStack &stack) {
  const auto all = ranges().lock();
  const auto found = all->present.find(static_cast<const std::byte *>(begin));
  if (found == all->present.end())
    return 0;
  const Range range = found->second;
  all->present.erase(found);
  if (range.kind == MemoryKind::code) {
    all->constants.erase(all->constants.lower_bound(range.begin),
                         all->constants.lower_bound(range.begin + range.bytes));
    return 0;
  }
  forbid(begin, range.mapped);
  all->gone.push_back(range);
  if (!range.isFreed)
    all->gone.back().freed = stack;
  if (all->gone.size() > kRemembered)
    all->gone.pop_front();
  return range.bytes;
}

} // namespace

size_t redZone() { return tools().memory ? 4096 : 0; }

void addMemory(const void *begin, size_t bytes, size_t mapped, MemoryKind kind) {
  if (!areKept())
    return;
  Range range = rangeAt(begin, bytes, kind);
  range.mapped = mapped;
  if (kind != MemoryKind::code) {
    range.allocated = hostStack();
    forbid(begin, mapped);
    allow(begin, bytes);
    forget(begin, bytes);
  }
  ranges().lock()->present.insert_or_assign(range.begin, range);
}

void removeMemory(const void *begin) {
  if (!areKept())
    return;
  const HostStack stack = hostStack();
  forgetHeap(begin);
  if (const size_t bytes = takeOut(begin, stack))
    releaseAccesses(begin, bytes);
}

// Mappings side by side are one, because allocations grow so.
void addMapped(const void *begin, size_t bytes, MemoryKind kind) {
  if (!areKept() || inRegion(begin)) // where all that is reserved may be accessed
    return;
  Range range = rangeAt(begin, bytes, kind);
  range.isMapped = true;
  range.allocated = hostStack();
  const auto all = ranges().lock();
  const auto isBeside = [&](const Range &other) {
    return other.isMapped && other.kind == kind &&
           (other.begin + other.bytes == range.begin || range.begin + range.bytes == other.begin);
  };
  for (const std::byte *at : {range.begin - 1, range.begin + range.bytes})
    if (const Range *other = rangeOf(*all, at); other && isBeside(*other)) {
      range.begin = std::min(range.begin, other->begin);
      range.bytes += other->bytes;
      all->present.erase(other->begin);
    }
  all->present.insert_or_assign(range.begin, range);
}

void removeMapped(const void *begin, size_t bytes) {
  if (!areKept() || inRegion(begin))
    return;
  const auto *const from = static_cast<const std::byte *>(begin), *const to = from + bytes;
  const auto all = ranges().lock();
  auto next = all->present.upper_bound(from);
  if (next != all->present.begin())
    --next;
  while (next != all->present.end() && next->first < to) {
    const Range range = next->second;
    const auto *const end = range.begin + range.bytes;
    ++next;
    if (!range.isMapped || end <= from)
      continue;
    all->present.erase(range.begin);
    const auto keep = [&](const std::byte *first, const std::byte *last) {
      Range part = range;
      part.begin = first;
      part.bytes = static_cast<size_t>(last - first);
      if (first < last)
        all->present.insert_or_assign(first, part);
    };
    keep(range.begin, from);
    keep(to, end);
  }
}

void noteMark(const ZeCheckMark &mark) {
  if (mark.kind != ZeCheckMark::Kind::freed && mark.kind != ZeCheckMark::Kind::returned)
    return;
  const HostStack stack = hostStack();
  const auto all = ranges().lock();
  if (Range *range = rangeOf(*all, mark.begin))
    range->freed = stack;
}

void markMemory(const ZeCheckMark &mark) {
  if (mark.kind == ZeCheckMark::Kind::registered)
    return addRegistered(mark);
  const auto all = ranges().lock();
  const auto *const begin = static_cast<const std::byte *>(mark.begin);
  if (mark.kind == ZeCheckMark::Kind::constant)
    all->constants[begin] = mark.bytes;
  Range *const range = rangeOf(*all, mark.begin);
  if (!range)
    return;
  switch (mark.kind) {
  case ZeCheckMark::Kind::allocated:
    range->isFreed = false;
    allow(begin, mark.bytes);
    break;
  case ZeCheckMark::Kind::unregistered: all->present.erase(begin); break;
  case ZeCheckMark::Kind::registered:
  case ZeCheckMark::Kind::constant:
  case ZeCheckMark::Kind::obtained: break; // usable since it exists
  case ZeCheckMark::Kind::returned:
  case ZeCheckMark::Kind::freed:
    range->isFreed = true;
    forbid(begin, mark.bytes);
    break;
  case ZeCheckMark::Kind::rows:
    range->width = mark.width;
    range->pitch = mark.pitch;
    for (uint64_t row = 0; row + mark.pitch <= mark.bytes; row += mark.pitch) {
      forbid(begin + row, mark.pitch);
      allow(begin + row, mark.width);
    }
    break;
  }
}

CheckBounds beginHeap(const void *address) {
  const auto all = ranges().lock();
  Range *const range = rangeOf(*all, address);
  if (!range || range->isHeap)
    return {};
  range->isHeap = true;
  forbid(range->begin, range->bytes);
  return {reinterpret_cast<uintptr_t>(range->begin), range->bytes};
}

CheckBounds boundsOf(const void *address) {
  const auto all = ranges().lock();
  const Range *range = rangeOf(*all, address);
  if (!range || range->isFreed || range->pitch || range->isHeap || range->kind == MemoryKind::code)
    return {};
  return {reinterpret_cast<uintptr_t>(range->begin), range->bytes};
}

CheckBounds extentOf(const void *address) {
  const auto all = ranges().lock();
  const Range *range = rangeOf(*all, address);
  return range ? CheckBounds{reinterpret_cast<uintptr_t>(range->begin), range->bytes} : CheckBounds{};
}

bool areApart(const void *first, const void *second) {
  const auto all = ranges().lock();
  const Range *const one = rangeOf(*all, first), *const other = rangeOf(*all, second);
  return one && other && one != other && !(one->isRegistered && other->isRegistered) && one->kind != MemoryKind::code &&
         other->kind != MemoryKind::code;
}

bool isPadding(const void *address) {
  const auto all = ranges().lock();
  const Range *range = rangeOf(*all, address);
  return range && range->pitch && !range->isFreed &&
         (static_cast<const std::byte *>(address) - range->begin) % range->pitch >= range->width;
}

bool isKnown(const void *address, size_t bytes) {
  const auto *byte = static_cast<const std::byte *>(address);
  const auto all = ranges().lock();
  const Range *range = rangeOf(*all, address);
  return range && bytes <= range->bytes - (byte - range->begin);
}

bool isConstant(const void *address) {
  const auto *byte = static_cast<const std::byte *>(address);
  const auto all = ranges().lock();
  const auto behind = all->constants.upper_bound(byte);
  return behind != all->constants.begin() && byte < std::prev(behind)->first + std::prev(behind)->second;
}

bool isOfKind(const void *address, std::initializer_list<MemoryKind> kinds) {
  const auto *byte = static_cast<const std::byte *>(address);
  const auto all = ranges().lock();
  const auto behind = all->present.upper_bound(byte);
  if (behind == all->present.begin())
    return false;
  const Range &range = std::prev(behind)->second;
  return byte < range.begin + range.bytes && std::find(kinds.begin(), kinds.end(), range.kind) != kinds.end();
}

bool wasFreed(const void *address) {
  if (wasFreedOnHeap(address))
    return true;
  const auto *byte = static_cast<const std::byte *>(address);
  const auto all = ranges().lock();
  if (const Range *range = rangeOf(*all, address))
    return range->isFreed;
  return std::any_of(all->gone.begin(), all->gone.end(),
                     [&](const Range &each) { return byte >= each.begin && byte < each.begin + each.bytes; });
}

void describeAddress(const void *address, CheckReport &report) {
  const auto *byte = static_cast<const std::byte *>(address);
  report.address = text("%p", address);
  if (describeHeapAddress(address, report))
    return;
  const auto all = ranges().lock();
  for (auto each = all->gone.rbegin(); each != all->gone.rend(); ++each)
    if (byte >= each->begin && byte < each->begin + each->bytes) {
      report.address += sentence("into", byte - each->begin, *each) + ", which have been freed";
      report.allocated = describe(each->allocated);
      report.freed = describe(each->freed);
      return;
    }
  const auto behind = all->present.upper_bound(byte);
  const Range *before = behind == all->present.begin() ? nullptr : &std::prev(behind)->second;
  const Range *after = behind == all->present.end() ? nullptr : &behind->second;
  if (before && byte < before->begin + before->bytes) {
    report.address +=
        sentence("into", byte - before->begin, *before) + (before->isFreed ? ", which have been freed" : "");
    report.allocated = describe(before->allocated);
    if (before->isFreed)
      report.freed = describe(before->freed);
    return;
  }
  const size_t pastEnd = before ? byte - (before->begin + before->bytes) : kNear;
  const size_t toBegin = after ? after->begin - byte : kNear;
  if (pastEnd >= kNear && toBegin >= kNear)
    return;
  const Range &nearest = pastEnd <= toBegin ? *before : *after;
  report.address += sentence(pastEnd <= toBegin ? "behind the end of" : "before", std::min(pastEnd, toBegin), nearest);
  report.allocated = describe(nearest.allocated);
}

} // namespace hiplz::cpu::check
