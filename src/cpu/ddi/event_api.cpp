// SPDX-License-Identifier: MIT
// zeEventPool*, zeEvent* and zeFence*.
#include "cpu/check/stream_checks.h"
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/later_types.h"

namespace hiplz::cpu::ddi {
namespace {
constexpr ze_event_pool_flags_t kPoolFlags = (EventPool::kMappedTimestamps << 1) - 1;
constexpr ze_event_pool_flags_t kAnyTimestamps = ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | EventPool::kMappedTimestamps;
constexpr ze_event_scope_flags_t kScopeFlags = (ZE_EVENT_SCOPE_FLAG_HOST << 1) - 1;

} // namespace

ze_result_t eventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t *desc, uint32_t deviceCount,
                            ze_device_handle_t *devices, ze_event_pool_handle_t *pool) {
  return guarded([&] {
    Context &owner = Context::from(context);
    const ze_event_pool_desc_t &in = deref(desc);
    deref(pool);
    require(in.count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    // Flags of later versions change how events are shared and timed, so they cannot be ignored.
    require(in.flags <= kPoolFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require((in.flags & kAnyTimestamps) != kAnyTimestamps, ZE_RESULT_ERROR_INVALID_ENUMERATION,
            "timestamps are mapped or not");
    for (Device *device : objectsFrom<Device>(deviceCount, devices))
      owner.requireDevice(*device);
    const auto *counters = findInChain<const CounterPoolDesc>(const_cast<void *>(in.pNext), CounterPoolDesc::kType);
    require(!counters || counters->flags <= CounterPoolDesc::kFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(!counters || !(in.flags & ZE_EVENT_POOL_FLAG_IPC), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            "counter-based events are not shared by processes");
    auto made = std::make_unique<EventPool>(owner, in);
    if (counters)
      made->makeCounterBased();
    *pool = made.release()->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventPoolDestroy(ze_event_pool_handle_t pool) {
  return guarded([&] {
    EventPool &object = EventPool::from(pool);
    require(!object.isOpened(), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    delete &object;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventPoolGetIpcHandle(ze_event_pool_handle_t pool, ze_ipc_event_pool_handle_t *handle) {
  return guarded([&] {
    EventPool::from(pool).getIpcHandle(deref(handle));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventPoolOpenIpcHandle(ze_context_handle_t context, ze_ipc_event_pool_handle_t handle,
                                   ze_event_pool_handle_t *pool) {
  return guarded([&] {
    Context &owner = Context::from(context);
    deref(pool) = EventPool::open(owner, handle).handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventPoolCloseIpcHandle(ze_event_pool_handle_t pool) {
  return guarded([&] {
    EventPool &object = EventPool::from(pool);
    require(object.isOpened(), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    delete &object;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventCreate(ze_event_pool_handle_t pool, const ze_event_desc_t *desc, ze_event_handle_t *event) {
  return guarded([&] {
    EventPool &owner = EventPool::from(pool);
    const ze_event_desc_t &in = deref(desc);
    deref(event);
    require(in.signal <= kScopeFlags && in.wait <= kScopeFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    *event = owner.create(in).handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventDestroy(ze_event_handle_t event) {
  return guarded([&] {
    Event::from(event).destroy();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventHostSignal(ze_event_handle_t event) {
  return guarded([&] {
    const HeldState state(Event::from(event).ordinary()); // who sees the signal may destroy the event at once
    if (state->timed)
      state->start = state->end = now();
    check::hostSignals(&*state);
    state->complete(false);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventHostSynchronize(ze_event_handle_t event, uint64_t timeout) {
  return guarded([&] { return Event::from(event).synchronize(timeout); });
}

ze_result_t eventQueryStatus(ze_event_handle_t event) {
  return guarded([&] { return Event::from(event).query(); });
}

ze_result_t eventHostReset(ze_event_handle_t event) {
  return guarded([&] {
    Event::from(event).ordinary().reset();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventQueryKernelTimestamp(ze_event_handle_t event, ze_kernel_timestamp_result_t *result) {
  return guarded([&] {
    const Event &object = Event::from(event);
    deref(result);
    require(object.isTimed(), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const HeldState state = object.state();
    if (!state->isSignalled())
      return ZE_RESULT_NOT_READY;
    *result = state->timestamps();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventQueryTimestampsExp(ze_event_handle_t event, ze_device_handle_t device, uint32_t *count,
                                    ze_kernel_timestamp_result_t *results) {
  return guarded([&] {
    const Event &object = Event::from(event);
    Device::from(device);
    require(object.isTimed(), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const HeldState state = object.state();
    if (!state->isSignalled())
      return ZE_RESULT_NOT_READY;
    return listInto(count, results, 1, [&](uint32_t, ze_kernel_timestamp_result_t &out) { out = state->timestamps(); });
  });
}

ze_result_t fenceCreate(ze_command_queue_handle_t queue, const ze_fence_desc_t *desc, ze_fence_handle_t *fence) {
  return guarded([&] {
    CommandQueue &owner = CommandQueue::from(queue);
    require(deref(desc).flags <= ZE_FENCE_FLAG_SIGNALED, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    deref(fence);
    auto *object = new Fence(owner);
    if (desc->flags & ZE_FENCE_FLAG_SIGNALED)
      object->state.signal.signal();
    *fence = object->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t fenceDestroy(ze_fence_handle_t fence) {
  return guarded([&] {
    delete &Fence::from(fence);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t fenceHostSynchronize(ze_fence_handle_t fence, uint64_t timeout) {
  return guarded([&] {
    Fence &object = Fence::from(fence);
    return object.queue.synchronize(object, timeout);
  });
}

ze_result_t fenceQueryStatus(ze_fence_handle_t fence) {
  return guarded([&] {
    const Fence &object = Fence::from(fence);
    return object.queue.query(object);
  });
}

ze_result_t fenceReset(ze_fence_handle_t fence) {
  return guarded([&] {
    Fence::from(fence).state.signal.reset();
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
