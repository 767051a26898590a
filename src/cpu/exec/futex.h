// SPDX-License-Identifier: MIT
// Sleeping and waking on a 32-bit word, and the pause of a spinning thread. The driver blocks nowhere else, so that what
// a wait costs and who wakes whom can be read in one place.
#pragma once
#include "base/mutex.h"

#include <atomic>
#include <cstdint>
#include <ctime>
#include <immintrin.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hiplz::cpu {

constexpr uint64_t kForever = UINT64_MAX;

/// Nanoseconds of the monotonic clock. It is also the device's clock: one tick of a device timestamp is one nanosecond.
inline uint64_t now() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// The point in time `timeout` nanoseconds from now, or kForever.
inline uint64_t deadlineAfter(uint64_t timeout) {
  if (timeout == 0 || timeout == kForever)
    return timeout;
  uint64_t start = now();
  return timeout >= kForever - start ? kForever : start + timeout;
}

/// The reach of a wake-up: threads of this process, or of all processes that have the word in shared memory.
enum class FutexScope { process = FUTEX_PRIVATE_FLAG, processes = 0 };

/// Sleeps while `*word == expected`, until woken or until the deadline (nanoseconds of now()). May return early.
inline void futexWait(void *word, uint32_t expected, uint64_t deadline, FutexScope scope = FutexScope::process) {
  timespec time{static_cast<time_t>(deadline / 1'000'000'000), static_cast<long>(deadline % 1'000'000'000)};
  // FUTEX_WAIT_BITSET takes an absolute time of CLOCK_MONOTONIC.
  ::syscall(SYS_futex, word, FUTEX_WAIT_BITSET | static_cast<int>(scope), expected,
            deadline == kForever ? nullptr : &time, nullptr, FUTEX_BITSET_MATCH_ANY);
}

/// Wakes up to `count` sleepers. Does not access the word, so the word may be gone already.
inline void futexWake(void *word, int count, FutexScope scope = FutexScope::process) {
  ::syscall(SYS_futex, word, FUTEX_WAKE | static_cast<int>(scope), count, nullptr, nullptr, 0);
}

/// A lock for critical sections of a few instructions. A waiter spins shortly, then lets other threads run.
class HIPLZ_CAPABILITY("mutex") SpinLock {
public:
  constexpr explicit SpinLock(LockRank rank) : order_(rank) {}

  void lock() HIPLZ_ACQUIRE() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.taking();
    for (unsigned spins = 0; held_.exchange(true, std::memory_order_acquire); ++spins)
      while (held_.load(std::memory_order_relaxed))
        if (++spins < 200)
          _mm_pause();
        else
          ::syscall(SYS_sched_yield);
    order_.taken();
  }
  void unlock() HIPLZ_RELEASE() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.releasing();
    held_.store(false, std::memory_order_release);
  }

private:
  std::atomic<bool> held_{false};
  [[no_unique_address]] LockOrder order_;
};

} // namespace hiplz::cpu
