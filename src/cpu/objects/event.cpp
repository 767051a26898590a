// SPDX-License-Identifier: MIT
// See event.h.
#include "cpu/objects/event.h"
#include "cpu/check/stream_checks.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/stream.h"

#include <sys/mman.h>

namespace hiplz::cpu {

namespace {
constexpr uint32_t kDeviceTimestamps = 1 << 4, kHostTimestamps = 1 << 5; // of ze_event_counter_based_flags_t
} // namespace

Event::Event(std::shared_ptr<EventPoolShare> share, const ze_event_desc_t &desc, bool isCounterBased)
    : signalScope(desc.signal), waitScope(desc.wait), share_(std::move(share)), index_(desc.index),
      isTimed_(share_->flags & (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | EventPool::kMappedTimestamps)) {
  if (isCounterBased) {
    counter_.emplace(isTimed_);
    return;
  }
  ordinary_ = new EventState;
  ordinary_->timed = isTimed_;
  if (const auto &pool = share_->sharedPool) {
    ordinary_->sharedPool = {pool, &*pool->events};
    ordinary_->shared = &(*pool->events)[index_];
  }
}

Event::Event(uint32_t flags, ze_event_scope_flags_t signal, ze_event_scope_flags_t wait)
    : counterFlags(flags), signalScope(signal), waitScope(wait),
      isTimed_(flags & (kDeviceTimestamps | kHostTimestamps)) {
  counter_.emplace(isTimed_);
}

Event::~Event() {
  if (ordinary_)
    ordinary_->release();
}

void Event::destroy() {
  if (!share_)
    return delete this;
  const std::shared_ptr<EventPoolShare> share = share_; // the slot is part of it
  EventPoolShare::Slot &slot = share->slots[index_];
  this->~Event();
  slot.taken.store(false);
}

EventPool &Event::pool() const {
  if (!share_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the event was created without a pool"};
  EventPool *pool = share_->pool.load();
  if (!pool)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the pool of the event has been destroyed"};
  return *pool;
}

bool Event::hasMappedTimestamps() const {
  return share_ ? share_->flags & EventPool::kMappedTimestamps : counterFlags & kHostTimestamps;
}

EventState &Event::ordinary() {
  if (counter_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "a counter-based event is neither reset nor signalled by hand"};
  return *ordinary_;
}

ze_result_t Event::query() const {
  const HeldState held = state();
  if (!held->isSignalled())
    return ZE_RESULT_NOT_READY;
  check::hostWaited(&*held);
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
  check::hostWaited(&*held);
  return held->hasFailed() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS; // even if it has been reset meanwhile
}

EventPool::EventPool(Context &context, std::shared_ptr<EventPoolShare> share, bool opened)
    : context(context), share_(std::move(share)), opened_(opened) {
  share_->pool.store(this);
}

EventPool::EventPool(Context &context, const ze_event_pool_desc_t &desc)
    : EventPool(context, std::make_shared<EventPoolShare>(desc.flags, desc.count), false) {
  if (!(desc.flags & ZE_EVENT_POOL_FLAG_IPC))
    return;
  size_t bytes = SharedEventsHeader::bytesFor(desc.count);
  share_->sharedPool =
      std::make_shared<EventPoolShare::SharedPool>(SharedFile::create(IpcKind::eventPool, bytes), bytes);
  share_->sharedPool->header().flags = desc.flags;
}

EventPool::~EventPool() { share_->pool.store(nullptr); }

EventPool &EventPool::open(Context &context, const ze_ipc_event_pool_handle_t &handle) {
  IpcRecord record;
  auto file = SharedFile::open(handle.data, IpcKind::eventPool, record);
  // Only the size of the file is certain; what is written in it can change at any time.
  if (record.size < SharedEventsHeader::bytesFor(1) ||
      SharedEventsHeader::bytesFor(SharedEventsHeader::countIn(record.size)) != record.size)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  auto sharedPool = std::make_shared<EventPoolShare::SharedPool>(std::move(file), record.size);
  auto share = std::make_shared<EventPoolShare>(sharedPool->header().flags, SharedEventsHeader::countIn(record.size));
  share->sharedPool = std::move(sharedPool);
  return *new EventPool(context, std::move(share), true);
}

void EventPool::getIpcHandle(ze_ipc_event_pool_handle_t &handle) const {
  if (!share_->sharedPool || opened_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  share_->sharedPool->file->describe(handle.data, sizeof handle.data, IpcKind::eventPool,
                                     SharedEventsHeader::bytesFor(share_->count));
}

EventPoolShare::SharedPool::SharedPool(std::shared_ptr<SharedFile> file, size_t bytes)
    : file(std::move(file)), bytes(bytes), memory(this->file->map(nullptr, bytes)) {
  if (!memory)
    throw Error{ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY};
  events.emplace(header());
}

EventPoolShare::SharedPool::~SharedPool() {
  events.reset();
  if (memory)
    ::munmap(memory, bytes);
}

Event &EventPool::create(const ze_event_desc_t &desc) {
  if (desc.index >= share_->count || share_->slots[desc.index].taken.exchange(true))
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  EventPoolShare::Slot &slot = share_->slots[desc.index];
  try {
    auto *event = new (slot.memory) Event(share_, desc, counterBased_);
    if (share_->sharedPool && !opened_) // processes that have opened the pool get the event as it is
      (*share_->sharedPool->events)[desc.index].reset();
    return *event;
  } catch (...) {
    slot.taken.store(false);
    throw;
  }
}

} // namespace hiplz::cpu
