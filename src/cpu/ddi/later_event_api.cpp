// SPDX-License-Identifier: MIT
// Functions of zeEventPool* and zeEvent* that are newer than specification 1.4.
#include "cpu/ddi/later_api.h"

namespace hiplz::cpu::ddi {

// Like a handle of memory it needs no release.
ze_result_t eventPoolPutIpcHandle(ze_context_handle_t context, ze_ipc_event_pool_handle_t handle) {
  return guarded([&] {
    Context::from(context);
    IpcRecord record;
    SharedFile::open(handle.data, IpcKind::eventPool, record);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventPoolGetContextHandle(ze_event_pool_handle_t pool, ze_context_handle_t *context) {
  return tell<EventPool>(pool, context, [](EventPool &object) { return object.context.handle(); });
}

ze_result_t eventPoolGetFlags(ze_event_pool_handle_t pool, ze_event_pool_flags_t *flags) {
  return tell<EventPool>(pool, flags, [](EventPool &object) { return object.flags(); });
}

ze_result_t eventGetEventPool(ze_event_handle_t event, ze_event_pool_handle_t *pool) {
  return tell<Event>(event, pool, [](Event &object) { return object.pool.handle(); });
}

ze_result_t eventGetSignalScope(ze_event_handle_t event, ze_event_scope_flags_t *scope) {
  return tell<Event>(event, scope, [](Event &object) { return object.signalScope; });
}

ze_result_t eventGetWaitScope(ze_event_handle_t event, ze_event_scope_flags_t *scope) {
  return tell<Event>(event, scope, [](Event &object) { return object.waitScope; });
}

ze_result_t eventQueryKernelTimestampsExt(ze_event_handle_t event, ze_device_handle_t device, uint32_t *count,
                                          KernelTimestampsResults *results) {
  return guarded([&] {
    const Event &object = Event::from(event);
    Device::from(device);
    deref(count);
    require(object.state.timed, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the pool's events have no timestamps");
    require(!results || !results->synchronized || object.pool.flags() & EventPool::kMappedTimestamps,
            ZE_RESULT_ERROR_INVALID_ARGUMENT, "the pool's timestamps are not those of the host");
    if (!object.state.isSignalled())
      return ZE_RESULT_NOT_READY;
    return listInto(count, results, 1, [&](uint32_t, KernelTimestampsResults &out) {
      const ze_kernel_timestamp_result_t times = object.state.timestamps();
      if (out.kernel)
        *out.kernel = times;
      if (out.synchronized)
        *out.synchronized = {{times.global.kernelStart, times.global.kernelEnd},
                             {times.context.kernelStart, times.context.kernelEnd}};
    });
  });
}

} // namespace hiplz::cpu::ddi
