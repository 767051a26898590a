// SPDX-License-Identifier: MIT
// Append functions of later versions: with parameters in a chain, launches with their arguments, functions of the host.
#include "cpu/ddi/later_api.h"

namespace hiplz::cpu::ddi {
namespace {

struct Head {
  ze_structure_type_t stype;
  const void *next;
};

/// No parameter of copies and the like is known.
void requireNoParameters(const void *chain) {
  require(!chain, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "a parameter in pNext is not supported");
}

/// The requests in the parameters of a launch.
bool isCooperative(const void *chain) {
  bool cooperative = false;
  for (auto *head = static_cast<const Head *>(chain); head; head = static_cast<const Head *>(head->next)) {
    require(head->stype == CooperativeParameter::kType, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            "a parameter in pNext is not supported");
    cooperative = reinterpret_cast<const CooperativeParameter *>(head)->isCooperative;
  }
  return cooperative;
}

} // namespace

ze_result_t commandListAppendLaunchKernelWithParameters(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                        const ze_group_count_t *groups, const void *parameters,
                                                        ze_event_handle_t signal, uint32_t waitCount,
                                                        ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    Kernel &object = Kernel::from(kernel);
    deref(groups);
    const bool cooperative = isCooperative(parameters);
    return commands.appendLaunch(object, *groups, cooperative, EventArguments(signal, waitCount, waits));
  });
}

ze_result_t commandListAppendLaunchKernelWithArguments(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                       ze_group_count_t groups, GroupSize groupSize, void **arguments,
                                                       const void *parameters, ze_event_handle_t signal,
                                                       uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    Kernel &object = Kernel::from(kernel);
    const bool cooperative = isCooperative(parameters);
    EventArguments events(signal, waitCount, waits);
    object.setGroupSize(groupSize.x, groupSize.y, groupSize.z);
    object.setArguments(arguments);
    return commands.appendLaunch(object, groups, cooperative, events);
  });
}

ze_result_t commandListAppendMemoryCopyWithParameters(ze_command_list_handle_t list, void *to, const void *from,
                                                      size_t size, const void *parameters, ze_event_handle_t signal,
                                                      uint32_t waitCount, ze_event_handle_t *waits) {
  ze_result_t result = guarded([&] {
    CommandList::from(list);
    requireNoParameters(parameters);
    return ZE_RESULT_SUCCESS;
  });
  return result == ZE_RESULT_SUCCESS ? commandListAppendMemoryCopy(list, to, from, size, signal, waitCount, waits)
                                     : result;
}

ze_result_t commandListAppendMemoryFillWithParameters(ze_command_list_handle_t list, void *to, const void *pattern,
                                                      size_t patternSize, size_t size, const void *parameters,
                                                      ze_event_handle_t signal, uint32_t waitCount,
                                                      ze_event_handle_t *waits) {
  ze_result_t result = guarded([&] {
    CommandList::from(list);
    require(to && pattern, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    requireNoParameters(parameters);
    require(patternSize && size % patternSize == 0, ZE_RESULT_ERROR_INVALID_SIZE,
            "the size is not a multiple of the pattern's");
    return ZE_RESULT_SUCCESS;
  });
  return result == ZE_RESULT_SUCCESS
             ? commandListAppendMemoryFill(list, to, pattern, patternSize, size, signal, waitCount, waits)
             : result;
}

ze_result_t commandListImmediateAppendCommandListsWithParameters(ze_command_list_handle_t list, uint32_t count,
                                                                 ze_command_list_handle_t *lists,
                                                                 const void *parameters, ze_event_handle_t signal,
                                                                 uint32_t waitCount, ze_event_handle_t *waits) {
  ze_result_t result = guarded([&] {
    CommandList::from(list);
    deref(lists);
    requireNoParameters(parameters);
    return ZE_RESULT_SUCCESS;
  });
  return result == ZE_RESULT_SUCCESS
             ? commandListImmediateAppendCommandListsExp(list, count, lists, signal, waitCount, waits)
             : result;
}

ze_result_t commandListAppendHostFunction(ze_command_list_handle_t list, void (*function)(void *), void *argument,
                                          const void *parameters, ze_event_handle_t signal, uint32_t waitCount,
                                          ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    require(function, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    requireNoParameters(parameters);
    return commands.append<CallHostRecord>(Op::callHost, EventArguments(signal, waitCount, waits),
                                           [&](CallHostRecord &record) {
                                             record.function = function;
                                             record.argument = argument;
                                           });
  });
}

ze_result_t commandListCreateCloneExp(ze_command_list_handle_t list, ze_command_list_handle_t *clone) {
  return guarded([&] {
    const CommandList &source = CommandList::from(list);
    deref(clone);
    auto made = source.clone();
    require(made != nullptr, ZE_RESULT_ERROR_INVALID_ARGUMENT, "only closed lists that were created for it are cloned");
    *clone = made.release()->handle();
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
