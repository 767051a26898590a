// SPDX-License-Identifier: MIT
// A sequence of commands that execute strictly in order: an immediate command list, or a command queue. At any time at
// most one thread owns the stream and executes its commands; there is no thread that belongs to it. The owner is a worker
// or a host thread that waits for the stream.
//
//           commit                acquire                no record left
//   idle ----------> ready ------------------> running ----------------> idle
//                      ^  goal met, time slice    |  ^
//                      |<-------------------------|  | the event was signalled meanwhile
//                      |         signalled        v  |
//                      +----------------------- blocked
//
// While several threads execute one command (a job), the stream is running and nobody in particular owns it; the last
// participant becomes the owner.
//
// Streams are never returned to the allocator but reused, so a stale pointer to one (in an event's producer field, in
// the hands of a worker that was about to take it) refers to some stream, and the worst that it can cause is useful work.
#pragma once
#include "base/driver_extensions.h"
#include "cpu/check/stream_checks.h"
#include "cpu/exec/job.h"
#include "cpu/exec/memory_watcher.h"
#include "cpu/exec/record_arena.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace hiplz::cpu {

/// The state of one device in one context. A stream may outlive its context, so this is shared.
class DeviceStatus {
public:
  /// `lostContexts` counts the contexts that have lost the device, `fault` says why the last one did. Both must live as long as the process.
  DeviceStatus(std::atomic<int32_t> &lostContexts, std::atomic<ZeFault> &fault)
      : lostContexts_(lostContexts), fault_(fault) {}
  bool isLost() const { return state_.load(std::memory_order_relaxed) & kLost; }
  void lose() {
    if (state_.fetch_or(kLost) == 0)
      lostContexts_.fetch_add(1);
  }
  /// To be called before lose(). Of several faults the first counts.
  void noteFault(ZeFault fault) {
    if (!isLost())
      fault_.store(fault, std::memory_order_relaxed);
  }
  /// The context is destroyed: its loss is not the device's any more, although a stream may still be about to end. May
  /// come between the two steps of lose(), so the count is below zero for a moment.
  void forget() {
    if (state_.fetch_or(kForgotten) == kLost)
      lostContexts_.fetch_sub(1);
  }

private:
  static constexpr uint8_t kLost = 1, kForgotten = 2;
  std::atomic<uint8_t> state_{0};
  std::atomic<int32_t> &lostContexts_;
  std::atomic<ZeFault> &fault_;
};

/// The condition that a host thread waits for: a signal, a number of completed commands of a stream, or an event of several processes.
struct Goal {
  Signal *signal = nullptr;
  const Stream *stream = nullptr;
  uint64_t target = 0;
  const EventState *shared = nullptr; ///< if set, that event of several processes; the target is its number of signals
  bool isMet() const;
};

class alignas(64) Stream {
public:
  /// An idle stream, of which no more than so many threads execute commands at once. Throws std::bad_alloc.
  static Stream *create(std::shared_ptr<DeviceStatus> status, Priority priority, uint32_t maxThreads = UINT32_MAX);

  /// Gives the stream up. Commands that have not been executed are still executed.
  void destroy();

  /// Where the appending thread writes the next record. One thread at a time may append.
  RecordArena &arena() { return *arena_; }

  /// Makes the last `records` records part of the stream, all at once, and the stream runnable.
  void commit(uint64_t records = 1);

  /// Like commit(), then waits until the records are executed; the caller executes them itself if the stream is idle.
  void commitAndWait(uint64_t records = 1);

  /// The number of records committed; wait for it to wait for all of them. It goes on when the stream is reused, so that it
  /// keeps its meaning for those who remember it.
  uint64_t committed() const { return committed_.load(std::memory_order_acquire); }
  bool isCompleted(uint64_t target) const { return completed_.load() >= target; }

  /// The commands that a stream had been given at some time, for asking later if they have been executed.
  struct Progress {
    Stream *stream;
    uint64_t target;
    bool isReached() const { return stream->isCompleted(target); }
    void wait() const;
  };
  Progress progress() { return {this, committed()}; }

  /// Waits for the goal; false if the deadline came first. Helps `helped` (null allowed) unless there is a deadline, because
  /// a kernel that the caller has begun cannot be left.
  static bool wait(Stream *helped, const Goal &goal, uint64_t deadline);

  bool isLost() const { return status_->isLost(); }
  void noteFault(ZeFault fault) { status_->noteFault(fault); }

  /// Lets the calling thread sleep until that many records are completed or the deadline has passed. May return early.
  void sleepUntilCompleted(uint64_t target, uint64_t deadline) const;

  // For the scheduler and signals.
  bool tryAcquire() {
    uint32_t seen = state_.load();
    while ((seen & ~kAbandoned) == kReady) // again if the stream has been abandoned meanwhile
      if (state_.compare_exchange_weak(seen, seen - kReady + kRunning))
        return true;
    return false;
  }
  /// Executes records as the owner until there are none, one has to wait, or the goal (null: none) is met.
  void run(Worker &worker, const Goal *goal);
  /// Goes on as the owner after the last participant has left the stream's job.
  void finishJob(Worker &worker, const Goal *goal);
  /// Owner: the stream is about to wait for somebody who will call resume().
  void block() { change(kRunning, kBlocked); }
  void resume();

  // For the memory watcher, while the stream waits for memory.
  const WaitMemoryRecord &awaited() const { return static_cast<const WaitMemoryRecord &>(*record_); }
  void endMemoryWait(MemoryWait outcome) {
    memoryWait_ = outcome;
    resume();
  }

  Stream *nextWaiter = nullptr;                          ///< in the list of a signal, or of the memory watcher
  Stream *nextReady = nullptr, *previousReady = nullptr; ///< in the scheduler's queue, under its lock
  bool linked = false;                                   ///< likewise
  bool hadTurn = false;                                  ///< likewise; it gives way to streams that have not had one
  Priority lane = Priority::normal;                      ///< likewise; which queue it is in
  std::atomic<bool> inQueue{false};

private:
  /// The low bits are the state, which only its owner changes unless it is idle. The flag is in the same word, because
  /// "nobody wants it any more" and "nobody executes it any more" must be seen together by exactly one thread, the one
  /// that gives the stream away for reuse.
  enum State : uint32_t { kIdle, kReady, kRunning, kBlocked, kDead, kAbandoned = 8 };
  void change(State from, State to) { state_.fetch_add(to - from); }
  Stream() = default;
  bool wantsHelp() const { return (state_.load() & ~kAbandoned) == kReady || job_.listed.load(); }
  bool help(Worker &worker, const Goal &goal);
  bool fetch();
  bool becomeIdle();
  static bool waitUnchecked(Stream *helped, const Goal &goal, uint64_t deadline);
  bool waitForEvents();
  bool execute(Worker &worker);
  bool launch(Worker &worker, const LaunchRecord &record);
  bool waitForMemory(Worker &worker);
  bool runJob(Worker &worker, uint64_t total, bool publishAtOnce);
  void completeRecord();
  void completeOuter();
  void makeReady(State from, bool afterTurn = false);
  void reclaim();

  // Read by appending and executing threads, written rarely.
  std::unique_ptr<RecordArena> arena_;
  std::shared_ptr<DeviceStatus> status_;
  Priority priority_ = Priority::normal;
  uint32_t maxThreads_ = UINT32_MAX;
  Stream *nextFree_ = nullptr;

  // In one line: who appends looks at the state next, and who becomes idle at the number.
  alignas(64) std::atomic<uint64_t> committed_{0}; // written by the appending thread
  std::atomic<uint32_t> state_{kIdle};

  // Of the owner; handed on with the ownership.
  alignas(64) std::atomic<uint64_t> completed_{0};
  mutable std::atomic<uint32_t> sleepers_{0};   // threads in sleepUntilCompleted()
  const Record *outer_ = nullptr;               // current record of the stream, or the last one
  const Record *record_ = nullptr;              // record in execution: `outer_`, or one of `list_`
  MemoryWait memoryWait_ = MemoryWait::pending; // of the record in execution
  bool failed_ = false;                         // the record in execution was not executed
  uint32_t nextWait_ = 0;
  RecordArena *list_ = nullptr; // regular list in execution
  const Record *listRecord_ = nullptr;
  uint64_t listLeft_ = 0;

  Job job_;
  const std::unique_ptr<check::StreamChecks> checks_ = check::StreamChecks::create(); // null without checks
};

} // namespace hiplz::cpu
