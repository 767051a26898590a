// SPDX-License-Identifier: MIT
// Functions of zeCommandList* and zeCommandQueue* that are newer than specification 1.4: what a list or a queue was created
// with, and waiting for an immediate list.
#include "cpu/ddi/later_api.h"

namespace hiplz::cpu::ddi {
namespace {

const ze_command_queue_desc_t &immediateQueue(const CommandList &list) {
  require(list.immediate(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is not an immediate one");
  return list.queue;
}

} // namespace

ze_result_t commandQueueGetOrdinal(ze_command_queue_handle_t queue, uint32_t *ordinal) {
  return tell<CommandQueue>(queue, ordinal, [](CommandQueue &object) { return object.desc.ordinal; });
}

ze_result_t commandQueueGetIndex(ze_command_queue_handle_t queue, uint32_t *index) {
  return tell<CommandQueue>(queue, index, [](CommandQueue &object) { return object.desc.index; });
}

ze_result_t commandQueueGetFlags(ze_command_queue_handle_t queue, ze_command_queue_flags_t *flags) {
  return tell<CommandQueue>(queue, flags, [](CommandQueue &object) { return object.desc.flags; });
}

ze_result_t commandQueueGetMode(ze_command_queue_handle_t queue, ze_command_queue_mode_t *mode) {
  return tell<CommandQueue>(queue, mode, [](CommandQueue &object) { return object.desc.mode; });
}

ze_result_t commandQueueGetPriority(ze_command_queue_handle_t queue, ze_command_queue_priority_t *priority) {
  return tell<CommandQueue>(queue, priority, [](CommandQueue &object) { return object.desc.priority; });
}

ze_result_t commandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout) {
  return guarded([&] { return CommandList::from(list).synchronize(timeout); });
}

ze_result_t commandListGetDeviceHandle(ze_command_list_handle_t list, ze_device_handle_t *device) {
  return tell<CommandList>(list, device, [](CommandList &object) { return object.device.handle(); });
}

ze_result_t commandListGetContextHandle(ze_command_list_handle_t list, ze_context_handle_t *context) {
  return tell<CommandList>(list, context, [](CommandList &object) { return object.context.handle(); });
}

ze_result_t commandListGetOrdinal(ze_command_list_handle_t list, uint32_t *ordinal) {
  return tell<CommandList>(list, ordinal, [](CommandList &object) { return object.queue.ordinal; });
}

ze_result_t commandListImmediateGetIndex(ze_command_list_handle_t list, uint32_t *index) {
  return tell<CommandList>(list, index, [](CommandList &object) { return immediateQueue(object).index; });
}

ze_result_t commandListIsImmediate(ze_command_list_handle_t list, ze_bool_t *immediate) {
  return tell<CommandList>(list, immediate, [](CommandList &object) { return object.immediate(); });
}

ze_result_t commandListGetFlags(ze_command_list_handle_t list, ze_command_list_flags_t *flags) {
  return tell<CommandList>(list, flags, [](CommandList &object) { return object.flags; });
}

ze_result_t commandListImmediateGetFlags(ze_command_list_handle_t list, ze_command_queue_flags_t *flags) {
  return tell<CommandList>(list, flags, [](CommandList &object) { return immediateQueue(object).flags; });
}

ze_result_t commandListImmediateGetMode(ze_command_list_handle_t list, ze_command_queue_mode_t *mode) {
  return tell<CommandList>(list, mode, [](CommandList &object) { return immediateQueue(object).mode; });
}

ze_result_t commandListImmediateGetPriority(ze_command_list_handle_t list, ze_command_queue_priority_t *priority) {
  return tell<CommandList>(list, priority, [](CommandList &object) { return immediateQueue(object).priority; });
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
