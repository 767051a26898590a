// SPDX-License-Identifier: MIT
// zeEvent*, zeEventPool* and zeFence*.
#include "opencl/entry_points.h"

namespace hiplz::opencl {

ze_result_t eventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t *desc, uint32_t count,
                            ze_device_handle_t *devices, ze_event_pool_handle_t *pool) {
  return guarded([&] {
    Context &owner = Context::from(context);
    const ze_event_pool_desc_t &in = deref(desc);
    deref(pool);
    require(in.count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    constexpr ze_event_pool_flags_t kKnown =
        ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
    require((in.flags & ~kKnown) == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require((in.flags & ZE_EVENT_POOL_FLAG_IPC) == 0, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            "events of OpenCL cannot be shared with other processes");
    objectsFrom<Device>(count, devices);
    *pool = (new EventPool(owner, in))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventPoolDestroy(ze_event_pool_handle_t pool) {
  return guarded([&] {
    delete &EventPool::from(pool);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventCreate(ze_event_pool_handle_t pool, const ze_event_desc_t *desc, ze_event_handle_t *event) {
  return guarded([&] {
    EventPool &owner = EventPool::from(pool);
    const ze_event_desc_t &in = deref(desc);
    deref(event);
    *event = (new Event(owner, in.index))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventDestroy(ze_event_handle_t event) {
  return guarded([&] {
    delete &Event::from(event);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventHostSignal(ze_event_handle_t event) {
  return guarded([&] {
    const Event &object = Event::from(event);
    object.state->signal(object.pool.context.driver.devices().front()->now());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventHostSynchronize(ze_event_handle_t event, uint64_t timeout) {
  return guarded([&] { return Event::from(event).state->synchronize(timeout); });
}

ze_result_t eventQueryStatus(ze_event_handle_t event) {
  return guarded([&] { return Event::from(event).state->query(); });
}

ze_result_t eventHostReset(ze_event_handle_t event) {
  return guarded([&] {
    Event::from(event).state->reset();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventQueryKernelTimestamp(ze_event_handle_t event, ze_kernel_timestamp_result_t *times) {
  return guarded([&] {
    const Event &object = Event::from(event);
    deref(times);
    require(object.state->isTimed(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "the event's pool has no timestamps");
    *times = object.state->timestamps();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t fenceCreate(ze_command_queue_handle_t queue, const ze_fence_desc_t *desc, ze_fence_handle_t *fence) {
  return guarded([&] {
    CommandQueue &owner = CommandQueue::from(queue);
    const ze_fence_flags_t flags = deref(desc).flags;
    require(flags <= ZE_FENCE_FLAG_SIGNALED, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    deref(fence);
    auto made = std::make_unique<Fence>(owner);
    if (flags & ZE_FENCE_FLAG_SIGNALED)
      made->state->signal(0);
    *fence = made.release()->handle();
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
  return guarded([&] { return Fence::from(fence).state->synchronize(timeout); });
}

ze_result_t fenceQueryStatus(ze_fence_handle_t fence) {
  return guarded([&] { return Fence::from(fence).state->query(); });
}

ze_result_t fenceReset(ze_fence_handle_t fence) {
  return guarded([&] {
    Fence::from(fence).state->reset();
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::opencl
