// SPDX-License-Identifier: MIT
// The machine as the scheduler sees it: shared words, time, pauses, processors, and threads that sleep and wake. The driver blocks
// nowhere else, so the cost of a wait and the thread that ends it can be read in one place. And it is the only place: a simulation
// of many processors (tests/unit/scheduler) has a header of this name and compiles scheduler.cpp, sleepers.cpp and job.cpp with it.
#pragma once
#include "base/processors.h"

#include <atomic>
#include <cstdint>
#include <ctime>
#include <immintrin.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hiplz::cpu {

/// A word that several threads access.
template <class T> using Atomic = std::atomic<T>;

constexpr uint64_t kForever = UINT64_MAX;

/// Nanoseconds of the monotonic clock. It is also the device's clock: one tick of a device timestamp is one nanosecond.
inline uint64_t now() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// A pause of a thread that spins.
inline void relax() { _mm_pause(); }

/// Lets other threads have the processor.
inline void yieldProcessor() { ::syscall(SYS_sched_yield); }

/// The processor that the calling thread is running on; negative if the system does not say.
inline int processorHere() { return ::sched_getcpu(); }

/// Restricts the calling thread to these processors. False with errno set if the system refuses.
inline bool keepThreadOn(const cpu_set_t *processors, size_t bytes) {
  return ::sched_setaffinity(0, bytes, processors) == 0;
}

/// The processors that the process may use.
inline Processors usableProcessors() { return readProcessors(); }

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

} // namespace hiplz::cpu
