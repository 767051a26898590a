// SPDX-License-Identifier: MIT
// Counter-based events: such an event stands for the last command that was appended with it, needs no reset, and may be given
// to the next command while others still wait for the one before. So each use is a state of its own, which lives as long as
// the event, a command or a waiting thread refers to it.
#pragma once
#include "base/lockable.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/record.h"

#include <cstdint>

namespace hiplz::cpu {

class CounterEvent;

/// One use of a counter-based event. Every method may be called by any thread unless it says something else.
class CountedState : public EventState {
public:
  CountedState(CounterEvent &event, bool hasTimes) : event_(event) {
    counted = true;
    timed = hasTimes;
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
  CounterEvent &event_;
  Lockable<uint32_t, SpinLock> pending_{LockRank::cpuCountedState, 0u}; // executions that have not ended
};

/// The event itself.
class CounterEvent {
public:
  explicit CounterEvent(bool hasTimes) : timed_(hasTimes) {}
  ~CounterEvent();

  /// The event's state now; a signalled state if nothing was appended with it yet.
  HeldState latest();
  /// The state for a command that is about to be appended.
  HeldState next() { return HeldState::adopt(new CountedState(*this, timed_)); }

private:
  friend class CountedState;
  const bool timed_;
  Lockable<CountedState *, SpinLock> latest_{LockRank::cpuCounterEvent, nullptr};
};

/// A state that is always signalled. Never destroyed.
EventState &alwaysSignalled();

} // namespace hiplz::cpu
