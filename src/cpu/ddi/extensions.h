// SPDX-License-Identifier: MIT
// Functions of later versions of the specification that this driver implements, found by name through
// zeDriverGetExtensionFunctionAddress because the loader of version 1.4 has no place for them in its tables. They take
// the driver's own handles: where the loader wraps handles, translate them with zelLoaderTranslateHandle. What is HIPLZ's own
// is in base/driver_extensions.h.
#pragma once
#include <cstdint>
#include <level_zero/ze_api.h>

namespace hiplz::cpu::ddi {

constexpr char kImmediateAppendListsExtension[] = "ZE_experimental_immediate_command_list_append";

/// ze_physical_mem_properties_t of specification 1.15; its structure type is 0x20040.
struct PhysicalMemoryProperties {
  uint32_t structureType;
  void *next; ///< may be a ze_external_memory_export_fd_t
  uint64_t id;
  uint64_t size;
};

ze_result_t memPutIpcHandle(ze_context_handle_t context, ze_ipc_mem_handle_t handle);
ze_result_t eventPoolPutIpcHandle(ze_context_handle_t context, ze_ipc_event_pool_handle_t handle);
ze_result_t physicalMemGetProperties(ze_context_handle_t context, ze_physical_mem_handle_t memory,
                                     PhysicalMemoryProperties *properties);

/// Null if there is no such function.
void *findExtensionFunction(const char *name);

} // namespace hiplz::cpu::ddi
