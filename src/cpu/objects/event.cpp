// See event.h.
#include "cpu/objects/event.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/stream.h"

namespace hiplz::cpu {

ze_result_t Event::query() const {
  if (!state.signal.isSignalled())
    return ZE_RESULT_NOT_READY;
  return state.failed.load(std::memory_order_relaxed) ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

ze_result_t Event::synchronize(uint64_t timeout) {
  if (!state.signal.isSignalled()) {
    Goal goal;
    goal.signal = &state.signal;
    if (!Stream::wait(state.producer.load(std::memory_order_relaxed), goal, deadlineAfter(timeout)))
      return ZE_RESULT_NOT_READY;
  }
  return query();
}

void Event::reset() {
  state.failed.store(false, std::memory_order_relaxed);
  state.signal.reset();
}

EventPool::EventPool(const ze_event_pool_desc_t &desc)
    : flags_(desc.flags), count_(desc.count), slots_(new Slot[desc.count]) {}

Event &EventPool::create(uint32_t index) {
  if (index >= count_ || slots_[index].taken.exchange(true))
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  auto *event = new (slots_[index].memory) Event(*this, index);
  event->state.timed = hasTimestamps();
  return *event;
}

void EventPool::destroy(Event &event) {
  Slot &slot = slots_[event.index];
  event.~Event();
  slot.taken.store(false);
}

} // namespace hiplz::cpu
