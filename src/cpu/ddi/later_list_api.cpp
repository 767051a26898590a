// SPDX-License-Identifier: MIT
// Functions of zeCommandList* and zeCommandQueue* that are newer than specification 1.4: what a list or a queue was created
// with, and waiting for an immediate list.
#include "cpu/ddi/later_api.h"

namespace hiplz::cpu::ddi {

ze_result_t commandQueueGetOrdinal(ze_command_queue_handle_t queue, uint32_t *ordinal) {
  return guarded([&] {
    const CommandQueue &object = CommandQueue::from(queue);
    deref(ordinal);
    *ordinal = object.desc.ordinal;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandQueueGetIndex(ze_command_queue_handle_t queue, uint32_t *index) {
  return guarded([&] {
    const CommandQueue &object = CommandQueue::from(queue);
    deref(index);
    *index = object.desc.index;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandQueueGetFlags(ze_command_queue_handle_t queue, ze_command_queue_flags_t *flags) {
  return guarded([&] {
    const CommandQueue &object = CommandQueue::from(queue);
    deref(flags);
    *flags = object.desc.flags;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandQueueGetMode(ze_command_queue_handle_t queue, ze_command_queue_mode_t *mode) {
  return guarded([&] {
    const CommandQueue &object = CommandQueue::from(queue);
    deref(mode);
    *mode = object.desc.mode;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandQueueGetPriority(ze_command_queue_handle_t queue, ze_command_queue_priority_t *priority) {
  return guarded([&] {
    const CommandQueue &object = CommandQueue::from(queue);
    deref(priority);
    *priority = object.desc.priority;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout) {
  return guarded([&] { return CommandList::from(list).synchronize(timeout); });
}

ze_result_t commandListGetDeviceHandle(ze_command_list_handle_t list, ze_device_handle_t *device) {
  return guarded([&] {
    CommandList &object = CommandList::from(list);
    deref(device);
    *device = object.device.handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListGetContextHandle(ze_command_list_handle_t list, ze_context_handle_t *context) {
  return guarded([&] {
    CommandList &object = CommandList::from(list);
    deref(context);
    *context = object.context.handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListGetOrdinal(ze_command_list_handle_t list, uint32_t *ordinal) {
  return guarded([&] {
    const CommandList &object = CommandList::from(list);
    deref(ordinal);
    *ordinal = object.queue.ordinal;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListImmediateGetIndex(ze_command_list_handle_t list, uint32_t *index) {
  return guarded([&] {
    const CommandList &object = CommandList::from(list);
    deref(index);
    require(object.immediate(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is not an immediate one");
    *index = object.queue.index;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListIsImmediate(ze_command_list_handle_t list, ze_bool_t *immediate) {
  return guarded([&] {
    const CommandList &object = CommandList::from(list);
    deref(immediate);
    *immediate = object.immediate();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListGetFlags(ze_command_list_handle_t list, ze_command_list_flags_t *flags) {
  return guarded([&] {
    const CommandList &object = CommandList::from(list);
    deref(flags);
    *flags = object.flags;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListImmediateGetFlags(ze_command_list_handle_t list, ze_command_queue_flags_t *flags) {
  return guarded([&] {
    const CommandList &object = CommandList::from(list);
    deref(flags);
    require(object.immediate(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is not an immediate one");
    *flags = object.queue.flags;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListImmediateGetMode(ze_command_list_handle_t list, ze_command_queue_mode_t *mode) {
  return guarded([&] {
    const CommandList &object = CommandList::from(list);
    deref(mode);
    require(object.immediate(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is not an immediate one");
    *mode = object.queue.mode;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListImmediateGetPriority(ze_command_list_handle_t list, ze_command_queue_priority_t *priority) {
  return guarded([&] {
    const CommandList &object = CommandList::from(list);
    deref(priority);
    require(object.immediate(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is not an immediate one");
    *priority = object.queue.priority;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListImmediateAppendCommandListsExp(ze_command_list_handle_t list, uint32_t count,
                                                      ze_command_list_handle_t *lists, ze_event_handle_t signal,
                                                      uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &immediate = CommandList::from(list);
    require(count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    ObjectList<CommandList> objects(count, lists);
    return immediate.appendLists(objects, EventArguments(signal, waitCount, waits));
  });
}

} // namespace hiplz::cpu::ddi
