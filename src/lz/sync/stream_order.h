// SPDX-License-Identifier: MIT
// The order of a stream as bookkeeping, without a command: what has been submitted, what is known to be complete, which event
// covers what, and which of the default stream's waits are due.
//
// Two counters carry the rest. submitted() counts the commands; drained() is the highest count known to be complete. The
// null stream and the blocking streams compare the other side's counter with what they last waited for, so a program
// with one stream pays nothing for the default-stream rules. Events that the list still refers to are held until
// drained() passes the count at which they were used.
#pragma once
#include "lz/sync/stream_point.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace hiplz {

/// An event that covers everything up to a count of commands.
struct StreamMarker {
  uint64_t count = 0;
  LZEventRef event;
};

/// The methods called ...Locked need the lock of the stream; the others may be called by any thread.
class StreamOrder {
public:
  using Side = StreamPoint::Side;

  /// With `chained` every command signals an event that the next one waits for, because the driver's lists keep no order.
  /// `unjoined` counts the blocking streams of a device with work that its null stream has not been made to wait for.
  StreamOrder(Side side, bool chained, std::atomic<uint32_t> &unjoined)
      : side_(side), chained_(chained), unjoinedStreams_(unjoined) {}
  StreamOrder(const StreamOrder &) = delete;
  StreamOrder &operator=(const StreamOrder &) = delete;

  /// Unique in the process, never used again.
  uint64_t id() const { return id_; }
  Side side() const { return side_; }
  bool chained() const { return chained_; }

  /// How many commands the stream has been given, and how many of them are known to be complete.
  uint64_t submitted() const { return submitted_.load(std::memory_order_acquire); }
  uint64_t drained() const { return drained_.load(std::memory_order_acquire); }
  bool idle() const { return drained() >= submitted(); }
  /// Everything up to the count is complete.
  void raiseDrained(uint64_t count);

  /// Memory for what the next command adds, so that nothing fails when the command is in the list. Throws std::bad_alloc.
  void reserveLocked() {
    if (held_.capacity() - held_.size() < kHeldByCommand) [[unlikely]]
      held_.reserve(2 * held_.size() + 4 * kHeldByCommand);
  }

  /// A command has been appended.
  void countLocked() {
    submitted_.store(submitted() + 1, std::memory_order_release);
    if (side_ == Side::blocking && !unjoined_.load(std::memory_order_relaxed)) {
      unjoined_.store(true, std::memory_order_relaxed);
      unjoinedStreams_.fetch_add(1, std::memory_order_release);
    }
  }

  /// The event that the next command has to wait for; empty if none.
  const LZEventRef &linkLocked() {
    // Commands that are known to be complete need not be waited for.
    if (link_ && idle())
      link_ = {};
    return link_;
  }

  /// The list now ends with a command that signals the event after everything that precedes it. `list` as for holdLocked.
  template <class List> void advanceLocked(const LZEventRef &event, List &list) {
    marker_ = {submitted(), event};
    if (!chained_) {
      holdLocked(event, list);
    } else if (LZEventRef previous = std::exchange(link_, event)) {
      holdLocked(std::move(previous), list);
    }
  }

  /// The marker that covers everything submitted; null if there is none.
  const StreamMarker *markerLocked() const {
    return marker_.event && marker_.count == submitted() ? &marker_ : nullptr;
  }

  /// Keeps an event that the last command refers to until the command is complete. Where many are kept, asks now and then
  /// whether some can go: list.isSignalled(event), and list.markerLocked() for what to ask about the next time.
  template <class List> void holdLocked(LZEventRef event, List &list) {
    held_.push_back({submitted(), std::move(event)});
    const size_t holding = held_.size() - heldFirst_;
    if (holding < kHeldBeforeAsking || holding % kAskEvery != 0) [[likely]]
      return;
    if (releasePoint_.event && list.isSignalled(releasePoint_.event)) {
      raiseDrained(releasePoint_.count);
      releasePoint_ = {};
      releaseHeldLocked();
    }
    if (!releasePoint_.event)
      try {
        releasePoint_ = StreamMarker(list.markerLocked());
      } catch (const std::exception &) { // then the next time: the command, which is in the list, has not failed
      }
  }
  /// Drops the events of commands that are known to be complete.
  void releaseHeldLocked();
  size_t heldLocked() const { return held_.size() - heldFirst_; }

  /// The default stream's rules, between this stream and one of the other side (null and blocking): how much of the other
  /// has to be waited for, or 0 if this stream is behind all of it already.
  uint64_t due(const StreamOrder &other) const {
    const uint64_t count = other.submitted();
    return joined(other).load(std::memory_order_acquire) >= count || other.drained() >= count ? 0 : count;
  }
  /// True if another thread has put a wait for this much into the list meanwhile. Changed under this stream's lock and
  /// together with the append, so a thread that finds it raised knows that the wait is in the list.
  bool hasJoinedLocked(const StreamOrder &other, uint64_t count) const {
    return joined(other).load(std::memory_order_relaxed) >= count;
  }
  void setJoinedLocked(const StreamOrder &other, uint64_t count) {
    joined(other).store(count, std::memory_order_release);
  }
  /// True if the stream is counted among the unjoined ones.
  bool isUnjoined() const { return unjoined_.load(std::memory_order_relaxed); }
  /// Takes it out of the count if the null stream waits for all of its work, or it is complete.
  void leaveUnjoinedLocked();

  /// Everything up to this count of another stream's commands precedes what is submitted to this one from now on.
  void noteFollowsLocked(uint64_t stream, uint64_t count);
  /// True if noteFollowsLocked() has said so of the point.
  bool followsLocked(const StreamPoint &point) const;

  // How many events a stream holds before it asks whether some can be released, and how often it asks.
  static constexpr size_t kHeldBeforeAsking = 64, kAskEvery = 32;
  // Of more streams than this, a stream forgets that it follows them, the oldest first. It costs nothing but a chance to
  // reuse their memory without another wait.
  static constexpr size_t kFollowed = 32;

private:
  // The most that one command holds: its own event and those of the markers that holding them may add.
  static constexpr size_t kHeldByCommand = 8;

  static uint64_t newId();
  std::atomic<uint64_t> &joined(const StreamOrder &other) const {
    return side_ == Side::null ? other.joinedByNull_ : joinedNull_;
  }

  const uint64_t id_ = newId();
  const Side side_;
  const bool chained_;
  std::atomic<uint32_t> &unjoinedStreams_; // non-owning
  std::atomic<uint64_t> submitted_{0};     // written under the lock
  std::atomic<uint64_t> drained_{0};       // only grows
  std::atomic<bool> unjoined_{false};      // written under the lock
  // Of a blocking stream. The first is written under the null stream's lock, the second under its own.
  mutable std::atomic<uint64_t> joinedByNull_{0}; // submitted() of this stream when the null stream last waited for it
  mutable std::atomic<uint64_t> joinedNull_{0};   // submitted() of the null stream when this one last waited for it

  LZEventRef link_;                // of a chained stream: what the next command has to wait for
  std::vector<StreamMarker> held_; // in the order of count
  size_t heldFirst_ = 0;           // the entries before this one have been released
  StreamMarker marker_;            // the last event that covers everything up to its count
  StreamMarker releasePoint_;      // a marker that is asked now and then whether held events can be released
  std::vector<std::pair<uint64_t, uint64_t>> follows_; // by id, counts of other streams that precede what comes next
};

} // namespace hiplz
