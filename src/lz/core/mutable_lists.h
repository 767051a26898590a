// SPDX-License-Identifier: MIT
// Level Zero's experimental extension "mutable command list", which the installed headers lack. Its functions are found by name
// (LZDriver::function).
#pragma once
#include "lz/core/ze_extensions.h"

#include <cstddef>
#include <cstdint>

namespace hiplz {

inline constexpr char kZeMutableListsExtension[] = "ZE_experimental_mutable_command_list";

/// The parts of a launch in a closed list that can change; a device says which of them.
inline constexpr uint32_t kZeMutableArguments = 1 << 0, kZeMutableGroupCount = 1 << 1, kZeMutableGroupSize = 1 << 2;

/// Behind a ze_device_properties_t.
struct ZeMutableListProperties {
  static constexpr auto kType = static_cast<ze_structure_type_t>(0x20015);
  ze_structure_type_t stype = kType;
  void *pNext = nullptr;
  uint32_t listFlags = 0, commandFlags = 0;
};

/// Behind a ze_command_list_desc_t.
struct ZeMutableListDesc {
  uint32_t stype = 0x20016;
  const void *pNext = nullptr;
  uint32_t flags = 0;
};

struct ZeMutableCommandIdDesc {
  uint32_t stype = 0x20017;
  const void *pNext = nullptr;
  uint32_t flags = 0;
};

/// The changes are a chain behind it.
struct ZeMutableCommandsDesc {
  uint32_t stype = 0x20018;
  const void *pNext = nullptr;
  uint32_t flags = 0;
};

struct ZeMutableArgument {
  uint32_t stype = 0x20019;
  const void *pNext = nullptr;
  uint64_t command = 0;
  uint32_t index = 0;
  size_t bytes = 0;
  const void *value = nullptr; ///< null: the null pointer
};

struct ZeMutableGroupCount {
  uint32_t stype = 0x2001a;
  const void *pNext = nullptr;
  uint64_t command = 0;
  const ze_group_count_t *count = nullptr;
};

struct ZeMutableGroupSize {
  uint32_t stype = 0x2001b;
  const void *pNext = nullptr;
  uint64_t command = 0;
  uint32_t size[3] = {};
};

using ZeGetNextCommandId = ze_result_t(ZE_APICALL *)(ze_command_list_handle_t, const ZeMutableCommandIdDesc *,
                                                     uint64_t *);
using ZeUpdateMutableCommands = ze_result_t(ZE_APICALL *)(ze_command_list_handle_t, const ZeMutableCommandsDesc *);

} // namespace hiplz
