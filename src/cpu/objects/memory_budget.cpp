// SPDX-License-Identifier: MIT
// See memory_budget.h.
#include "cpu/objects/memory_budget.h"
#include "base/system_memory.h"

#include <algorithm>

namespace hiplz::cpu {
namespace {

// The memory kept back for everything else that a process and the kernel need, and how far the limit may be out of date: less
// than this does not change it, so that programs which compare free memory before and after see their own allocations only.
constexpr uint64_t kShare = 64;

// Looking at the system takes some 0.1 ms, so a fraction of what is left is handed out without.
constexpr uint64_t kUncheckedShare = 16;

} // namespace

uint64_t MemoryBudget::free(const Limit &limit) const {
  return limit.bytes - std::min(limit.bytes, reserved_.load(std::memory_order_relaxed));
}

void MemoryBudget::refresh(Limit &limit) {
  const SystemMemory memory = readSystemMemory();
  const uint64_t share = memory.total / kShare;
  limit.total = memory.total;
  const uint64_t possible = memory.available + resident_();
  const uint64_t bytes = possible - std::min(possible, share);
  if (std::max(bytes, limit.bytes) - std::min(bytes, limit.bytes) > share)
    limit.bytes = bytes;
  limit.unchecked = free(limit) / kUncheckedShare;
}

bool MemoryBudget::reserve(uint64_t bytes) {
  const auto limit = limit_.lock();
  if (bytes > limit->unchecked) {
    refresh(*limit);
    if (bytes > free(*limit))
      return false;
  }
  limit->unchecked -= std::min(limit->unchecked, bytes);
  reserved_.fetch_add(bytes, std::memory_order_relaxed);
  return true;
}

uint64_t MemoryBudget::total() {
  const auto limit = limit_.lock();
  if (limit->total == 0)
    refresh(*limit);
  return limit->total;
}

uint64_t MemoryBudget::free() {
  const auto limit = limit_.lock();
  refresh(*limit);
  return free(*limit);
}

} // namespace hiplz::cpu
