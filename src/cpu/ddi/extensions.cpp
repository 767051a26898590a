// SPDX-License-Identifier: MIT
// See extensions.h.
#include "cpu/ddi/extensions.h"
#include "base/check_mark.h"
#include "base/driver_extensions.h"
#include "cpu/check/findings.h"
#include "cpu/check/memory.h"
#include "cpu/check/tools.h"
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/memory_sync_api.h"
#include "driver/tables.h"

#include <string_view>

namespace hiplz::cpu::ddi {
namespace {

// The memory that a process can have on a device changes with its other users; no function of specification 1.4 reports it.
ze_result_t deviceGetUsableMemory(ze_device_handle_t device, uint64_t *bytes) {
  return guarded([&] {
    deref(bytes) = Device::from(device).usableMemory();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetFault(ze_device_handle_t device, uint32_t *fault) {
  return guarded([&] {
    deref(fault) = static_cast<uint32_t>(Device::from(device).fault.load());
    return ZE_RESULT_SUCCESS;
  });
}

uint32_t markMemory(void *list, const ZeCheckMark *mark) {
  return guarded([&] {
    check::noteMark(deref(mark));
    if (!list) {
      check::markMemory(*mark);
      return ZE_RESULT_SUCCESS;
    }
    return CommandList::from(static_cast<ze_command_list_handle_t>(list))
        .append<MarkMemoryRecord>(Op::markMemory, {}, [&](MarkMemoryRecord &record) { record.mark = *mark; });
  });
}

} // namespace

void *findExtensionFunction(const char *name) {
  std::string_view wanted = name;
  if (wanted == kZeCheckReport)
    return reinterpret_cast<void *>(check::reportCall);
  if (wanted == kZeCheckAtEnd)
    return reinterpret_cast<void *>(check::callAtEnd);
  if (wanted == kZeCheckMark)
    return check::tools().memory || check::tools().races ? reinterpret_cast<void *>(markMemory) : nullptr;
  if (wanted == kZeGetUsableMemory)
    return reinterpret_cast<void *>(deviceGetUsableMemory);
  if (wanted == kZeGetFault)
    return reinterpret_cast<void *>(deviceGetFault);
  if (wanted == "zexCommandListAppendWaitOnMemory")
    return reinterpret_cast<void *>(commandListAppendWaitOnMemory);
  if (wanted == "zexCommandListAppendWaitOnMemory64")
    return reinterpret_cast<void *>(commandListAppendWaitOnMemory64);
  if (wanted == "zexCommandListAppendWriteToMemory")
    return reinterpret_cast<void *>(commandListAppendWriteToMemory);
  return driver::findLaterFunction(wanted);
}

} // namespace hiplz::cpu::ddi
