// SPDX-License-Identifier: MIT
// Functions of zeEventPool* and zeEvent* that are newer than specification 1.4.
#include "cpu/ddi/later_api.h"

namespace hiplz::cpu::ddi {

// Like a handle of memory it needs no release.
ze_result_t eventPoolPutIpcHandle(ze_context_handle_t context, ze_ipc_event_pool_handle_t handle) {
  return guarded([&] {
    Context::from(context);
    SharedFile::read(handle.data, IpcKind::eventPool);
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
  return tell<Event>(event, pool, [](Event &object) { return object.pool().handle(); });
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
    require(object.isTimed(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "the event has no timestamps");
    require(!results || !results->synchronized || object.hasMappedTimestamps(), ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "the event's timestamps are not those of the host");
    const HeldState state = object.state();
    if (!state->isSignalled())
      return ZE_RESULT_NOT_READY;
    return listInto(count, results, 1, [&](uint32_t, KernelTimestampsResults &out) {
      const ze_kernel_timestamp_result_t times = state->timestamps();
      if (out.kernel)
        *out.kernel = times;
      if (out.synchronized)
        *out.synchronized = {{times.global.kernelStart, times.global.kernelEnd},
                             {times.context.kernelStart, times.context.kernelEnd}};
    });
  });
}

ze_result_t eventCounterBasedCreate(ze_context_handle_t context, ze_device_handle_t device,
                                    const CounterEventDesc *desc, ze_event_handle_t *event) {
  return guarded([&] {
    Context::from(context).requireDevice(Device::from(device));
    const CounterEventDesc &in = deref(desc);
    deref(event);
    require(in.flags <= CounterEventDesc::kFlags && in.signal <= CounterEventDesc::kScopes &&
                in.wait <= CounterEventDesc::kScopes,
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require((in.flags & CounterEventDesc::kTimestamps) != CounterEventDesc::kTimestamps,
            ZE_RESULT_ERROR_INVALID_ENUMERATION, "timestamps are in the device's time or in the host's");
    require(!(in.flags & CounterEventDesc::kUnsupported), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            "counter-based events are shared neither by processes nor by graphs");
    for (ze_structure_type_t external : CounterEventDesc::kExternal)
      require(!findInChain<void>(const_cast<void *>(in.next), external), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
              "the counter of an event is not in the program's memory");
    *event = (new Event(in.flags, in.signal, in.wait))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t eventGetCounterBasedFlags(ze_event_handle_t event, uint32_t *flags) {
  return tell<Event>(event, flags, [](Event &object) { return object.counterFlags; });
}

} // namespace hiplz::cpu::ddi
