// SPDX-License-Identifier: MIT
// The synchronisation object under events and fences: one word that is either signalled, or holds the streams that wait
// for it. Nobody polls it: the thread that signals takes the list of waiters out of the word with one exchange and hands each
// stream back to the scheduler. After that exchange the signaller does not touch the object any more, so a host thread
// that sees the signal may destroy it at once.
//
//   bit 0       signalled
//   bit 1       a host thread may sleep on the low half of the word
//   other bits  first blocked stream; the streams are linked through Stream::nextWaiter
#pragma once
#include <atomic>
#include <cstdint>

namespace hiplz::cpu {

class Stream;

/// All methods may be called by any thread at any time.
class Signal {
public:
  bool isSignalled() const { return state_.load(std::memory_order_acquire) & kSignalled; }

  /// Back to unsignalled. Streams and threads that wait go on waiting.
  void reset();

  /// Signals, resumes every blocked stream and wakes every sleeping thread.
  void signal();

  /// Resumes every blocked stream without staying signalled. A stream that is resumed may destroy the object.
  void resumeWaiters();

  /// Registers a stream, which must be in the blocked state, to be resumed by signal(); false if signalled already.
  bool addWaiter(Stream &stream);

  /// Lets the calling thread sleep until the object is signalled or the deadline has passed. May return early.
  void sleep(uint64_t deadline);

private:
  static void resume(uint64_t waiters);
  static constexpr uint64_t kSignalled = 1, kHostSleeps = 2, kFlags = 3;
  std::atomic<uint64_t> state_{0};
};

} // namespace hiplz::cpu
