// SPDX-License-Identifier: MIT
// See memory_budget.h.
#include "cpu/objects/memory_budget.h"
#include "base/system_memory.h"

#include <algorithm>

namespace hiplz::cpu {
namespace {

// What is kept back for everything else that a process and the kernel need, and how far the limit may be out of date: less
// than this does not change it, so that programs which compare free memory before and after see their own allocations only.
constexpr uint64_t kShare = 64;

// Looking at the system takes some 0.1 ms, so a fraction of what is left is handed out without.
constexpr uint64_t kUncheckedShare = 16;

} // namespace

uint64_t MemoryBudget::freeLocked() const {
  return limit_ - std::min(limit_, reserved_.load(std::memory_order_relaxed));
}

void MemoryBudget::refreshLocked() {
  const SystemMemory memory = readSystemMemory();
  const uint64_t share = memory.total / kShare;
  const uint64_t possible = memory.available + resident_();
  const uint64_t limit = possible - std::min(possible, share);
  if (std::max(limit, limit_) - std::min(limit, limit_) > share)
    limit_ = limit;
  unchecked_ = freeLocked() / kUncheckedShare;
}

bool MemoryBudget::reserve(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  if (bytes > unchecked_) {
    refreshLocked();
    if (bytes > freeLocked())
      return false;
  }
  unchecked_ -= std::min(unchecked_, bytes);
  reserved_.fetch_add(bytes, std::memory_order_relaxed);
  return true;
}

uint64_t MemoryBudget::free() {
  std::lock_guard lock(mutex_);
  refreshLocked();
  return freeLocked();
}

} // namespace hiplz::cpu
