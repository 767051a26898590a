// SPDX-License-Identifier: MIT
// See extensions.h.
#include "cpu/ddi/extensions.h"
#include "base/driver_extensions.h"
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/memory_sync_api.h"

#include <string_view>

namespace hiplz::cpu::ddi {
namespace {

// Specification 1.6.
ze_result_t commandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout) {
  return guarded([&] { return CommandList::from(list).synchronize(timeout); });
}

// Extension ZE_experimental_immediate_command_list_append.
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

// What a process can have on a device changes with its other users; no function of the specification 1.4 tells it.
ze_result_t deviceGetUsableMemory(ze_device_handle_t device, uint64_t *bytes) {
  return guarded([&] {
    deref(bytes) = Device::from(device).usableMemory();
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace

void *findExtensionFunction(const char *name) {
  std::string_view wanted = name;
  if (wanted == kZeGetUsableMemory)
    return reinterpret_cast<void *>(deviceGetUsableMemory);
  if (wanted == "zeCommandListHostSynchronize")
    return reinterpret_cast<void *>(commandListHostSynchronize);
  if (wanted == "zeCommandListImmediateAppendCommandListsExp")
    return reinterpret_cast<void *>(commandListImmediateAppendCommandListsExp);
  if (wanted == "zeMemPutIpcHandle") // specification 1.6
    return reinterpret_cast<void *>(memPutIpcHandle);
  if (wanted == "zeEventPoolPutIpcHandle")
    return reinterpret_cast<void *>(eventPoolPutIpcHandle);
  if (wanted == "zePhysicalMemGetProperties") // 1.15
    return reinterpret_cast<void *>(physicalMemGetProperties);
  if (wanted == "zexCommandListAppendWaitOnMemory")
    return reinterpret_cast<void *>(commandListAppendWaitOnMemory);
  if (wanted == "zexCommandListAppendWaitOnMemory64")
    return reinterpret_cast<void *>(commandListAppendWaitOnMemory64);
  if (wanted == "zexCommandListAppendWriteToMemory")
    return reinterpret_cast<void *>(commandListAppendWriteToMemory);
  return nullptr;
}

} // namespace hiplz::cpu::ddi
