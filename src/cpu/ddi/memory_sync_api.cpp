// SPDX-License-Identifier: MIT
// See memory_sync_api.h.
#include "cpu/ddi/memory_sync_api.h"
#include "cpu/ddi/entry_points.h"

namespace hiplz::cpu::ddi {
namespace {

MemoryComparison comparisonOf(uint32_t action) {
  switch (action) {
  case kWaitEqual: return MemoryComparison::equal;
  case kWaitNotEqual: return MemoryComparison::notEqual;
  case kWaitGreater: return MemoryComparison::greater;
  case kWaitGreaterEqual: return MemoryComparison::greaterEqual;
  case kWaitLess: return MemoryComparison::less;
  case kWaitLessEqual: return MemoryComparison::lessEqual;
  default: throw Error{ZE_RESULT_ERROR_INVALID_ENUMERATION};
  }
}

void requireAligned(const void *address, size_t bytes) {
  require(address, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  require(reinterpret_cast<uintptr_t>(address) % bytes == 0, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
}

ze_result_t appendWait(ze_command_list_handle_t list, const MemoryWaitDesc *desc, const void *address, uint32_t bytes,
                       uint64_t value, ze_event_handle_t signal) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    MemoryComparison comparison = comparisonOf(deref(desc).action);
    requireAligned(address, bytes);
    require(MemoryWatcher::get().ensureThread(), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    return commands.append<WaitMemoryRecord>(Op::waitMemory, EventArguments(signal, 0, nullptr),
                                             [&](WaitMemoryRecord &record) {
                                               record.address = address;
                                               record.value = value;
                                               record.bytes = bytes;
                                               record.comparison = comparison;
                                             });
  });
}

} // namespace

ze_result_t commandListAppendWaitOnMemory(ze_command_list_handle_t list, MemoryWaitDesc *desc, void *address,
                                          uint32_t value, ze_event_handle_t signal) {
  return appendWait(list, desc, address, sizeof value, value, signal);
}

ze_result_t commandListAppendWaitOnMemory64(ze_command_list_handle_t list, MemoryWaitDesc *desc, void *address,
                                            uint64_t value, ze_event_handle_t signal) {
  return appendWait(list, desc, address, sizeof value, value, signal);
}

ze_result_t commandListAppendWriteToMemory(ze_command_list_handle_t list, MemoryWriteDesc *desc, void *address,
                                           uint64_t value) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    deref(desc);
    requireAligned(address, sizeof value);
    return commands.append<WriteMemoryRecord>(Op::writeMemory, {}, [&](WriteMemoryRecord &record) {
      record.to = static_cast<uint64_t *>(address);
      record.value = value;
    });
  });
}

} // namespace hiplz::cpu::ddi
