// SPDX-License-Identifier: MIT
// zeCommandQueue* and zeCommandList*.
#include "opencl/entry_points.h"

namespace hiplz::opencl {
namespace {

constexpr ze_command_list_flags_t kListFlags = (ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY << 1) - 1;

void check(const ze_command_queue_desc_t &desc) {
  require(desc.ordinal == 0, ZE_RESULT_ERROR_INVALID_ARGUMENT, "there is one group of queues");
  require(desc.mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS && desc.priority <= ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
          ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

} // namespace

ze_result_t commandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
                               const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *queue) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &of = Device::from(device);
    check(deref(desc));
    deref(queue) = (new CommandQueue(owner, of, desc->mode))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandQueueDestroy(ze_command_queue_handle_t queue) {
  return guarded([&] {
    delete &CommandQueue::from(queue);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandQueueExecuteCommandLists(ze_command_queue_handle_t queue, uint32_t count,
                                            ze_command_list_handle_t *lists, ze_fence_handle_t fence) {
  return guarded([&] {
    Queue &on = CommandQueue::from(queue).queue;
    Fence *signal = fence ? &Fence::from(fence) : nullptr;
    require(count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    for (CommandList *list : objectsFrom<CommandList>(count, lists))
      list->execute(on);
    if (signal)
      on.signal(*signal->state);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandQueueSynchronize(ze_command_queue_handle_t queue, uint64_t timeout) {
  return guarded([&] { return CommandQueue::from(queue).queue.synchronize(timeout); });
}

ze_result_t commandListCreate(ze_context_handle_t context, ze_device_handle_t device,
                              const ze_command_list_desc_t *desc, ze_command_list_handle_t *list) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &of = Device::from(device);
    require(deref(desc).flags <= kListFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(desc->commandQueueGroupOrdinal == 0, ZE_RESULT_ERROR_INVALID_ARGUMENT, "there is one group of queues");
    deref(list) = (new CommandList(owner, of))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                       const ze_command_queue_desc_t *desc, ze_command_list_handle_t *list) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &of = Device::from(device);
    check(deref(desc));
    deref(list) = (new CommandList(owner, of, desc->mode))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListDestroy(ze_command_list_handle_t list) {
  return guarded([&] {
    delete &CommandList::from(list);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListClose(ze_command_list_handle_t list) {
  return guarded([&] {
    CommandList::from(list).close();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListReset(ze_command_list_handle_t list) {
  return guarded([&] {
    CommandList::from(list).reset();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListImmediateAppendCommandListsExp(ze_command_list_handle_t list, uint32_t count,
                                                      ze_command_list_handle_t *lists, ze_event_handle_t signal,
                                                      uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    require(on.immediate(), ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    auto appended = objectsFrom<CommandList>(count, lists);
    if (waitCount)
      on.appendBarrier(nullptr, waitCount, waits);
    for (CommandList *one : appended)
      one->execute(*on.immediate());
    if (signal)
      on.appendBarrier(signal, 0, nullptr);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendBarrier(ze_command_list_handle_t list, ze_event_handle_t signal, uint32_t waitCount,
                                     ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList::from(list).appendBarrier(signal, waitCount, waits);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendMemoryRangesBarrier(ze_command_list_handle_t list, uint32_t count, const size_t *sizes,
                                                 const void **ranges, ze_event_handle_t signal, uint32_t waitCount,
                                                 ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    require(count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    deref(sizes);
    deref(ranges);
    on.appendBarrier(signal, waitCount, waits);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendSignalEvent(ze_command_list_handle_t list, ze_event_handle_t event) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    require(event, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    on.appendBarrier(event, 0, nullptr);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendWaitOnEvents(ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *events) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    deref(events);
    on.appendBarrier(nullptr, count, events);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendEventReset(ze_command_list_handle_t list, ze_event_handle_t event) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    on.appendReset(Event::from(event).state);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::opencl
