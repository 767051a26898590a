// SPDX-License-Identifier: MIT
// See memory.h. Addresses are not used again soon (exec/kernel_memory.h), so what has been freed can be told for a while.
#include "cpu/check/memory.h"
#include "base/lockable.h"
#include "cpu/check/host_stack.h"
#include "cpu/check/shadow.h"
#include "cpu/check/tools.h"

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
};

struct Ranges {
  std::map<const std::byte *, Range> present;
  std::deque<Range> gone;
};

Lockable<Ranges> &ranges() {
  static auto *all = new Lockable<Ranges>(LockRank::cpuCheckMemory); // kernels may run when the process ends
  return *all;
}

bool areKept() { return tools().memory || tools().races; }

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

std::string sentence(const char *where, size_t distance, const Range &range) {
  return text(" is %zu bytes %s %zu bytes of %s memory at %p", distance, where, range.bytes, nameOf(range.kind),
              static_cast<const void *>(range.begin));
}

} // namespace

size_t redZone() { return tools().memory ? 4096 : 0; }

void addMemory(const void *begin, size_t bytes, size_t mapped, MemoryKind kind) {
  if (!areKept())
    return;
  Range range{static_cast<const std::byte *>(begin), bytes, mapped, kind, {}, {}};
  if (kind != MemoryKind::code) {
    range.allocated = hostStack();
    forbid(begin, mapped);
    allow(begin, bytes);
  }
  ranges().lock()->present.insert_or_assign(range.begin, range);
}

void removeMemory(const void *begin) {
  if (!areKept())
    return;
  const HostStack stack = hostStack();
  const auto all = ranges().lock();
  const auto found = all->present.find(static_cast<const std::byte *>(begin));
  if (found == all->present.end())
    return;
  if (found->second.kind != MemoryKind::code) {
    forbid(begin, found->second.mapped);
    all->gone.push_back(found->second);
    all->gone.back().freed = stack;
    if (all->gone.size() > kRemembered)
      all->gone.pop_front();
  }
  all->present.erase(found);
}

bool isKnown(const void *address, size_t bytes) {
  const auto *byte = static_cast<const std::byte *>(address);
  const auto all = ranges().lock();
  const auto behind = all->present.upper_bound(byte);
  if (behind == all->present.begin())
    return false;
  const Range &range = std::prev(behind)->second;
  const size_t offset = byte - range.begin;
  return offset < range.bytes && bytes <= range.bytes - offset;
}

bool wasFreed(const void *address) {
  const auto *byte = static_cast<const std::byte *>(address);
  const auto all = ranges().lock();
  return std::any_of(all->gone.begin(), all->gone.end(),
                     [&](const Range &each) { return byte >= each.begin && byte < each.begin + each.bytes; });
}

void describeAddress(const void *address, CheckReport &report) {
  const auto *byte = static_cast<const std::byte *>(address);
  report.address = text("%p", address);
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
    report.address += sentence("into", byte - before->begin, *before);
    report.allocated = describe(before->allocated);
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
