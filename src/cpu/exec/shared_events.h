// SPDX-License-Identifier: MIT
// Events that several processes see: their state is in shared memory. A signal increments a counter of the pool
// and wakes who sleeps on it, in any process. Threads that wait sleep on the counter themselves; for streams one thread of
// each process does, which is created with the first stream that has to wait. A process that dies leaves the state as it
// is; nothing is locked across processes.
#pragma once
#include "base/lockable.h"
#include "cpu/exec/signal.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <vector>

namespace hiplz::cpu {

struct EventState;

/// One event in shared memory.
struct SharedEvent {
  static constexpr uint32_t kSignalled = 1, kFailed = 2, kOneSignal = 4;
  std::atomic<uint32_t> state{0}; ///< the two flags, and how often it has been signalled
  std::atomic<uint64_t> start{0}, end{0};

  bool isSignalled() const { return state.load() & kSignalled; }
  bool hasFailed() const { return state.load() & kFailed; }
  void reset() { state.fetch_and(~(kSignalled | kFailed)); }

  uint32_t signals() const { return state.load() / kOneSignal; }
  /// True if a wait that began when there had been `before` signals is over, even if the event is reset afterwards.
  bool hasPassed(uint32_t before) const { return isSignalled() || signals() != before; }
};

/// The beginning of the shared memory of a pool; the events follow.
struct alignas(64) SharedEventsHeader {
  uint32_t flags = 0;               ///< ze_event_pool_flags_t
  std::atomic<uint32_t> changes{0}; ///< signals up to now; what waiting threads sleep on
  std::atomic<uint32_t> sleepers{
      0}; ///< of all processes; one that dies asleep stays counted, which costs a system call
  SharedEvent *events() { return reinterpret_cast<SharedEvent *>(this + 1); }
  static size_t bytesFor(uint32_t count) { return sizeof(SharedEventsHeader) + count * sizeof(SharedEvent); }
  static uint32_t countIn(size_t bytes) {
    return static_cast<uint32_t>((bytes - sizeof(SharedEventsHeader)) / sizeof(SharedEvent));
  }
};
static_assert(std::atomic<uint64_t>::is_always_lock_free && std::atomic<uint32_t>::is_always_lock_free);

/// This process's end of a pool. All methods may be called by any thread. The states of events share it, so it exists as long as
/// one of them is waited for or signalled.
class SharedEvents {
public:
  /// The memory must stay mapped longer than this object.
  explicit SharedEvents(SharedEventsHeader &header) : header_(header) {}
  /// Ends the thread. No stream may wait any more.
  ~SharedEvents();

  SharedEvent &operator[](uint32_t index) { return header_.events()[index]; }

  void signal(SharedEvent &event, bool failed, uint64_t start, uint64_t end);

  /// Lets the calling thread sleep until event.hasPassed(before) or the deadline has passed. May return early.
  void sleep(const SharedEvent &event, uint32_t before, uint64_t deadline);

  /// Blocks a running stream until the event is signalled; false if it is already. The stream may be resumed before this
  /// returns true.
  bool block(EventState &event, Stream &stream);

private:
  static void *threadMain(void *events);
  void watch();
  struct Waits;
  bool hasThread(Waits &waits);
  void noteChange();

  SharedEventsHeader &header_;
  struct Awaited {
    EventState *event;
    uint32_t before; ///< signals when the first of its streams began to wait
    bool resumeIfPassed();
  };
  struct Waits {
    std::vector<Awaited> awaited; // events that streams of this process wait for
    pthread_t thread{};
    bool running = false, stop = false;
  };
  Lockable<Waits> waits_{LockRank::cpuSharedEvents}; // locked while streams are blocked and resumed
};

} // namespace hiplz::cpu
