// SPDX-License-Identifier: MIT
// Commands that wait for values in memory and write them, under the names that Intel's driver gives them: there is no
// standard extension for that. Found through zeDriverGetExtensionFunctionAddress.
#pragma once
#include <cstdint>
#include <level_zero/ze_api.h>

namespace hiplz::cpu::ddi {

/// How the value in memory (on the left, unsigned) must compare; exactly one.
enum MemoryWaitAction : uint32_t {
  kWaitEqual = 1 << 0,
  kWaitNotEqual = 1 << 1,
  kWaitGreater = 1 << 2,
  kWaitGreaterEqual = 1 << 3,
  kWaitLess = 1 << 4,
  kWaitLessEqual = 1 << 5,
};

struct MemoryWaitDesc {
  uint32_t action;
  uint32_t scope; ///< who writes: a hint
};

struct MemoryWriteDesc {
  uint32_t scope; ///< who reads: a hint
};

/// The commands before it in its list have ended when it begins to wait; those behind it begin when the wait has ended. The
/// address is aligned to the size of the value.
ze_result_t commandListAppendWaitOnMemory(ze_command_list_handle_t list, MemoryWaitDesc *desc, void *address,
                                          uint32_t value, ze_event_handle_t signal);
ze_result_t commandListAppendWaitOnMemory64(ze_command_list_handle_t list, MemoryWaitDesc *desc, void *address,
                                            uint64_t value, ze_event_handle_t signal);

/// Writes 64 bits at once, after everything that precedes the command.
ze_result_t commandListAppendWriteToMemory(ze_command_list_handle_t list, MemoryWriteDesc *desc, void *address,
                                           uint64_t value);

} // namespace hiplz::cpu::ddi
