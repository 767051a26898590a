// SPDX-License-Identifier: MIT
// Counter-based events: such an event stands for the last command that was appended with it, needs no reset, and may be given
// to the next command while others still wait for the one before. So each use is a state of its own, which lives as long as
// the event, a command or a waiting thread refers to it.
#pragma once
#include "base/lockable.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/record.h"

#include <atomic>
#include <cstdint>
#include <utility>

namespace hiplz::cpu {

class CounterEvent;

/// One use of a counter-based event. Every method may be called by any thread unless it says something else.
class CountedState : public EventState {
public:
  CountedState(CounterEvent &event, bool hasTimes) : event_(event) {
    counted = true;
    timed = hasTimes;
  }

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  /// The command has been appended: from now on the event stands for it. Called while the event exists.
  void becomeLatest();
  /// The command is going to be executed, perhaps once more: the state is signalled when all executions have ended.
  void expect();
  /// An execution of the list that the command is in begins.
  void begin() { each.reset(); }
  /// An execution has ended.
  void finish(bool hasFailed);

  Signal each; ///< what commands of lists wait for: the end of the command in the same execution

private:
  ~CountedState() = default;
  CounterEvent &event_;
  std::atomic<uint32_t> references_{1};
  Lockable<uint32_t, SpinLock> pending_{LockRank::cpuCountedState, 0u}; // executions that have not ended
};

/// A state that does not go away while this object exists; of ordinary events, which programs keep, a pointer.
class HeldState {
public:
  explicit HeldState(EventState &state) : state_(&state) {}
  /// Takes over a reference of the caller.
  explicit HeldState(CountedState *state) : state_(state), counted_(state) {}
  HeldState(HeldState &&other) noexcept : state_(other.state_), counted_(std::exchange(other.counted_, nullptr)) {}
  ~HeldState() {
    if (counted_)
      counted_->release();
  }
  EventState &operator*() const { return *state_; }
  EventState *operator->() const { return state_; }

private:
  EventState *state_;
  CountedState *counted_ = nullptr;
};

/// The event itself.
class CounterEvent {
public:
  explicit CounterEvent(bool hasTimes) : timed_(hasTimes) {}
  ~CounterEvent();

  /// What the event stands for now; a signalled state if nothing was appended with it yet.
  HeldState latest();
  /// The state for a command that is about to be appended.
  HeldState next() { return HeldState(new CountedState(*this, timed_)); }

private:
  friend class CountedState;
  const bool timed_;
  Lockable<CountedState *, SpinLock> latest_{LockRank::cpuCounterEvent, nullptr};
};

/// A state that is always signalled. Never destroyed.
EventState &alwaysSignalled();

/// References of commands to the states of their events; nothing for ordinary events.
inline void retainState(EventState &state) {
  if (state.counted)
    static_cast<CountedState &>(state).retain();
}
inline void releaseState(EventState &state) {
  if (state.counted)
    static_cast<CountedState &>(state).release();
}

} // namespace hiplz::cpu
