// SPDX-License-Identifier: MIT
// See signal.h. All transitions are single read-modify-write operations on one word.
#include "cpu/exec/signal.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/stream.h"

namespace hiplz::cpu {

void Signal::reset() {
  uint64_t expected = kSignalled;
  state_.compare_exchange_strong(expected, 0, std::memory_order_acq_rel);
}

void Signal::signal() {
  uint64_t old = state_.exchange(kSignalled, std::memory_order_acq_rel);
  if (old & kSignalled)
    return;
  if (old & kHostSleeps)
    futexWake(&state_, INT32_MAX);
  resume(old);
}

void Signal::resumeWaiters() { resume(state_.exchange(0, std::memory_order_acq_rel)); }

void Signal::resume(uint64_t waiters) {
  Stream *stream = reinterpret_cast<Stream *>(waiters & ~kFlags);
  while (stream) {
    Stream *next = stream->nextWaiter; // resume() may let the stream run and wait elsewhere
    stream->resume();
    stream = next;
  }
}

bool Signal::addWaiter(Stream &stream) {
  uint64_t old = state_.load(std::memory_order_acquire);
  do {
    if (old & kSignalled)
      return false;
    stream.nextWaiter = reinterpret_cast<Stream *>(old & ~kFlags);
  } while (!state_.compare_exchange_weak(old, reinterpret_cast<uint64_t>(&stream) | (old & kFlags),
                                         std::memory_order_acq_rel, std::memory_order_acquire));
  return true;
}

void Signal::sleep(uint64_t deadline) {
  uint64_t old = state_.load(std::memory_order_acquire);
  if (old & kSignalled)
    return;
  if (!(old & kHostSleeps)) {
    if (!state_.compare_exchange_strong(old, old | kHostSleeps, std::memory_order_acq_rel))
      return;
    old |= kHostSleeps;
  }
  // A stream that registers meanwhile changes the word, and this thread may then return early; it does not miss a signal.
  futexWait(&state_, static_cast<uint32_t>(old), deadline);
}

} // namespace hiplz::cpu
