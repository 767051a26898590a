// SPDX-License-Identifier: MIT
// Functions that the runtime finds by their names, of the newer driver.
#include "base/driver_extensions.h"
#include "lz/core/mutable_lists.h"
#include "objects.h"

#include <unistd.h>

namespace fake_ze {

ze_result_t appendLists(ze_command_list_handle_t handle, uint32_t count, ze_command_list_handle_t *lists,
                        ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits);
int descriptorOf(ze_physical_mem_handle_t handle);
void setArgument(Launch &launch, size_t index, size_t bytes, const void *value);

namespace {

template <class Word>
ze_result_t waitOnMemory(ze_command_list_handle_t list, hiplz::ZexWaitOnMemory *wait, void *memory, Word value,
                         ze_event_handle_t signal) {
  const bool equal = wait->action == hiplz::ZexWaitOnMemory::kEqual;
  return append(list, signal, 0, nullptr, [=] {
    const Word now = __atomic_load_n(static_cast<Word *>(memory), __ATOMIC_ACQUIRE);
    return equal ? now == value : now >= value;
  });
}

struct Import : Object {
  Import() : Object("imported host memory") {}
};
std::map<const void *, Import *> imports;

ze_result_t importPointer(ze_driver_handle_t, void *pointer, size_t) {
  const std::lock_guard lock(state().mutex);
  imports[pointer] = &makeLocked<Import>();
  return ZE_RESULT_SUCCESS;
}

ze_result_t releasePointer(ze_driver_handle_t, void *pointer) {
  const std::lock_guard lock(state().mutex);
  const auto found = imports.find(pointer);
  if (found == imports.end()) {
    noteMistake("the memory has not been imported");
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  buryLocked(*found->second);
  imports.erase(found);
  return ZE_RESULT_SUCCESS;
}

ze_result_t nextCommandId(ze_command_list_handle_t handle, const hiplz::ZeMutableCommandIdDesc *, uint64_t *id) {
  std::unique_lock<std::mutex> lock;
  CommandList *list = begin<CommandList>(lock, handle);
  if (!list)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  *id = list->nextNumber = list->changeable.size() + 1;
  return ZE_RESULT_SUCCESS;
}

/// The head that all structures of a chain have.
struct Link {
  uint32_t stype;
  const Link *next;
};

ze_result_t changeCommands(ze_command_list_handle_t handle, const hiplz::ZeMutableCommandsDesc *description) {
  std::unique_lock<std::mutex> lock;
  CommandList *list = begin<CommandList>(lock, handle);
  if (!list)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  for (auto *link = static_cast<const Link *>(description->pNext); link; link = link->next) {
    const auto *argument = reinterpret_cast<const hiplz::ZeMutableArgument *>(link);
    const auto *count = reinterpret_cast<const hiplz::ZeMutableGroupCount *>(link);
    const auto *size = reinterpret_cast<const hiplz::ZeMutableGroupSize *>(link);
    const auto launched = list->changeable.find(argument->command); // in the same place in each of them
    if (launched == list->changeable.end()) {
      noteMistake("the list has no such launch");
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    Launch &launch = launched->second->launch;
    if (link->stype == hiplz::ZeMutableArgument().stype)
      setArgument(launch, argument->index, argument->bytes, argument->value);
    else if (link->stype == hiplz::ZeMutableGroupCount().stype)
      launch.groups = *count->count;
    else if (link->stype == hiplz::ZeMutableGroupSize().stype)
      std::copy_n(size->size, 3, launch.groupSize);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t physicalProperties(ze_context_handle_t, ze_physical_mem_handle_t memory,
                               hiplz::ZePhysicalMemProperties *properties) {
  auto *exported = static_cast<ze_external_memory_export_fd_t *>(properties->pNext);
  exported->fd = descriptorOf(memory);
  return exported->fd < 0 ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE : ZE_RESULT_SUCCESS;
}

/// A function that can fail like the others.
template <const char *Name, auto Function> struct Failing;
template <const char *Name, class... Arguments, ze_result_t (*Function)(Arguments...)> struct Failing<Name, Function> {
  static ze_result_t function(Arguments... arguments) { return call(Name, Function, arguments...); }
};

template <const char *Name, auto Function> void *failing() {
  return reinterpret_cast<void *>(&Failing<Name, Function>::function);
}

#define EXTENSION(name, function)                                                                                      \
  static constexpr char name[] = #name;                                                                                \
  if (wanted == name)                                                                                                  \
    return failing<name, function>();

} // namespace

void *extension(const std::string &wanted) {
  EXTENSION(zexCommandListAppendWaitOnMemory, &waitOnMemory<uint32_t>)
  EXTENSION(zexCommandListAppendWaitOnMemory64, &waitOnMemory<uint64_t>)
  EXTENSION(zexDriverImportExternalPointer, &importPointer)
  EXTENSION(zexDriverReleaseImportedPointer, &releasePointer)
  EXTENSION(zeCommandListImmediateAppendCommandListsExp, &appendLists)
  EXTENSION(zeCommandListGetNextCommandIdExp, &nextCommandId)
  EXTENSION(zeCommandListUpdateMutableCommandsExp, &changeCommands)
  EXTENSION(zePhysicalMemGetProperties, &physicalProperties)
  // HIPLZ's own driver has these; and semaphores of other interfaces are not faked.
  for (const char *known :
       {hiplz::kZeGetFault, hiplz::kZeGetUsableMemory, hiplz::kZeCheckReport, hiplz::kZeCheckAtEnd, "hiplzCheckMark",
        "zeDeviceImportExternalSemaphoreExt", "zeDeviceReleaseExternalSemaphoreExt"})
    if (wanted == known)
      return nullptr;
  const std::lock_guard lock(state().mutex);
  noteMistake("the fake does not know " + wanted);
  return nullptr;
}

} // namespace fake_ze
