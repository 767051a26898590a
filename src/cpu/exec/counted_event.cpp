// SPDX-License-Identifier: MIT
// See counted_event.h.
#include "cpu/exec/counted_event.h"
#include "cpu/check/stream_checks.h"

namespace hiplz::cpu {

void EventState::destroy() {
  check::forgetEvent(this);
  if (counted)
    delete static_cast<CountedState *>(this);
  else
    delete this;
}

void EventState::completeCounted(bool hasFailed) { static_cast<CountedState *>(this)->finish(hasFailed); }

void CountedState::becomeLatest() {
  retain();
  CountedState *before;
  {
    const auto latest = event_.latest_.lock();
    before = std::exchange(*latest, this);
  }
  if (before)
    before->release();
}

void CountedState::expect() {
  const auto pending = pending_.lock();
  ++*pending;
  signal.reset(); // of an execution before
}

void CountedState::finish(bool hasFailed) {
  each.signal();
  const auto pending = pending_.lock();
  if (--*pending != 0)
    return;
  failed.store(hasFailed, std::memory_order_relaxed);
  signal.signal(); // under the lock, so that no execution that is expected meanwhile appears to have ended
}

CounterEvent::~CounterEvent() {
  if (CountedState *state = *latest_.lock())
    state->release();
}

HeldState CounterEvent::latest() {
  const auto latest = latest_.lock();
  if (!*latest)
    return HeldState(alwaysSignalled());
  return HeldState(**latest);
}

EventState &alwaysSignalled() {
  static EventState *state = [] {
    auto *made = new EventState;
    made->complete(false);
    return made;
  }();
  return *state;
}

} // namespace hiplz::cpu
