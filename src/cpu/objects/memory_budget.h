// SPDX-License-Identifier: MIT
// The memory that the driver may hand out in all; the accounts of the devices limit each of them. Linux hands out pages when they are
// written, so a process that asks for too much is not refused but killed later. The driver therefore refuses it at once.
#pragma once
#include "base/lockable.h"

#include <atomic>
#include <cstdint>
#include <functional>

namespace hiplz::cpu {

/// All methods may be called by any thread.
class MemoryBudget {
public:
  /// `resident` returns how many of the bytes that are handed out have pages, and may take locks that are not held
  /// while a method of this object is called, except unreserve().
  explicit MemoryBudget(std::function<uint64_t()> resident) : resident_(std::move(resident)) {}

  /// Takes bytes, which need not have pages yet; false if they cannot be had.
  bool reserve(uint64_t bytes);
  void unreserve(uint64_t bytes) { reserved_.fetch_sub(bytes, std::memory_order_relaxed); }

  /// Bytes that can be had now.
  uint64_t free();
  /// Bytes that the machine or the process's control group has.
  uint64_t total();

private:
  struct Limit {
    uint64_t total = 0;     // 0: the system has not been looked at yet
    uint64_t bytes = 0;     // all that can be handed out, as far as known
    uint64_t unchecked = 0; // may be handed out before the system is looked at again
  };
  uint64_t free(const Limit &limit) const;
  void refresh(Limit &limit);

  const std::function<uint64_t()> resident_;
  std::atomic<uint64_t> reserved_{0};
  Lockable<Limit> limit_{LockRank::cpuMemoryBudget};
};

} // namespace hiplz::cpu
