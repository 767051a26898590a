// SPDX-License-Identifier: MIT
// Mutable command lists (extension ZE_experimental_mutable_command_list).
#include "cpu/abi/group_count.h"
#include "cpu/ddi/later_api.h"

#include <algorithm>

namespace hiplz::cpu::ddi {
namespace {

struct Head {
  ze_structure_type_t stype;
  const void *next;
};

/// The commands of a list that was created for it.
MutableCommands &commandsOf(CommandList &list) {
  MutableCommands *commands = list.mutableCommands();
  require(commands, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is not mutable");
  return *commands;
}

MutableCommands::Command &launchOf(CommandList &list, uint64_t id, uint32_t flag) {
  MutableCommands::Command &command = commandsOf(list).find(id, flag);
  require(command.kernel != nullptr, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the command is not a launch");
  return command;
}

ze_result_t announce(ze_command_list_handle_t list, const MutableCommandIdDesc *desc, uint32_t kernelCount,
                     ze_kernel_handle_t *kernels, uint64_t *id) {
  CommandList &object = CommandList::from(list);
  uint32_t flags = deref(desc).flags;
  deref(id);
  require(flags <= kAllMutableFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  require((flags & ~kMutableFlags) == 0, ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "there are no graph arguments");
  require(!object.isClosed(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is closed");
  *id = commandsOf(object).announce(flags ? flags : kMutableFlags & ~kMutableKernel,
                                    objectsFrom<Kernel>(kernelCount, kernels));
  return ZE_RESULT_SUCCESS;
}

/// Applies one description of a change. Throws Error.
void change(CommandList &list, const Head &head) {
  switch (static_cast<uint32_t>(head.stype)) {
  case MutableArgumentDesc::kType: {
    auto &desc = reinterpret_cast<const MutableArgumentDesc &>(head);
    auto &command = launchOf(list, desc.command, kMutableArguments);
    command.kernel->setArgument(desc.index, desc.size, desc.value);
    return MutableCommands::rewrite(command);
  }
  case MutableGroupCountDesc::kType: {
    auto &desc = reinterpret_cast<const MutableGroupCountDesc &>(head);
    auto &command = launchOf(list, desc.command, kMutableGroupCount);
    const ze_group_count_t &count = deref(desc.count);
    const uint32_t counts[3] = {count.groupCountX, count.groupCountY, count.groupCountZ};
    const auto total = totalGroups(counts);
    auto &record = *static_cast<LaunchRecord *>(command.record);
    require(total && (!record.cooperative || *total <= command.kernel->maxCooperativeGroups()),
            ZE_RESULT_ERROR_INVALID_ARGUMENT, "more work-groups than there may be");
    std::copy_n(counts, 3, record.launch.groupCount);
    return;
  }
  case MutableGroupSizeDesc::kType: {
    auto &desc = reinterpret_cast<const MutableGroupSizeDesc &>(head);
    auto &command = launchOf(list, desc.command, kMutableGroupSize);
    command.kernel->setGroupSize(desc.size.x, desc.size.y, desc.size.z);
    return MutableCommands::rewrite(command);
  }
  case MutableGlobalOffsetDesc::kType: {
    auto &desc = reinterpret_cast<const MutableGlobalOffsetDesc &>(head);
    auto &command = launchOf(list, desc.command, kMutableGlobalOffset);
    command.kernel->setGlobalOffset(desc.offset[0], desc.offset[1], desc.offset[2]);
    return MutableCommands::rewrite(command);
  }
  default: throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "a description in pNext is not one of a change"};
  }
}

} // namespace

ze_result_t commandListGetNextCommandIdExp(ze_command_list_handle_t list, const MutableCommandIdDesc *desc,
                                           uint64_t *id) {
  return guarded([&] { return announce(list, desc, 0, nullptr, id); });
}

ze_result_t commandListGetNextCommandIdWithKernelsExp(ze_command_list_handle_t list, const MutableCommandIdDesc *desc,
                                                      uint32_t kernelCount, ze_kernel_handle_t *kernels, uint64_t *id) {
  return guarded([&] { return announce(list, desc, kernelCount, kernels, id); });
}

ze_result_t commandListUpdateMutableCommandsExp(ze_command_list_handle_t list, const MutableCommandsDesc *desc) {
  return guarded([&] {
    CommandList &object = CommandList::from(list);
    commandsOf(object);
    for (auto *head = static_cast<const Head *>(deref(desc).next); head; head = static_cast<const Head *>(head->next))
      change(object, *head);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListUpdateMutableCommandSignalEventExp(ze_command_list_handle_t list, uint64_t id,
                                                          ze_event_handle_t signal) {
  return guarded([&] {
    CommandList &object = CommandList::from(list);
    Record &record = *commandsOf(object).find(id, kMutableSignal).record;
    if (!signal) {
      object.replaceSignalled(record.signal, nullptr);
      record.signal = record.timeStart = nullptr;
      return ZE_RESULT_SUCCESS;
    }
    const HeldState state = Event::from(signal).toSignal();
    object.replaceSignalled(record.signal, &*state);
    record.signal = record.timeStart = &*state;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListUpdateMutableCommandWaitEventsExp(ze_command_list_handle_t list, uint64_t id, uint32_t count,
                                                         ze_event_handle_t *events) {
  return guarded([&] {
    CommandList &object = CommandList::from(list);
    Record &record = *commandsOf(object).find(id, kMutableWaits).record;
    require(count == record.waitCount, ZE_RESULT_ERROR_INVALID_SIZE, "the command waits for another number of events");
    std::vector<HeldState> states;
    for (uint32_t index = 0; index < count; ++index)
      states.push_back(events && events[index] ? Event::from(events[index]).state() : HeldState(alwaysSignalled()));
    for (uint32_t index = 0; index < count; ++index) {
      object.hold(*states[index]);
      record.waits[index] = &*states[index];
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListUpdateMutableCommandKernelsExp(ze_command_list_handle_t list, uint32_t count, uint64_t *ids,
                                                      ze_kernel_handle_t *kernels) {
  return guarded([&] {
    CommandList &object = CommandList::from(list);
    commandsOf(object);
    deref(ids);
    deref(kernels);
    for (uint32_t index = 0; index < count; ++index) {
      auto &command = launchOf(object, ids[index], kMutableKernel);
      Kernel &kernel = Kernel::from(kernels[index]);
      require(std::count(command.candidates.begin(), command.candidates.end(), &kernel) != 0, kInvalidKernelHandle,
              "the kernel is not one that was announced");
      auto replacement = kernel.clone();
      command.kernel = std::move(replacement);
      object.keepAlive(kernel.program());
      MutableCommands::rewrite(command);
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListIsMutableExp(ze_command_list_handle_t list, ze_bool_t *isMutable) {
  return guarded([&] {
    CommandList &object = CommandList::from(list);
    deref(isMutable) = object.mutableCommands() != nullptr;
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
