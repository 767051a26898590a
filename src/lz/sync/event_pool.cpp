// SPDX-License-Identifier: MIT
// Blocks of events and their recycling.
#include "lz/sync/event_pool.h"
#include "base/log.h"
#include "lz/core/error.h"

#include <chrono>
#include <thread>

namespace hiplz {
namespace {
// Small enough that a program with a few events does not pay for many, large enough that creating one is rare.
constexpr uint32_t kEventsPerBlock = 64;

template <class Call> ze_result_t untilItSucceeds(const char *name, Call call) noexcept {
  ze_result_t result = call();
  for (int pause = 1; pause <= 16 && result != ZE_RESULT_SUCCESS && result != ZE_RESULT_ERROR_DEVICE_LOST; pause *= 2) {
    HIPLZ_LOG_INFO("%s failed: %s; it is tried again", name, zeResultName(result));
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    result = call();
  }
  return result;
}
} // namespace

ze_result_t LZEventRef::wait() const noexcept {
  return untilItSucceeds("zeEventHostSynchronize", [&] { return zeEventHostSynchronize(ze(), UINT64_MAX); });
}

ze_result_t LZEventRef::signal() const noexcept {
  return untilItSucceeds("zeEventHostSignal", [&] { return zeEventHostSignal(ze()); });
}

ze_result_t LZEventRef::reset() const noexcept {
  return untilItSucceeds("zeEventHostReset", [&] { return zeEventHostReset(ze()); });
}

void LZEventRef::drop() noexcept {
  if (slot_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    slot_->pool_.giveBack(slot_);
}

LZEventRef LZEventPool::acquire() {
  LZEventSlot *slot;
  {
    const auto events = events_.lock();
    if (events->free.empty())
      grow(*events);
    slot = events->free.back();
    events->free.pop_back();
  }
  LZEventRef event(slot);
  zeCheck(event.reset(), "zeEventHostReset");
  slot->seenSignalled_.store(false, std::memory_order_relaxed);
  return event;
}

LZEventRef LZEventPool::adopt(ze_event_handle_t native) {
  return LZEventRef(new LZEventSlot(*this, ZeEvent(native, false), true));
}

void LZEventPool::giveBack(LZEventSlot *slot) noexcept {
  if (slot->native_) {
    delete slot;
    return;
  }
  events_.lock()->free.push_back(slot);
}

void LZEventPool::grow(Events &events) {
  ze_event_pool_desc_t description{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                   kEventsPerBlock};
  if (timestamps_)
    description.flags |= ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
  ZeEventPool pool;
  zeCheck(pool.create(zeEventPoolCreate, zeContext_, &description, 0, nullptr), "zeEventPoolCreate");
  events.zePools.reserve(events.zePools.size() + 1);
  const size_t before = events.slots.size();
  try {
    addSlots(events, pool.get(), kEventsPerBlock);
  } catch (const std::exception &) {
    if (events.slots.size() == before)
      throw;
    HIPLZ_LOG_INFO("the driver has made %zu of %u events", events.slots.size() - before, kEventsPerBlock);
  }
  events.zePools.push_back(std::move(pool));
}

bool LZEventPool::unused() {
  const auto events = events_.lock();
  return events->free.size() == events->slots.size();
}

void LZEventPool::addSlots(Events &events, ze_event_pool_handle_t pool, uint32_t count) {
  events.free.reserve(events.slots.size() + count);
  for (uint32_t index = 0; index < count; ++index) {
    // The host scope on the signal makes what kernels wrote visible to threads that wait on the host.
    ze_event_desc_t event{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, ZE_EVENT_SCOPE_FLAG_HOST,
                          ZE_EVENT_SCOPE_FLAG_DEVICE};
    ZeEvent handle;
    zeCheck(handle.create(zeEventCreate, pool, &event), "zeEventCreate");
    events.free.push_back(&events.slots.emplace_back(*this, std::move(handle)));
  }
}

} // namespace hiplz
