// SPDX-License-Identifier: MIT
// Common to all entry points of this driver, beyond driver/api.h: the events of a command.
#pragma once
#include "cpu/objects/command_list.h"
#include "cpu/objects/event.h"
#include "cpu/objects/object.h"
#include "driver/api.h"

#include <vector>

namespace hiplz::cpu {

using driver::deref;
using driver::findInChain;
using driver::guarded;
using driver::listInto;
using driver::ObjectList;
using driver::objectsFrom;
using driver::require;
using driver::stringInto;
using driver::tell;

/// The signal and wait events of an append call. Up to four waits, which is what programs use, need no allocation.
class EventArguments {
public:
  EventArguments(ze_event_handle_t signal, uint32_t waitCount, const ze_event_handle_t *waits) {
    if (signal)
      events_.signal = keep(Event::from(signal), &Event::toSignal);
    if (waitCount == 0)
      return;
    require(waits, ZE_RESULT_ERROR_INVALID_SIZE);
    EventState **states = few_;
    if (waitCount > std::size(few_)) {
      many_.resize(waitCount);
      states = many_.data();
    }
    for (uint32_t index = 0; index < waitCount; ++index)
      states[index] = keep(Event::from(waits[index]), &Event::state);
    events_.waits = {states, waitCount};
  }
  EventArguments(const EventArguments &) = delete;
  operator const Events &() const { // NOLINT(google-explicit-constructor): so do these
    return events_;
  }
  const Events *operator->() const { return &events_; }

private:
  // An ordinary state exists as long as the event, which the application keeps during the call.
  template <class GetState> EventState *keep(Event &event, GetState getState) {
    if (!event.isCounterBased()) [[likely]]
      return &event.ordinary();
    return &*held_.emplace_back((event.*getState)());
  }

  std::vector<HeldState> held_;
  EventState *few_[4];
  std::vector<EventState *> many_;
  Events events_;
};

} // namespace hiplz::cpu
