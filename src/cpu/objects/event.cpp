// SPDX-License-Identifier: MIT
// See event.h.
#include "cpu/objects/event.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/stream.h"

#include <sys/mman.h>

namespace hiplz::cpu {

namespace {
constexpr uint32_t kDeviceTimestamps = 1 << 4, kHostTimestamps = 1 << 5; // of ze_event_counter_based_flags_t
} // namespace

Event::Event(uint32_t flags, ze_event_scope_flags_t signal, ze_event_scope_flags_t wait)
    : counterFlags(flags), signalScope(signal), waitScope(wait) {
  ordinary_.timed = flags & (kDeviceTimestamps | kHostTimestamps);
  makeCounterBased();
}

bool Event::hasMappedTimestamps() const {
  return pool ? pool->flags() & EventPool::kMappedTimestamps : counterFlags & kHostTimestamps;
}

EventState &Event::ordinary() {
  if (counter_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "a counter-based event is neither reset nor signalled by hand"};
  return ordinary_;
}

ze_result_t Event::query() const {
  const HeldState held = state();
  if (!held->isSignalled())
    return ZE_RESULT_NOT_READY;
  return held->hasFailed() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

ze_result_t Event::synchronize(uint64_t timeout) {
  const HeldState held = state();
  if (!held->isSignalled()) {
    Goal goal;
    if (held->shared) {
      goal.shared = &*held;
      goal.target = held->shared->signals();
    } else {
      goal.signal = &held->signal;
    }
    if (!Stream::wait(held->producer.load(std::memory_order_relaxed), goal, deadlineAfter(timeout)))
      return ZE_RESULT_NOT_READY;
  }
  return held->hasFailed() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS; // whoever has reset it meanwhile
}

EventPool::EventPool(Context &context, const ze_event_pool_desc_t &desc)
    : context(context), flags_(desc.flags), count_(desc.count), slots_(new Slot[desc.count]) {
  if (!(desc.flags & ZE_EVENT_POOL_FLAG_IPC))
    return;
  size_t bytes = SharedEventsHeader::bytesFor(desc.count);
  shared_ = std::make_unique<SharedPool>(SharedFile::create(IpcKind::eventPool, bytes), bytes);
  shared_->header().flags = desc.flags;
}

EventPool::EventPool(Context &context, std::unique_ptr<SharedPool> shared)
    : context(context), flags_(shared->header().flags), count_(SharedEventsHeader::countIn(shared->bytes)),
      opened_(true), slots_(new Slot[count_]), shared_(std::move(shared)) {}

EventPool &EventPool::open(Context &context, const ze_ipc_event_pool_handle_t &handle) {
  IpcRecord record;
  auto file = SharedFile::open(handle.data, IpcKind::eventPool, record);
  // Only the size of the file is certain; what is written in it can change at any time.
  if (record.size < SharedEventsHeader::bytesFor(1) ||
      SharedEventsHeader::bytesFor(SharedEventsHeader::countIn(record.size)) != record.size)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  auto shared = std::make_unique<SharedPool>(std::move(file), record.size);
  return *new EventPool(context, std::move(shared));
}

void EventPool::getIpcHandle(ze_ipc_event_pool_handle_t &handle) const {
  if (!shared_ || opened_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  shared_->file->describe(handle.data, sizeof handle.data, IpcKind::eventPool, SharedEventsHeader::bytesFor(count_));
}

EventPool::SharedPool::SharedPool(std::shared_ptr<SharedFile> file, size_t bytes)
    : file(std::move(file)), bytes(bytes), memory(this->file->map(nullptr, bytes)) {
  if (!memory)
    throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  events.emplace(header());
}

EventPool::SharedPool::~SharedPool() {
  events.reset();
  if (memory)
    ::munmap(memory, bytes);
}

Event &EventPool::create(const ze_event_desc_t &desc) {
  const uint32_t index = desc.index;
  if (index >= count_ || slots_[index].taken.exchange(true))
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  auto *event = new (slots_[index].memory) Event(*this, desc);
  EventState &state = event->ordinary_;
  state.timed = hasTimestamps();
  if (shared_) {
    state.sharedPool = &*shared_->events;
    state.shared = &(*shared_->events)[index];
    if (!opened_) // whoever has opened the pool gets the event as it is
      state.shared->reset();
  }
  if (counterBased_)
    event->makeCounterBased();
  return *event;
}

void EventPool::destroy(Event &event) {
  Slot &slot = slots_[event.index];
  event.~Event();
  slot.taken.store(false);
}

} // namespace hiplz::cpu
