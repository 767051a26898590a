// SPDX-License-Identifier: MIT
// Deadlines, and a lock that spins. How threads sleep and wake is in machine.h.
#pragma once
#include "base/mutex.h"
#include "cpu/exec/machine.h"

#include <algorithm>

namespace hiplz::cpu {

/// The point in time `timeout` nanoseconds from now, or kForever.
inline uint64_t deadlineAfter(uint64_t timeout) {
  if (timeout == 0 || timeout == kForever)
    return timeout;
  uint64_t start = now();
  return timeout >= kForever - start ? kForever : start + timeout;
}

/// Pauses of a thread that has found a word taken by another one: longer each time, so that of many threads few look at once. After
/// a while it lets other threads run, since the one that has the word may have lost its processor.
class Backoff {
public:
  void pause() {
    for (unsigned each = 0; each < length_; ++each)
      relax();
    spent_ += length_;
    length_ = std::min(2 * length_, kLongest);
    if (spent_ >= kPatience)
      yieldProcessor();
  }

private:
  static constexpr unsigned kLongest = 16, kPatience = 200;
  unsigned length_ = 1, spent_ = 0;
};

/// A lock for critical sections of a few instructions.
class HIPLZ_CAPABILITY("mutex") SpinLock {
public:
  constexpr explicit SpinLock(LockRank rank) : order_(rank) {}

  void lock() HIPLZ_ACQUIRE() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.taking();
    Backoff backoff;
    while (held_.exchange(true, std::memory_order_acquire))
      do
        backoff.pause();
      while (held_.load(std::memory_order_relaxed));
    order_.taken();
  }
  void unlock() HIPLZ_RELEASE() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.releasing();
    held_.store(false, std::memory_order_release);
  }

private:
  Atomic<bool> held_{false};
  [[no_unique_address]] LockOrder order_;
};

} // namespace hiplz::cpu
